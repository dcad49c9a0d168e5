#!/usr/bin/env node
// Old Nodes must be able to read this file to hear what is wrong, so it keeps to the syntax of Node 10.
"use strict";

var version = process.versions.node.split(".").map(Number);
var entry = require("path").join(__dirname, "../dist/cli/main.cjs");

if (version[0] < 22 || (version[0] === 22 && version[1] < 18)) {
  startElsewhere();
} else if (!require("fs").existsSync(entry)) {
  stop("suture is not built in this checkout: run `npm run build` first");
} else {
  start(process.argv.slice(2));
}

function startElsewhere() {
  var fetched = fetchedNode();
  if (fetched) runUnder(fetched);
  else
    stop(
      "suture needs Node 22.18 or newer and this is " +
        process.versions.node +
        "; to run it anyway: npx -y --prefix ~/ -p node@24 -- node " +
        JSON.stringify(__filename) +
        " ...",
    );
}

// The Node that `npm start` or `npm test` fetched into this clone, see scripts/with-node.mjs. A package has none.
function fetchedNode() {
  var fs = require("fs");
  var path = require("path");
  var folder = path.join(__dirname, "../.node");
  var program = process.platform === "win32" ? "node.exe" : "node";
  var names = fs.existsSync(folder) ? fs.readdirSync(folder) : [];
  return names
    .map((name) => path.join(folder, name, "node_modules", name, "bin", program))
    .filter((file) => fs.existsSync(file))[0];
}

function runUnder(node) {
  var args = [__filename].concat(process.argv.slice(2));
  var child = require("child_process").spawn(node, args, { stdio: "inherit" });
  ["SIGINT", "SIGTERM", "SIGHUP"].forEach((signal) => process.on(signal, () => child.kill(signal)));
  child.on("error", (error) => stop("suture could not start " + node + ": " + error.message));
  child.on("close", (code) => {
    process.exitCode = code === null ? 1 : code;
  });
}

function start(words) {
  // Windows looks for `git` in the current folder first, and that folder may be a stranger's.
  process.env.NoDefaultCurrentDirectoryInExePath = "1";
  var isHook = isToolHook(words);
  var file = isHook ? require("path").join(entry, "../tool-hook.cjs") : entry;
  var folder = cacheFolder();
  var what = { folder: folder, command: words[0], hook: isHook ? words[1] : null, model: asksModel(words) };
  if (folder === null) require(file);
  else require("./load.cjs").load(file, what);
}

function asksModel(words) {
  return words.some((word) => word.indexOf("--model") === 0);
}

// The hooks around each call of an agent's edit tool have a small program of their own: agent before --target claude
function isToolHook(words) {
  return (
    words[0] === "agent" &&
    (words[1] === "before" || words[1] === "after") &&
    (words.length === 2 || (words.length === 4 && words[2] === "--target"))
  );
}

// The user's own cache, as src/workspace/files/cache-file.ts finds it: a folder that other users can write to could hold
// compiled code of theirs. Null where the user wants none.
function cacheFolder() {
  var path = require("path");
  var env = process.env;
  var chosen = env.SUTURE_CACHE;
  if (chosen === "off" || (chosen && !path.isAbsolute(chosen))) return null;
  var home = require("os").homedir();
  var windows = env.LOCALAPPDATA || path.join(home, "AppData", "Local");
  var other =
    env.XDG_CACHE_HOME && path.isAbsolute(env.XDG_CACHE_HOME)
      ? env.XDG_CACHE_HOME
      : path.join(home, ".cache");
  return chosen || path.join(process.platform === "win32" ? windows : other, "suture");
}

function stop(line) {
  process.stderr.write(line + "\n");
  process.exitCode = 2;
}

#!/usr/bin/env node
// Old Nodes must be able to read this file to hear what is wrong, so it keeps to the syntax of Node 10.
"use strict";

var version = process.versions.node.split(".").map(Number);
var entry = __dirname + "/../dist/cli/main.cjs";

if (version[0] < 22 || (version[0] === 22 && version[1] < 18)) {
  stop(
    "suture needs Node 22.18 or newer and this is " +
      process.versions.node +
      "; to run it anyway: npx -y -p node@24 -p suture -- suture ...",
  );
} else if (!require("fs").existsSync(entry)) {
  stop("suture is not built in this checkout: run `npm run build` first");
} else {
  keepCompiled();
  if (isToolHook(process.argv.slice(2))) require("../dist/cli/tool-hook.cjs");
  else require("../dist/cli/main.cjs");
}

// The hooks around each call of an agent's edit tool have a small program of their own: agent before --target claude
function isToolHook(words) {
  return (
    words[0] === "agent" &&
    (words[1] === "before" || words[1] === "after") &&
    (words.length === 2 || (words.length === 4 && words[2] === "--target"))
  );
}

// In the user's own cache, as src/workspace/files/cache-file.ts finds it: a folder that other users can write to could
// hold compiled code of theirs.
function keepCompiled() {
  var path = require("path");
  var env = process.env;
  var chosen = env.SUTURE_CACHE;
  if (chosen === "off" || (chosen && !path.isAbsolute(chosen))) return;
  var home = require("os").homedir();
  var windows = env.LOCALAPPDATA || path.join(home, "AppData", "Local");
  var other =
    env.XDG_CACHE_HOME && path.isAbsolute(env.XDG_CACHE_HOME)
      ? env.XDG_CACHE_HOME
      : path.join(home, ".cache");
  var folder = chosen || path.join(process.platform === "win32" ? windows : other, "suture");
  require("module").enableCompileCache(path.join(folder, "compiled"));
}

function stop(line) {
  process.stderr.write(line + "\n");
  process.exitCode = 2;
}

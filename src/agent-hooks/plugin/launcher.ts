/**
 * The program that the hooks of a plugin start. A client may have copied the plugin without the package, so it looks
 * for Suture in the package around it, then on the path. It runs what it found in its own process: `npx` takes longer
 * than the hook itself, and is the last resort. The project's own `node_modules` are not looked at, because a hook
 * that runs in every project must not run code that a project brings along.
 */
export const launcherSource = `// Starts Suture for the hooks of this plugin: node suture.cjs agent stop
"use strict";
const fs = require("node:fs");
const path = require("node:path");
const { spawn } = require("node:child_process");

const words = process.argv.slice(2);
const around = [path.join(__dirname, "../../bin/suture.cjs"), path.join(__dirname, "../../../bin/suture.cjs")];
const program = around.find(isBuilt) || findOnPath();

if (program && /\\.c?js$/.test(program)) {
  process.argv[1] = program;
  require(program);
} else if (program) {
  start(program, words);
} else {
  start("npx", ["-y", "suture", ...words]);
}

function isBuilt(file) {
  return fs.existsSync(file) && fs.existsSync(path.join(file, "../../dist/cli/main.cjs"));
}

function findOnPath() {
  const name = process.platform === "win32" ? "suture.cmd" : "suture";
  for (const folder of (process.env.PATH || "").split(path.delimiter)) {
    const file = path.join(folder, name);
    if (path.isAbsolute(folder) && fs.existsSync(file)) return fs.realpathSync(file);
  }
  return null;
}

// A hook must end with 0 and an answer, also where Suture cannot be started.
function start(command, rest) {
  const isWindows = process.platform === "win32";
  const cwd = command === "npx" ? require("node:os").homedir() : process.cwd();
  const child = spawn(isWindows ? \`"\${command}"\` : command, rest, { cwd, shell: isWindows, stdio: "inherit" });
  child.on("error", () => {});
  child.on("close", (code) => {
    if (words[0] !== "agent") process.exitCode = code || 0;
    else if (code) console.log("{}");
  });
}
`;

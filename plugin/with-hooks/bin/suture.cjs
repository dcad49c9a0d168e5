// Starts Suture for the hooks of this plugin: node suture.cjs agent stop
"use strict";
const fs = require("node:fs");
const path = require("node:path");
const { spawn } = require("node:child_process");

const words = process.argv.slice(2);
const around = [path.join(__dirname, "../../bin/suture.cjs"), path.join(__dirname, "../../../bin/suture.cjs")];
const program = around.find(isBuilt) || findOnPath();

if (program && /\.c?js$/.test(program)) {
  process.argv[1] = program;
  require(program);
} else if (program) {
  start(program, words);
} else {
  start("npx", ["-y", "--prefix", require("node:os").homedir(), "--package", "git+https://github.com/OWNER/suture.git#v0.1.0", "--", "suture", ...words]);
}

function isBuilt(file) {
  return fs.existsSync(file) && fs.existsSync(path.join(file, "../../dist/cli/main.cjs"));
}

function findOnPath() {
  const project = findProject(process.cwd());
  const name = process.platform === "win32" ? "suture.cmd" : "suture";
  for (const folder of (process.env.PATH || "").split(path.delimiter)) {
    const file = path.join(folder, name);
    const isProject = /[\\/]node_modules[\\/]\.bin[\\/]?$/.test(folder) || isInside(folder, project);
    if (path.isAbsolute(folder) && !isProject && fs.existsSync(file)) return fs.realpathSync(file);
  }
  return null;
}

// The folder of the repository around a folder, or the folder itself.
function findProject(folder) {
  for (let at = folder; ; at = path.dirname(at)) {
    if (fs.existsSync(path.join(at, ".git"))) return at;
    if (at === path.dirname(at)) return folder;
  }
}

function isInside(file, folder) {
  const way = path.relative(folder, file);
  return !way.startsWith("..") && !path.isAbsolute(way);
}

// A hook must end with 0 and an answer, also where Suture cannot be started.
function start(command, rest) {
  const isWindows = process.platform === "win32";
  // Windows looks for programs in the current folder first, which is the project's.
  const env = { ...process.env, NoDefaultCurrentDirectoryInExePath: "1" };
  const child = spawn(isWindows ? `"${command}"` : command, rest, { env, shell: isWindows, stdio: "inherit" });
  child.on("error", () => {});
  child.on("close", (code) => {
    if (words[0] !== "agent") process.exitCode = code || 0;
    else if (code) console.log("{}");
  });
}

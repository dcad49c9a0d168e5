// Builds the package where npm installs it from a git address, so that it works without a release. npm runs this in a clone of
// its own, with the development dependencies installed. In a clone that is built already there is nothing to do.
//
// It may run under a Node that is too old, so it is plain JavaScript.
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";

const [major, minor] = process.versions.node.split(".").map(Number);

if (!existsSync("dist/cli/main.cjs")) {
  if (major < 22 || (major === 22 && minor < 18))
    console.error(`suture is not built: it needs Node 22.18 or newer, and this is ${process.versions.node}.`);
  else if (process.env.npm_config_global === "true" && !existsSync("node_modules/tsdown")) {
    // npm hands `--global` down to the npm that prepares the clone, and that one installs nothing here.
    console.error("npm cannot build a package from git in a global install. Pack it first:");
    console.error("    npm pack ADDRESS && npm install --global ./suture-*.tgz");
    process.exitCode = 1;
  } else
    execFileSync("npm", ["run", "--silent", "prepack"], {
      stdio: "inherit",
      shell: process.platform === "win32",
    });
}

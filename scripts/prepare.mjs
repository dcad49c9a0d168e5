// Builds the package where npm installs it from a git address, so that it works without a release. npm runs this in a clone of
// its own, with the development dependencies installed. In a clone that is built already there is nothing to do.
//
// It may run under a Node that is too old, so it is plain JavaScript.
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";

if (!existsSync("dist/cli/main.cjs")) {
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major < 22 || (major === 22 && minor < 18))
    console.error(`suture is not built: it needs Node 22.18 or newer, and this is ${process.versions.node}.`);
  else
    execFileSync("npm", ["run", "--silent", "prepack"], {
      stdio: "inherit",
      shell: process.platform === "win32",
    });
}

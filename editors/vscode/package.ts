/**
 * Makes the extension as people install it: `npm --prefix editors/vscode install`, then `npm --prefix editors/vscode run
 * package`. The server is the npm package of this repository, installed into the extension, so nothing is fetched later.
 */
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const here = import.meta.dirname;
const house = join(here, "..", "..");
const server = join(here, "server");
const out = join(here, "suture.vsix");

packServer();
bundleClient();
copyFileSync(join(house, "LICENSE"), join(here, "LICENSE"));
run("vsce", ["package", "--no-dependencies", "--allow-missing-repository", "--out", out]);
console.log(`${out}: ${(statSync(out).size / 2 ** 20).toFixed(1)} MB`);

function packServer(): void {
  const folder = mkdtempSync(join(tmpdir(), "suture-vsix-"));
  try {
    execFileSync("npm", ["pack", "--silent", "--pack-destination", folder], { cwd: house, stdio: "inherit" });
    const [tarball] = readdirSync(folder);
    rmSync(server, { recursive: true, force: true });
    mkdirSync(server);
    writeFileSync(join(server, "package.json"), '{ "private": true }\n');
    const flags = [
      "--omit=dev",
      "--omit=peer",
      "--ignore-scripts",
      "--no-audit",
      "--no-fund",
      "--no-package-lock",
    ];
    execFileSync("npm", ["install", ...flags, join(folder, tarball!)], { cwd: server, stdio: "inherit" });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function bundleClient(): void {
  run("esbuild", [
    "src/extension.ts",
    "--bundle",
    "--platform=node",
    "--format=cjs",
    "--target=node22",
    "--external:vscode",
    "--outfile=dist/extension.cjs",
  ]);
}

function run(command: string, args: readonly string[]): void {
  execFileSync(join(here, "node_modules", ".bin", command), args, { cwd: here, stdio: "inherit" });
}

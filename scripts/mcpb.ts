/**
 * Makes the MCP bundle that desktop clients install with a click: `npm run mcpb [-- FILE]`. The bundle is the npm package
 * with what it depends on, and the manifest in `plugin/mcpb`. Validator and packer are the published ones.
 */
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const house = join(import.meta.dirname, "..");
const out = resolve(process.argv[2] ?? join(house, "suture.mcpb"));
const folder = mkdtempSync(join(tmpdir(), "suture-mcpb-"));
const bundle = join(folder, "package");

try {
  unpackPackage();
  installDependencies();
  copyFileSync(join(house, "plugin/mcpb/manifest.json"), join(bundle, "manifest.json"));
  callMcpb("validate", join(bundle, "manifest.json"));
  callMcpb("pack", bundle, out);
  console.log(`${out}: ${(statSync(out).size / 2 ** 20).toFixed(1)} MB`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function unpackPackage(): void {
  run("npm", ["pack", "--silent", "--pack-destination", folder], house);
  const [archive] = readdirSync(folder).filter((name) => name.endsWith(".tgz"));
  run("tar", ["-xzf", archive!], folder);
}

function installDependencies(): void {
  const flags = ["--omit=dev", "--omit=peer", "--omit=optional", "--ignore-scripts", "--no-package-lock"];
  run("npm", ["install", "--silent", "--no-audit", "--no-fund", ...flags], bundle);
}

function callMcpb(...words: string[]): void {
  run("npx", ["--yes", "@anthropic-ai/mcpb@2.1.2", ...words], house);
}

function run(command: string, words: readonly string[], cwd: string): void {
  execFileSync(command, words, { cwd, stdio: "inherit" });
}

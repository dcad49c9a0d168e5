/** Fetches the published coding agents that `npm run clients` drives, once, into a cache outside the repository. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { clientCache, neighbours, realClients } from "../test/clients/real-clients.ts";

for (const client of Object.values(realClients)) {
  const folder = join(clientCache, client.name);
  mkdirSync(folder, { recursive: true });
  if (!existsSync(join(folder, "package"))) fetchPackage(folder, client.package);
  if (client.also && !existsSync(neighbours(client))) fetchNeighbours(folder, client.also);
}

function fetchPackage(folder: string, spec: string): void {
  console.log(`fetching ${spec}`);
  const packed = spawnSync("npm", ["pack", "--silent", spec], { cwd: folder, encoding: "utf8" });
  const archive = packed.stdout.trim().split("\n").at(-1) ?? "";
  if (packed.status !== 0 || archive === "") console.log(`${spec} cannot be fetched; its tests are skipped`);
  else spawnSync("tar", ["-xzf", archive], { cwd: folder });
  if (archive !== "") rmSync(join(folder, archive), { force: true });
}

function fetchNeighbours(folder: string, specs: readonly string[]): void {
  const flags = ["--silent", "--no-audit", "--no-fund", "--ignore-scripts", "--no-package-lock"];
  spawnSync("npm", ["install", "--prefix", folder, ...flags, ...specs], { stdio: "inherit" });
}

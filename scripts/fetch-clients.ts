/** Fetches the published coding agents that `npm run clients` drives, once, into a cache outside the repository. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { clientCache, realClients } from "../test/clients/real-clients.ts";

for (const { name, package: spec } of Object.values(realClients)) {
  const folder = join(clientCache, name);
  if (existsSync(join(folder, "package"))) continue;
  mkdirSync(folder, { recursive: true });
  console.log(`fetching ${spec}`);
  const packed = spawnSync("npm", ["pack", "--silent", spec], { cwd: folder, encoding: "utf8" });
  const archive = packed.stdout.trim().split("\n").at(-1) ?? "";
  if (packed.status !== 0 || archive === "") console.log(`${spec} cannot be fetched; its tests are skipped`);
  else spawnSync("tar", ["-xzf", archive], { cwd: folder });
  if (archive !== "") rmSync(join(folder, archive), { force: true });
}

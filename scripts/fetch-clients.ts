/**
 * Fetches what `npm run clients` runs, once, into a cache outside the repository: the published coding agents, and the
 * validators and JSON schemas of our manifests. With names (`node scripts/fetch-clients.ts claude codex`) it fetches
 * only these agents.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  clientCache,
  findValidator,
  manifestsWithSchema,
  neighbours,
  realClients,
  schemaFile,
  validators,
} from "../test/clients/real-clients.ts";

const wanted = process.argv.slice(2);

for (const client of Object.values(realClients)) {
  if (wanted.length > 0 && !wanted.includes(client.name)) continue;
  const folder = join(clientCache, client.name);
  mkdirSync(folder, { recursive: true });
  if (!existsSync(join(folder, "package"))) fetchPackage(folder, client.package);
  if (client.also && !existsSync(neighbours(client))) fetchNeighbours(folder, client.also);
}

if (wanted.length === 0) await fetchValidators();

async function fetchValidators(): Promise<void> {
  for (const name of Object.keys(validators) as (keyof typeof validators)[]) {
    const folder = join(clientCache, name);
    mkdirSync(folder, { recursive: true });
    if (!findValidator(name)) fetchNeighbours(folder, [validators[name].package]);
  }
  for (const manifest of manifestsWithSchema)
    await fetchSchema((JSON.parse(readFileSync(manifest, "utf8")) as { readonly $schema: string }).$schema);
}

async function fetchSchema(address: string): Promise<void> {
  const file = schemaFile(address);
  if (existsSync(file)) return;
  try {
    const answer = await fetch(address, { signal: AbortSignal.timeout(20_000) });
    if (!answer.ok) throw new Error(`the server answered with ${answer.status}`);
    mkdirSync(join(clientCache, "schemas"), { recursive: true });
    writeFileSync(file, await answer.text());
  } catch (error) {
    console.log(`${address} cannot be fetched; its test is skipped (${(error as Error).message})`);
  }
}

function fetchPackage(folder: string, spec: string): void {
  console.log(`fetching ${spec}`);
  const packed = spawnSync("npm", ["pack", "--loglevel=error", spec], { cwd: folder, encoding: "utf8" });
  const archive = packed.stdout.trim().split("\n").at(-1) ?? "";
  const why = packed.stderr.trim().split("\n", 1)[0];
  if (packed.status !== 0 || archive === "")
    console.log(`${spec} cannot be fetched; its tests are skipped (${why})`);
  else spawnSync("tar", ["-xzf", archive], { cwd: folder });
  if (archive !== "") rmSync(join(folder, archive), { force: true });
}

function fetchNeighbours(folder: string, specs: readonly string[]): void {
  const flags = ["--silent", "--no-audit", "--no-fund", "--ignore-scripts", "--no-package-lock"];
  spawnSync("npm", ["install", "--prefix", folder, ...flags, ...specs], { stdio: "inherit" });
}

/**
 * What a release needs besides the tag, see docs/publishing.md:
 *
 *     npm run release -- 0.2.0            cuts the changelog and sets the version everywhere
 *     npm run release -- --owner acme     writes the owner of the repository in place of the present one
 *     npm run release -- --notes 0.2.0    prints what the changelog says about a version
 *     npm run release -- --ready v0.2.0   fails where the tag, the versions or the owner do not go together
 */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { cutVersion, notesOf } from "./changelog.ts";
import { ownerIn, placeholder, publishedFiles, versionsIn, withOwner, withVersion } from "./published.ts";

const usage = "usage: npm run release -- VERSION | --owner NAME | --notes VERSION | --ready TAG";
const read = (path: string): string => readFileSync(path, "utf8");
const present = (JSON.parse(read("package.json")) as { version: string }).version;

try {
  const { values, positionals } = readWords();
  if (values.notes !== undefined) console.log(notesOf(read("CHANGELOG.md"), bare(values.notes)));
  else if (values.ready !== undefined) refuseUnlessReady(bare(values.ready));
  else if (values.owner !== undefined) setOwner(values.owner);
  else if (positionals.length === 1) cut(bare(positionals[0]!));
  else throw new Error(usage);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

function readWords() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: { owner: { type: "string" }, notes: { type: "string" }, ready: { type: "string" } },
    });
  } catch (error) {
    throw new Error(`${(error as Error).message}\n${usage}`);
  }
}

/** A tag `v1.2.3` names the version `1.2.3`. */
function bare(tag: string): string {
  const version = tag.replace(/^v/, "");
  if (!/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version)) throw new Error(`${tag} is no version such as 0.2.0`);
  return version;
}

function cut(version: string): void {
  const changelog = cutVersion(read("CHANGELOG.md"), version, new Date().toISOString().slice(0, 10));
  for (const path of publishedFiles) writeFileSync(path, withVersion(path, read(path), present, version));
  writeFileSync("CHANGELOG.md", changelog);
  generate();
  console.log(`Version ${version} is cut. Read \`git diff\`, commit, and push the tag v${version}.`);
}

function setOwner(owner: string): void {
  if (!/^[A-Za-z0-9][A-Za-z0-9-]{0,38}$/.test(owner)) throw new Error(`${owner} cannot own a repository`);
  const before = ownerIn(read("package.json"));
  for (const path of publishedFiles) writeFileSync(path, withOwner(read(path), before, owner));
  generate();
  console.log(`The repository belongs to ${owner} now. Read \`git diff\` and commit.`);
}

/** The plugin manifests and the entry in the MCP registry are printed from package.json. */
function generate(): void {
  execFileSync(process.execPath, ["scripts/generate.ts"], { stdio: "inherit" });
}

function refuseUnlessReady(version: string): void {
  const problems: string[] = [];
  if (ownerIn(read("package.json")) === placeholder)
    problems.push("package.json names no owner: npm run release -- --owner NAME");
  for (const path of [...publishedFiles, "server.json", "plugin/plugin.json"])
    for (const found of versionsIn(path, read(path)))
      if (found !== version) problems.push(`${path} says ${found} and the tag ${version}`);
  try {
    notesOf(read("CHANGELOG.md"), version);
  } catch (error) {
    problems.push((error as Error).message);
  }
  if (problems.length > 0) throw new Error(problems.join("\n"));
}

import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { mergeFileCleanly } from "../../src/syntax/merge/merge-file.ts";
import { gitMerge } from "../edits/histories.ts";
import type { MergeCase } from "./cases.ts";

/** The merged text, or null where there is a conflict. */
export type MergeEngine = (one: MergeCase) => Promise<string | null>;

export const suture: MergeEngine = ({ path, versions }) => mergeFileCleanly(path, versions);

export const git: MergeEngine = async ({ versions: { base, ours, theirs } }) => {
  const merged = gitMerge({ base: Buffer.from(base), ours: Buffer.from(ours), theirs: Buffer.from(theirs) });
  return merged?.toString("utf8") ?? null;
};

/** node-diff3 as npm has it, fetched into a folder; null without a registry. */
export async function openNodeDiff3(): Promise<MergeEngine | null> {
  const folder = mkdtempSync(join(tmpdir(), "node-diff3-"));
  try {
    execFileSync("npm", ["install", "--silent", "--no-audit", "--no-fund", "node-diff3@3.2.1"], {
      cwd: folder,
      stdio: "ignore",
    });
    const from = join(folder, "node_modules/node-diff3");
    const { exports } = JSON.parse(readFileSync(join(from, "package.json"), "utf8"));
    const { mergeDiff3 } = await import(pathToFileURL(join(from, exports.import)).href);
    return async ({ versions: { base, ours, theirs } }) => {
      const split = (text: string): string[] => text.split("\n");
      const merged = mergeDiff3(split(ours), split(base), split(theirs), { excludeFalseConflicts: true });
      return merged.conflict ? null : merged.result.join("\n");
    };
  } catch {
    return null;
  } finally {
    process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  }
}

/** The program `mergiraf`; null where it is not installed. */
export function openMergiraf(): MergeEngine | null {
  if (spawnSync("mergiraf", ["--version"]).status !== 0) return null;
  return async ({ path, versions }) => {
    const folder = mkdtempSync(join(tmpdir(), "mergiraf-"));
    try {
      const names = Object.entries(versions).map(([name, text]) => {
        writeFileSync(join(folder, `${name}-${basename(path)}`), text);
        return join(folder, `${name}-${basename(path)}`);
      });
      const ran = spawnSync("mergiraf", ["merge", ...names, "-p", path], { encoding: "utf8" });
      return ran.status === 0 ? ran.stdout : null;
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  };
}

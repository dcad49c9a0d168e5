import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { applyPatch } from "diff";
import { placeHunks } from "../../src/text/match/hunks/place-hunks.ts";
import { applySplices } from "../../src/text/model/splice.ts";
import { parseUnified } from "../../src/text/patch/unified.ts";

/** A patch, the text it is tried on, and the text it was made for. */
export type PatchJob = { readonly patch: string; readonly onto: string; readonly base: string };

/** The text after the patch, or null where the engine refused. */
export type PatchEngine = (job: PatchJob) => string | null;

export const patchEngines: Readonly<Record<string, PatchEngine>> = {
  suture: ({ patch, onto }) => applyWithSuture(patch, onto),
  "suture, base known": ({ patch, onto, base }) => applyWithSuture(patch, onto, base),
  "git apply": (job) => runProgram(job, "git", ["apply", "--unidiff-zero", "patch"]),
  "GNU patch": (job) =>
    runProgram(job, "patch", ["--batch", "--silent", "--no-backup-if-mismatch", "file", "patch"]),
  "jsdiff, fuzz 0": ({ patch, onto }) => applyWithJsdiff(patch, onto, 0),
  "jsdiff, fuzz 2": ({ patch, onto }) => applyWithJsdiff(patch, onto, 2),
};

function applyWithSuture(patch: string, onto: string, base?: string): string | null {
  const edits = parseUnified(patch);
  if (!edits.ok) return null;
  const hunks = edits.value.flatMap(({ target }) => ("hunks" in target ? target.hunks : []));
  const placed = placeHunks(onto, hunks, { base });
  return placed.ok ? applySplices(onto, placed.value.splices) : null;
}

function applyWithJsdiff(patch: string, onto: string, fuzzFactor: number): string | null {
  try {
    const applied = applyPatch(onto, patch, { fuzzFactor });
    return applied === false ? null : applied;
  } catch {
    return null;
  }
}

/** Runs a program on a file named `file` in a folder of its own. */
function runProgram({ patch, onto }: PatchJob, program: string, args: readonly string[]): string | null {
  const folder = mkdtempSync(join(tmpdir(), "suture-bench-edits-"));
  try {
    writeFileSync(join(folder, "file"), onto);
    writeFileSync(join(folder, "patch"), renamed(patch));
    const env = { ...process.env, GIT_CEILING_DIRECTORIES: tmpdir() };
    const { status } = spawnSync(program, args, { cwd: folder, env, stdio: "ignore" });
    return status === 0 ? readFileSync(join(folder, "file"), "utf8") : null;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A diff of two blobs names them by their ids; programs need the name of a file. */
function renamed(patch: string): string {
  return patch
    .replace(/^diff --git .*$/m, "diff --git a/file b/file")
    .replace(/^--- .*$/m, "--- a/file")
    .replace(/^\+\+\+ .*$/m, "+++ b/file");
}

import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compareTexts } from "../../src/text/diff/compare.ts";
import { type FileDiff, printDiff, printPlanDiff } from "../../src/text/diff/diff.ts";
import type { Change } from "../../src/text/model/plan.ts";
import { applySplices } from "../../src/text/model/splice.ts";
import { type Case, RUNS, revisions } from "./generators.ts";

/** Files that one run of the program patches. */
const BATCH = 500;

// Forced, because GNU patch asks before it deletes a file that is empty already.
const appliers: readonly { name: string; command: string; arguments: readonly string[] }[] = [
  { name: "git apply", command: "git", arguments: ["apply", "--whitespace=nowarn", "-"] },
  { name: "GNU patch", command: "patch", arguments: ["-p1", "--binary", "--silent", "--fuzz=0", "--force"] },
];

/** A revision as a file that is edited, made or deleted. */
type Fate = "edited" | "made" | "deleted";
const fates = fc.tuple(revisions, fc.constantFrom<Fate>("edited", "edited", "edited", "made", "deleted"));

describe.each(appliers)("$name", ({ command, arguments: given }) => {
  const installed = spawnSync(command, ["--version"]).status === 0;
  if (!installed) console.log(`skipped: ${command} is not installed`);

  test.skipIf(!installed)("git apply takes every printed diff and produces the new text", () => {
    const cases = fc.sample(fates, { numRuns: RUNS });
    for (let start = 0; start < cases.length; start += BATCH) {
      const files = cases
        .slice(start, start + BATCH)
        .map(([revision, fate], i) => fileOf(revision, fate, `some dir/${i}`));
      inFolder((folder) => {
        mkdirSync(join(folder, "some dir"));
        for (const { diff } of files)
          if (diff.before !== null) writeFileSync(join(folder, diff.path), diff.before);
        const patch = files.map(({ diff }) => printDiff(diff)).join("");
        expect(patchFolder(folder, command, given, patch)).toBe("");
        for (const { diff, after } of files)
          expect({ diff, after: readBack(folder, diff.path) }).toEqual({ diff, after });
      });
    }
  });

  test.skipIf(!installed)("takes a plan with every kind of change", () => {
    inFolder((folder) => {
      const before = {
        "a b.md": "one\ntwo\n",
        'q"\t.md': "x\n",
        "čtěte.md": "x\n",
        run: "x\n",
        old: "1\n2\n3\n",
        gone: "x",
      };
      for (const [path, text] of Object.entries(before)) writeFileSync(join(folder, path), text);
      const change = (
        path: keyof typeof before | "new/b",
        after: string | null,
        more: Partial<Change> = {},
      ): Change => {
        const text = path === "new/b" ? null : before[path];
        const splices = text === null ? [] : compareTexts(text, after ?? "");
        return { path, before: { path, text, version: "" }, after, splices, ...more };
      };
      const changes = [
        change("a b.md", "one\n2\n"),
        change('q"\t.md', "y\n"),
        change("čtěte.md", "y\n"),
        change("run", "x\n", { mode: "executable" }),
        change("gone", null),
        change("old", null),
        change("new/b", "1\n2\nIII\n", { from: "old", splices: compareTexts(before.old, "1\n2\nIII\n") }),
      ];
      const ran = patchFolder(folder, command, given, printPlanDiff({ edits: [], changes, landings: [] }));
      expect(ran).toBe("");
      for (const { path, after } of changes) expect([path, readBack(folder, path)]).toEqual([path, after]);
      expect(statSync(join(folder, "run")).mode & 0o111).not.toBe(0);
    });
  });
});

function patchFolder(folder: string, command: string, given: readonly string[], patch: string): string {
  const env = { ...process.env, GIT_CEILING_DIRECTORIES: tmpdir(), GIT_CONFIG_GLOBAL: "/dev/null" };
  const ran = spawnSync(command, given, { cwd: folder, input: patch, encoding: "utf8", env });
  return ran.stdout + ran.stderr;
}

function readBack(folder: string, path: string): string | null {
  return existsSync(join(folder, path)) ? readFileSync(join(folder, path), "utf8") : null;
}

function inFolder(work: (folder: string) => void): void {
  const folder = mkdtempSync(join(tmpdir(), "suture-diff-"));
  try {
    work(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function fileOf({ text, splices }: Case, fate: Fate, path: string): { diff: FileDiff; after: string | null } {
  if (fate === "made")
    return { diff: { path, before: null, splices: [{ region: { start: 0, end: 0 }, text }] }, after: text };
  if (fate === "deleted") return { diff: { path, before: text, after: null, splices: [] }, after: null };
  return { diff: { path, before: text, splices }, after: applySplices(text, splices) };
}

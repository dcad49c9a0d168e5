import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { applyPatch, createTwoFilesPatch } from "diff";
import {
  DIFF_DELETE,
  DIFF_EQUAL,
  DIFF_INSERT,
  type Diff,
  diffMain,
  patchApply,
  patchMake,
} from "diff-match-patch-es";
import { compareTexts } from "../../src/text/diff/compare.ts";
import { printDiff, printPlanDiff } from "../../src/text/diff/diff.ts";
import type { Edit } from "../../src/text/model/edit.ts";
import { decode, spliceBytes } from "../../src/text/model/encoding.ts";
import { type Plan, planEdits } from "../../src/text/model/plan.ts";
import { parseUnified } from "../../src/text/patch/unified.ts";
import type { Job } from "./job.ts";

/** Does the whole job once, from the file's bytes to the file's bytes, and says how it went. */
export type Engine = (job: Job, round: number) => string | Promise<string>;

const reference: {
  applyFileEdits(path: string, edits: { oldText: string; newText: string }[]): Promise<string>;
} = await import(import.meta.resolve("@modelcontextprotocol/server-filesystem/dist/lib.js"));

export const engines: Readonly<Record<string, Engine>> = {
  "read + decode + scan + write": (job) => {
    const bytes = readFileSync(join(job.folder, "before.txt"));
    const found = bytes.toString("utf8").indexOf(job.swaps[0]!.quote);
    if (found < 0) return "refused";
    writeFileSync(join(job.folder, "after.txt"), bytes);
    return "ok";
  },
  "naive indexOf": (job) => {
    let text = readFileSync(join(job.folder, "before.txt"), "utf8");
    for (const swap of job.swaps) {
      const start = text.indexOf(swap.quote);
      if (start < 0 || text.indexOf(swap.quote, start + 1) >= 0) return "refused";
      text = text.slice(0, start) + swap.text + text.slice(start + swap.quote.length);
    }
    return write(job, text);
  },
  suture: (job) => edit(job, quoteEdits(job)).note,
  "suture, with the diff": (job) => {
    const { note, plan } = edit(job, quoteEdits(job));
    if (plan && printPlanDiff(plan) === "") return "no diff";
    return note;
  },
  "suture, patch": (job) => {
    const parsed = parseUnified(job.patch, { path: "before.txt" });
    return parsed.ok ? edit(job, parsed.value).note : "refused";
  },
  jsdiff: (job) => {
    const text = readFileSync(join(job.folder, "before.txt"), "utf8");
    const result = applyPatch(text, job.patch);
    return result === false ? "refused" : write(job, result);
  },
  "diff-match-patch": (job) => {
    const text = readFileSync(join(job.folder, "before.txt"), "utf8");
    const [result, applied] = patchApply(matchPatches(job, text), text) as [string, boolean[]];
    return applied.every((each) => each) ? write(job, result) : "refused";
  },
  "MCP filesystem server": async (job, round) => {
    // It edits in place, so every other round takes the change back.
    const edits = job.swaps.map(({ quote, text }) =>
      round % 2 === 0 || job.after === null
        ? { oldText: quote, newText: text }
        : { oldText: text, newText: quote },
    );
    try {
      await reference.applyFileEdits(join(job.folder, "in-place.txt"), edits);
      return "ok";
    } catch {
      return "refused";
    }
  },
  "suture, compare": (job) => {
    const [before, after] = bothTexts(job);
    return printDiff({ path: "before.txt", before, splices: compareTexts(before, after) }) === ""
      ? "no diff"
      : "ok";
  },
  "jsdiff, compare": (job) => {
    const [before, after] = bothTexts(job);
    return createTwoFilesPatch("a/before.txt", "b/before.txt", before, after) === "" ? "no diff" : "ok";
  },
  "diff-match-patch, compare": (job) => {
    const [before, after] = bothTexts(job);
    return diffMain(before, after, { diffTimeout: 0 }).length === 0 ? "no diff" : "ok";
  },
};

export function editsInPlace(engine: string): boolean {
  return engine === "MCP filesystem server";
}

function edit(job: Job, edits: readonly Edit[]): { note: string; plan?: Plan } {
  const bytes = readFileSync(join(job.folder, "before.txt"));
  const decoded = decode(bytes);
  if (!decoded.ok) return { note: "refused" };
  const { text, encoding } = decoded.value;
  const planned = planEdits(edits, [{ path: "before.txt", text, version: "" }]);
  if (!planned.ok) return { note: "refused" };
  const result = spliceBytes(bytes, text, encoding, planned.value.changes[0]!.splices);
  if (!result.ok) return { note: "refused" };
  writeFileSync(join(job.folder, "after.txt"), result.value);
  return { note: "ok", plan: planned.value };
}

function quoteEdits(job: Job): Edit[] {
  return job.swaps.map(({ quote, text }) => ({
    path: "before.txt",
    target: { quote },
    text,
    reason: "",
    evidence: [],
  }));
}

function write(job: Job, text: string): string {
  writeFileSync(join(job.folder, "after.txt"), text);
  return "ok";
}

const patches = new WeakMap<Job, ReturnType<typeof patchMake>>();

/** The patch in that library's own form, made once from what is known of the change. */
function matchPatches(job: Job, text: string): ReturnType<typeof patchMake> {
  const made = patches.get(job);
  if (made) return made;
  const meant = job.stale ?? text;
  const diffs: Diff[] = [];
  let at = 0;
  for (const { region, text: fresh } of job.splices) {
    diffs.push([DIFF_EQUAL, meant.slice(at, region.start)]);
    diffs.push([DIFF_DELETE, meant.slice(region.start, region.end)], [DIFF_INSERT, fresh]);
    at = region.end;
  }
  diffs.push([DIFF_EQUAL, meant.slice(at)]);
  const fresh = patchMake(meant, diffs);
  patches.set(job, fresh);
  return fresh;
}

function bothTexts(job: Job): [string, string] {
  return [readFileSync(join(job.folder, "before.txt"), "utf8"), job.after ?? ""];
}

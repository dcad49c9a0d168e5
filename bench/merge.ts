/**
 * Merges that people made and merges of real changes cut in two, by Suture, git and others.
 *
 *   MIRROR=clones npm run bench:merge -- [--sets mergiraf,weave,ConflictBench,histories] [--most 5000] [--list wrong]
 *
 * `histories` cuts what one commit did to a file into two changes and merges them again: their sum is what the commit wrote.
 * A case is right if the result is the text that people wrote, and rightly open if they left a conflict, too. `but for order`:
 * the same lines, such as two members that both sides added at one place.
 * `--list` prints the cases in which Suture has this outcome. `--pairs N` tries random edits by two agents in real files.
 */
import { existsSync } from "node:fs";
import { parseArgs } from "node:util";
import { mergeGrammarAt } from "../src/syntax/merge/grammar.ts";
import { readMergeTree } from "../src/syntax/merge/read-tree.ts";
import { countPairs } from "../test/laws/two-agents.ts";
import {
  historyCases,
  type MergeCase,
  publishedCases,
  publishedRepositories,
  publishedSets,
} from "./merge/cases.ts";
import { git, type MergeEngine, openMergiraf, openNodeDiff3, suture } from "./merge/engines.ts";
import { figure, median, printTable } from "./report.ts";

const { values } = parseArgs({
  options: {
    mirror: { type: "string", default: process.env.MIRROR ?? "" },
    sets: { type: "string", default: [...publishedSets, "histories"].join() },
    most: { type: "string", default: "5000" },
    pairs: { type: "string", default: "0" },
    list: { type: "string" },
  },
});

/** Sets of cases are no histories. */
const withoutSets = new Set(publishedRepositories);

const outcomes = [
  "right",
  "rightly open",
  "conflict",
  "but for space",
  "but for order",
  "clean but wrong",
  "does not parse",
] as const;
type Result = (typeof outcomes)[number];

const engines: Record<string, MergeEngine | null> = {
  Suture: suture,
  "git merge-file": git,
  "node-diff3": await openNodeDiff3(),
  mergiraf: openMergiraf(),
};

if (Number(values.pairs) > 0) console.log(await countPairs(Number(values.pairs)));
else if (!existsSync(values.mirror))
  console.log("merge bench skipped: set MIRROR to a folder of bare clones");
else
  for (const set of values.sets.split(","))
    await measure(
      set,
      set === "histories"
        ? historyCases(values.mirror, Number(values.most), withoutSets)
        : publishedCases(values.mirror, set),
    );

async function measure(set: string, cases: readonly MergeCase[]): Promise<void> {
  const rows: string[][] = [];
  for (const [name, engine] of Object.entries(engines)) {
    if (!engine) {
      rows.push([name, "not here"]);
      continue;
    }
    const counts = new Map<Result, number>();
    const times: number[] = [];
    for (const one of cases) {
      const start = process.cpuUsage();
      const merged = await engine(one);
      const { user, system } = process.cpuUsage(start);
      times.push((user + system) / 1000);
      const result = await judge(one, merged);
      counts.set(result, (counts.get(result) ?? 0) + 1);
      if (name === "Suture" && result === values.list) console.log(`${result}: ${one.id}`);
    }
    const time = name === "Suture" || name === "node-diff3" ? `${figure(median(times))} ms` : "";
    rows.push([name, ...outcomes.map((each) => String(counts.get(each) ?? 0)), time]);
  }
  console.log(`\n${set}: ${cases.length} cases\n`);
  console.log(printTable(["", ...outcomes, "CPU median"], rows));
}

async function judge({ path, expected, versions }: MergeCase, merged: string | null): Promise<Result> {
  if (merged === null) return expected === null ? "rightly open" : "conflict";
  if (merged === expected) return "right";
  const grammar = mergeGrammarAt(path, merged);
  if (grammar && !(await parses(path, merged)) && (await parses(path, versions.ours)))
    return "does not parse";
  if (expected === null) return "clean but wrong";
  if (squeezed(merged) === squeezed(expected)) return "but for space";
  return sorted(merged) === sorted(expected) ? "but for order" : "clean but wrong";
}

async function parses(path: string, text: string): Promise<boolean> {
  const grammar = mergeGrammarAt(path, text);
  return !grammar || (await readMergeTree(grammar, text, [])) !== null;
}

/** The lines in one order, whatever theirs was. */
function sorted(text: string): string {
  return text.split("\n").map(squeezed).sort().join("\n").trimStart();
}

function squeezed(text: string): string {
  return text.replaceAll(/\s+/g, "");
}

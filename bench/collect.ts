/**
 * Asks the rules about every commit of the three drift sets and keeps what they notice, with its features, so that the
 * confidence can be fitted without asking again. The first line of each file says how many commits were asked.
 *
 *   MIRROR=clones npm run bench:collect -- --out DIR [--set drift,stream,late] [--repo a/b] [--windows FILE] [--jobs 2]
 *
 * `drift/histories.json` lists the histories of the set `stream`.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { loadCases, questionsOf } from "./drift/cases.ts";
import type { LateCase } from "./drift/late-case.ts";
import { type Answer, askAll, type Question } from "./drift/pool.ts";
import { findWindows } from "./drift/windows.ts";

const { values } = parseArgs({
  options: {
    data: { type: "string", default: join(import.meta.dirname, "../../shared/bench") },
    out: { type: "string", default: "candidates" },
    set: { type: "string", default: "drift,late,stream" },
    windows: { type: "string", default: join(import.meta.dirname, "drift/histories.json") },
    repo: { type: "string" },
    jobs: { type: "string", default: "2" },
  },
});

const mirror = process.env.MIRROR;
if (!mirror || !existsSync(values.data)) {
  console.log(
    "collect skipped: set MIRROR to a folder of bare clones, and --data to the folder of benchmarks",
  );
  process.exit(0);
}

mkdirSync(values.out, { recursive: true });
const questions: Record<string, () => Promise<Map<string, Question[]>>> = {
  drift: () => driftQuestions(mirror),
  late: async () => lateQuestions(),
  stream: async () => streamQuestions(mirror),
};
for (const set of values.set.split(",")) {
  const began = Date.now();
  const questioned = await questions[set]!();
  const wanted = new Map(
    [...questioned].filter(([repo]) => !values.repo || values.repo.split(",").includes(repo)),
  );
  const answers = await askAll(wanted, { mirror, jobs: Number(values.jobs), origin: true, candidates: true });
  const asked = `${JSON.stringify({ asked: answers.length })}\n`;
  writeFileSync(join(values.out, `${set}.jsonl`), asked + answers.map(print).join(""));
  const failed = answers.filter((answer) => answer.failed).length;
  console.log(
    `${set}: ${answers.length} commits, ${failed} failed, ${Math.round((Date.now() - began) / 1000)} s`,
  );
}

async function driftQuestions(folder: string): Promise<Map<string, Question[]>> {
  const set = join(values.data, "drift");
  const cases = loadCases(["pos_dev.jsonl", "neg_dev.jsonl"].map((name) => join(set, name)));
  return questionsOf(cases, { mirror: folder, set });
}

function lateQuestions(): Map<string, Question[]> {
  const lines = readFileSync(join(values.data, "late/dev.jsonl"), "utf8").split("\n").filter(Boolean);
  const cases = lines.map((line) => JSON.parse(line) as LateCase);
  return new Map(
    [...Map.groupBy(cases, ({ repo }) => repo)].map(([repo, own]) => [
      repo,
      [...new Set(own.map(({ code_commit }) => code_commit))].map((commit) => ({ id: commit, commit })),
    ]),
  );
}

function streamQuestions(folder: string): Map<string, Question[]> {
  const windows = findWindows({ mirror: folder, file: values.windows });
  return new Map(
    windows.map(({ repo, commits }) => [repo, commits.map((commit) => ({ id: commit, commit }))]),
  );
}

function print({ repo, id, commit, candidates = [], failed }: Answer): string {
  if (!candidates.length && !failed) return "";
  return `${JSON.stringify({ repo, id, commit, ...(failed && { failed }), candidates })}\n`;
}

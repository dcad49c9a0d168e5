/**
 * Drift on real commits. Builds each case's two trees in memory from bare clones, runs the rules, scores the findings.
 *
 *   MIRROR=clones node bench/drift.ts [--set DIR] [--repo a/b,c/d] [--limit N] [--holdout skip|only] [--case ID]
 *                                     [--by kind|repo|lang] [--jobs N] [--out DIR] [--baseline vanished|touched]
 *
 * Prints the scorer's figures for both tiers together and for `certain` alone.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Worker } from "node:worker_threads";
import type { DriftCase } from "./drift/case.ts";
import { loadCases, type Prediction } from "./drift/run.ts";

/** Repositories whose texts nobody read while the rules were written. */
const HELD_OUT = new Set([
  "encode/starlette",
  "webpack/webpack-cli",
  "spf13/cobra",
  "rust-lang/mdBook",
  "vuejs/vitepress",
  "lint-staged/lint-staged",
]);

const { values } = parseArgs({
  options: {
    set: { type: "string", default: join(import.meta.dirname, "../../shared/bench/drift") },
    repo: { type: "string" },
    limit: { type: "string" },
    holdout: { type: "string" },
    case: { type: "string" },
    by: { type: "string" },
    jobs: { type: "string", default: "2" },
    out: { type: "string", default: join(import.meta.dirname, "../.bench/drift") },
    baseline: { type: "string" },
  },
});

const mirror = process.env.MIRROR;
const files = ["pos_dev.jsonl", "neg_dev.jsonl"].map((name) => join(values.set, name));
if (!mirror || !files.every((file) => existsSync(file))) {
  console.log("drift bench skipped: set MIRROR to a folder of bare clones, and --set to the folder of cases");
  process.exit(0);
}

const cases = selectCases(loadCases(files), mirror);
const began = Date.now();
const predictions = await predictAll(cases, mirror);
mkdirSync(values.out, { recursive: true });
print();

function selectCases(all: readonly DriftCase[], folder: string): DriftCase[] {
  const repos = values.repo?.split(",");
  const ids = values.case?.split(",");
  const chosen = all.filter(
    (one) =>
      existsSync(gitDirOf(folder, one.repo)) &&
      (!repos || repos.includes(one.repo)) &&
      (!ids || ids.includes(one.case_id)) &&
      (values.holdout !== "only" || HELD_OUT.has(one.repo)) &&
      (values.holdout !== "skip" || !HELD_OUT.has(one.repo)),
  );
  return values.limit ? chosen.slice(0, Number(values.limit)) : chosen;
}

function gitDirOf(folder: string, repo: string): string {
  const bare = join(folder, repo.replace("/", "+"), "repo");
  return existsSync(join(bare, ".git")) ? join(bare, ".git") : bare;
}

async function predictAll(chosen: readonly DriftCase[], folder: string): Promise<Prediction[]> {
  const byRepo = Map.groupBy(chosen, (one) => one.repo);
  const queue = [...byRepo].sort((a, b) => b[1].length - a[1].length);
  const done: Prediction[] = [];
  const work = async (): Promise<void> => {
    for (let next = queue.shift(); next; next = queue.shift())
      done.push(...(await inWorker(gitDirOf(folder, next[0]), next[1])));
  };
  await Promise.all(Array.from({ length: Number(values.jobs) }, work));
  return done.sort((a, b) => (a.case_id < b.case_id ? -1 : 1));
}

function inWorker(gitDir: string, chosen: readonly DriftCase[]): Promise<Prediction[]> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL("./drift/run.ts", import.meta.url), {
      workerData: { gitDir, cases: chosen, baseline: values.baseline },
    });
    worker.once("message", resolve);
    worker.once("error", reject);
  });
}

function print(): void {
  const seconds = ((Date.now() - began) / 1000).toFixed(1);
  const cpu = predictions.map((one) => one.milliseconds).sort((a, b) => a - b);
  console.log(
    `${cases.length} cases in ${seconds} s; findDrift CPU ms per case: median ${cpu[cpu.length >> 1]?.toFixed(1)}, 95th ${cpu[Math.floor(cpu.length * 0.95)]?.toFixed(1)}, worst ${cpu.at(-1)?.toFixed(0)}`,
  );
  const caseFile = join(values.out, "cases.jsonl");
  writeFileSync(caseFile, cases.map((one) => `${JSON.stringify(one)}\n`).join(""));
  score(caseFile, "certain+likely", new Set(["certain", "likely"]), values.by);
  score(caseFile, "certain", new Set(["certain"]));
}

function score(caseFile: string, title: string, tiers: ReadonlySet<string>, by?: string): void {
  const file = join(values.out, `pred-${title}.jsonl`);
  writeFileSync(
    file,
    predictions
      .map(
        (one) =>
          `${JSON.stringify({ ...one, findings: one.findings.filter(({ tier }) => tiers.has(tier)) })}\n`,
      )
      .join(""),
  );
  const args = [join(values.set, "score_drift.py"), "--cases", caseFile, "--pred", file, "--json"];
  const scored = spawnSync("python3", by ? [...args, "--by", by] : args, {
    encoding: "utf8",
    maxBuffer: 1 << 26,
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: "1" },
  });
  if (scored.status !== 0) throw new Error(scored.stderr);
  console.log(`\n${title}`);
  printTable(JSON.parse(scored.stdout) as Record<string, Record<string, number | null>>);
}

function printTable(figures: Record<string, Record<string, number | null>>): void {
  const columns = [
    "positives",
    "negatives",
    "stale_hunks",
    "recall_stale",
    "recall_case",
    "recall_addition",
    "precision",
    "fa_share",
    "exact_hunk",
    "exact_case",
    "chars_outside_pos",
    "chars_outside_neg",
    "findings_per_pos",
  ];
  console.log(["", ...columns].join("\t"));
  for (const [name, row] of Object.entries(figures))
    console.log([name, ...columns.map((column) => row[column] ?? "–")].join("\t"));
}

/**
 * Drift on real commits. Builds each case's two trees in memory from bare clones, runs the rules, scores the findings.
 *
 *   MIRROR=clones node bench/drift.ts [--set DIR] [--repo a/b,c/d] [--limit N] [--holdout skip|only] [--case ID]
 *                                     [--by kind|repo|lang] [--jobs N] [--out DIR] [--baseline vanished|touched]
 *
 * Prints the scorer's figures for both tiers together, by class, language and repository, and for `certain` alone;
 * beside them those of the simplest reader, and which targets are met.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Worker } from "node:worker_threads";
import type { DriftCase } from "./drift/case.ts";
import { loadCases, type PredictedFinding, type Prediction } from "./drift/run.ts";

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
    out: { type: "string", default: join(tmpdir(), "suture-bench-drift") },
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
  const both = new Set(["certain", "likely"]);
  const likely = score(caseFile, "certain+likely", (one) =>
    one.findings.filter(({ tier }) => both.has(tier)),
  );
  printTable("certain+likely", likely);
  const certain = score(caseFile, "certain", (one) => one.findings.filter(({ tier }) => tier === "certain"));
  printTable("certain", certain);
  if (!values.baseline) {
    const simple = score(caseFile, "vanished", (one) => one.simple);
    printTable("a vanished name, put right by plain substitution", simple);
    printTargets(likely.ALL!, certain.ALL!, simple.ALL!);
  }
  printRules();
  printMisses();
}

type Figures = Readonly<Record<string, number | null>>;

/** The scorer's figures for the findings chosen of each case: for all, and for each value of what is asked by. */
function score(
  caseFile: string,
  title: string,
  choose: (one: Prediction) => readonly PredictedFinding[],
): Record<string, Figures> {
  const file = join(values.out, `pred-${title}.jsonl`);
  const lines = predictions.map(
    (one) => `${JSON.stringify({ case_id: one.case_id, findings: choose(one) })}\n`,
  );
  writeFileSync(file, lines.join(""));
  const by = values.by ? [values.by] : title === "certain+likely" ? ["kind", "lang", "repo"] : [undefined];
  return Object.assign({}, ...by.map((each) => runScorer(caseFile, file, each)));
}

function runScorer(caseFile: string, file: string, by: string | undefined): Record<string, Figures> {
  const args = [join(values.set, "score_drift.py"), "--cases", caseFile, "--pred", file, "--json"];
  const scored = spawnSync("python3", by ? [...args, "--by", by] : args, {
    encoding: "utf8",
    maxBuffer: 1 << 26,
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: "1" },
  });
  if (scored.status !== 0) throw new Error(scored.stderr);
  return JSON.parse(scored.stdout) as Record<string, Figures>;
}

function printTargets(likely: Figures, certain: Figures, simple: Figures): void {
  const outside = (figures: Figures): number =>
    (figures.chars_outside_pos ?? 0) + (figures.chars_outside_neg ?? 0);
  const rows: [name: string, asked: number, measured: number | null, least: boolean][] = [
    ["stale hunks found", 0.6, likely.recall_stale!, true],
    ["commits found", 0.5, likely.recall_case!, true],
    ["precision", 0.8, likely.precision!, true],
    ["innocent commits flagged", 0.02, likely.fa_share!, false],
    ["mechanical hunks exact", 0.7, likely.exact_hunk!, true],
    ["mechanical commits exact", 0.5, likely.exact_case!, true],
    ["precision of certain", 0.92, certain.precision!, true],
    ["additions found", 0.2, likely.recall_addition!, true],
    ["characters outside, of the simple reader's", 0.2, outside(likely) / outside(simple), false],
  ];
  console.log("\ntarget\tasked\tmeasured");
  for (const [name, asked, measured, least] of rows) {
    const met = measured !== null && (least ? measured >= asked : measured <= asked);
    console.log(
      `${name}\t${least ? "≥" : "≤"} ${asked}\t${measured?.toFixed(3) ?? "–"}\t${met ? "met" : "MISSED"}`,
    );
  }
}

/** Stale hunks nothing was said about, by the class the set gives them. */
function printMisses(): void {
  const byCase = new Map(
    predictions.map((one) => [one.case_id, one.findings.filter(({ tier }) => tier !== "possible")]),
  );
  const missed = new Map<string, { all: number; missed: number }>();
  for (const one of cases)
    for (const hunk of one.hunks) {
      if (hunk.role !== "target" || !hunk.stale) continue;
      const last = hunk.old_start + Math.max(hunk.old_count, 1) - 1;
      const found = byCase
        .get(one.case_id)
        ?.some((f) => f.path === hunk.path && f.start_line <= last && f.end_line >= hunk.old_start);
      const key = `${hunk.kind}${hunk.mechanical ? ", mechanical" : ""}`;
      const count = missed.get(key) ?? { all: 0, missed: 0 };
      missed.set(key, { all: count.all + 1, missed: count.missed + (found ? 0 : 1) });
    }
  console.log("\nmissed stale hunks by class");
  for (const [key, count] of [...missed].sort((a, b) => b[1].missed - a[1].missed))
    console.log(`${key}\t${count.missed} of ${count.all}`);
}

/** How often each rule was right, and how often it spoke about an innocent commit. */
function printRules(): void {
  const known = new Map(cases.map((one) => [one.case_id, one]));
  const rules = new Map<string, { right: number; other: number; innocent: number }>();
  for (const { case_id, findings } of predictions)
    for (const f of findings) {
      if (f.tier === "possible") continue;
      const one = known.get(case_id)!;
      const key = `${f.rule}, ${f.tier}`;
      const count = rules.get(key) ?? { right: 0, other: 0, innocent: 0 };
      rules.set(key, count);
      const hit = one.hunks.some(
        (h) =>
          h.path === f.path &&
          f.start_line <= h.old_start + Math.max(h.old_count, 1) - 1 &&
          f.end_line >= h.old_start,
      );
      if (one.label === "negative") count.innocent++;
      else if (hit) count.right++;
      else count.other++;
    }
  console.log("\nrule\ton a human's hunk\telsewhere\tin innocent commits");
  for (const [key, { right, other, innocent }] of [...rules].sort())
    console.log([key, right, other, innocent].join("\t"));
}

function printTable(title: string, figures: Readonly<Record<string, Figures>>): void {
  console.log(`\n${title}`);
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

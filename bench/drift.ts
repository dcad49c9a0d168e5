/**
 * Drift on real commits. Each case is a commit without the part that people did to the documents; the product is asked
 * about it in process, over bare clones, and the findings are scored against what people wrote.
 *
 *   MIRROR=clones npm run bench:drift -- [--set DIR] [--repo a/b,c/d] [--limit N] [--holdout skip|only] [--case ID]
 *                                        [--jobs 2] [--out FILE]
 *
 * Prints the figures of the set's scorer for certain and likely findings together (by class, language and repository),
 * for `certain` alone, and with `possible`; then how often each rule was right, what was missed, which targets are met,
 * and how many of the hunks that readers labelled were found; `--labelled` asks only about cases with such a hunk, and
 * `--engine` asks the engine of another checkout. `--out` takes one line of JSON for each case with findings.
 */
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { AskedFinding } from "./drift/ask.ts";
import { type DriftCase, loadCases, questionsOf } from "./drift/cases.ts";
import { loadHunkLabels } from "./drift/labels.ts";
import { gitDirOf } from "./drift/mirror.ts";
import { type CasePages, readCasePages } from "./drift/pages.ts";
import { type Answer, askAll } from "./drift/pool.ts";
import { predict } from "./drift/predict.ts";
import {
  type Counts,
  countCase,
  type Figures,
  figuresOf,
  overlaps,
  type Predicted,
} from "./drift/score-cases.ts";
import { describeCpu } from "./drift/words.ts";
import { printTable } from "./report.ts";

/** Held-out repositories: their texts were not read while the rules were written. */
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
    jobs: { type: "string", default: "2" },
    out: { type: "string" },
    labelled: { type: "boolean", default: false },
    engine: { type: "string" },
  },
});

const mirror = process.env.MIRROR;
const files = ["pos_dev.jsonl", "neg_dev.jsonl"].map((name) => join(values.set, name));
if (!mirror || !files.every((file) => existsSync(file))) {
  console.log("drift bench skipped: set MIRROR to a folder of bare clones, and --set to the folder of cases");
  process.exit(0);
}

type Judged = { readonly one: DriftCase; readonly asked: Answer; readonly predicted: readonly Prediction[] };
type Prediction = Predicted & { readonly tier: string; readonly rule: string };

const TIERS = {
  "certain+likely": ["certain", "likely"],
  certain: ["certain"],
  "certain+likely+possible": ["certain", "likely", "possible"],
} as const;

const hunkLabels = loadHunkLabels(join(import.meta.dirname, "drift/labels/hunks/dev.jsonl"));
const began = Date.now();
const cases = selectCases(loadCases(files), mirror);
const answers = await askAll(await questionsOf(cases, { mirror, set: values.set }), {
  mirror,
  jobs: Number(values.jobs),
  origin: false,
  engine: values.engine,
});
const pages = await readCasePages(cases, answers, mirror);
const judged = judge(cases, answers, pages);
if (values.out) writeFileSync(values.out, judged.map(printCase).join(""));
print();

function selectCases(all: readonly DriftCase[], folder: string): DriftCase[] {
  const repos = values.repo?.split(",");
  const ids = values.case?.split(",");
  const chosen = all.filter(
    ({ repo, case_id }) =>
      existsSync(gitDirOf(folder, repo)) &&
      (!repos || repos.includes(repo)) &&
      (!ids || ids.includes(case_id)) &&
      (!values.labelled || hunkLabels.has(case_id)) &&
      (values.holdout !== "only" || HELD_OUT.has(repo)) &&
      (values.holdout !== "skip" || !HELD_OUT.has(repo)),
  );
  return values.limit ? chosen.slice(0, Number(values.limit)) : chosen;
}

function judge(chosen: readonly DriftCase[], asked: readonly Answer[], texts: CasePages): Judged[] {
  const byId = new Map(asked.map((answer) => [answer.id, answer]));
  return chosen.map((one) => {
    const answer = byId.get(one.case_id)!;
    const toPrediction = (finding: AskedFinding): Prediction => ({
      ...predict(finding, texts.text(one, finding.path) ?? ""),
      tier: finding.tier,
      rule: finding.kind,
    });
    return { one, asked: answer, predicted: answer.findings.map(toPrediction) };
  });
}

/** The findings as the product gave them, each with the lines that the scorer compares. */
function printCase({ one, asked, predicted }: Judged): string {
  const { case_id, repo, label, kind } = one;
  const findings = asked.findings.map((finding, i) => ({ ...finding, ...predicted[i] }));
  const row = {
    case_id,
    repo,
    label,
    kind,
    base: asked.base,
    commit: one.commit,
    failed: asked.failed,
    findings,
  };
  return `${JSON.stringify(row)}\n`;
}

function print(): void {
  const seconds = ((Date.now() - began) / 1000).toFixed(0);
  const failed = answers.filter((answer) => answer.failed);
  console.log(
    `${cases.length} cases in ${seconds} s; ${describeCpu(answers)}; ${failed.length} without an answer`,
  );
  for (const { id, failed: why } of failed) console.log(`  ${id}: ${why}`);
  const likely = count("certain+likely");
  printFigures("certain+likely", group(likely, ["kind", "lang", "repo"]));
  const certain = count("certain");
  printFigures("certain", group(certain, []));
  printFigures("certain+likely+possible", group(count("certain+likely+possible"), ["kind"]));
  printTargets(figuresOf([...likely.values()]), figuresOf([...certain.values()]));
  printRules();
  printMisses();
  printLabelled();
}

function count(tiers: keyof typeof TIERS): Map<DriftCase, Counts> {
  const wanted: readonly string[] = TIERS[tiers];
  return new Map(
    judged.map(({ one, predicted }) => [
      one,
      countCase(
        one,
        predicted.filter(({ tier }) => wanted.includes(tier)),
        pages.lines,
      ),
    ]),
  );
}

/** Figures for all cases, and for each value of the fields. */
function group(
  counts: ReadonlyMap<DriftCase, Counts>,
  fields: readonly ("kind" | "lang" | "repo")[],
): Map<string, Figures> {
  const figures = new Map([["ALL", figuresOf([...counts.values()])]]);
  for (const field of fields) {
    const groups = Map.groupBy(counts, ([one]) => one[field]);
    for (const [name, own] of [...groups].sort()) figures.set(name, figuresOf(own.map(([, each]) => each)));
  }
  return figures;
}

function printFigures(title: string, figures: ReadonlyMap<string, Figures>): void {
  const columns: readonly (readonly [heading: string, figure: string])[] = [
    ["pos", "positives"],
    ["neg", "negatives"],
    ["stale", "stale_hunks"],
    ["recall", "recall_stale"],
    ["commits", "recall_case"],
    ["additions", "recall_addition"],
    ["precision", "precision"],
    ["innocent", "fa_share"],
    ["exact hunk", "exact_hunk"],
    ["exact where made", "exact_made"],
    ["exact case", "exact_case"],
    ["outside +", "chars_outside_pos"],
    ["outside -", "chars_outside_neg"],
    ["per pos", "findings_per_pos"],
  ];
  const rows = [...figures].map(([name, row]) => [name, ...columns.map(([, key]) => `${row[key] ?? "–"}`)]);
  console.log(`\n${title}\n${printTable(["", ...columns.map(([heading]) => heading)], rows)}`);
}

function printTargets(likely: Figures, certain: Figures): void {
  const rows: [name: string, asked: number, measured: number | null | undefined, least: boolean][] = [
    ["stale hunks found", 0.6, likely.recall_stale, true],
    ["commits found", 0.5, likely.recall_case, true],
    ["precision", 0.8, likely.precision, true],
    ["innocent commits flagged", 0.02, likely.fa_share, false],
    ["mechanical hunks exact", 0.7, likely.exact_hunk, true],
    ["mechanical commits exact", 0.5, likely.exact_case, true],
    ["precision of certain", 0.92, certain.precision, true],
    ["additions found", 0.2, likely.recall_addition, true],
    ["mechanical hunks exact where edited", 0.95, likely.exact_made, true],
  ];
  const cells = rows.map(([name, asked, measured, least]) => {
    const isMet = typeof measured === "number" && (least ? measured >= asked : measured <= asked);
    return [name, `${least ? "≥" : "≤"} ${asked}`, measured?.toFixed(3) ?? "–", isMet ? "met" : "MISSED"];
  });
  console.log(`\n${printTable(["target", "asked", "measured", ""], cells)}`);
}

/** How often each rule was right, and how often it reported an innocent commit. */
function printRules(): void {
  const spoken = judged.flatMap(({ one, predicted }) => predicted.map((finding) => ({ one, finding })));
  const rules = Map.groupBy(spoken, ({ finding }) => `${finding.rule}, ${finding.tier}`);
  const rows = [...rules].sort().map(([rule, found]) => {
    const { innocent = [], guilty = [] } = Object.groupBy(found, ({ one }) =>
      one.label === "negative" ? "innocent" : "guilty",
    );
    const right = guilty.filter(({ one, finding }) => one.hunks.some((hunk) => overlaps(finding, hunk)));
    return [rule, `${right.length}`, `${guilty.length - right.length}`, `${innocent.length}`];
  });
  console.log(`\n${printTable(["rule", "on a human's hunk", "elsewhere", "in innocent commits"], rows)}`);
}

/** Stale hunks that no finding touches, by the class the set gives them. */
function printMisses(): void {
  const stale = judged.flatMap(({ one, predicted }) => {
    const gating = predicted.filter(({ tier }) => tier !== "possible");
    return one.hunks
      .filter((hunk) => hunk.role === "target" && hunk.stale)
      .map((hunk) => ({ hunk, isFound: gating.some((finding) => overlaps(finding, hunk)) }));
  });
  const classes = Map.groupBy(stale, ({ hunk }) => `${hunk.kind}${hunk.mechanical ? ", mechanical" : ""}`);
  const rows = [...classes]
    .map(([name, all]) => ({ name, all: all.length, missed: all.filter(({ isFound }) => !isFound).length }))
    .sort((a, b) => b.missed - a.missed)
    .map(({ name, all, missed }) => [name, `${missed}`, `${all}`]);
  console.log(`\n${printTable(["stale hunks", "missed", "of"], rows)}`);
}

/** How many of the hunks that readers labelled were found: all of each verdict, and the false ones by class. */
function printLabelled(): void {
  const labelled = judged.flatMap(({ one, predicted }) =>
    [...(hunkLabels.get(one.case_id) ?? [])].map(([at, verdict]) => {
      const hunk = one.hunks[at]!;
      const near = predicted.filter((finding) => overlaps(finding, hunk));
      const isFound = near.some(({ tier }) => tier !== "possible");
      return { verdict, kind: `${hunk.kind}`, isFound, isNoticed: near.length > 0 };
    }),
  );
  const verdicts = [...Map.groupBy(labelled, ({ verdict }) => verdict)].sort();
  const kinds = [
    ...Map.groupBy(
      labelled.filter(({ verdict }) => verdict === "false"),
      ({ kind }) => kind,
    ),
  ].sort();
  const rows = [...verdicts, ...kinds.map(([kind, own]) => [`  false, ${kind}`, own] as const)].map(
    ([name, own]) => {
      const found = own.filter(({ isFound }) => isFound).length;
      const noticed = own.filter(({ isNoticed }) => isNoticed).length;
      return [
        name,
        `${own.length}`,
        `${found}`,
        (found / own.length).toFixed(3),
        (noticed / own.length).toFixed(3),
      ];
    },
  );
  console.log(`\n${printTable(["labelled hunks", "all", "found", "share", "with possible"], rows)}`);
}

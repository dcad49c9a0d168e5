/**
 * Fits the confidence to what is known about the candidates that `bench:collect` kept, and prints how good it is.
 *
 *   npm run bench:fit -- [--from DIR] [--data DIR] [--write] [--ridge 1] [--fewest 8]
 *
 * Weights are fitted on all repositories but those of a fold and judged on that fold, so that over-fitting shows. With
 * `--write` the weights fitted on everything become those of the product.
 */
import { globSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { confidenceOf } from "../src/drift/confidence/confidence.ts";
import { chosenFigures, loadChosen } from "./fit/chosen.ts";
import { dropHeld, type LabelledExample, labelAll } from "./fit/label.ts";
import { defaults, fitLogistic } from "./fit/logistic.ts";
import { printTable } from "./report.ts";

const show = (headings: readonly string[], rows: readonly (readonly (string | number)[])[]): void =>
  console.log(
    printTable(
      headings,
      rows.map((row) => row.map(String)),
    ),
  );

const { values } = parseArgs({
  options: {
    from: { type: "string", default: "candidates" },
    data: { type: "string", default: join(import.meta.dirname, "../../shared/bench") },
    folds: { type: "string", default: "5" },
    ridge: { type: "string", default: String(defaults.ridge) },
    fewest: { type: "string", default: String(defaults.fewest) },
    weights: { type: "boolean", default: false },
    list: { type: "string" },
    verdicts: { type: "string" },
    write: { type: "boolean", default: false },
  },
});

const CHOSEN = ["recall_stale", "recall_case", "recall_addition", "precision", "fa_share"];
const options = { ...defaults, ridge: Number(values.ridge), fewest: Number(values.fewest) };
const labelled = labelAll({
  from: values.from,
  data: values.data,
  verdicts: [
    ...(values.verdicts?.split(",") ?? []),
    ...globSync(join(import.meta.dirname, "drift/labels/*.jsonl")).sort(),
    join(values.data, "stream/read_dev.jsonl"),
  ],
});
const examples = dropHeld(labelled);
const count = (all: readonly LabelledExample[], set: string, right?: boolean): number =>
  all.filter((one) => one.set === set && (right === undefined || one.right >= 0.9 === right)).length;
console.log(
  `${labelled.length} candidates, ${examples.length} past the gates; right in chosen commits ${count(labelled, "drift", true)} → ${count(examples, "drift", true)}, wrong ${count(labelled, "drift", false)} → ${count(examples, "drift", false)}; history ${count(labelled, "stream")} → ${count(examples, "stream")}, of those right ${count(labelled, "stream", true)} → ${count(examples, "stream", true)}; late ${count(labelled, "late")} → ${count(examples, "late")}`,
);
const folds = foldsOf(examples, Number(values.folds));
const weights = fitLogistic(examples, options);
const judged = folds.flatMap((fold) => {
  const inFold = new Set(fold);
  const own = fitLogistic(
    examples.filter(({ repo }) => !inFold.has(repo)),
    options,
  );
  return examples
    .filter(({ repo }) => inFold.has(repo))
    .map((example) => ({ example, said: confidenceOf(example.features, own) }));
});
const onAll = examples.map((example) => ({ example, said: confidenceOf(example.features, weights) }));

printCalibration("by folds", judged);
printThresholds("by folds", judged);
printThresholds("fitted on everything", onAll);
printChosen();
printKinds(judged);
printCommits("by folds", judged);
printCommits("fitted on everything", onAll);
if (values.list) listStream(judged, Number(values.list));
if (values.weights)
  for (const [name, weight] of Object.entries(weights).sort((a, b) => b[1] - a[1]))
    console.log(weight.toFixed(2).padStart(7), name);
if (values.write) {
  const file = join(import.meta.dirname, "../src/drift/confidence/weights.json");
  writeFileSync(file, `${JSON.stringify(weights, null, 2)}\n`);
}

type Judged = { readonly example: LabelledExample; readonly said: number };

/** The figures of the chosen commits by folds and with weights fitted on them: the gap is the over-fitting. */
function printChosen(): void {
  const cases = loadChosen(values.data);
  const open = new Set(examples);
  const held = labelled.filter((example) => !open.has(example)).map((example) => ({ example, said: null }));
  const rows = (
    [
      ["certain", 0.97],
      ["certain and likely", 0.8],
      ["with possible", null],
    ] as const
  ).flatMap(([tier, from]) =>
    (
      [
        ["by folds", judged],
        ["on everything", onAll],
      ] as const
    ).map(([title, said]) => {
      const figures = chosenFigures([...said, ...held], { cases, from });
      return [tier, title, ...CHOSEN.map((name) => figures[name]?.toFixed(3) ?? "–")];
    }),
  );
  console.log("\nchosen commits");
  show(["tier", "weights", "stale", "commits", "additions", "precision", "innocent"], rows);
}

/** Repositories in groups of about equal numbers of examples. */
function foldsOf(all: readonly LabelledExample[], count: number): string[][] {
  const sizes = [...Map.groupBy(all, ({ repo }) => repo)].sort((a, b) => b[1].length - a[1].length);
  const groups = Array.from({ length: count }, () => ({ size: 0, repos: [] as string[] }));
  for (const [repo, own] of sizes) {
    const least = groups.reduce((a, b) => (b.size < a.size ? b : a));
    least.repos.push(repo);
    least.size += own.length;
  }
  return groups.map(({ repos }) => repos);
}

function printCalibration(title: string, all: readonly Judged[]): void {
  console.log(
    `\ncalibration, ${title}: what was said, and how often it was right at the rate of real histories`,
  );
  const bounds = [0, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.8, 0.9, 0.97, 1.01];
  show(
    ["said", "candidates", "right (weighed)", "right (chosen commits)"],
    bounds.slice(0, -1).map((from, at) => {
      const own = all.filter(({ said }) => said >= from && said < bounds[at + 1]!);
      const chosen = own.filter(({ example }) => example.set === "drift");
      return [`${from}–${bounds[at + 1]}`, own.length, share(own), share(chosen)];
    }),
  );
}

function share(all: readonly Judged[]): string {
  const weight = all.reduce((sum, { example }) => sum + example.weight, 0);
  const right = all.reduce((sum, { example }) => sum + example.weight * example.right, 0);
  return weight === 0 ? "–" : (right / weight).toFixed(3);
}

function printThresholds(title: string, all: readonly Judged[]): void {
  console.log(`\nby threshold, ${title}`);
  show(
    [
      "from",
      "chosen: right",
      "wrong",
      "innocent commits",
      "history: commits flagged",
      "passages",
      "read as right",
      "late right",
    ],
    [0.3, 0.5, 0.6, 0.7, 0.8, 0.9, 0.97].map((from) => {
      const own = all.filter(({ said }) => said >= from);
      const of = (set: string): Judged[] => own.filter(({ example }) => example.set === set);
      const commits = (rows: readonly Judged[]): number =>
        new Set(rows.map(({ example }) => `${example.repo} ${example.commit}`)).size;
      return [
        from,
        of("drift").filter(({ example }) => example.right > 0).length,
        of("drift").filter(({ example }) => example.right === 0).length,
        commits(of("innocent")),
        commits(of("stream")),
        of("stream").length,
        of("stream").filter(({ example }) => example.right >= 0.9).length,
        of("late").length,
      ];
    }),
  );
}

function printKinds(all: readonly Judged[]): void {
  console.log(
    "\nby rule, by folds, at .8: right / wrong in chosen commits; passages in histories, read as right",
  );
  const kinds = [...new Set(all.map(({ example }) => example.candidate.kind))].sort();
  show(
    [
      "rule",
      "candidates",
      "chosen right",
      "of all right",
      "chosen wrong",
      "innocent",
      "history",
      "read as right",
    ],
    kinds.map((kind) => {
      const own = all.filter(({ example }) => example.candidate.kind === kind);
      const kept = own.filter(({ said }) => said >= 0.8);
      const count = (rows: readonly Judged[], set: string, right?: boolean): number =>
        rows.filter(
          ({ example }) => example.set === set && (right === undefined || example.right >= 0.9 === right),
        ).length;
      return [
        kind,
        own.length,
        count(kept, "drift", true),
        count(own, "drift", true),
        count(kept, "drift", false),
        count(kept, "innocent"),
        count(kept, "stream"),
        count(kept, "stream", true),
      ];
    }),
  );
}

/** The commits of unbroken histories that are flagged at .8, each by its best passage. */
function printCommits(title: string, all: readonly Judged[]): void {
  const flagged = all.filter(({ example, said }) => example.set === "stream" && said >= 0.8);
  const commits = Map.groupBy(flagged, ({ example: { repo, commit } }) => `${repo} ${commit}`);
  const verdicts = [...commits.values()].map((rows) =>
    verdictOf(Math.max(...rows.map(({ example }) => example.right))),
  );
  const count = (verdict: string): number => verdicts.filter((one) => one === verdict).length;
  console.log(`\nflagged commits of histories, ${title}, at .8`);
  show(
    ["flagged", "right", "trivial", "wrong"],
    [[verdicts.length, count("right"), count("trivial"), count("wrong")]],
  );
}

function verdictOf(right: number): string {
  return right >= 0.9 ? "right" : right > 0 ? "trivial" : "wrong";
}

/** What is said about unbroken histories from a probability on, one line a cause, for reading. */
function listStream(all: readonly Judged[], from: number): void {
  const own = all.filter(
    ({ example, said }) => example.set !== "late" && example.set !== "drift" && said >= from,
  );
  const causes = Map.groupBy(own, ({ example: { repo, commit, candidate } }) =>
    [repo, commit.slice(0, 12), candidate.kind, candidate.old ?? "", candidate.new ?? ""].join(" | "),
  );
  for (const [cause, rows] of causes) {
    const [{ example, said }] = rows as [Judged];
    console.log(
      `${verdictOf(example.right)} ${said.toFixed(2)} x${rows.length} ${cause.slice(0, 160)} | ${example.candidate.path}:${example.candidate.line}`,
    );
  }
}

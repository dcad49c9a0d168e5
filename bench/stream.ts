/**
 * Unbroken histories: what the check says about every commit that landed, against its first parent.
 *
 *   MIRROR=clones npm run bench:stream -- [--windows FILE] [--repo a/b,c/d] [--last N] [--limit N] [--jobs 2]
 *                                         [--out FILE | --found FILE] [--no-origin] [--later] [--unlabelled]
 *                                         [--labels DIR] [--seed FILE]
 *                                         [--beside CHECKOUT]
 *
 * `--last` takes the newest commits of the clones that the windows do not name. `--out` takes one line of JSON for each
 * commit with a finding; `--found` scores such a file without asking again. Labels are the verdicts of readers: those of
 * the seed, then our own, which win. `--later` asks later history what became of each passage. `--unlabelled` lists the
 * causes without a verdict of their own, each with a label to fill in. `--beside` asks the engine of another checkout about
 * the same commits, and lists the findings that only one of the two engines has.
 */
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { judgeCauses } from "./drift/judge.ts";
import { loadLabels } from "./drift/labels.ts";
import { LaterPages } from "./drift/later.ts";
import { gitDirOf } from "./drift/mirror.ts";
import { type Answer, askAll } from "./drift/pool.ts";
import {
  printBeside,
  printFates,
  printFlagged,
  printUnlabelled,
  printVerdicts,
  type Told,
} from "./drift/stream-report.ts";
import { findWindows, type Window } from "./drift/windows.ts";
import { describeCpu } from "./drift/words.ts";

const shared = join(import.meta.dirname, "../../shared/bench/stream");
const { values } = parseArgs({
  options: {
    windows: { type: "string", default: join(shared, "windows_dev.json") },
    repo: { type: "string" },
    last: { type: "string" },
    limit: { type: "string" },
    jobs: { type: "string", default: "2" },
    out: { type: "string" },
    found: { type: "string" },
    "no-origin": { type: "boolean", default: false },
    later: { type: "boolean", default: false },
    unlabelled: { type: "boolean", default: false },
    beside: { type: "string" },
    labels: { type: "string", default: join(import.meta.dirname, "drift/labels") },
    seed: { type: "string", default: join(shared, "read_dev.jsonl") },
  },
});

const mirror = process.env.MIRROR;
if (!mirror || !existsSync(values.windows)) {
  console.log(
    "stream bench skipped: set MIRROR to a folder of bare clones, and --windows to the file of windows",
  );
  process.exit(0);
}

const windows = findWindows({
  mirror,
  file: values.windows,
  repos: values.repo?.split(","),
  last: values.last ? Number(values.last) : undefined,
  limit: values.limit ? Number(values.limit) : undefined,
});
const commits = windows.reduce((sum, window) => sum + window.commits.length, 0);
const answers = values.found ? readAnswers(values.found) : await askWindows(mirror, values.out);
const gating = answers.map(keepGating);
console.log(printFlagged(gating, commits));
const causes = judgeCauses(gating, loadLabels(values.seed, values.labels));
console.log(`\n${printVerdicts(causes)}`);
if (values.later) console.log(`\n${printFates(await askLater(mirror))}`);
if (values.unlabelled) await printUnlabelled(causes, (repo) => gitDirOf(mirror, repo));

if (values.beside) {
  const beside = (await askWindows(mirror, undefined, values.beside)).map(keepGating);
  const labels = loadLabels(values.seed, values.labels);
  console.log(
    await printBeside({ beside, here: gating, labels, gitDirOf: (repo) => gitDirOf(mirror, repo) }),
  );
}

async function askWindows(folder: string, out?: string, engine?: string): Promise<Answer[]> {
  const began = Date.now();
  const questions = windows.map(
    (window) => [window.repo, window.commits.map((commit) => ({ id: commit, commit }))] as const,
  );
  const asked = await askAll(new Map(questions), {
    mirror: folder,
    jobs: Number(values.jobs),
    origin: !values["no-origin"],
    engine,
    onAnswer: (answer) => out && appendFileSync(out, printAnswer(answer)),
  });
  const seconds = ((Date.now() - began) / 1000).toFixed(0);
  const failed = asked.filter((answer) => answer.failed);
  console.log(
    `${engine ? `${engine}: ` : ""}${asked.length} commits in ${seconds} s; ${describeCpu(asked)}; ${failed.length} without an answer`,
  );
  return asked;
}

/** One line for each commit with a finding or without an answer. */
function printAnswer({ id, unknown, milliseconds, ...row }: Answer): string {
  return row.findings.length > 0 || row.failed ? `${JSON.stringify(row)}\n` : "";
}

function readAnswers(path: string): Answer[] {
  const known = new Set(
    windows.flatMap((window) => window.commits.map((commit) => `${window.repo} ${commit}`)),
  );
  const rows = readFileSync(path, "utf8").split("\n").filter(Boolean);
  return rows
    .map((line) => JSON.parse(line) as Answer)
    .filter(({ repo, commit }) => known.has(`${repo} ${commit}`));
}

/** A possible finding is shown and never counts as flagged. */
function keepGating(answer: Answer): Answer {
  return { ...answer, findings: answer.findings.filter(({ tier }) => tier !== "possible") };
}

async function askLater(folder: string): Promise<Told[]> {
  const told: Told[] = [];
  for (const window of windows) {
    const own = gating.filter(({ repo, findings }) => repo === window.repo && findings.length > 0);
    if (own.length > 0) told.push(...(await askLaterOf(window, own, folder)));
  }
  return told;
}

async function askLaterOf(window: Window, own: readonly Answer[], folder: string): Promise<Told[]> {
  const pages = new LaterPages(folder, window.repo, window.newest);
  const told: Told[] = [];
  for (const answer of own)
    for (const finding of answer.findings)
      told.push({ answer, finding, fate: await pages.fateOf(answer.commit, finding) });
  pages.close();
  return told;
}

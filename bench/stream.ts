/**
 * Unbroken histories: what the check says about every commit that landed, against its first parent.
 *
 *   MIRROR=clones npm run bench:stream -- [--windows FILE] [--repo a/b,c/d] [--last N] [--limit N] [--jobs 2]
 *                                         [--out FILE] [--no-origin]
 */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { gitDirOf } from "./drift/mirror.ts";
import { type Answer, askAll, type Question } from "./drift/pool.ts";

const { values } = parseArgs({
  options: {
    windows: {
      type: "string",
      default: join(import.meta.dirname, "../../shared/bench/stream/windows_dev.json"),
    },
    repo: { type: "string" },
    last: { type: "string" },
    limit: { type: "string" },
    jobs: { type: "string", default: "2" },
    out: { type: "string" },
    "no-origin": { type: "boolean", default: false },
  },
});

type Window = { readonly repo: string; readonly newest: string; readonly commits: readonly string[] };

const mirror = process.env.MIRROR;
if (!mirror || (!values.last && !existsSync(values.windows))) {
  console.log(
    "stream bench skipped: set MIRROR to a folder of bare clones, and --windows to the file of windows",
  );
  process.exit(0);
}

const began = Date.now();
const windows = findWindows(mirror);
const asked = await askAll(questionsOf(windows), {
  mirror,
  jobs: Number(values.jobs),
  origin: !values["no-origin"],
});
if (values.out) writeFileSync(values.out, printAnswers(asked));
print(asked);

function findWindows(folder: string): Window[] {
  const repos = values.repo?.split(",");
  if (values.last) return (repos ?? []).map((repo) => lastCommits(folder, repo, Number(values.last)));
  const all = JSON.parse(readFileSync(values.windows, "utf8")) as Window[];
  return all.filter(({ repo }) => !repos || repos.includes(repo));
}

/** The newest first-parent commits of a clone's main branch. */
function lastCommits(folder: string, repo: string, count: number): Window {
  const args = [
    "--git-dir",
    gitDirOf(folder, repo),
    "log",
    "--first-parent",
    "--format=%H %P",
    `-${count}`,
    "HEAD",
  ];
  const rows = spawnSync("git", args, { encoding: "utf8" }).stdout.trim().split("\n");
  const commits = rows.filter((row) => row.includes(" ")).map((row) => row.split(" ")[0]!);
  if (!commits[0]) throw new Error(`there is no clone of ${repo} in ${folder}`);
  return { repo, newest: commits[0], commits };
}

function questionsOf(all: readonly Window[]): Map<string, Question[]> {
  const most = values.limit ? Number(values.limit) : undefined;
  return new Map(
    all.map(({ repo, commits }) => [repo, commits.slice(0, most).map((commit) => ({ id: commit, commit }))]),
  );
}

/** One line of JSON for each commit with a finding or without an answer. */
function printAnswers(answers: readonly Answer[]): string {
  return answers
    .filter(({ findings, failed }) => findings.length > 0 || failed)
    .map(({ id, unknown, milliseconds, ...row }) => `${JSON.stringify(row)}\n`)
    .join("");
}

function print(answers: readonly Answer[]): void {
  const flagged = answers.filter(({ findings }) => findings.some(({ tier }) => tier !== "possible"));
  const passages = flagged.flatMap(({ findings }) => findings.filter(({ tier }) => tier !== "possible"));
  const cpu = answers.map(({ milliseconds }) => milliseconds).sort((a, b) => a - b);
  const failed = answers.filter((one) => one.failed).length;
  console.log(
    `${answers.length} commits in ${((Date.now() - began) / 1000).toFixed(0)} s; CPU ms per check: median ${cpu[cpu.length >> 1]?.toFixed(0)}, 95th ${cpu[Math.floor(cpu.length * 0.95)]?.toFixed(0)}, worst ${cpu.at(-1)?.toFixed(0)}; ${failed} without an answer`,
  );
  console.log(`flagged commits: ${flagged.length}, passages: ${passages.length}`);
  for (const [kind, found] of [...Map.groupBy(passages, ({ kind }) => kind)].sort(
    (a, b) => b[1].length - a[1].length,
  ))
    console.log(`${kind}\t${found.length}`);
}

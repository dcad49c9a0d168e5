/**
 * Whole repositories: what `suture check --all` says about clones, each in a process of its own.
 *
 *   MIRROR=clones npm run bench:all -- [CLONE…] [--unlabelled] [--possible] [--out FILE | --found FILE] [--labels DIR]
 *
 * A clone is `owner/name` in the folder of bare clones, or a folder. Prints what each clone cost (CPU with git's share,
 * and the highest memory), the findings by kind and tier, and the verdicts of readers from the labels. `--unlabelled`
 * lists the causes that no reader has judged, each with a label to fill in. `--possible` counts `possible` findings too.
 */
import { spawnSync } from "node:child_process";
import { appendFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import type { Asked } from "./drift/ask.ts";
import { judgeCauses } from "./drift/judge.ts";
import { loadLabels } from "./drift/labels.ts";
import { gitDirOf } from "./drift/mirror.ts";
import type { Answer } from "./drift/pool.ts";
import { printFlagged, printUnlabelled, printVerdicts } from "./drift/stream-report.ts";
import { median, printTable } from "./report.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    unlabelled: { type: "boolean", default: false },
    possible: { type: "boolean", default: false },
    out: { type: "string" },
    found: { type: "string" },
    labels: { type: "string", default: join(import.meta.dirname, "drift/labels") },
  },
});

type Clone = { readonly repo: string; readonly gitDir: string };
type Whole = Answer & { readonly megabytes: number };

const clones = findClones();
if (clones.length === 0) {
  console.log("whole bench skipped: name clones, or set MIRROR to a folder of bare clones");
  process.exit(0);
}

const answers = values.found ? readAnswers(values.found) : askClones();
const shown = answers.map(keepShown);
console.log(`${printCosts()}\n\n${printFlagged(shown, answers.length, "clones")}`);
const causes = judgeCauses(shown, loadLabels("", values.labels));
console.log(`\n${printVerdicts(causes)}`);
if (values.unlabelled)
  await printUnlabelled(causes, (wanted) => clones.find(({ repo }) => repo === wanted)?.gitDir ?? "");

function findClones(): Clone[] {
  const mirror = process.env.MIRROR ?? "";
  const all = existsSync(mirror) ? readdirSync(mirror).filter((name) => name.includes("+")) : [];
  const names = positionals.length > 0 ? positionals : all.map((name) => name.replace("+", "/")).sort();
  return names.map((name) => (existsSync(name) ? cloneAt(resolve(name)) : cloneIn(mirror, name)));
}

function cloneIn(mirror: string, repo: string): Clone {
  return { repo, gitDir: gitDirOf(mirror, repo) };
}

function cloneAt(folder: string): Clone {
  const inside = join(folder, ".git");
  const repo = `${basename(dirname(folder))}/${basename(folder)}`;
  return { repo, gitDir: existsSync(inside) ? inside : folder };
}

function askClones(): Whole[] {
  const work = mkdtempSync(join(tmpdir(), "suture-whole-"));
  try {
    return clones.map((clone, i) => keep(askClone(clone, join(work, `${i}`))));
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** Writes an answer as soon as it is there: a run of many clones may be cut off. */
function keep(answer: Whole): Whole {
  if (values.out) appendFileSync(values.out, `${JSON.stringify(answer)}\n`);
  const seconds = (answer.milliseconds / 1000).toFixed(1);
  process.stderr.write(`${answer.repo}: ${answer.findings.length} findings, ${seconds} s CPU\n`);
  return answer;
}

/** The shell's own clock counts the processes of git with ours. */
function askClone({ repo, gitDir }: Clone, folder: string): Whole {
  const worker = join(import.meta.dirname, "drift/whole-worker.ts");
  const words = [process.execPath, worker, gitDir, folder, repo];
  const script = "TIMEFORMAT='%3U %3S'; time \"$@\"";
  const ran = spawnSync("bash", ["-c", script, "bash", ...words], {
    encoding: "utf8",
    maxBuffer: 1 << 28,
    env: { ...process.env, SUTURE_CACHE: "off" },
  });
  const [user = 0, system = 0] = ran.stderr.trim().split("\n").at(-1)!.split(" ").map(Number);
  const milliseconds = (user + system) * 1000;
  const none = { findings: [], unknown: 0, commit: "", megabytes: 0, failed: ran.stderr.slice(0, 400) };
  type Printed = Asked & { readonly commit: string; readonly megabytes: number };
  const asked = ran.status === 0 ? (JSON.parse(ran.stdout) as Printed) : none;
  return { ...asked, repo, id: repo, base: asked.commit, head: asked.commit, milliseconds };
}

function readAnswers(path: string): Whole[] {
  const wanted = new Set(clones.map(({ repo }) => repo));
  const rows = readFileSync(path, "utf8").split("\n").filter(Boolean);
  return rows.map((line) => JSON.parse(line) as Whole).filter(({ repo }) => wanted.has(repo));
}

function keepShown(answer: Whole): Whole {
  const findings = answer.findings.filter(({ tier }) => values.possible || tier !== "possible");
  return { ...answer, findings };
}

function printCosts(): string {
  const rows = answers.map(({ repo, milliseconds, megabytes, findings, unknown, failed }) => [
    repo,
    (milliseconds / 1000).toFixed(1),
    megabytes.toFixed(0),
    ...["certain", "likely", "possible"].map(
      (wanted) => `${findings.filter(({ tier }) => tier === wanted).length}`,
    ),
    `${unknown}`,
    failed ?? "",
  ]);
  const seconds = answers.map(({ milliseconds }) => milliseconds / 1000);
  const memory = Math.max(...answers.map(({ megabytes }) => megabytes));
  const sum = `CPU s: median ${median(seconds).toFixed(1)}, worst ${Math.max(...seconds).toFixed(1)}; memory: worst ${memory.toFixed(0)} MB`;
  const headings = ["clone", "CPU s", "MB", "certain", "likely", "possible", "unknown", ""];
  return `${printTable(headings, rows)}\n\n${sum}`;
}

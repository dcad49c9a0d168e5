/**
 * A commit beside other ways to save files, in one run: `npm run bench:commit [-- --quick]`. Each contender changes the
 * same number of files of 8 KB, in turn, on the disk of the temporary directory; wall-clock medians, and the mean CPU time
 * of the process and its children. What they promise differs: see docs/reliability.md.
 */
import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Edit } from "../src/text/model/edit.ts";
import { planEdits } from "../src/text/model/plan.ts";
import { openWorkspace, type Workspace } from "../src/workspace/workspace.ts";
import { FloorPlace, OneLogPlace } from "./protocol-floor.ts";
import { figure, median, milliseconds, printTable, printTargets, type Target } from "./report.ts";

type Save = (contents: ReadonlyMap<string, string>) => Promise<void>;
type Contender = { readonly name: string; readonly save: Save; close?(): Promise<void> };

const writeFileAtomic = createRequire(import.meta.url)("write-file-atomic") as (
  path: string,
  text: string,
) => Promise<void>;
const { values } = parseArgs({ options: { quick: { type: "boolean", default: false } } });
const folder = fs.mkdtempSync(join(tmpdir(), "suture-bench-commit-"));
const pageSize = 8192;
/** Equal files are one blob for git and one saved copy for us, which is no usual change. */
type Race = { readonly files: number; readonly equal: boolean };
const races: readonly Race[] = [
  { files: 1, equal: false },
  { files: 10, equal: false },
  { files: 100, equal: false },
  { files: 100, equal: true },
];
const rounds = (files: number): number => Math.ceil((values.quick ? 20 : 80) / files ** 0.4);

try {
  const targets: Target[] = [];
  for (const race of races) targets.push(...(await compare(race)));
  console.log(`\n## Targets\n\n${printTargets(targets)}`);
} finally {
  fs.rmSync(folder, { recursive: true });
}

type Spending = { readonly wall: number; readonly cpu: number };

async function compare(race: Race): Promise<Target[]> {
  const contenders = await enter(race);
  const times = new Map(contenders.map(({ name }) => [name, { walls: [] as number[], cpu: 0 }]));
  for (let round = 0; round < rounds(race.files) + 1; round++)
    for (const { name, save } of contenders) {
      const contents = contentsOf(race, round);
      const [start, used] = [process.hrtime.bigint(), cpuSoFar()];
      await save(contents);
      // The first round makes directories and warms up.
      if (round === 0) continue;
      times.get(name)!.walls.push(Number(process.hrtime.bigint() - start) / 1e6);
      times.get(name)!.cpu += cpuSoFar() - used;
    }
  for (const { close } of contenders) await close?.();
  const figures = new Map(
    [...times].map(([name, { walls, cpu }]) => [name, { wall: median(walls), cpu: cpu / walls.length }]),
  );
  printRace(race, figures);
  return targetsOf(race, figures);
}

/** What this process and its ended children have used, in milliseconds. The system counts children in hundredths. */
function cpuSoFar(): number {
  const { user, system } = process.cpuUsage();
  const fields = fs.readFileSync("/proc/self/stat", "utf8").split(") ")[1]!.split(" ");
  return (user + system) / 1000 + (Number(fields[13]) + Number(fields[14])) * 10;
}

function printRace({ files, equal }: Race, all: ReadonlyMap<string, Spending>): void {
  const [atomic, git] = [all.get("write-file-atomic")!, all.get("git add && git commit")!];
  const rows = [...all].map(([name, { wall, cpu }]) => [
    name,
    milliseconds(wall),
    `${figure(wall / atomic.wall)} ×`,
    `${figure(wall / git.wall)} ×`,
    milliseconds(cpu),
    `${figure(cpu / atomic.cpu)} ×`,
    `${figure(cpu / git.cpu)} ×`,
  ]);
  const what = files === 1 ? "file" : equal ? "equal files" : "files";
  console.log(`\n## ${files} ${what} of 8 KB, ${rounds(files)} rounds\n`);
  const headings = ["median", "to write-file-atomic", "to git"];
  console.log(printTable(["", ...headings, "CPU", ...headings.slice(1)], rows));
}

function targetsOf({ files, equal }: Race, all: ReadonlyMap<string, Spending>): Target[] {
  const durable = all.get("suture")!;
  const peer = files === 1 ? "write-file-atomic" : "git add && git commit";
  const name = equal ? `${files} durable, equal files` : `${files} durable`;
  const share = {
    name: `${name}, to ${peer}`,
    limit: files === 1 ? 1.5 : 1,
    actual: durable.wall / all.get(peer)!.wall,
    unit: "×",
  };
  const limit = { 1: 25, 10: 120 }[files];
  return limit === undefined ? [share] : [share, { name, limit, actual: durable.wall, unit: "ms" }];
}

async function enter(race: Race): Promise<Contender[]> {
  const at = (name: string): string => makeHome(`${race.files}-${race.equal}-${name}`, race);
  const [plain, renamed, flushed, atomic] = ["plain", "renamed", "flushed", "atomic"].map(at) as [
    string,
    string,
    string,
    string,
  ];
  return [
    { name: "fs.writeFile", save: eachFile(plain, (path, text) => fs.promises.writeFile(path, text)) },
    { name: "temp + rename", save: eachFile(renamed, (path, text) => replace(path, text, { flush: false })) },
    { name: "temp + flush + rename + flush", save: flushedSave(flushed) },
    { name: "write-file-atomic", save: eachFile(atomic, (path, text) => writeFileAtomic(path, text)) },
    { name: "git add && git commit", save: gitSave(at("git")) },
    await suture("suture, fast", at("fast"), "fast"),
    await suture("suture", at("full"), "full"),
    floor("the protocol's calls", { Place: FloorPlace, home: at("floor"), race }),
    floor("the calls of one log", { Place: OneLogPlace, home: at("log"), race }),
  ];
}

function makeHome(name: string, race: Race): string {
  const home = join(folder, name);
  fs.mkdirSync(home);
  for (const [path, text] of contentsOf(race, -1)) fs.writeFileSync(join(home, path), text);
  return home;
}

/** The pages of one round: the first line tells rounds apart. */
function contentsOf({ files, equal }: Race, round: number): Map<string, string> {
  const body = "A line of a page that stays as it is.\n".repeat(pageSize / 38);
  const first = (i: number): string => `round ${String(round).padStart(6)}${equal ? "" : ` of page ${i}`}`;
  return new Map(Array.from({ length: files }, (_, i) => [`page-${i}.md`, `${first(i)}\n${body}`]));
}

function eachFile(home: string, write: (path: string, text: string) => Promise<void>): Save {
  return async (contents) => {
    await Promise.all([...contents].map(([path, text]) => write(join(home, path), text)));
  };
}

async function replace(path: string, text: string, { flush }: { flush: boolean }): Promise<void> {
  const file = await fs.promises.open(`${path}.tmp`, "wx");
  await file.writeFile(text);
  if (flush) await file.sync();
  await file.close();
  await fs.promises.rename(`${path}.tmp`, path);
}

function flushedSave(home: string): Save {
  const save = eachFile(home, (path, text) => replace(path, text, { flush: true }));
  return async (contents) => {
    await save(contents);
    const dir = await fs.promises.open(home, "r");
    await dir.sync();
    await dir.close();
  };
}

function gitSave(home: string): Save {
  const git = (...args: string[]): void => void execFileSync("git", args, { cwd: home, stdio: "ignore" });
  git("init", "-q");
  for (const [key, value] of [
    ["user.name", "bench"],
    ["user.email", "bench@localhost"],
    ["gc.auto", "0"],
    ["commit.gpgsign", "false"],
  ])
    git("config", key!, value!);
  return async (contents) => {
    for (const [path, text] of contents) fs.writeFileSync(join(home, path), text);
    git("add", "-A");
    git("commit", "-q", "-m", "round");
  };
}

async function suture(name: string, home: string, durability: "full" | "fast"): Promise<Contender> {
  const opened = await openWorkspace(home, { durability });
  if (!opened.ok) throw new Error(JSON.stringify(opened.refusal));
  return { name, save: (contents) => commit(opened.value, contents), close: () => opened.value.close() };
}

/** The system calls of a protocol alone: no commit that keeps its promises by it can take less. */
function floor(
  name: string,
  { Place, home, race }: { Place: typeof FloorPlace | typeof OneLogPlace; home: string; race: Race },
): Contender {
  const place = new Place(home, contentsOf(race, 0));
  return { name, save: () => place.edit(), close: async () => place.close() };
}

/** The whole way of an edit: read, find, plan, commit. */
async function commit(workspace: Workspace, contents: ReadonlyMap<string, string>): Promise<void> {
  const snapshots = [];
  const edits: Edit[] = [];
  for (const [path, text] of contents) {
    const read = await workspace.read(path);
    if (!read.ok) throw new Error(JSON.stringify(read.refusal));
    snapshots.push(read.value);
    edits.push({
      path,
      target: { quote: firstLine(read.value.text!) },
      text: firstLine(text),
      reason: "",
      evidence: [],
    });
  }
  const plan = planEdits(edits, snapshots);
  const done = plan.ok ? await workspace.commit(plan.value, { author: "bench" }) : plan;
  if (!done.ok) throw new Error(JSON.stringify(done.refusal));
}

function firstLine(text: string): string {
  return text.slice(0, text.indexOf("\n"));
}

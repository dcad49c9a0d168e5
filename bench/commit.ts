/**
 * A commit beside other ways to save files, in one run: `npm run bench:commit [-- --quick]`. Each contender changes the
 * same number of files of 8 KB, in turn, on the disk of the temporary directory; wall-clock medians. What they promise
 * differs: see docs/reliability.md.
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
const sizes = [1, 10, 100];
const rounds = (files: number): number => Math.ceil((values.quick ? 20 : 80) / files ** 0.4);

try {
  const targets: Target[] = [];
  for (const files of sizes) targets.push(...(await compare(files)));
  console.log(`\n## Targets\n\n${printTargets(targets)}`);
} finally {
  fs.rmSync(folder, { recursive: true });
}

async function compare(files: number): Promise<Target[]> {
  const contenders = await enter(files);
  const times = new Map(contenders.map(({ name }) => [name, [] as number[]]));
  for (let round = 0; round < rounds(files) + 1; round++)
    for (const { name, save } of contenders) {
      const contents = contentsOf(files, round);
      const start = process.hrtime.bigint();
      await save(contents);
      // The first round makes directories and warms up.
      if (round > 0) times.get(name)!.push(Number(process.hrtime.bigint() - start) / 1e6);
    }
  for (const { close } of contenders) await close?.();
  const medians = new Map([...times].map(([name, figures]) => [name, median(figures)]));
  printRace(files, medians);
  return targetsOf(files, medians);
}

function printRace(files: number, medians: ReadonlyMap<string, number>): void {
  const [atomic, git] = [medians.get("write-file-atomic")!, medians.get("git add && git commit")!];
  const rows = [...medians].map(([name, time]) => [
    name,
    milliseconds(time),
    `${figure(time / atomic)} ×`,
    `${figure(time / git)} ×`,
  ]);
  console.log(`\n## ${files} ${files === 1 ? "file" : "files"} of 8 KB, ${rounds(files)} rounds\n`);
  console.log(printTable(["", "median", "to write-file-atomic", "to git"], rows));
}

function targetsOf(files: number, medians: ReadonlyMap<string, number>): Target[] {
  const durable = medians.get("suture")!;
  const peer = files === 1 ? "write-file-atomic" : "git add && git commit";
  const share = {
    name: `${files} durable, to ${peer}`,
    limit: files === 1 ? 1.5 : 1,
    actual: durable / medians.get(peer)!,
    unit: "×",
  };
  const limit = { 1: 25, 10: 120 }[files];
  return limit === undefined
    ? [share]
    : [share, { name: `${files} durable`, limit, actual: durable, unit: "ms" }];
}

async function enter(files: number): Promise<Contender[]> {
  const at = (name: string): string => makeHome(`${files}-${name}`, files);
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
  ];
}

function makeHome(name: string, files: number): string {
  const home = join(folder, name);
  fs.mkdirSync(home);
  for (const [path, text] of contentsOf(files, -1)) fs.writeFileSync(join(home, path), text);
  return home;
}

/** The pages of one round: the first line tells rounds apart. */
function contentsOf(files: number, round: number): Map<string, string> {
  const body = "A line of a page that stays as it is.\n".repeat(pageSize / 38);
  return new Map(
    Array.from({ length: files }, (_, i) => [`page-${i}.md`, `round ${String(round).padStart(6)}\n${body}`]),
  );
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

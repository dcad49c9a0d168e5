/**
 * A state that lasts: many small edits of one large file, `npm run bench:state [-- --edits N --size BYTES]`. Prints the
 * size of the state over time, and the CPU time of an edit and of the commands that read the history.
 */
import { execFileSync, spawnSync } from "node:child_process";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Edit } from "../src/text/model/edit.ts";
import { planEdits } from "../src/text/model/plan.ts";
import { openWorkspace, type Workspace } from "../src/workspace/workspace.ts";
import { printTable } from "./report.ts";

const { values } = parseArgs({
  options: {
    edits: { type: "string", default: "10000" },
    size: { type: "string", default: String(1 << 20) },
  },
});
const edits = Number(values.edits);
const folder = fs.mkdtempSync(join(tmpdir(), "suture-bench-state-"));
const bin = join(import.meta.dirname, "..", "bin", "suture.cjs");
const line = "A line of a page that hardly changes.\n";
const milestones = new Set([100, 1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000, edits]);
const rows: string[][] = [];

try {
  fs.writeFileSync(
    join(folder, "page.md"),
    `counter 0\n${line.repeat(Math.ceil(Number(values.size) / line.length))}`,
  );
  let workspace = await open();
  let start = process.cpuUsage();
  let refused = 0;
  for (let i = 1, since = 0; i <= edits; i++) {
    if (!(await edit(workspace, i))) refused++;
    if (!milestones.has(i)) continue;
    const { user, system } = process.cpuUsage(start);
    const perEdit = (user + system) / 1000 / (i - since);
    since = i;
    await workspace.close();
    rows.push([String(i), ...sizes(), perEdit.toFixed(1), ...commands(i)]);
    console.error(rows.at(-1)?.join("  "));
    workspace = await open();
    start = process.cpuUsage();
  }
  await workspace.close();
  const heads = [
    "entries",
    "state MB",
    "on disk MB",
    "files",
    "edit ms",
    "undo ms",
    "redo ms",
    "show ms",
    "diff ms",
    "log ms",
    "stats ms",
  ];
  console.log(
    `One file of ${values.size} bytes, ${edits} edits of a few bytes, CPU time, default settings\n`,
  );
  console.log(printTable(heads, rows));
  console.log(`\nrefused: ${refused}`);
} finally {
  fs.rmSync(folder, { recursive: true });
}

async function open(): Promise<Workspace> {
  const opened = await openWorkspace(folder, { durability: "fast" });
  if (!opened.ok) throw new Error(JSON.stringify(opened.refusal));
  return opened.value;
}

async function edit(workspace: Workspace, number: number): Promise<boolean> {
  const snapshot = await workspace.read("page.md");
  if (!snapshot.ok) throw new Error(JSON.stringify(snapshot.refusal));
  const asked: Edit = {
    path: "page.md",
    target: { quote: `counter ${number - 1}\n` },
    text: `counter ${number}\n`,
    reason: "a new count",
    evidence: [],
  };
  const plan = planEdits([asked], [snapshot.value]);
  if (!plan.ok) throw new Error(JSON.stringify(plan.refusal));
  return (await workspace.commit(plan.value, { author: "bench" })).ok;
}

/** The sum of all file sizes, and what the disk gives for them. */
function sizes(): string[] {
  const output = (flags: string[]): number =>
    Number(
      execFileSync("du", ["-s", ...flags, join(folder, ".suture")])
        .toString()
        .split("\t")[0],
    );
  const files = fs.readdirSync(join(folder, ".suture"), { recursive: true }).length;
  const megabytes = (bytes: number): string => (bytes / (1 << 20)).toFixed(1);
  return [megabytes(output(["--apparent-size", "-B1"])), megabytes(output(["-B1"])), String(files)];
}

/** The CPU time of commands, each in a process of its own. The entry in the middle is the one that is shown. */
function commands(entries: number): string[] {
  const middle = String(Math.max(1, entries - 500));
  return [["undo", "--yes"], ["redo", "--yes"], ["show", middle], ["diff", middle], ["log"], ["stats"]].map(
    cpuOf,
  );
}

function cpuOf(words: readonly string[]): string {
  const code = `process.on("exit",()=>{const u=process.resourceUsage();require("fs").writeSync(2,"CPU "+(u.userCPUTime+u.systemCPUTime)+"\\n")})`;
  const hook = join(folder, "..", `suture-cpu-${process.pid}.cjs`);
  fs.writeFileSync(hook, code);
  const done = spawnSync(process.execPath, ["--require", hook, bin, ...words], {
    cwd: folder,
    maxBuffer: 1 << 28,
  });
  fs.rmSync(hook);
  const used = /CPU (\d+)/.exec(done.stderr.toString())?.[1];
  return done.status === 0 && used ? (Number(used) / 1000).toFixed(0) : `failed (${done.status})`;
}

// How much the doors cost, beside what others do with the same work, in one run:
//
//     npm run bench:doors
//
// CPU time of whole processes (user and system), medians of interleaved runs, as ratios.
import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { cpuOf } from "./cpu.ts";
import { FloorPlace, measureFloor, OneLogPlace } from "./protocol-floor.ts";
import { median, printTargets, type Target } from "./report.ts";

const rounds = Number(process.env.ROUNDS ?? 25);
const calls = Number(process.env.CALLS ?? 300);
const home = mkdtempSync(join(tmpdir(), "suture-bench-doors-"));
const command = resolve("bin/suture.cjs");
// Compiled code is kept where a user's is, but for this run alone.
process.env.SUTURE_CACHE = join(home, "cache");
const targets: Target[] = [];

try {
  if (!existsSync("dist/cli/main.cjs"))
    throw new Error("the command is not built: run `npm run build` first");
  measureStart();
  await measureCalls();
  console.log(`\n${printTargets(targets)}`);
} finally {
  rmSync(home, { recursive: true, force: true });
}

type Contender = { readonly name: string; readonly prepare: () => void; readonly words: readonly string[] };

/** One edit of a small file, from the start of the process to its end. */
function measureStart(): void {
  const page = Array.from({ length: 200 }, (_, i) => `Line ${i} of a small page.\n`).join("");
  const folder = (name: string): string => {
    const path = join(home, name);
    mkdirSync(path, { recursive: true });
    return path;
  };
  const fresh = (path: string) => () => writeFileSync(join(path, "page.md"), page);
  const [ours, git, gnu] = [folder("ours"), folder("git"), folder("gnu")];
  const diff =
    "--- a/page.md\n+++ b/page.md\n@@ -101 +101 @@\n-Line 100 of a small page.\n+Line 100 of a changed page.\n";
  writeFileSync(join(home, "page.diff"), diff);
  const contenders: Contender[] = [
    { name: "node -e 0", prepare: () => {}, words: [process.execPath, "-e", "0"] },
    {
      name: "suture edit",
      prepare: fresh(ours),
      words: [
        process.execPath,
        command,
        "edit",
        "page.md",
        "Line 100 of a small page.",
        "Line 100 of a changed page.",
        "--root",
        ours,
      ],
    },
    // The floor of an edit of a file that another program wrote: its hash, and a process that looks for its attributes.
    {
      name: "node, a hash, tar",
      prepare: fresh(ours),
      words: [process.execPath, "-e", startFloor(ours)],
    },
    { name: "suture help", prepare: () => {}, words: [process.execPath, command, "help"] },
    {
      name: "suture patch",
      prepare: fresh(ours),
      words: [process.execPath, command, "patch", "page.md", join(home, "page.diff"), "--root", ours],
    },
    {
      name: "git apply",
      prepare: fresh(git),
      words: ["git", "-C", git, "apply", "--unidiff-zero", join(home, "page.diff")],
    },
    {
      name: "patch",
      prepare: fresh(gnu),
      words: ["patch", "-s", "-p1", "-d", gnu, "-i", join(home, "page.diff")],
    },
  ];
  const usable = contenders.filter(({ name, prepare, words }) => {
    prepare();
    const ran = spawnSync(words[0]!, words.slice(1), { encoding: "utf8" });
    if (ran.status === 0) return true;
    console.log(`${name} is left out: ${ran.error?.message ?? ran.stderr.trim()}`);
    return false;
  });
  const times = new Map(usable.map(({ name }) => [name, [] as number[]]));
  for (let round = 0; round < rounds; round++)
    for (const { name, prepare, words } of usable) {
      prepare();
      times.get(name)!.push(cpuOf(words));
    }
  const base = median(times.get("node -e 0")!);
  console.log(`One edit of an 8 KB file, process and all (${rounds} rounds, CPU)`);
  for (const [name, all] of times)
    console.log(
      `  ${name.padEnd(18)} ${median(all).toFixed(1).padStart(7)} ms  ${(median(all) / base).toFixed(2)} × node -e 0`,
    );
  for (const name of ["suture edit", "suture help"])
    targets.push({
      name: `${name}, to node -e 0`,
      limit: 2,
      actual: median(times.get(name) ?? []) / base,
      unit: "×",
    });
  console.log("");
}

type Service = {
  readonly name: string;
  readonly args: readonly string[];
  readonly input: (from: string, to: string, dryRun: boolean) => Record<string, unknown>;
};

/** One edit of a small file through a server that is already running: the round trip alone, then with its commit. */
async function measureCalls(): Promise<void> {
  const root = join(home, "served");
  mkdirSync(root, { recursive: true });
  const file = join(root, "page.md");
  const ours = (from: string, to: string, dry_run: boolean): Record<string, unknown> => ({
    path: "page.md",
    old_content: from,
    new_content: to,
    ...(dry_run ? { dry_run } : {}),
  });
  const services: Service[] = [
    {
      name: "reference filesystem server",
      args: [resolve("node_modules/@modelcontextprotocol/server-filesystem/dist/index.js"), root],
      input: (from, to, dryRun) => ({ path: file, edits: [{ oldText: from, newText: to }], dryRun }),
    },
    { name: "suture mcp", args: [command, "mcp", "--root", root], input: ours },
    {
      name: "suture mcp, nothing flushed",
      args: ["--input-type=module", "-e", unflushed(root)],
      input: ours,
    },
  ];
  for (const dryRun of [true, false]) {
    const results = new Map<string, Spent[]>();
    for (let round = 0; round < 3; round++)
      for (const service of services) {
        const page = Array.from({ length: 200 }, (_, i) => `Line ${i} of a small page.\n`);
        writeFileSync(file, page.join(""));
        rmSync(join(root, ".suture"), { recursive: true, force: true });
        results.set(service.name, [...(results.get(service.name) ?? []), await timeService(service, dryRun)]);
      }
    printCalls(dryRun ? "dry run: the round trip without a commit" : "with its commit", results);
    if (!dryRun) await printFloor(middle(results.get(services[0]!.name)!, "cpu"));
    targets.push({
      name: `MCP edit ${dryRun ? "without" : "with"} its commit, to the reference server`,
      limit: dryRun ? 1 : 2,
      actual: middle(results.get("suture mcp")!, "cpu") / middle(results.get(services[0]!.name)!, "cpu"),
      unit: "×",
    });
  }
}

/** What the calls of the crash protocol take alone, and those of a protocol of one log, beside a whole edit of the reference server. */
async function printFloor(reference: number): Promise<void> {
  const page = Array.from({ length: 200 }, (_, i) => `Line ${i} of a small page.\n`).join("");
  const places = [
    { name: "the protocol's system calls", Place: FloorPlace, floors: [] as number[] },
    { name: "those of one log", Place: OneLogPlace, floors: [] as number[] },
  ];
  for (let round = 0; round < 3; round++)
    for (const { Place, floors } of places)
      floors.push(await measureFloor(Place, mkdtempSync(join(home, "floor-")), { page, edits: calls }));
  for (const { name, floors } of places) {
    const [cpu, ratio] = [median(floors), (median(floors) / reference).toFixed(2)];
    console.log(
      `  ${name.padEnd(28)} ${cpu.toFixed(2).padStart(6)} ms CPU             ${ratio} × the reference`,
    );
  }
}

function startFloor(folder: string): string {
  const list = ["--xattrs", "--acls", "-cvvf", "/dev/null", "-C", folder, "./page.md"];
  return `const { readFileSync } = require("fs");
    require("crypto").hash("sha256", readFileSync(${JSON.stringify(join(folder, "page.md"))}));
    require("child_process").spawnSync("tar", ${JSON.stringify(list)});`;
}

type Spent = { readonly cpu: number; readonly wall: number };

function middle(spent: readonly Spent[], of: keyof Spent): number {
  return median(spent.map((each) => each[of]));
}

function printCalls(what: string, results: ReadonlyMap<string, readonly Spent[]>): void {
  const [reference] = results.values();
  console.log(`One edit of an 8 KB file through a running MCP server, ${what} (${calls} calls, 3 rounds)`);
  for (const [name, spent] of results) {
    const [cpu, wall] = [middle(spent, "cpu"), middle(spent, "wall")];
    const ratio = (cpu / middle(reference!, "cpu")).toFixed(2);
    console.log(
      `  ${name.padEnd(28)} ${cpu.toFixed(2).padStart(6)} ms CPU  ${wall.toFixed(2).padStart(6)} ms  ${ratio} × the reference`,
    );
  }
}

function unflushed(root: string): string {
  const entry = resolve("dist/mcp/index.js");
  return `import { openMcp, serveStdio } from ${JSON.stringify(entry)};
    const door = await openMcp({ root: ${JSON.stringify(root)}, durability: "fast", version: "0.0.0" });
    await serveStdio(door.value);`;
}

async function timeService({ args, input }: Service, dryRun: boolean): Promise<Spent> {
  const client = new Client({ name: "bench", version: "1.0.0" });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [...args],
    stderr: "ignore",
  });
  await client.connect(transport);
  const [small, changed] = ["Line 100 of a small", "Line 100 of a changed"];
  const edit = async (i: number): Promise<void> => {
    const back = i % 2 === 1 && !dryRun;
    const words = input(back ? changed : small, back ? small : changed, dryRun);
    const answer = await client.callTool({ name: "edit_file", arguments: words });
    if (answer.isError) throw new Error(JSON.stringify(answer.content));
  };
  for (let i = 0; i < 20; i++) await edit(i);
  const [cpu, wall] = [cpuOfProcess(transport.pid!), performance.now()];
  for (let i = 0; i < calls; i++) await edit(i);
  const spent = {
    cpu: (cpuOfProcess(transport.pid!) - cpu) / calls,
    wall: (performance.now() - wall) / calls,
  };
  await client.close();
  return spent;
}

/** What all threads of a process have used so far, in milliseconds, to the nanosecond. */
function cpuOfProcess(pid: number): number {
  const tasks = readdirSync(`/proc/${pid}/task`);
  const spent = tasks.map((task) =>
    Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, "utf8").split(" ")[0]),
  );
  return spent.reduce((sum, nanoseconds) => sum + nanoseconds, 0) / 1e6;
}

/**
 * What a check of a large repository costs, beside the tools that only look: `npm run bench:check [-- --files N]`.
 * A repository is made with N source files and N/10 pages, and a commit that renames a few public functions. CPU time,
 * medians of rounds in which the programs take turns. A warm check finds what the one before it kept. The check of a
 * repository of 200 files shows the part of the cost that does not grow: the start, the rules' code and a grammar. With
 * a folder of bare clones in `MIRROR`, the memory of a check of 4,300 commits of curl in one range is measured too.
 */
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
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createWordFinder } from "../src/syntax/words/words.ts";
import { gitIn } from "./git.ts";
import { median, milliseconds, printTable, printTargets, type Target } from "./report.ts";
import { prose } from "./text/job.ts";

const { values } = parseArgs({
  options: { files: { type: "string", default: "10000" }, rounds: { type: "string", default: "5" } },
});
const count = Number(values.files);
const rounds = Number(values.rounds);
const folder = mkdtempSync(join(tmpdir(), "suture-bench-check-"));
const root = join(folder, "repository");
const small = join(folder, "small");
// The list of names lies outside: a file of the repository that holds them would keep them alive.
const list = join(folder, "names.txt");
process.env.SUTURE_CACHE = join(folder, "cache");
const command = join(import.meta.dirname, "..", "bin", "suture.cjs");
const names = Array.from({ length: 500 }, (_, i) => `readRecord${i}`);
const lastCommit = ["check", "--base", "HEAD~1", "--json"];

try {
  makeRepository(root, count);
  makeRepository(small, 200);
  const programs: [string, () => number][] = [
    ["git diff", () => cpuOf("git", ["diff", "HEAD~1", "HEAD"])],
    ["ripgrep -F -w, 500 names, all pages", () => cpuOf("rg", ["-F", "-w", "-c", "-j1", "-f", list, "docs"])],
    ["our word scan, 500 names, all pages", scanPages],
    [
      "suture check, nothing kept",
      () => {
        rmSync(process.env.SUTURE_CACHE!, { recursive: true, force: true });
        return cpuOf(process.execPath, [command, ...lastCommit]);
      },
    ],
    ["suture check, warm", () => cpuOf(process.execPath, [command, ...lastCommit])],
    ["suture check, 200 files", () => cpuOf(process.execPath, [command, ...lastCommit], small)],
    ["node -e 0", () => cpuOf(process.execPath, ["-e", "0"])],
  ];
  const figures = new Map(programs.map(([name]) => [name, [] as number[]]));
  for (let round = 0; round < rounds; round++)
    for (const [name, run] of programs) figures.get(name)!.push(run());
  const of = (name: string): number => median(figures.get(name)!);
  console.log(`${count} source files, ${count / 10} pages, Node ${process.version}, ${rounds} rounds`);
  console.log(
    printTable(
      ["program", "CPU"],
      programs.map(([name]) => [name, milliseconds(of(name))]),
    ),
  );
  const targets: Target[] = [
    {
      name: "names in all pages, over ripgrep",
      unit: "×",
      actual: of("our word scan, 500 names, all pages") / of("ripgrep -F -w, 500 names, all pages"),
      limit: 2,
    },
    { name: "check, nothing kept", unit: "s", actual: of("suture check, nothing kept") / 1000, limit: 0.8 },
    { name: "check, warm", unit: "s", actual: of("suture check, warm") / 1000, limit: 0.3 },
    ...memoryOfRange(),
  ];
  console.log(printTargets(targets));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function makeRepository(root: string, count: number): void {
  const git = gitIn(root);
  mkdirSync(root);
  git("init", "--quiet", "--initial-branch=main");
  const text = prose(8000);
  for (let i = 0; i < count; i++) {
    const folder = join(root, "src", `part${i % 100}`);
    if (i < 100) mkdirSync(folder, { recursive: true });
    writeFileSync(
      join(folder, `file${i}.ts`),
      `/* ${text.slice(i % 400, (i % 400) + 3000)} */\nexport function ${nameOf(i)}(path: string): string {\n  return path;\n}\n`,
    );
  }
  mkdirSync(join(root, "docs"));
  for (let i = 0; i < count / 10; i++)
    writeFileSync(
      join(root, "docs", `page${i}.md`),
      `# Page ${i}\n\n${text.slice(i % 300)}\n\nCall \`${nameOf(i)}\` with a path.\n`,
    );
  writeFileSync(list, `${names.join("\n")}\n`);
  git("add", "--all");
  git("commit", "--quiet", "--message", "base");
  for (let i = 0; i < 5; i++) {
    const file = join(root, "src", `part${i}`, `file${i}.ts`);
    writeFileSync(file, readFileSync(file, "utf8").replace(nameOf(i), `loadRecord${i}`));
  }
  git("commit", "--quiet", "--all", "--message", "rename");
}

/** The peak of a check's own process, over the last commits of a large C project; nothing without a clone of it. */
function memoryOfRange(): Target[] {
  const clone = join(process.env.MIRROR ?? "", "curl+curl", "repo");
  if (!process.env.MIRROR || !existsSync(clone)) {
    console.log("memory of a long range skipped: set MIRROR to a folder of bare clones with curl+curl");
    return [];
  }
  const base = gitIn(clone)("rev-list", "-n1", "--skip=4300", "--first-parent", "HEAD").trim();
  const report = 'process.on("exit",()=>process.stderr.write("peak "+process.resourceUsage().maxRSS))';
  const args = ["--import", `data:text/javascript,${encodeURIComponent(report)}`, command, "check"];
  const run = spawnSync(process.execPath, [...args, "--base", base, "--head", "HEAD", "--json"], {
    cwd: clone,
    encoding: "utf8",
    maxBuffer: 1e9,
  });
  const [, peak] = /peak (\d+)$/.exec(run.stderr) ?? [];
  return [
    {
      name: "memory, 4,300 commits of curl",
      unit: "MB",
      actual: Math.round(Number(peak) / 1024),
      limit: 300,
    },
  ];
}

function nameOf(i: number): string {
  return i < names.length ? names[i]! : `useRecord${i}`;
}

function scanPages(): number {
  const start = process.cpuUsage();
  const find = createWordFinder(names);
  let found = 0;
  for (const page of readdirSync(join(root, "docs")))
    found += find(readFileSync(join(root, "docs", page), "utf8")).length;
  const { user, system } = process.cpuUsage(start);
  if (found < names.length) throw new Error(`the scan found ${found} of ${names.length}`);
  return (user + system) / 1000;
}

/** CPU milliseconds of a program, as bash counts those of its children. */
function cpuOf(program: string, args: readonly string[], cwd = root): number {
  const script = 'TIMEFORMAT="%U %S"; time "$@" >/dev/null 2>&1';
  const run = spawnSync("bash", ["-c", script, "bash", program, ...args], { cwd, encoding: "utf8" });
  if (run.status === 127) throw new Error(`${program} is missing, so nothing can be compared with it`);
  const [, user, system] = /([\d.]+) ([\d.]+)\s*$/.exec(run.stderr) ?? [];
  return (Number(user) + Number(system)) * 1000;
}

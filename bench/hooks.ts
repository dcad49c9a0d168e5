// How much the hooks around an agent's edit tool add to a call:
//
//     npm run bench:hooks
//
// CPU time of whole processes (user and system), medians of interleaved runs. Each round is an honest edit of a page that
// the agent has read before, in a repository of its own. The first rounds are not counted: there the hooks keep compiled code.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { cpuOf } from "./cpu.ts";
import { median, milliseconds, printTable, printTargets } from "./report.ts";

const rounds = Number(process.env.ROUNDS ?? 25);
const uncounted = 20;
const home = mkdtempSync(join(tmpdir(), "suture-bench-hooks-"));
const root = join(home, "repository");
const page = join(root, "docs/page.md");
const command = resolve("bin/suture.cjs");
process.env.SUTURE_CACHE = join(home, "cache");

try {
  if (!existsSync("dist/cli/tool-hook.cjs")) throw new Error("run `npm run build` first");
  makeRepository();
  measure();
} finally {
  rmSync(home, { recursive: true, force: true });
}

function makeRepository(): void {
  mkdirSync(join(root, "docs"), { recursive: true });
  const text = Array.from({ length: 200 }, (_, i) => `Line ${i} of a small page.\n`).join("");
  writeFileSync(page, `# Page 0\n\n${text}`);
  const git = (...words: string[]): unknown =>
    execFileSync("git", ["-c", "user.name=b", "-c", "user.email=b@example.org", ...words], { cwd: root });
  git("init", "--quiet");
  git("add", "--all");
  git("commit", "--quiet", "--message", "base");
}

function measure(): void {
  const times = { node: [] as number[], read: [] as number[], before: [] as number[], after: [] as number[] };
  for (let round = -uncounted; round < rounds; round++) {
    const [old, fresh] = [`# Page ${round + uncounted}\n`, `# Page ${round + uncounted + 1}\n`];
    const edit = payload("Edit", round, { old_string: old, new_string: fresh });
    const node = cpuOf([process.execPath, "-e", "0"]);
    const read = hook("after", payload("Read", round, {}));
    const before = hook("before", edit);
    writeFileSync(page, readFileSync(page, "utf8").replace(old, fresh));
    const after = hook("after", edit);
    if (round < 0) continue;
    times.node.push(node);
    times.read.push(read);
    times.before.push(before);
    times.after.push(after);
  }
  const base = median(times.node);
  const row = (name: string, all: readonly number[]): string[] => [
    name,
    milliseconds(median(all)),
    `${(median(all) / base).toFixed(2)} ×`,
  ];
  const pairs = times.before.map((time, i) => time + times.after[i]!);
  console.log(`An honest edit of an 8 KB page (${rounds} rounds, CPU)`);
  console.log(
    printTable(
      ["process", "CPU", "to node -e 0"],
      [
        row("node -e 0", times.node),
        row("after a read", times.read),
        row("before an edit", times.before),
        row("after an edit", times.after),
        row("both", pairs),
      ],
    ),
  );
  const targets = [
    { name: "hooks of an honest edit", limit: 150, actual: median(pairs), unit: "ms" },
    { name: "hooks of an honest edit, to node -e 0", limit: 5, actual: median(pairs) / base, unit: "×" },
  ];
  console.log(`\n${printTargets(targets)}`);
}

/** The words that Claude Code sends around a tool. */
function payload(tool: string, round: number, input: Readonly<Record<string, string>>): string {
  return JSON.stringify({
    session_id: "bench",
    prompt_id: "bench",
    cwd: root,
    tool_name: tool,
    tool_use_id: `${tool}-${round}`,
    tool_input: { file_path: page, ...input },
  });
}

function hook(event: "before" | "after", input: string): number {
  return cpuOf([process.execPath, command, "agent", event, "--target", "claude"], { input });
}

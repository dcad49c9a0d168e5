/**
 * Every benchmark, one after the other, and the page that shows them: `npm run bench [-- --only text,commit] [--dry-run]`.
 * What a benchmark prints is put on the page as it is, with the date, the machine and the command that prints it again.
 * The sentences that people wrote below it stay.
 * `--gate` leaves the page alone and fails where a ratio that meets its target on the page is now more than 20 % over it.
 */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { arch, cpus, loadavg, release, totalmem } from "node:os";
import { parseArgs } from "node:util";
import { readSections } from "./page.ts";
import { lostTargets, readTargets } from "./report.ts";

type Bench = {
  readonly name: string;
  readonly title: string;
  readonly about: string;
  readonly command: readonly string[];
};

const page = "docs/benchmarks.md";
const benches: readonly Bench[] = [
  {
    name: "text",
    title: "Text",
    about: "Finding, planning and applying edits beside other engines, and inputs made to be slow.",
    command: ["bench/text.ts"],
  },
  {
    name: "commit",
    title: "Commit",
    about: "A durable transaction beside other ways to save files, whose promises differ.",
    command: ["bench/commit.ts"],
  },
  {
    name: "doors",
    title: "Doors",
    about: "Starting the command line, and calls over MCP.",
    command: ["bench/doors.ts"],
  },
  {
    name: "check",
    title: "Check",
    about: "`suture check` on a repository of 10,000 files, beside ripgrep and git.",
    command: ["bench/check.ts"],
  },
  {
    name: "drift",
    title: "Drift",
    about: "Findings and edits against what people changed in real commits of public repositories.",
    command: ["bench/drift.ts"],
  },
  {
    name: "tokens",
    title: "Tokens",
    about: "What a model has to write for an edit, in each format.",
    command: ["bench/tokens.ts"],
  },
];

const { values } = parseArgs({
  options: {
    only: { type: "string" },
    "dry-run": { type: "boolean", default: false },
    gate: { type: "boolean", default: false },
  },
});
const wanted = values.only?.split(",") ?? benches.map(({ name }) => name);
const unknown = wanted.filter((name) => !benches.some((bench) => bench.name === name));
if (unknown.length > 0) throw new Error(`there is no benchmark ${unknown.join(", ")}`);

const before = readSections(existsSync(page) ? readFileSync(page, "utf8") : "");
if (values.gate) compareWithPage(benches.filter(({ name }) => wanted.includes(name)));
else writePage();

function writePage(): void {
  const sections = benches.map((bench) => (wanted.includes(bench.name) ? run(bench) : keep(bench)));
  const text = `${printHead()}\n${sections.filter((section) => section !== "").join("\n")}`;
  if (values["dry-run"]) console.log(text);
  else writeFileSync(page, text);
}

function compareWithPage(chosen: readonly Bench[]): void {
  const lost = chosen.flatMap((bench) => {
    const section = run(bench);
    console.log(section);
    return lostTargets(readTargets(keep(bench)), readTargets(section)).map(
      (line) => `${bench.name}: ${line}`,
    );
  });
  console.log(lost.length === 0 ? "No target is lost." : `Lost:\n${lost.join("\n")}`);
  process.exitCode = lost.length === 0 ? 0 : 1;
}

function run({ name, title, about, command }: Bench): string {
  process.stderr.write(`${title} …`);
  const start = Date.now();
  const load = loadavg()[0]!.toFixed(1);
  const ran = spawnSync(process.execPath, command, { encoding: "utf8", maxBuffer: 2 ** 28 });
  const seconds = Math.round((Date.now() - start) / 1000);
  process.stderr.write(` ${seconds} s\n`);
  const output = ran.status === 0 ? ran.stdout : `${ran.stdout}\nended with ${ran.status}\n${ran.stderr}`;
  const when = `${new Date().toISOString().slice(0, 10)}, ${seconds} s, load ${load} at the start`;
  const printed = `## ${title}\n\n${about} \`npm run bench -- --only ${name}\` (${when})\n\n\`\`\`text\n${output.trim()}\n\`\`\`\n`;
  const notes = before.get(title)?.notes ?? "";
  return notes === "" ? printed : `${printed}\n${notes}\n`;
}

/** The section as an earlier run left it, with its own date. */
function keep({ title }: Bench): string {
  return before.get(title)?.text ?? "";
}

function printHead(): string {
  const [cpu] = cpus();
  const memory = `${Math.round(totalmem() / 2 ** 30)} GB`;
  return `# Benchmarks

Printed by \`npm run bench\`. Ratios are taken side by side in one run, because machines differ and are noisy; wall times on
a shared machine are upper bounds. Targets are printed with what was measured, met or missed.

Node ${process.versions.node}, ${process.platform} ${release()} ${arch()}, ${cpus().length} × ${cpu?.model.trim() ?? "unknown"}, ${memory}.
Faults and attacks are counted in [reliability](reliability.md), the fleet in [scale](scale.md).
`;
}

/**
 * What the language server costs in a large repository: `npm run bench:lsp [-- --files N --edits N --states N]`.
 * A repository is made with N source files and N/10 pages. A client types in a source file; the time from each keystroke
 * to the diagnostics is taken beside `git diff` in the same repository, and the memory of the server over all edits.
 * Then the server's check is compared with a fresh `check` of the saved files on random states.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual, parseArgs } from "node:util";
import { check } from "../src/docs/check/check.ts";
import { openProject } from "../src/docs/project.ts";
import { CheckSession } from "../src/docs/session/session.ts";
import { ScriptedClient, startServer } from "../test/lsp/client.ts";
import { createRandom, editText } from "../test/lsp/random-edits.ts";
import { gitIn } from "./git.ts";
import { median, milliseconds, printTable } from "./report.ts";
import { prose } from "./text/job.ts";

const { values } = parseArgs({
  options: {
    files: { type: "string", default: "10000" },
    edits: { type: "string", default: "2000" },
    states: { type: "string", default: "200" },
  },
});
const count = Number(values.files);
const folder = mkdtempSync(join(tmpdir(), "suture-bench-lsp-"));
const root = join(folder, "repository");
process.env.SUTURE_CACHE = join(folder, "cache");
const main = join(import.meta.dirname, "..", "src", "cli", "main.ts");
const git = gitIn(root);

try {
  makeRepository();
  await typeInEditor(Number(values.edits));
  await compareStates(Number(values.states));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function makeRepository(): void {
  mkdirSync(root);
  git("init", "--quiet", "--initial-branch=main");
  const text = prose(8000);
  for (let i = 0; i < count; i++) {
    if (i < 100) mkdirSync(join(root, "src", `part${i}`), { recursive: true });
    const body = `/* ${text.slice(i % 400, (i % 400) + 3000)} */\nexport function readRecord${i}(path: string, limit = ${i + 10}): string {\n  return path;\n}\n`;
    writeFileSync(join(root, sourceOf(i)), body);
  }
  mkdirSync(join(root, "docs"));
  for (let i = 0; i < count / 10; i++)
    writeFileSync(
      join(root, pageOf(i)),
      `# Page ${i}\n\n${text.slice(i % 300)}\n\nCall \`readRecord${i}\` with a path; the limit is ${i + 10}.\n`,
    );
  git("add", "--all");
  git("commit", "--quiet", "--message", "base");
}

function sourceOf(i: number): string {
  return `src/part${i % 100}/file${i}.ts`;
}

function pageOf(i: number): string {
  return `docs/page${i}.md`;
}

/** Types names letter by letter, as a person renames a function, and waits for the findings after each letter. */
async function typeInEditor(edits: number): Promise<void> {
  const wire = startServer([process.execPath, main, "lsp"]);
  const client = new ScriptedClient(root, wire);
  const started = performance.now();
  await client.start({}, { base: "HEAD" });
  await client.until(() => client.status.length > 0);
  const first = performance.now() - started;
  const path = sourceOf(5);
  const text = readFileSync(join(root, path), "utf8");
  await client.open(path, text);
  await client.open(pageOf(5), readFileSync(join(root, pageOf(5)), "utf8"));
  const [typed, differences, memory]: [number[], number[], number[]] = [[], [], []];
  for (let edit = 0; edit < edits; edit++) {
    const name = `loadTheRecord${edit}`.slice(0, 4 + (edit % 14));
    const seen = client.status.length;
    const begun = performance.now();
    await client.write(path, text.replaceAll("readRecord5", name));
    await client.until(() => client.status.length > seen, 1);
    typed.push(performance.now() - begun);
    if (edit % 10 === 0) differences.push(timeOf(() => git("diff", "HEAD")));
    if (edit % 50 === 0) memory.push(residentMegabytes(wire.pid!));
  }
  await client.close();
  const reference = median(differences);
  const rows = (name: string, value: number): string[] => [
    name,
    milliseconds(value),
    `${(value / reference).toFixed(1)} ×`,
  ];
  console.log(`${count} source files, ${count / 10} pages, ${edits} keystrokes, Node ${process.version}`);
  console.log(
    printTable(
      ["step", "time", "over git diff"],
      [
        rows("git diff, median", reference),
        rows("start to first findings", first),
        rows("keystroke to findings, median", median(typed)),
        rows("keystroke to findings, 95th", percentile(typed, 0.95)),
      ],
    ),
  );
  const quarter = Math.ceil(memory.length / 4);
  const [early, late] = [median(memory.slice(quarter, 2 * quarter)), median(memory.slice(-quarter))];
  console.log(
    `memory: ${early.toFixed(0)} MB in the second quarter, ${late.toFixed(0)} MB in the last (${(late / early).toFixed(2)} ×)`,
  );
}

/** The findings of the session on unsaved texts, and those of `check` on a copy where they are saved. */
async function compareStates(states: number): Promise<void> {
  const opened = await openProject({ root });
  if (!opened.ok) throw new Error("no project");
  await using project = opened.value;
  const session = new CheckSession(project);
  const random = createRandom(7);
  let [same, findings] = [0, 0];
  for (let state = 0; state < states; state++) {
    const texts = new Map<string, string>();
    for (let one = 0; one < 1 + random(4); one++) {
      const i = random(count / 10);
      const path = random(2) ? sourceOf(i) : pageOf(i);
      const text = readFileSync(join(root, path), "utf8");
      texts.set(
        path,
        random(2) ? text.replaceAll(`readRecord${i}`, `loadRecord${i}`) : editText(text, random),
      );
    }
    const { outcome } = await session.check({ base: "HEAD" }, { texts });
    for (const [path, text] of texts) writeFileSync(join(root, path), text);
    const saved = await openProject({ root });
    if (!saved.ok) throw new Error("no project");
    const checked = await check(saved.value, { base: "HEAD" });
    await saved.value.close();
    git("checkout", "--quiet", "--", ".");
    if (isDeepStrictEqual(outcome, checked)) same++;
    if (outcome.ok) findings += outcome.value.findings.length;
  }
  console.log(
    `${same} of ${states} random states have the findings of \`suture check\`; ${findings} findings`,
  );
  if (same !== states) process.exitCode = 1;
}

function timeOf(work: () => void): number {
  const begun = performance.now();
  work();
  return performance.now() - begun;
}

function percentile(values: readonly number[], share: number): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length * share)]!;
}

function residentMegabytes(pid: number): number {
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))!;
  return Number(kilobytes) / 1024;
}

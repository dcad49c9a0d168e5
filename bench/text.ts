/**
 * The text engine beside its peers, in one run: `npm run bench:text [-- --quick]`. Every engine does the whole job,
 * from the bytes of a file to the bytes of a file; programs pay for their start. CPU time, medians of rounds in
 * which the engines take turns. `--quick` leaves out 100 MB and halves the rounds; `--only exact,many` runs some parts.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { figure, milliseconds, printTable, printTargets, type Target } from "./report.ts";
import { adverseJobs } from "./text/adverse.ts";
import { type Job, makeJob, passage, prose, type Swap } from "./text/job.ts";
import { absent, limitSeconds, type Result, race } from "./text/runner.ts";

const { values } = parseArgs({
  options: { quick: { type: "boolean", default: false }, only: { type: "string" } },
});
const folder = mkdtempSync(join(tmpdir(), "suture-bench-text-"));
const targets: Target[] = [];
const KB = 1000;
const MB = 1000 * KB;

const floor = "read + decode + scan + write";
const naive = "naive indexOf";
const peers = ["jsdiff", "diff-match-patch", "MCP filesystem server", "GNU patch", "git apply"].filter(
  isPresent,
);

try {
  console.log(`CPU time, medians; an engine is cut off when one run has taken ${limitSeconds} s of it.\n`);
  const parts = {
    exact: exactEdits,
    miss: nearMisses,
    many: manyEdits,
    compare: comparisons,
    adverse: adverseInputs,
    memory,
  };
  const asked = values.only?.split(",");
  for (const [name, part] of Object.entries(parts)) if (asked?.includes(name) ?? true) await part();
  console.log(`\n## Targets\n\n${printTargets(targets)}`);
} finally {
  rmSync(folder, { recursive: true });
}

async function exactEdits(): Promise<void> {
  const columns: [string, Map<string, Result>][] = [];
  for (const bytes of sizes()) {
    const job = exactJob(bytes);
    columns.push([
      sizeName(bytes),
      await measure(job, [floor, naive, "suture", "suture, with the diff", ...peers]),
    ]);
    const results = columns.at(-1)![1];
    const size = sizeName(bytes);
    if (bytes >= 100 * KB) {
      aimRatio(`exact edit, ${size}, to read + decode + scan + write`, 1.5, results, "suture", floor);
      aimRatio(`exact edit, ${size}, to the best peer`, 1, results, "suture", fastest(results, peers));
      aimRatio(
        `exact edit with its diff, ${size}, to the best peer`,
        1,
        results,
        "suture, with the diff",
        fastest(results, peers),
      );
    }
  }
  const accented = await measure(exactJob(10 * MB, true), [
    floor,
    naive,
    "suture",
    "suture, with the diff",
    ...peers,
  ]);
  columns.push(["10 MB, accents", accented]);
  printRace("Exact edit (200 lines, or a tenth of the file)", columns, floor);
  growth("exact edit", columns);
}

async function nearMisses(): Promise<void> {
  const columns: [string, Map<string, Result>][] = [];
  for (const [bytes, lines] of [
    [100 * KB, 5],
    [100 * KB, 50],
    [MB, 5],
    [MB, 50],
    [10 * MB, 5],
    [100 * MB, 5],
  ] as const) {
    if (bytes > MB && values.quick) continue;
    const names = bytes > MB ? [naive, "suture"] : [naive, "suture", ...peers];
    const results = await measure(missJob(bytes, lines), names);
    columns.push([`${sizeName(bytes)}, ${lines} lines`, results]);
    if (bytes !== MB) continue;
    const name = `refusal with explanation, 1 MB, ${lines} lines`;
    aimRatio(`${name}, to naive indexOf`, 5, results, "suture", naive, "refused");
    aimTime(name, 250, results.get("suture"), "refused");
  }
  printRace("Near miss: one word of the quotation differs", columns, naive);
  growth("refusal", columns);
}

async function manyEdits(): Promise<void> {
  const batch = await measure(batchJob("batch", MB, 1000), [
    naive,
    "suture",
    "suture, with the diff",
    "suture, patch",
    ...peers,
  ]);
  const hunks = await measure(batchJob("hunks", 10 * MB, 10_000), [
    "suture, patch",
    ...peers.filter((peer) => !peer.startsWith("MCP")),
  ]);
  printRace(
    "Many edits",
    [
      ["1,000 edits, 1 MB", batch],
      ["10,000 hunks, 10 MB", hunks],
    ],
    "GNU patch",
  );
  if (!isPresent("GNU patch")) return;
  aimRatio("1,000 edits in a batch, 1 MB, to GNU patch", 2, batch, "suture", "GNU patch");
  aimRatio("10,000 hunks, 10 MB, to GNU patch", 1.5, hunks, "suture, patch", "GNU patch");
}

async function comparisons(): Promise<void> {
  const numbered = (count: number, word: string): string =>
    Array.from({ length: count }, (_, i) => `${word} ${i}\n`).join("");
  const names = ["suture, compare", "jsdiff, compare", "diff-match-patch, compare", "git diff"].filter(
    isPresent,
  );
  const columns: [string, Map<string, Result>][] = [];
  for (const [name, before, after] of [
    ["8,000 lines, all different", numbered(8000, "old"), numbered(8000, "new")],
    ["1 MB, 20 lines changed", prose(MB), changeLines(prose(MB), 20)],
  ] as const) {
    const job = makeJob(join(folder, `compare-${columns.length}`), name, before, { splices: [], after });
    writeFileSync(join(job.folder, "after.txt"), after);
    columns.push([name, await measure(job, names)]);
  }
  printRace("Diff of two texts", columns, "suture, compare");
  aimTime("diff of 8,000 all-different lines", 500, columns[0]![1].get("suture, compare"));
}

async function adverseInputs(): Promise<void> {
  const names = [naive, "suture", "MCP filesystem server"];
  const columns: [string, Map<string, Result>][] = [];
  for (const job of adverseJobs(join(folder, "adverse"))) {
    const results = await measure(job, job.swaps.length === 0 ? ["suture, patch"] : names);
    columns.push([job.name, results]);
    aimTime(
      `adverse, 1 MB: ${job.name}`,
      250,
      results.get("suture") ?? results.get("suture, patch"),
      "refused",
    );
  }
  console.log("\n## Adverse inputs of 1 MB\n");
  const rows = columns.map(([name, results]) => [
    name,
    ...[naive, "suture", "suture, patch", "MCP filesystem server"].map((engine) => cell(results.get(engine))),
  ]);
  console.log(printTable(["", naive, "suture", "suture, patch", "MCP filesystem server"], rows));
}

/** How much a process grows at most while it makes one exact edit. */
function memory(): void {
  if (!existsSync("/proc/self/clear_refs")) {
    console.log("\nmemory left out: the high-water mark can be set back on Linux only");
    return;
  }
  const rows = sizes()
    .filter((size) => size >= MB)
    .map((bytes) => {
      const job = exactJob(bytes);
      const file = join(job.folder, "job.json");
      writeFileSync(file, JSON.stringify({ ...job, after: "", patch: "" }));
      const script = join(import.meta.dirname, "text/memory.ts");
      const ran = spawnSync(process.execPath, ["--expose-gc", script, file, "suture"], { encoding: "utf8" });
      const grown = ran.status === 0 ? Number(ran.stdout) : Number.POSITIVE_INFINITY;
      targets.push({
        name: `peak memory, ${sizeName(bytes)}`,
        limit: 6,
        actual: grown / bytes,
        unit: "× the file",
      });
      return [sizeName(bytes), `${figure(grown / MB)} MB`, `${figure(grown / bytes)} ×`];
    });
  const title = "Memory: growth of a process while it makes one exact edit";
  console.log(`\n## ${title}\n\n${printTable(["", "growth", "to the file"], rows)}`);
}

function sizes(): number[] {
  return [KB, 100 * KB, MB, 10 * MB, 100 * MB].filter((size) => size < 100 * MB || !values.quick);
}

function sizeName(bytes: number): string {
  return bytes >= MB ? `${bytes / MB} MB` : `${bytes / KB} KB`;
}

/** One passage in the last third of the file replaced by another. */
function exactJob(bytes: number, accents = false): Job {
  const text = prose(bytes, accents);
  const quote = passage(text, 0.7, Math.max(1, Math.min(200, Math.floor(bytes / 500))));
  const swaps = [{ quote, text: `${quote.replaceAll("the", "THE")}and one line more\n` }];
  return makeJob(join(folder, `exact-${bytes}-${accents}`), `exact edit, ${sizeName(bytes)}`, text, {
    swaps,
  });
}

/** A passage quoted from an earlier state of the file: since then one word in its middle has changed. */
function missJob(bytes: number, lines: number): Job {
  const stale = prose(bytes);
  const quote = passage(stale, 0.7, lines);
  const middle = quote.indexOf(" ", quote.length / 2);
  const text = stale.replace(quote, () => `${quote.slice(0, middle)} another${quote.slice(middle)}`);
  const swaps = [{ quote, text: quote.toUpperCase() }];
  return makeJob(join(folder, `miss-${bytes}-${lines}`), `near miss, ${sizeName(bytes)}`, text, {
    swaps,
    stale,
  });
}

/** One line in every few replaced, all over the file. */
function batchJob(name: string, bytes: number, count: number): Job {
  const text = prose(bytes);
  const lines = text.match(/.*\n/g)!;
  const step = Math.floor(lines.length / count);
  const swaps: Swap[] = Array.from({ length: count }, (_, i) => {
    const quote = lines[i * step + 3]!;
    return { quote, text: quote.replace(".", "!") };
  });
  return makeJob(join(folder, name), name, text, { swaps });
}

function changeLines(text: string, count: number): string {
  const lines = text.match(/.*\n/g)!;
  for (let i = 0; i < count; i++) lines[Math.floor((i * lines.length) / count)] += "one more line\n";
  return lines.join("");
}

function measure(job: Job, names: readonly string[]): Promise<Map<string, Result>> {
  const rounds = job.bytes >= 50 * MB ? 5 : 11;
  const inner = job.bytes <= 10 * KB ? 25 : 1;
  return race(job, names, values.quick ? Math.ceil(rounds / 2) : rounds, inner);
}

function printRace(title: string, columns: readonly [string, Map<string, Result>][], base: string): void {
  const names = [...new Set(columns.flatMap(([, results]) => [...results.keys()]))];
  console.log(`\n## ${title}\n`);
  const headings = columns.flatMap(([name]) => [name, "ratio"]);
  const rows = names.map((name) => [
    name,
    ...columns.flatMap(([, results]) => [
      cell(results.get(name)),
      results.has(name) ? figure(ratio(results, name, base)) : "",
    ]),
  ]);
  console.log(printTable(["", ...headings], rows));
}

function cell(result: Result | undefined): string {
  if (!result) return "";
  if (result.note === "cut off") return `> ${milliseconds(result.cpu)}`;
  return result.note === "ok" ? milliseconds(result.cpu) : `${milliseconds(result.cpu)} (${result.note})`;
}

function growth(what: string, columns: readonly [string, Map<string, Result>][]): void {
  const [ten, hundred] = ["10 MB", "100 MB"].map(
    (size) => columns.find(([name]) => name.split(",")[0] === size)?.[1],
  );
  if (!ten || !hundred) return;
  const factor = hundred.get("suture")!.cpu / ten.get("suture")!.cpu;
  targets.push({ name: `${what}: time for 100 MB to time for 10 MB`, limit: 13, actual: factor, unit: "×" });
}

function ratio(results: Map<string, Result>, name: string, base: string): number {
  return (results.get(name)?.cpu ?? Number.NaN) / (results.get(base)?.cpu ?? Number.NaN);
}

type Ending = "ok" | "refused";

/** A target for one run; if that did not end as it should, it is missed however fast it was. */
function aimTime(name: string, limit: number, run: Result | undefined, ending: Ending = "ok"): void {
  targets.push({
    name,
    limit,
    actual: run?.note === ending ? run.cpu : Number.POSITIVE_INFINITY,
    unit: "ms",
  });
}

function aimRatio(
  name: string,
  limit: number,
  results: Map<string, Result>,
  engine: string,
  base: string,
  ending: Ending = "ok",
): void {
  const fair = [engine, base].every((each) => results.get(each)?.note === ending);
  targets.push({
    name,
    limit,
    actual: fair ? ratio(results, engine, base) : Number.POSITIVE_INFINITY,
    unit: "×",
  });
}

/** The engine that did the job right in the least time. */
function fastest(results: Map<string, Result>, names: readonly string[]): string {
  const right = names.filter((name) => results.get(name)?.note === "ok");
  return right.sort((a, b) => results.get(a)!.cpu - results.get(b)!.cpu)[0] ?? "";
}

function isPresent(name: string): boolean {
  const why = absent(name);
  if (why) console.log(why);
  return why === null;
}

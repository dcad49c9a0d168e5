/**
 * How much of what pages say about their project is read as claims, decided, and by which kinds: `npm run bench:claims`,
 * with a folder of bare clones in MIRROR. A reader marked stretches of pages before the command ran (`claims/marks.jsonl`),
 * with what the code says of each. `--verbose` names the marks that are not read, not decided, or decided wrong; `--fresh` asks
 * only the pages that were drawn at random, which have marks of prose.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ClaimCounts, ClaimsReport, ReportedClaim } from "../src/docs/claims/report.ts";

type Mark = {
  readonly line: number;
  readonly words: string;
  /** What the code says of it; absent: it is true. */
  readonly truth?: "false";
  /** A statement that names nothing. */
  readonly prose?: true;
};

type Page = {
  readonly repository: string;
  readonly commit: string;
  readonly path: string;
  readonly fresh?: true;
  readonly marks: readonly Mark[];
};

const mirror = process.env.MIRROR ?? "";
const command = join(import.meta.dirname, "..", "src", "cli", "main.ts");
const pages = readFileSync(join(import.meta.dirname, "claims", "marks.jsonl"), "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as Page)
  .filter(({ fresh }) => fresh || !process.argv.includes("--fresh"));
const isVerbose = process.argv.includes("--verbose");

const sums = new Map<string, ClaimCounts>();
const reasons = new Map<string, number>();
const counts = { marks: 0, prose: 0, read: 0, decided: 0, right: 0 };
for (const [repository, own] of Map.groupBy(pages, (page) => page.repository)) {
  const folder = mkdtempSync(join(tmpdir(), "suture-claims-"));
  const clone = join(mirror, repository.replace("/", "+"), "repo");
  execFileSync("git", ["clone", "--quiet", "--no-checkout", clone, folder]);
  execFileSync("git", ["-C", folder, "reset", "--quiet", own[0]!.commit]);
  // A mirror may lack large files, which claim nothing.
  spawnSync("git", ["-C", folder, "checkout-index", "--all", "--quiet"]);
  // A page may name its own repository by this address.
  execFileSync("git", ["-C", folder, "remote", "set-url", "origin", `https://github.com/${repository}`]);
  const all = run(folder, ["claims"]);
  const check = run(folder, ["check", "--all"]);
  const report = JSON.parse(all.out) as ClaimsReport;
  rmSync(folder, { recursive: true, force: true });
  const { totals } = report;
  add("all", totals);
  for (const [kind, each] of Object.entries(totals.kinds)) add(kind, each);
  for (const { why, count } of totals.reasons) reasons.set(why, (reasons.get(why) ?? 0) + count);
  const kinds = Object.entries(totals.kinds).map(([kind, { claims }]) => `${kind} ${claims}`);
  console.log(
    `${repository}: ${totals.pages} pages, ${totals.claims} claims (${(totals.claims / Math.max(1, totals.pages)).toFixed(1)} a page), ${totals.true} true, ${totals.false} false, ${totals.undecidable} undecidable; ${kinds.join(", ")}; CPU ${all.cpu.toFixed(1)} s, check --all ${check.cpu.toFixed(1)} s`,
  );
  if (isVerbose)
    for (const { path, claims } of report.pages)
      for (const { kind, startLine, says, truth, why = "" } of claims)
        if (truth === "false") console.log(`    false: ${kind} ${path}:${startLine} ${says}: ${why}`);
  for (const page of own) score(page, report);
}
for (const [kind, { claims, true: yes, false: no, undecidable }] of sums)
  console.log(`${kind}: ${claims} claims, ${yes} true, ${no} false, ${undecidable} undecidable`);
for (const [why, count] of [...reasons].sort((a, b) => b[1] - a[1])) console.log(`    ${count} ${why}`);
const share = (part: number, whole: number): string =>
  `${part} of ${whole} (${((100 * part) / whole).toFixed(1)} %)`;
console.log(
  `${counts.prose} statements of prose; others read ${share(counts.read, counts.marks)}, decided ${share(counts.decided, counts.read)}, right ${share(counts.right, counts.decided)}`,
);

function add(kind: string, more: ClaimCounts): void {
  const { claims = 0, true: yes = 0, false: no = 0, undecidable = 0 } = sums.get(kind) ?? {};
  sums.set(kind, {
    claims: claims + more.claims,
    true: yes + more.true,
    false: no + more.false,
    undecidable: undecidable + more.undecidable,
  });
}

/** The output of a command, and the CPU seconds that it took. */
function run(folder: string, words: readonly string[]): { readonly out: string; readonly cpu: number } {
  const { stdout, stderr } = spawnSync(
    "sh",
    ["-c", '"$@"; times >&2', "sh", process.execPath, command, ...words, "--json"],
    {
      cwd: folder,
      encoding: "utf8",
      maxBuffer: 1 << 30,
    },
  );
  // The second line of `times` is about the children: minutes and seconds of user and system.
  const times = stderr
    .trim()
    .split("\n")
    .at(-1)!
    .matchAll(/(\d+)m([\d.]+)s/g);
  const cpu = [...times].reduce(
    (sum, [, minutes, seconds]) => sum + Number(minutes) * 60 + Number(seconds),
    0,
  );
  return { out: stdout, cpu };
}

function score({ repository, path, marks }: Page, { pages: told }: ClaimsReport): void {
  const claims = told.find((page) => page.path === path)?.claims ?? [];
  for (const { line, words, truth = "true", prose } of marks) {
    if (prose) {
      counts.prose++;
      continue;
    }
    const own = claims.filter((claim) => isAbout(claim, line, words));
    const best =
      own.find((claim) => claim.truth === "true") ?? own.find((claim) => claim.truth === "false") ?? own[0];
    counts.marks++;
    if (best) counts.read++;
    if (best && best.truth !== "undecidable") counts.decided++;
    if (best?.truth === truth) counts.right++;
    if (isVerbose && best?.truth !== truth)
      console.log(
        `      ${repository} ${path}:${line} ${words}: ${best ? `${best.truth} ${best.why ?? ""}` : "not read"}`,
      );
  }
}

/** Whether a claim is about the marked words: it says them, or a part of them. */
function isAbout({ startLine, endLine, says }: ReportedClaim, line: number, words: string): boolean {
  const plain = words.replace(/^--|^#/, "");
  return startLine <= line && line <= endLine && (says.includes(plain) || plain.endsWith(says));
}

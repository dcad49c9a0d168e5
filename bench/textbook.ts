/**
 * Textbook drift: small projects in which one change makes a line of the documentation false, each with a twin in which
 * every line stays true.
 *
 *   npm run bench:textbook -- [--cases FILE] [--only PREFIX] [--list missed|wrong|twins|extra|all] [--json]
 *
 * The product is asked as `suture check --base BASE --head HEAD` asks it, in this process. `said` is a finding of tier
 * certain or likely that covers the line; its edits are made to the page, and the line is compared with the right one.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type AskedFinding, ask, openProductGit } from "./drift/ask.ts";
import { Scratch } from "./drift/mirror.ts";
import { printTable } from "./report.ts";
import { isRight, isSaid, type Judged, type JudgedLine, judge, type TextbookCase } from "./textbook/case.ts";
import { writeCases } from "./textbook/repository.ts";

const { values } = parseArgs({
  options: {
    cases: { type: "string", default: join(import.meta.dirname, "../../shared/bench/textbook/dev.jsonl") },
    only: { type: "string", default: "" },
    list: { type: "string" },
    json: { type: "boolean", default: false },
  },
});

if (!existsSync(values.cases)) {
  console.log("textbook bench skipped: set --cases to the file of cases");
  process.exit(0);
}

const COLUMNS = [
  ...["pairs", "right", "lines", "said", "possible", "silent"],
  ...["edits right", "wrong", "none", "unasked", "extra", "extra?", "twins flagged", "maybe"],
];

process.env.SUTURE_CACHE = "off";
const began = Date.now();
const judged = await judgeAll(loadCases(values.cases));
if (values.json) for (const { one, ...rest } of judged) console.log(JSON.stringify({ id: one.id, ...rest }));
else print();

function loadCases(path: string): TextbookCase[] {
  const lines = readFileSync(path, "utf8").split("\n").filter(Boolean);
  return lines.map((line) => JSON.parse(line) as TextbookCase).filter(({ id }) => id.startsWith(values.only));
}

async function judgeAll(cases: readonly TextbookCase[]): Promise<Judged[]> {
  const folder = mkdtempSync(join(tmpdir(), "suture-textbook-"));
  try {
    const heads = writeCases(join(folder, "cases"), cases);
    const scratch = new Scratch({ gitDir: folder, folder: join(folder, "cases") });
    const git = await openProductGit(scratch);
    const results: Judged[] = [];
    for (const one of cases) {
      const head = heads.get(one.id) ?? "";
      results.push(judge(one, (await ask(git, (await scratch.parentOf(head)) ?? "", head)).findings));
    }
    scratch.close();
    return results;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function print(): void {
  if (values.list) for (const result of judged) printList(result);
  for (const by of ["kind", "language"] as const) {
    const groups = [...Map.groupBy(judged, ({ one }) => one[by])].sort(([a], [b]) => (a < b ? -1 : 1));
    const rows = [...groups, ["ALL", judged] as const].map(([name, own]) => [name, ...rowOf(own)]);
    console.log(`${printTable([by, ...COLUMNS], rows)}\n`);
  }
  const pairs = [...Map.groupBy(judged, ({ one }) => one.twin_of ?? one.id).values()];
  const seconds = ((Date.now() - began) / 1000).toFixed(0);
  console.log(
    `pairs wholly right (every false line said, nothing else said, twin silent): ${pairs.filter((pair) => pair.every(isRight)).length} of ${pairs.length}, in ${seconds} s`,
  );
}

function rowOf(own: readonly Judged[]): string[] {
  const pairs = [...Map.groupBy(own, ({ one }) => one.twin_of ?? one.id).values()];
  const lines = own.flatMap((result) => result.lines);
  const extra = own.flatMap((result) => (result.isTwin ? [] : result.extra));
  const twins = own.filter(({ isTwin }) => isTwin);
  const flagged = twins.filter(({ findings }) => findings.some(isSaid));
  const of = (key: "verdict" | "fix", value: string) => lines.filter((line) => line[key] === value).length;
  return [
    pairs.length,
    pairs.filter((pair) => pair.every(isRight)).length,
    lines.length,
    ...["said", "possible", "silent"].map((verdict) => of("verdict", verdict)),
    ...["right", "wrong", "none", "unasked"].map((verdict) => of("fix", verdict)),
    extra.filter(isSaid).length,
    extra.filter((finding) => !isSaid(finding)).length,
    flagged.length,
    twins.filter(({ findings }) => findings.length > 0).length - flagged.length,
  ].map(String);
}

function printList({ one, isTwin, lines, extra, findings }: Judged): void {
  const wants = (name: string) => values.list === name || values.list === "all";
  const isShown = (finding: AskedFinding) => values.list === "all" || isSaid(finding);
  const told = [
    ...(isTwin && wants("twins") ? findings.filter(isShown).map(findingLine) : []),
    ...lines.flatMap((line) => [
      ...(wants("missed") && line.verdict !== "said" ? [`${placeOf(line)}: ${line.verdict}`] : []),
      ...(wants("wrong") && (line.fix === "wrong" || line.fix === "unasked") ? [editLine(line)] : []),
    ]),
    ...(!isTwin && wants("extra") ? extra.filter(isShown).map((each) => `extra: ${findingLine(each)}`) : []),
  ];
  if (told.length > 0) console.log([`${one.id} (${one.language}): ${one.title}`, ...told].join("\n    "));
}

function placeOf({ path, line, contains }: JudgedLine): string {
  return `${path}:${line} ${JSON.stringify(contains)}`;
}

function editLine(line: JudgedLine): string {
  return `${placeOf(line)}: ${line.fix} edit\n      asked:    ${line.edit}\n      proposed: ${line.proposed}`;
}

function findingLine({ tier, path, startLine, message, edits }: AskedFinding): string {
  return `${tier} ${path}:${startLine} ${message}${edits.length > 0 ? " [edit]" : ""}`;
}

import { printTable } from "../report.ts";
import type { AskedEdit, AskedFinding } from "./ask.ts";
import { type Cause, judgeCauses, MARKS, markOfCommit } from "./judge.ts";
import type { Label, Labels } from "./labels.ts";
import type { Fate } from "./later.ts";
import { ObjectReader } from "./objects.ts";
import type { Answer } from "./pool.ts";

/** Flagged commits and passages, by kind and tier. */
export function printFlagged(answers: readonly Answer[], asked: number, what = "commits"): string {
  const flagged = answers.filter(({ findings }) => findings.length > 0);
  const passages = flagged.flatMap(({ findings }) => findings);
  const causes = flagged.reduce(
    (sum, { findings }) => sum + new Set(findings.map(({ message }) => message)).size,
    0,
  );
  const share = ((100 * flagged.length) / Math.max(asked, 1)).toFixed(2);
  const head = `${flagged.length} of ${asked} ${what} flagged (${share} %), ${causes} causes, ${passages.length} passages`;
  const tiers = [...new Set(passages.map(({ tier }) => tier))].sort();
  const kinds = [...Map.groupBy(passages, ({ kind }) => kind)].sort((a, b) => b[1].length - a[1].length);
  const rows = kinds.map(([kind, own]) => [
    kind,
    `${own.length}`,
    ...tiers.map((tier) => `${own.filter((each) => each.tier === tier).length}`),
  ]);
  return `${head}\n\n${printTable(["kind", "passages", ...tiers], rows)}`;
}

/** Verdicts of readers by commit, cause, passage, kind and tier. */
export function printVerdicts(causes: readonly Cause[]): string {
  const commits = [...Map.groupBy(causes, ({ answer }) => answer).values()].map((own) => ({
    mark: markOfCommit(own),
    weight: 1,
  }));
  const byCause = (own: readonly Cause[]): Marked[] => own.map(({ mark }) => ({ mark, weight: 1 }));
  const groups = (keyOf: (cause: Cause) => string): (readonly string[])[] =>
    [...Map.groupBy(causes, keyOf)]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, own]) => row(`  ${name}`, byCause(own)));
  const passages = causes.map(({ mark, findings }) => ({ mark, weight: findings.length }));
  const table = printTable(
    ["", ...MARKS, "right of read"],
    [
      row("commits", commits),
      row("causes", byCause(causes)),
      ...groups(({ tier }) => tier),
      ...groups(({ kind }) => kind),
      ...groups(({ kind, tier }) => `${kind}, ${tier}`),
      row("passages", passages),
    ],
  );
  return `${table}\n\n${printEdits(causes)}\n${printJoins(causes)}`;
}

type Marked = { readonly mark: Cause["mark"]; readonly weight: number };

function row(name: string, marked: readonly Marked[]): string[] {
  const count = (wanted: Cause["mark"]): number =>
    marked.reduce((sum, { mark, weight }) => sum + (mark === wanted ? weight : 0), 0);
  const read = count("right") + count("trivial") + count("wrong");
  return [name, ...MARKS.map((mark) => `${count(mark)}`), read ? (count("right") / read).toFixed(2) : "–"];
}

function printEdits(causes: readonly Cause[]): string {
  const edited = causes.filter(({ findings }) => findings.some(({ edits }) => edits.length > 0));
  const count = (verdict: string): number =>
    edited.filter(({ joined }) => joined?.label.edit === verdict).length;
  return `causes with an edit: ${edited.length}; the edit is right ${count("right")}, wrong ${count("wrong")}`;
}

function printJoins(causes: readonly Cause[]): string {
  const count = (by: string): number => causes.filter(({ joined }) => joined?.by === by).length;
  return `labels found by cause ${count("cause")}, by name alone ${count("name")}, by line alone ${count("place")}`;
}

/** Where the clone of a repository lies. */
export type FindClone = (repo: string) => string;

/** Causes without a label, and those whose label may have judged something else, each with a label to fill in. */
export async function printUnlabelled(causes: readonly Cause[], gitDirOf: FindClone): Promise<void> {
  const unread = causes.filter(({ joined }) => joined?.by !== "cause");
  for (const text of await describeAll(unread, gitDirOf)) console.log(`\n${text}`);
}

export type Beside = {
  /** What the other engine says, and what ours says, about the same commits. */
  readonly beside: readonly Answer[];
  readonly here: readonly Answer[];
  readonly labels: Labels;
  readonly gitDirOf: FindClone;
};

/** The findings that only one of two engines has: those of the other engine are lost, ours are new. */
export async function printBeside({ beside, here, labels, gitDirOf }: Beside): Promise<string> {
  const lost = judgeCauses(without(beside, here), labels);
  const fresh = judgeCauses(without(here, beside), labels);
  const list = async (title: string, causes: readonly Cause[]): Promise<string[]> => [
    `\n${title}: ${causes.length} causes in ${new Set(causes.map(({ answer }) => answer)).size} commits`,
    ...(await describeAll(causes, gitDirOf)).map((text) => `\n${text}`),
  ];
  return [...(await list("lost", lost)), ...(await list("new", fresh))].join("\n");
}

/** The answers without the findings whose lines the others report too. */
function without(answers: readonly Answer[], others: readonly Answer[]): Answer[] {
  const byCommit = new Map(others.map((answer) => [`${answer.repo} ${answer.commit}`, answer.findings]));
  return answers.map((answer) => {
    const told = byCommit.get(`${answer.repo} ${answer.commit}`) ?? [];
    const isTold = ({ path, startLine, endLine }: AskedFinding): boolean =>
      told.some((each) => each.path === path && each.startLine <= endLine && startLine <= each.endLine);
    return { ...answer, findings: answer.findings.filter((finding) => !isTold(finding)) };
  });
}

async function describeAll(causes: readonly Cause[], gitDirOf: FindClone): Promise<string[]> {
  const described: string[] = [];
  for (const [repo, own] of Map.groupBy(causes, ({ answer }) => answer.repo)) {
    const objects = new ObjectReader(gitDirOf(repo));
    const text = async (name: string): Promise<string> =>
      (await objects.read(name))?.bytes.toString("utf8") ?? "";
    const source: Source = {
      subject: async ({ commit }) => (await text(commit)).split("\n\n")[1]?.split("\n")[0] ?? "",
      lines: async ({ commit }, path) => (await text(`${commit}:${path}`)).split("\n"),
    };
    for (const cause of own) described.push(await describeCause(cause, source));
    objects.close();
  }
  return described;
}

type Source = {
  /** The first line of a commit's message. */
  readonly subject: (answer: Answer) => Promise<string>;
  readonly lines: (answer: Answer, path: string) => Promise<readonly string[]>;
};

// Enough to judge a cause by; the rest of its passages say the same.
const SHOWN = 3;

/** A cause as a reader wants it: commit, message, page lines with the edit, and the changed code. */
async function describeCause(
  { answer, cause, kind, tier, findings, joined }: Cause,
  source: Source,
): Promise<string> {
  const [first] = findings;
  const subject = await source.subject(answer);
  const shown = await Promise.all(
    findings.slice(0, SHOWN).map((finding) => describePassage(answer, finding, source)),
  );
  const more = findings.length > SHOWN ? [`  … and ${findings.length - SHOWN} more passages`] : [];
  const doubt = joined
    ? [`  a label found by ${joined.by}: ${joined.label.verdict}, ${joined.label.reason}`]
    : [];
  const evidence = first!.evidence
    .slice(0, SHOWN)
    .flatMap(({ path, startLine, before, after }) => [
      `  code ${path}:${startLine}`,
      ...(before === undefined ? [] : [`    - ${cut(before)}`]),
      ...(after === undefined ? [] : [`    + ${cut(after)}`]),
    ]);
  const head = `${answer.repo} ${answer.commit} (${subject})\n  ${tier} ${kind}: ${first!.message}\n  cause ${cause}`;
  const label =
    joined?.by === "cause" ? [] : [`  label ${JSON.stringify(emptyLabel(answer, first!, cause))}`];
  return [head, ...doubt, ...shown.flat(), ...more, ...evidence, ...label].join("\n");
}

/** The label that a reader fills in. */
function emptyLabel(
  { repo, commit }: Answer,
  { path, startLine, kind, edits }: AskedFinding,
  cause: string,
): object {
  const place: Omit<Label, "verdict" | "edit" | "reason"> = {
    repo,
    commit,
    page: path,
    startLine,
    kind,
    cause,
  };
  return { ...place, verdict: "", edit: edits.length > 0 ? "" : "none", reason: "" };
}

async function describePassage(answer: Answer, finding: AskedFinding, source: Source): Promise<string[]> {
  const { path, startLine, endLine, edits } = finding;
  const lines = (await source.lines(answer, path)).slice(startLine - 1, Math.min(endLine, startLine + 3));
  return [
    `  page ${path}:${startLine}`,
    ...lines.map((line) => `    | ${cut(line)}`),
    ...edits.flatMap(describeEdit),
  ];
}

/** The lines that an edit puts in; an edit that only takes lines out says so. */
function describeEdit({ old_string, new_string }: AskedEdit): string[] {
  const old = new Set(old_string.split("\n"));
  const fresh = new_string.split("\n").filter((line) => !old.has(line));
  return fresh.length > 0 ? fresh.slice(0, 4).map((line) => `    > ${cut(line)}`) : ["    > (taken out)"];
}

function cut(line: string): string {
  return line.length > 240 ? `${line.slice(0, 239)}…` : line;
}

const FATES: readonly Fate[] = ["mended", "stands", "removed", "gone"];

export type Told = { readonly answer: Answer; readonly finding: AskedFinding; readonly fate: Fate };

/** What later history made of the passages, by repository, tier and kind. */
export function printFates(told: readonly Told[]): string {
  const group = (key: (one: Told) => string): string[][] =>
    [...Map.groupBy(told, key)].sort().map(([name, own]) => fateRow(name, own));
  const rows = [
    ...group(({ answer }) => answer.repo),
    fateRow("ALL", told),
    ...group(({ finding }) => `  ${finding.tier}`),
    ...group(({ finding }) => `  ${finding.kind}`),
  ];
  const headings = ["", "flagged", "hold a mended", "wholly stand", ...FATES, "mended of told"];
  return printTable(headings, rows);
}

function fateRow(name: string, told: readonly Told[]): string[] {
  const commits = [...Map.groupBy(told, ({ answer }) => answer).values()];
  const count = (wanted: Fate): number => told.filter(({ fate }) => fate === wanted).length;
  const settled = count("mended") + count("stands");
  return [
    name,
    `${commits.length}`,
    `${commits.filter((own) => own.some(({ fate }) => fate === "mended")).length}`,
    `${commits.filter((own) => own.every(({ fate }) => fate === "stands")).length}`,
    ...FATES.map((fate) => `${count(fate)}`),
    settled ? (count("mended") / settled).toFixed(2) : "–",
  ];
}

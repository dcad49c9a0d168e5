import type { PageTexts } from "../../docs/check/page-texts.ts";
import type { ReportedFinding } from "../../docs/check/report.ts";
import type { Region } from "../../text/model/region.ts";
import { type CauseGroup, factOf, groupByCause, judgementText, proofText } from "../../wording/findings.ts";
import { list } from "../../wording/sentences.ts";
import { type MarkedLine, markLines } from "./marked-lines.ts";
import { paint } from "./paint.ts";
import { visible, visibleOnLine } from "./terminal.ts";

export type FindingLook = {
  readonly colour: boolean;
  /** Every place in full, with its rule and id. */
  readonly verbose?: boolean;
  /** How many columns a line may take. */
  readonly columns: number;
  /** The pages of the findings. Absent: a finding without an edit shows no line. */
  readonly pages?: PageTexts;
};

const styles = { certain: "red", likely: "yellow", possible: "dim" } as const;

/** Findings for a person, as a compiler prints its own: one text for each cause, the surest first. */
export function paintFindings(findings: readonly ReportedFinding[], look: FindingLook): string[] {
  const groups = groupByCause(findings).sort((a, b) => rankOf(a) - rankOf(b));
  return groups.map(({ findings: [first, ...others] }) =>
    look.verbose
      ? [first!, ...others].map((finding) => paintFinding(finding, look)).join("\n")
      : [paintFinding(first!, look), ...placesOf(others, look)].join("\n"),
  );
}

function rankOf({ findings }: CauseGroup): number {
  return Object.keys(styles).indexOf(findings[0]!.tier);
}

/** One finding: its place, tier and fact, the line with the false words marked, and where the code shows it. */
export function paintFinding(finding: ReportedFinding, look: FindingLook): string {
  const { tier } = finding;
  const lines = markLines(finding, look.pages?.(finding.path) ?? null);
  const shown = lines.slice(0, mostLines);
  const width = Math.max(...shown.map(({ number }) => String(number ?? "").length), 0);
  const gutter = " ".repeat(width);
  return [
    `${placeOf(finding, look)}  ${paint(tier, styles[tier], look)}  ${visibleOnLine(factOf(finding))}`,
    ...shown.flatMap((line) => paintLine(line, { width, style: styles[tier], look })),
    ...(lines.length > shown.length ? [`  ${gutter}   … ${lines.length - shown.length} more lines`] : []),
    ...remarksOn(finding, look).map((text) =>
      paint(cut(`  ${gutter} = ${visibleOnLine(text)}`, look), "dim", look),
    ),
  ].join("\n");
}

const mostLines = 8;

function cut(line: string, { columns }: FindingLook): string {
  const { end } = windowOf(line, undefined, columns - 2);
  return end === line.length ? line : `${line.slice(0, end)} …`;
}

function remarksOn(finding: ReportedFinding, { verbose }: FindingLook): string[] {
  return [proofText(finding), judgementText(finding), ...(verbose ? [idText(finding)] : [])].filter(
    (text) => text !== null,
  );
}

function idText({ kind, id }: ReportedFinding): string {
  return `rule ${kind}, id ${id}`;
}

function placeOf({ path, startLine }: ReportedFinding, look: FindingLook): string {
  return paint(`${visibleOnLine(path)}:${startLine}`, "bold", look);
}

const mostPlaces = 8;

/** The other places of the same cause. */
function placesOf(findings: readonly ReportedFinding[], look: FindingLook): string[] {
  if (findings.length === 0) return [];
  const places = findings.slice(0, mostPlaces).map((finding) => placeOf(finding, look));
  const more = findings.length - places.length;
  return [`  also ${list(more === 0 ? places : [...places, `${more} more`])}`];
}

type LineLook = {
  readonly width: number;
  readonly style: (typeof styles)[ReportedFinding["tier"]];
  readonly look: FindingLook;
};

/** A line of the page, and below it the marks of the false words. */
function paintLine(
  { number, sign, text, marks, label }: MarkedLine,
  { width, style, look }: LineLook,
): string[] {
  const gutter = `  ${String(number ?? "").padStart(width)} ${sign === "" ? "│" : sign}`;
  const [from] = marks;
  const { start, end } = windowOf(text, from, look.columns - gutter.length - 4);
  const [head, tail] = [start > 0 ? "… " : "", end < text.length ? " …" : ""];
  const line = `${head}${inCells(text.slice(start, end)).trimEnd()}${tail}`;
  const painted = sign === "" ? line : paint(line, sign === "-" ? "red" : "green", look);
  const first = `${gutter} ${painted}`;
  if (marks.length === 0 || sign !== "") return [first];
  const carets = caretsBelow(text, marks, { start, end });
  const below = `${" ".repeat(head.length)}${carets}${label === undefined ? "" : ` ${visibleOnLine(label)}`}`;
  return [first, `  ${" ".repeat(width)} │ ${paint(below, style, look)}`];
}

/** The part of a long line that is shown: the first marked words with some text before them. */
function windowOf(text: string, mark: Region | undefined, room: number): Region {
  if (cellsOf(text) <= room) return { start: 0, end: text.length };
  const lead = Math.floor(room / 3);
  const wanted = mark === undefined ? 0 : Math.max(0, Math.min(mark.start - lead, mark.end + lead - room));
  const start = wanted === 0 ? 0 : startOfWord(text, wanted);
  let end = start;
  for (let cells = 0; end < text.length; ) {
    const character = String.fromCodePoint(text.codePointAt(end)!);
    cells += cellsOf(character);
    if (cells > room) break;
    end += character.length;
  }
  return { start, end };
}

/** The first word that begins at or soon after an offset. */
function startOfWord(text: string, at: number): number {
  const space = text.indexOf(" ", at - 1);
  if (space >= 0 && space - at < longestWord) return space + 1;
  return (text.charCodeAt(at) & 0xfc00) === 0xdc00 ? at + 1 : at;
}

const longestWord = 20;

function caretsBelow(text: string, marks: readonly Region[], { start, end }: Region): string {
  let below = "";
  let at = start;
  for (const mark of marks) {
    const [from, to] = [Math.max(mark.start, start), Math.min(mark.end, end)];
    if (from >= to) continue;
    below +=
      " ".repeat(cellsOf(text.slice(at, from))) + "^".repeat(Math.max(1, cellsOf(text.slice(from, to))));
    at = to;
  }
  return below;
}

/** Text of a page on one line: nothing in it acts on the terminal, and a tab has a known width. */
function inCells(text: string): string {
  return visible(text.replaceAll("\t", "  ").replace(/\r$/, "")).replaceAll("\n", "␊");
}

/** How many columns a text takes. */
function cellsOf(text: string): number {
  return [...inCells(text)].reduce((sum, character) => sum + (WIDE.test(character) ? 2 : 1), 0);
}

const WIDE = /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{Emoji_Presentation}\uff01-\uff60]/u;

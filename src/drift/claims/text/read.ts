import type { Region } from "../../../text/model/region.ts";
import type { DocumentPage } from "../../change/change-model.ts";
import { lineAt } from "../../pages/page.ts";
import { readHeadings, readStatements, type Statement } from "../../pages/statements.ts";
import type { Claim } from "../claim.ts";

/** A message, a line of output or a help text that the page repeats. */
export type TextClaim = Claim & {
  /** The words with single spaces. */
  readonly says: string;
  /** For each character of `says`, its place on the page. */
  readonly places: readonly number[];
  readonly form: "quoted" | "marked" | "code" | "output" | "cell";
  /** The words go over several lines of a capture, which only the program can break again. */
  readonly isWrapped?: true;
};

/** The quotations of a page. Whether they are texts of the program is decided when they are bound. */
export function readTexts(page: DocumentPage): readonly TextClaim[] {
  const told = readStatements(page).flatMap((statement) => {
    if (statement.place === "code") {
      const { language = "" } = page.read().lines[lineAt(page.read(), statement.region.start)]!;
      return OUTPUT.has(language.toLowerCase()) ? quote(statement, statement.region, "output") : [];
    }
    return statement.place === "signature" ? [] : readWords(statement);
  });
  const wrapped = readWrapped(page);
  const titles = readHeadings(page).flatMap((heading) => [
    ...readQuotations(heading),
    ...quote(heading, heading.region, "marked").filter(({ says }) => says.split(" ").length >= 4),
  ]);
  return [...told, ...wrapped, ...titles];
}

const OUTPUT: ReadonlySet<string> = new Set([
  "",
  ..."text txt console output log plain plaintext json http terminal".split(" "),
]);

/** Help texts of a capture that go on below themselves, in the same column. */
function readWrapped(page: DocumentPage): TextClaim[] {
  const lines = readStatements(page).filter(({ place }) => place === "code");
  return lines.flatMap((first, at) => {
    const column = columnOf(first);
    if (column === null) return [];
    let last = first;
    for (const next of lines.slice(at + 1, at + MOST_LINES)) {
      const isBelow = next.region.start === last.region.end + 1;
      if (!isBelow || indentOf(next) !== column) break;
      last = next;
    }
    if (last === first) return [];
    const region = { start: first.region.start + column, end: last.region.end };
    return quote(first, region, "output").map((claim) => ({ ...claim, isWrapped: true }));
  });
}

const MOST_LINES = 12;

/** The column of the help text behind an option or a command; null where the line has none. */
function columnOf({ page, region }: Statement): number | null {
  return /^\s+[-\w<[].*?\s{2,}(?=\S)/.exec(page.text.slice(region.start, region.end))?.[0].length ?? null;
}

function indentOf({ page, region }: Statement): number {
  return page.text.slice(region.start, region.end).search(/\S/);
}

function readWords(statement: Statement): TextClaim[] {
  return [...readQuotations(statement), ...readHelp(statement)];
}

function readQuotations(statement: Statement): TextClaim[] {
  const { page, region } = statement;
  const text = page.text.slice(region.start, region.end);
  return [...text.matchAll(QUOTED), ...text.matchAll(MARKED)].flatMap((match) => {
    const [form, words] = Object.entries(match.groups!).find(([, held]) => held !== undefined)!;
    const start = region.start + match.index + match[0].indexOf(words);
    return quote(statement, { start, end: start + words.length }, form as TextClaim["form"]);
  });
}

/** Words in code marks and in quotation marks; words set apart in bold or italics, which may hold a quotation. */
const QUOTED = /`(?<code>[^`\n]{3,300})`|["“](?<quoted>[^"”`|]{3,300})["”]/g;
const MARKED = /(?<![*\w])\*{1,2}(?<marked>[^*\n\s][^*\n]{2,300})\*{1,2}(?!\w)/g;

/** The words about an option: the other cells of its row, the rest of its item. */
function readHelp(statement: Statement): TextClaim[] {
  const { page, region, cells = [], names } = statement;
  if (statement.place === "row")
    return cells.slice(1).flatMap((cell) => quote(statement, cell.region, "cell"));
  const [first] = names;
  const macro = /^\.[BI] (?=\S)/.exec(page.text.slice(region.start, region.end));
  if (macro) {
    const line = page.text.indexOf("\n", region.start);
    const end = line < 0 ? region.end : Math.min(line, region.end);
    return quote(statement, { start: region.start + macro[0].length, end }, "marked");
  }
  if (!first || first.region.start - region.start > LEAD)
    return statement.leads.length > 0 ? quote(statement, told(statement), "cell") : [];
  const rest = page.text.slice(first.region.end, region.end);
  const join = /^(?:[^`\n]{1,40}`|[^\s:–—-]{0,30})(?::| [–—-]) +/.exec(rest);
  if (!join) return [];
  return quote(statement, { start: first.region.end + join[0].length, end: region.end }, "cell");
}

/** The words of an item below its name, without the mark of a definition. */
function told({ page, region: { start, end } }: Statement): Region {
  const mark = /^\s*(?::\s+)?/.exec(page.text.slice(start, end))![0];
  return { start: start + mark.length, end };
}

const LEAD = 6;

function quote({ page }: Statement, { start, end }: Region, form: TextClaim["form"]): TextClaim[] {
  if (end - start > 4 * LONGEST) return [];
  const places: number[] = [];
  let says = "";
  for (let at = start; at < end; at++) {
    const isSpace = /\s/.test(page.text[at]!);
    if (isSpace && (says === "" || says.endsWith(" "))) continue;
    says += isSpace ? " " : page.text[at]!;
    places.push(at);
  }
  says = says.trimEnd();
  if (says.length > LONGEST || !/\p{L}{3}/u.test(says) || ASKED[form]?.test(says)) return [];
  return [{ page, region: { start: places[0]!, end: places[says.length - 1]! + 1 }, says, places, form }];
}

const LONGEST = 400;

const PROGRAM =
  /^(?:[$>#%] |sudo |(?:npm|npx|pnpm|yarn|bun|git|docker|kubectl|go|cargo|python3?|pip|uv|node|make|curl|brew)\b)/;
const CODE = /^[\w.-]+ --?\w|[;{}]$|=>|->|::|\w\(/;

/** Something that the reader types, or code. */
const ASKED: Readonly<Partial<Record<TextClaim["form"], RegExp>>> = {
  code: new RegExp(`${PROGRAM.source}|${CODE.source}`),
  output: PROGRAM,
};

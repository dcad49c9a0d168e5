import type { Region } from "../../../text/model/region.ts";
import type { DocumentPage } from "../../change/change-model.ts";
import { lineAt } from "../../pages/page.ts";
import { readStatements, type Statement } from "../../pages/statements.ts";
import type { Claim } from "../claim.ts";

/** A message, a line of output or a help text that the page repeats. */
export type TextClaim = Claim & {
  /** The words with single spaces. */
  readonly says: string;
  /** For each character of `says`, its place on the page. */
  readonly places: readonly number[];
  readonly form: "quoted" | "code" | "output" | "cell";
};

/** The quotations of a page. Whether they are texts of the program is decided when they are bound. */
export function readTexts(page: DocumentPage): readonly TextClaim[] {
  return readStatements(page).flatMap((statement) => {
    if (statement.place === "code") {
      const { language = "" } = page.read().lines[lineAt(page.read(), statement.region.start)]!;
      return OUTPUT.has(language.toLowerCase()) ? quote(statement, statement.region, "output") : [];
    }
    return statement.place === "signature" ? [] : readWords(statement);
  });
}

const OUTPUT: ReadonlySet<string> = new Set([
  "",
  "text",
  "txt",
  "console",
  "output",
  "log",
  "plain",
  "plaintext",
  "json",
  "http",
  "terminal",
]);

function readWords(statement: Statement): TextClaim[] {
  const { page, region } = statement;
  const text = page.text.slice(region.start, region.end);
  const quoted = Array.from(text.matchAll(QUOTED)).flatMap((match) => {
    const [form, words] =
      match[1] === undefined ? (["quoted", match[2] ?? match[3]!] as const) : (["code", match[1]] as const);
    const start = region.start + match.index + 1;
    return quote(statement, { start, end: start + words.length }, form);
  });
  return [...quoted, ...readHelp(statement)];
}

const QUOTED = /`([^`\n]{3,300})`|"([^"`|]{3,300})"|“([^”`|]{3,300})”/g;

/** The words about an option: the other cells of its row, the rest of its item. */
function readHelp(statement: Statement): TextClaim[] {
  const { page, region, cells = [], names } = statement;
  if (statement.place === "row")
    return cells.slice(1).flatMap((cell) => quote(statement, cell.region, "cell"));
  const [first] = names;
  if (!first || first.region.start - region.start > LEAD) return [];
  const rest = page.text.slice(first.region.end, region.end);
  const join = /^[^\s:–—-]{0,30}(?::| [–—-]) +/.exec(rest);
  if (!join) return [];
  return quote(statement, { start: first.region.end + join[0].length, end: region.end }, "cell");
}

const LEAD = 6;

function quote({ page }: Statement, { start, end }: Region, form: TextClaim["form"]): TextClaim[] {
  if (end - start > LONGEST) return [];
  const places: number[] = [];
  let says = "";
  for (let at = start; at < end; at++) {
    const isSpace = /\s/.test(page.text[at]!);
    if (isSpace && (says === "" || says.endsWith(" "))) continue;
    says += isSpace ? " " : page.text[at]!;
    places.push(at);
  }
  says = says.trimEnd();
  if (!/\p{L}{3}/u.test(says) || ASKED[form]?.test(says)) return [];
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

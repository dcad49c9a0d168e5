import type { Region } from "../../../text/model/region.ts";
import type { DocumentPage } from "../../change/change-model.ts";
import { lineAt } from "../../pages/page.ts";
import { type Named, namesOf, readStatements, type Statement, statementAt } from "../../pages/statements.ts";
import type { Claim } from "../claim.ts";
import { unitOf } from "./measures.ts";

/** Which value of a thing a page states. */
export type Aspect = "default" | "maximum" | "minimum" | "type" | "unit";

/** "`timeout` waits 30 seconds by default": the value of something that the statement names. */
export type ValueClaim = Claim & {
  readonly statement: Statement;
  readonly aspect: Aspect;
  /** The value as the page writes it, without marks around it. */
  readonly says: string;
  /** The page lists it among others and marks it as the default: another one may be the default now. */
  readonly isChoice?: true;
  /** The names that it may be the value of, the likeliest first. */
  readonly subjects: readonly Subject[];
};

export type Subject = Named & { readonly from: "sentence" | "row" | "lead" | "heading" | "address" };

/** The claims of a page about defaults, limits and types. */
export function readValues(page: DocumentPage): readonly ValueClaim[] {
  return readStatements(page).flatMap((statement) => {
    if (statement.place === "row") return readRow(statement);
    if (statement.place === "signature") return readDefaults(statement);
    if (statement.place === "code") return [...readPhrases(statement), ...readEntry(statement)];
    return [
      ...readPhrases(statement),
      ...readItem(statement),
      ...readCalls(statement),
      ...readAddresses(statement),
      ...readPorts(statement),
      ...readUnits(statement),
    ];
  });
}

const COLUMNS: readonly { readonly header: RegExp; readonly aspect: Aspect }[] = [
  { header: /^\W*defaults?\b(?: values?)?\W*$/i, aspect: "default" },
  { header: /^\W*type\W*$/i, aspect: "type" },
  { header: /^\W*max(?:imum)?\W*$/i, aspect: "maximum" },
  { header: /^\W*min(?:imum)?\W*$/i, aspect: "minimum" },
];

function readRow(statement: Statement): ValueClaim[] {
  const cells = statement.cells ?? [];
  const first = cells[0]?.region;
  if (!first) return [];
  const own = statement.names.filter(({ region }) => region.end <= first.end);
  const subjects = [...own, ...(own.length === 0 ? statement.leads : [])];
  const stated = cells.slice(1).flatMap(({ region, header }) => {
    const aspect = COLUMNS.find((column) => column.header.test(header))?.aspect;
    const value = aspect && valueRegion(statement.page, region);
    return aspect && value ? [claimOf(statement, aspect, value, asSubjects(subjects, "row"))] : [];
  });
  // A cell of words may state a value as a sentence does.
  const told = readPhrases(statement).map((claim) => ({ ...claim, subjects: asSubjects(subjects, "row") }));
  const taken = new Set(stated.map(({ region }) => region.start));
  return [...stated, ...told.filter(({ region }) => !taken.has(region.start) && region.start >= first.end)];
}

function asSubjects(names: readonly Named[], from: Subject["from"]): Subject[] {
  return names.map((name) => ({ ...name, from }));
}

/** A cell without the marks around its value; null for an empty cell or a sentence. */
function valueRegion({ text }: DocumentPage, { start, end }: Region): Region | null {
  const cell = text.slice(start, end);
  const code = /^\s*`(["'[][^`]*)`\s*$/.exec(cell);
  if (code && code[1]!.length <= LONGEST_CODE) {
    const from = start + cell.indexOf("`") + 1;
    return { start: from, end: from + code[1]!.length };
  }
  const match = /^(?:`+|<code>|\*\*)?["']?([^`<*"']+?)["']?(?:`+|<\/code>|\*\*)?$/.exec(cell.trim());
  const value = match?.[1]?.trim();
  if (!value || value.length > 80 || value.split(/\s+/).length > 3) return null;
  const from = start + cell.indexOf(value);
  return { start: from, end: from + value.length };
}

const LONGEST_CODE = 160;

/** `connect(host, port=5672)`: the defaults that a signature shows. */
function readDefaults(statement: Statement): ValueClaim[] {
  const { page, region } = statement;
  const text = page.text.slice(region.start, region.end);
  const open = text.indexOf("(");
  if (open < 0) return [];
  const owner = statement.names.findLast(({ region: { end } }) => end <= region.start + open);
  return Array.from(
    text.slice(open).matchAll(/(?<=[(,]\s*)(\w+)(?::\s*[^,=()]+?)?\s*=\s*([^,()]+)/g),
  ).flatMap((match) => {
    const at = region.start + open + match.index;
    const written = match[2]!.trim();
    const value =
      region.start + open + match.index + match[0].lastIndexOf(match[2]!) + match[2]!.indexOf(written);
    const subject: Subject = {
      name: match[1]!,
      owner: owner ? [owner.name] : [],
      region: { start: at, end: at + match[1]!.length },
      isFlag: false,
      from: "row",
    };
    return [claimOf(statement, "default", { start: value, end: value + written.length }, [subject])];
  });
}

const ENTRY =
  /^\s*["']?([\w$.-]+)["']?\s*[:=]\s*(["'`]?)([^\s,;"'`{}[\]()]+)\2,?;?\s*(?:(?:\/\/|#|\/\*).*)?$/;

/** `timeout: 30` in a sample that the sentence above it calls the defaults. */
function readEntry(statement: Statement): ValueClaim[] {
  const { page, region, introduction, names } = statement;
  const isTold = introduction && /\bdefaults?\b/i.test(page.text.slice(introduction.start, introduction.end));
  if (!isTold && !hasDefaultsComment(statement)) return [];
  const match = ENTRY.exec(page.text.slice(region.start, region.end));
  if (!match) return [];
  const start = region.start + match[0].indexOf(match[3]!, match[0].indexOf(match[1]!) + match[1]!.length);
  const subjects = asSubjects(names.slice(0, 1), "row");
  return [claimOf(statement, "default", { start, end: start + match[3]!.length }, subjects)];
}

/** Whether a comment above a line of a sample says that the sample shows the defaults. */
function hasDefaultsComment({ page, region }: Statement): boolean {
  const { lines } = page.read();
  const line = lineAt(page.read(), region.start);
  for (let above = line - 1; above >= Math.max(0, line - 40) && lines[above]!.place === "code"; above--)
    if (/^\s*(?:#|\/\/|--)\s.*\bdefaults\b/i.test(lines[above]!.text)) return true;
  return false;
}

/** A call in code that shows defaults as a declaration does: `connect(host, port=80)` in a sentence. */
function readCalls(statement: Statement): ValueClaim[] {
  if (statement.place !== "sentence") return [];
  const { page, names } = statement;
  return names.flatMap((named) => {
    const { region } = named;
    if (page.text[region.end] !== "(") return [];
    const close = page.text.indexOf("`", region.end);
    if (close < 0 || close > statement.region.end) return [];
    const shown = { ...statement, region: { start: region.start, end: close }, names: [named] };
    return readDefaults(shown).map((claim) => ({ ...claim, statement }));
  });
}

/** `name` — `30` — what it does: an item that has its default between dashes. */
function readItem(statement: Statement): ValueClaim[] {
  const { page, region, names } = statement;
  const match = ITEM.exec(page.text.slice(region.start, region.end));
  const first = names[0];
  if (!match || !first) return [];
  const end = region.start + match[0].trimEnd().lastIndexOf("`");
  const own = { start: end - match[1]!.length, end };
  return [claimOf(statement, "default", own, asSubjects([first], "row"))];
}

const ITEM = /^\s*(?:[-*+]\s+)?(?:\*\*)?`[^`]+`(?:\*\*)?\s+[—–-]\s+`([^`]+)`(?=\s+[—–-]\s)/;

/** "Open http://localhost:3000": the port that the project's server listens on, where the page chooses none itself. */
function readAddresses(statement: Statement): ValueClaim[] {
  const { page, region } = statement;
  const text = page.text.slice(region.start, region.end);
  return Array.from(text.matchAll(/\b(?:localhost|127\.0\.0\.1|0\.0\.0\.0):(\d{2,5})\b/g)).flatMap(
    (match) => {
      const end = region.start + match.index + match[0].length;
      const start = end - match[1]!.length;
      const chosen = new RegExp(`port["']?(?:[=:]|\\s)\\s*["']?${match[1]}\\b`, "i");
      if (chosen.test(page.text)) return [];
      const subjects = ["PORT", "port", "ports"].map(
        (name): Subject => ({ name, owner: [], region: { start, end }, isFlag: false, from: "address" }),
      );
      return [claimOf(statement, "default", { start, end }, subjects)];
    },
  );
}

/** "`web` listens on port 8000". */
function readPorts(statement: Statement): ValueClaim[] {
  const { page, region, names } = statement;
  return Array.from(page.text.slice(region.start, region.end).matchAll(PORT), (match) => {
    const end = region.start + match.index + match[0].length;
    const at = { start: end - match[1]!.length, end };
    const before = names.filter((one) => one.region.end <= at.start).slice(-1);
    const subjects = ["PORT", "port", "ports"].map((name): Subject => {
      const owner = before.map((one) => one.name);
      return { name, owner, region: at, isFlag: false, from: "address" };
    });
    return claimOf(statement, "default", at, subjects);
  });
}

const PORT =
  /\b(?:listen(?:s|ing)?|serve[sd]|runs|running|available|exposed) (?:\w+ ){0,2}?(?:on|at) port `?(\d{2,5})\b/gi;

/** "waits `lease` seconds": the unit of something that the statement names. */
function readUnits(statement: Statement): ValueClaim[] {
  if (statement.place !== "sentence") return [];
  const { page, names } = statement;
  return names.flatMap((named) => {
    const after = page.text.slice(named.region.end, named.region.end + 24);
    const unit = /^`\s+(milliseconds|seconds|minutes|hours|days|bytes|kilobytes|megabytes)\b/.exec(after);
    if (!unit) return [];
    const end = named.region.end + unit[0].length;
    return [
      claimOf(statement, "unit", { start: end - unit[1]!.length, end }, asSubjects([named], "sentence")),
    ];
  });
}

type Piece = { readonly text: string; readonly region: Region; readonly value: Region | null };

/** Code, quotations, numbers, words, marks. */
const PIECE =
  /``[^`]+``|`[^`]+`|<code>[^<]*<\/code>|"[^"\n]{1,60}"|-?\d[\d_,.]*[a-zµ]*|\p{L}[\p{L}'-]*|[^\s\p{L}\d]/giu;
const VALUE_WORD =
  /^(?:true|false|none|null|nil|yes|no|on|off|enabled|disabled|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)$/i;
const JOINS = new Set(
  "is are of to was value the a an for being set at than currently : = ( ) - — – , * _".split(" "),
);
/** Words between "if" and what says that a value is absent: "if you do not", "when it is not". */
const FILLERS = new Set(["it", "this", "is", "are", "was", "you", "they", "none", "does", "do"]);
const ABSENT =
  /^(?:not|un(?:set|specified|defined)|absent|omit(?:ted)?|missing|none|no|nothing|left|leave|don['’]t)$/;

/** Limits by the words that state them; "than" may follow. */
const LIMITS: ReadonlyMap<string, Aspect> = new Map([
  ..."at most,up to,limited to,not exceed,no more,no larger,no greater,max,maximum"
    .split(",")
    .map((words) => [words, "maximum"] as const),
  ..."at least,no less,no fewer,min,minimum".split(",").map((words) => [words, "minimum"] as const),
]);

/** The values that the words of a sentence or a line state. */
function readPhrases(statement: Statement): ValueClaim[] {
  const { page, region, place } = statement;
  const text = page.text.slice(region.start, region.end);
  if (!SPEAKS.test(text)) return [];
  const pieces = cutPieces(text, region.start);
  const found = new Map<number, ValueClaim>();
  const add = (aspect: Aspect, piece: Piece | undefined): void => {
    if (!piece?.value || found.has(piece.value.start)) return;
    const claim = claimOf(statement, aspect, piece.value, subjectsFor(statement, piece, aspect));
    const after = text.slice(piece.region.end - region.start).slice(0, 16);
    found.set(piece.value.start, CHOSEN.test(after) ? { ...claim, isChoice: true } : claim);
    const again = restated(pieces, pieces.indexOf(piece));
    if (again)
      found.set(again.start, { ...claim, region: again, says: page.text.slice(again.start, again.end) });
  };
  pieces.forEach((piece, at) => {
    const word = piece.text.toLowerCase();
    const two = `${word} ${pieces[at + 1]?.text.toLowerCase() ?? ""}`;
    const limit = LIMITS.get(two) ?? LIMITS.get(word);
    if (two === "by default") add("default", valueBefore(pieces, at) ?? valueInClause(pieces, at + 2));
    else if (/^defaults?$|^defaulting$/.test(word) && pieces[at - 1]?.text.toLowerCase() !== "by")
      add(
        "default",
        (isInBrackets(pieces, at) ? undefined : valueAfter(pieces, at + 1)) ??
          (isTheDefault(pieces, at) ? valueBefore(pieces, at - 2) : undefined),
      );
    else if (place !== "code" && isAbsence(pieces, at))
      add("default", valueBefore(pieces, at) ?? valueInClause(pieces, commaAfter(pieces, at)));
    else if (limit)
      add(
        limit,
        limitAfter(pieces, at + (LIMITS.has(two) ? 2 : 1)) ??
          (two === "at most" ? valueBefore(pieces, at) : undefined),
      );
    else if (word === "between") {
      const and = pieces.findIndex(({ text }, index) => index > at && /^and$/i.test(text));
      add("minimum", and > 0 ? limitAfter(pieces, at + 1) : undefined);
      add("maximum", and > 0 ? limitAfter(pieces, and + 1) : undefined);
    } else if (/^(?:is|\()$/.test(word) && place === "sentence") add("default", stated(pieces, at));
  });
  return [...found.values()];
}

/** The same value in another unit behind it: "3600000 (one hour)", "`5000`, 5 seconds". */
function restated(pieces: readonly Piece[], at: number): Region | null {
  const [mark, next] = pieces.slice(at + 1, at + 3);
  if (!next?.value || !/^[(,=]$/.test(mark!.text)) return null;
  return /[\s\d]\p{L}+$/u.test(next.text) ? next.value : null;
}

const CHOSEN = /^\s*\((?:the )?default\)/i;
const SPEAKS = /default|\(|\b(?:unless|if|when|where|is|between|no|not|at|up|limited)\b|\bm(?:ax|in)/i;

/** "`LOG_LEVEL` is `info`", "`MAX_SIZE` (1024)": code that is said to be code. */
function stated(pieces: readonly Piece[], at: number): Piece | undefined {
  const [name, value] = [pieces[at - 1], pieces[at + 1]];
  const isCode = (piece: Piece | undefined): boolean => /^(?:`|<code>)/.test(piece?.text ?? "");
  if (pieces[at]!.text === "(" && pieces[at + 2]?.text !== ")") return undefined;
  return isCode(name) && (isCode(value) || /^\d/.test(value?.text ?? "")) ? value : undefined;
}

/** "80 is the default". */
function isTheDefault(pieces: readonly Piece[], at: number): boolean {
  const words = pieces.slice(Math.max(0, at - 2), at).map(({ text }) => text.toLowerCase());
  return words.join(" ") === "is the" || words.join(" ") === "( the" || words.at(-1) === "(";
}

/** "(default)", "(the default)": what it marks stands before it. */
function isInBrackets(pieces: readonly Piece[], at: number): boolean {
  return pieces[at + 1]?.text === ")" && isTheDefault(pieces, at);
}

/** The value behind "at most"; what stands behind a comma is another one. */
function limitAfter(pieces: readonly Piece[], from: number): Piece | undefined {
  return pieces[from]?.text === "," ? undefined : valueAfter(pieces, from);
}

/** The first value behind a marker, behind words that only join them and at most three others. */
function valueAfter(pieces: readonly Piece[], from: number): Piece | undefined {
  let others = 0;
  let joined = from > 0 && /^to$/i.test(pieces[from - 1]?.text ?? "");
  for (let at = from; at < pieces.length && at < from + 8; at++) {
    const piece = pieces[at]!;
    const word = piece.text.toLowerCase();
    const isName = /^(?:`|<code>)/.test(piece.text) && /^(?:is|=|:|are)$/i.test(pieces[at + 1]?.text ?? "");
    if (JOINS.has(word)) {
      joined ||= /^(?:is|are|to|of|:|=)$/.test(word);
      continue;
    }
    if (piece.value && !isName && (others === 0 || joined)) return piece;
    if (!/^[\p{L}`<]/u.test(piece.text) || ++others > 3) return undefined;
  }
  return undefined;
}

/** "if you leave it out", "unless set". */
function isAbsence(pieces: readonly Piece[], at: number): boolean {
  const word = pieces[at]!.text.toLowerCase();
  if (word === "unless") return true;
  if (!/^(?:if|when|where)$/.test(word)) return false;
  let next = at + 1;
  while (next < at + 4 && FILLERS.has(pieces[next]?.text.toLowerCase() ?? "")) next++;
  return ABSENT.test(pieces[next]?.text.toLowerCase() ?? "");
}

/** Where the main clause behind a condition begins. */
function commaAfter(pieces: readonly Piece[], at: number): number {
  const comma = pieces.findIndex(({ text }, index) => index > at && text === ",");
  return comma < 0 ? pieces.length : comma + 1;
}

/** The first value of a clause: "`fetch` waits 30 seconds". A name that a word follows is what the clause is about. */
function valueInClause(pieces: readonly Piece[], from: number): Piece | undefined {
  const marks = pieces.findIndex(({ text }, index) => index > from && /^[;.:(]$/.test(text));
  const clause = pieces.slice(from, Math.min(from + 8, marks < 0 ? pieces.length : marks));
  const isName = ({ text }: Piece, at: number): boolean =>
    /^(?:`|<code>)\D/.test(text) && /^[\p{Ll}`]/u.test(clause[at + 1]?.text ?? "");
  return clause.find((piece, at) => piece.value && !isName(piece, at)) ?? clause.find(({ value }) => value);
}

/** The last value before a marker, with few words between them: "25 matches by default", "15 rows (`ROWS`) unless set". */
function valueBefore(pieces: readonly Piece[], at: number): Piece | undefined {
  const open =
    pieces[at - 1]?.text === ")" ? pieces.findLastIndex(({ text }, index) => index < at && text === "(") : -1;
  const from = open > 0 ? open : at;
  for (let back = from - 1; back >= 0 && back >= from - 5; back--) {
    const piece = pieces[back]!;
    if (piece.value) return piece;
    if (!/^[\p{L},(]/u.test(piece.text)) return undefined;
  }
  return undefined;
}

/** The pieces of a sentence. A number and its unit are one piece: "30 seconds". */
function cutPieces(text: string, offset: number): Piece[] {
  const pieces: Piece[] = [];
  for (const match of text.matchAll(PIECE)) {
    const start = offset + match.index;
    const last = pieces.at(-1);
    const isUnit = last?.value && unitOf(match[0]) && COUNTED.test(last.text) && start - last.value.end === 1;
    if (isUnit) {
      const region = { start: last.region.start, end: start + match[0].length };
      pieces[pieces.length - 1] = {
        text: text.slice(region.start - offset, region.end - offset),
        region,
        value: region,
      };
    } else {
      const region = { start, end: start + match[0].length };
      pieces.push({ text: match[0], region, value: valueIn(match[0], start) });
    }
  }
  // "on port 80": the word is no value.
  return pieces.map((piece, at) =>
    /^(?:on|no)$/i.test(piece.text) &&
    /^(?!(?:by|unless|if|when|for|in|and|or)\b)\p{L}/iu.test(pieces[at + 1]?.text ?? "")
      ? { ...piece, value: null }
      : piece,
  );
}

const COUNTED = /^(?:-?\d[\d_,.]*|\p{L}+)$/u;

function valueIn(piece: string, start: number): Region | null {
  const marks = /^(``|`|<code>|")(.+?)(``|`|<\/code>|")$/s.exec(piece);
  if (marks) return { start: start + marks[1]!.length, end: start + piece.length - marks[3]!.length };
  if (VALUE_WORD.test(piece)) return { start, end: start + piece.length };
  const [, digits, unit = ""] = /^(-?\d[\d_,.]*?)[_,.]*([a-zµ]*)$/i.exec(piece) ?? [];
  if (digits === undefined || (unit !== "" && unitOf(unit) === undefined)) return null;
  return { start, end: start + digits.length + unit.length };
}

/** The names that a value may belong to: those before it in the sentence, nearest first; those after it; the leads. */
function subjectsFor(statement: Statement, { region }: Piece, aspect: Aspect): Subject[] {
  const { names, leads, place } = statement;
  const before = names.filter(({ region: { end } }) => end <= region.start).reverse();
  const after = names.filter(({ region: { start } }) => start >= region.end);
  const own = place === "code" ? names.slice(0, 3) : [...before, ...after];
  const filed = headingNames(statement);
  // A limit may be of anything; after several names nothing says of which.
  const told = namesBefore(statement);
  const said = aspect === "default" || told.length === 1 ? told : [];
  return [
    ...asSubjects(own, "sentence"),
    ...asSubjects([...boldName(statement), ...leads, ...said], "lead"),
    ...asSubjects(filed, "heading"),
  ];
}

/** The names of the sentence before, in the same paragraph: "Set `prompt`. The default is `x`." */
function namesBefore({ page, region, place }: Statement): readonly Named[] {
  if (place !== "sentence") return [];
  const above = statementAt(page, region.start - 1);
  const isNear =
    above?.place === "sentence" && !/\n\s*\n/.test(page.text.slice(above.region.end - 1, region.start + 1));
  return isNear && above.region.start < region.start ? above.names : [];
}

/** The one word in bold that opens an item: "- **retries** (`int`): how often". */
function boldName({ page, region }: Statement): Named[] {
  const line = page.text.lastIndexOf("\n", region.start - 1) + 1;
  const [, mark = "", name] = BOLD.exec(page.text.slice(line, line + 120)) ?? [];
  return name === undefined ? [] : namesOf(name, line + mark.length).slice(0, 1);
}

const BOLD = /^(\s*(?:[-*+]\s+)?\*\*)([\w.$-]+)\*\*/;

/** The name that the nearest heading is: `indent`, `--size N`. A heading of more words is no name. */
function headingNames({ page, headings }: Statement): Named[] {
  const [heading] = headings;
  if (!heading) return [];
  const text = page.text.slice(heading.start, heading.end);
  const bare = text.replace(/[`*]|<\/?code>/g, "").trim();
  return bare.split(/\s+/).length <= 2 || bare.startsWith("-")
    ? namesOf(text, heading.start).slice(0, 2)
    : [];
}

function claimOf(
  statement: Statement,
  aspect: Aspect,
  region: Region,
  subjects: readonly Subject[],
): ValueClaim {
  const { page } = statement;
  return { page, statement, aspect, region, says: page.text.slice(region.start, region.end), subjects };
}

import type { ParsedLanguage } from "../../../syntax/languages/language.ts";
import type { LibraryPatterns } from "../../../syntax/languages/library-patterns.ts";
import { HASH_LITERALS } from "../../../syntax/languages/literals.ts";
import { defined } from "../../../text/model/defined.ts";
import type { Region } from "../../../text/model/region.ts";
import { type Thing, thingId } from "../thing.ts";

/** Replaces each character within a string literal, so that no pattern for code matches there. */
const FILLER = "\u0001";

const LONGEST_STATEMENT = 4000;

/** One argument of a call, or one entry of a literal. */
export type Argument = Region & {
  /** The keyword or key: `default=…`, `help: …`, `"name" => …`. */
  readonly name?: string;
  /** The value as written. */
  readonly text: string;
  /** The value of a string literal, also of several that are joined. */
  readonly string?: string;
  /** Where the value begins, behind its keyword. */
  readonly valueStart: number;
};

export type CallText = {
  readonly match: RegExpExecArray;
  /** Where the pattern matched, and where the closing bracket ends. */
  readonly start: number;
  readonly end: number;
  readonly arguments: readonly Argument[];
};

/** The part of a language that says how its code is read. */
export type CodeLanguage = Pick<ParsedLanguage, "literals"> &
  Partial<Pick<ParsedLanguage, "name" | "family" | "libraries">>;

/** Data and build files: comments begin with a hash. */
export const DATA_CODE: CodeLanguage = { literals: HASH_LITERALS };

type ThingDraft = Pick<Thing, "kind" | "name"> &
  Partial<Omit<Thing, "id" | "path" | "line">> & { readonly at: number };

/**
 * The text of a source file, and the same text without comments and without the contents of strings. Patterns run over
 * `code`; values come from `text` at the same offsets. The work of all calls together is bounded by the file's length.
 */
export class CodeText {
  readonly path: string;
  readonly text: string;
  /** The names of the language and of its family; empty for data. */
  readonly language: string;
  readonly family: string;
  /** The patterns of the language for what its programs offer. */
  readonly libraries: LibraryPatterns;
  readonly code: string;
  private readonly constants = new Map<string, string>();
  private readonly answers = new Map<string, boolean>();
  private lineStarts: number[] | undefined;
  private budget: number;

  constructor(
    path: string,
    text: string,
    { name = "", family = name, libraries = {}, literals }: CodeLanguage,
  ) {
    this.path = path;
    this.text = text;
    this.language = name;
    this.family = family;
    this.libraries = libraries;
    // A shell expands variables within double quotes, too.
    const templates = name === "bash" ? '`"' : "`";
    this.code = maskText(text, new RegExp(literals.map(({ source }) => source).join("|"), "gm"), templates);
    this.budget = 1000 + 30 * text.length;
  }

  /** Whether the code has such a place. All declarations of a file ask the same; the code is searched once. */
  has(pattern: RegExp): boolean {
    const known = this.answers.get(pattern.source) ?? pattern.test(this.code);
    this.answers.set(pattern.source, known);
    return known;
  }

  /** Registers a constant, so that an argument that is only its name has its string value. */
  addConstant(name: string, value: string): void {
    this.constants.set(name, value);
  }

  lineOf(offset: number): number {
    this.lineStarts ??= findLineStarts(this.text);
    let low = 0;
    let high = this.lineStarts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.lineStarts[middle]! <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  }

  thing({ at, kind, name, owner = [], region, exported = "yes", ...rest }: ThingDraft): Thing {
    return {
      kind,
      id: thingId(kind, owner, name),
      name,
      owner,
      path: this.path,
      line: this.lineOf(at),
      region: region ?? { start: at, end: at + name.length },
      exported,
      ...rest,
    };
  }

  /** Every place in the code where `pattern` matches. */
  *find(pattern: RegExp): Generator<RegExpExecArray> {
    for (const match of this.code.matchAll(pattern)) yield match as RegExpExecArray;
  }

  /** Every call or literal whose head matches `pattern`, which ends with the opening bracket. */
  *calls(pattern: RegExp): Generator<CallText> {
    for (const match of this.find(pattern)) {
      const open = match.index + match[0].length - 1;
      const group = this.readGroup(open);
      if (!group) continue;
      yield { match, start: match.index, end: group.end, arguments: group.arguments };
    }
  }

  /** The text between the bracket at `open` and the one that closes it. */
  readGroup(open: number): { readonly end: number; readonly arguments: readonly Argument[] } | undefined {
    const pieces: Argument[] = [];
    let depth = 0;
    let from = open + 1;
    for (let at = open; at < this.code.length; at++) {
      if (--this.budget < 0) return undefined;
      const char = this.code[at]!;
      if (char === "(" || char === "[" || char === "{") depth++;
      else if (char === ")" || char === "]" || char === "}") depth--;
      else if (char !== "," || depth !== 1) continue;
      if (depth > 1 || (depth === 1 && char !== ",")) continue;
      const piece = this.readPiece(from, at);
      if (piece) pieces.push(piece);
      if (depth === 0) return { end: at + 1, arguments: pieces };
      from = at + 1;
    }
    return undefined;
  }

  /** The arguments of a call without brackets, up to the end of its statement. */
  readBare(from: number): readonly Argument[] {
    const pieces: Argument[] = [];
    let depth = 0;
    let start = from;
    let isBlank = true;
    const last = Math.min(this.code.length, from + LONGEST_STATEMENT);
    for (let at = from; at <= last && --this.budget >= 0; at++) {
      const char = this.code[at] ?? ";";
      if ("([{".includes(char)) depth++;
      else if (")]}".includes(char)) depth--;
      const ends = depth < 0 || char === ";" || (char === "\n" && depth === 0 && !isBlank);
      if (!/\s/.test(char)) isBlank = false;
      if (!ends && (char !== "," || depth !== 0)) continue;
      const piece = this.readPiece(start, at);
      if (piece) pieces.push(piece);
      if (ends) break;
      start = at + 1;
      isBlank = true;
    }
    return pieces;
  }

  private readPiece(from: number, to: number): Argument | undefined {
    const [start, end] = this.trim(from, to);
    if (start >= end) return undefined;
    const key =
      /^(?:([A-Za-z_$][\w$-]*)\??\s*(?::(?!:)|=(?![=>~]))|(["'])[\u0001]*\2\s*(?::|=>)|:([a-z_]\w*)\s*=>)\s*/.exec(
        this.code.slice(start, Math.min(end, start + 200)),
      );
    const valueStart = start + (key?.[0].length ?? 0);
    const name = key ? (key[1] ?? key[3] ?? quotedKey(this.text.slice(start, valueStart))) : undefined;
    const string = this.stringAt(valueStart, end);
    return {
      start,
      end,
      valueStart,
      text: this.text.slice(valueStart, end),
      ...defined({ name, string }),
    };
  }

  /** The value of a region that is a string literal, several joined literals, or a constant's name. */
  stringAt(from: number, to: number): string | undefined {
    const [start, end] = this.trim(from, to);
    if (end - start > 4000) return undefined;
    const code = this.code.slice(start, end);
    const constant = this.constants.get(code.replace(/^&|\.(?:to_string|clone|as_str)\(\)$/g, ""));
    if (constant !== undefined) return constant;
    const parts: string[] = [];
    const rest = code.replace(STRING, (whole, quote: string, offset: number) => {
      const at = start + offset;
      parts.push(readEscapes(this.text.slice(at + quote.length, at + whole.length - quote.length)));
      return "";
    });
    return parts.length > 0 && JOINING.test(rest) ? parts.join("") : undefined;
  }

  private trim(from: number, to: number): [number, number] {
    let start = from;
    let end = to;
    while (start < end && /\s/.test(this.code[start]!)) start++;
    while (end > start && /\s/.test(this.code[end - 1]!)) end--;
    return [start, end];
  }
}

/** A string literal in masked code. */
const STRING = /("""|'''|["'`])[\u0001\r\n]*\1/g;
/** Text that is allowed between and around string literals that form one string. */
const JOINING =
  /^(?:[\s+()\\&#]|\b[rRbBuUfFLl]{1,2}\b|\.(?:to_string|to_owned|into|freeze|strip|trim|trimIndent|trimMargin)\(\)|\b(?:_|gettext|dedent|outdent|t|heredoc\.Docf?|strings\.TrimSpace|textwrap\.dedent)(?=\())*$/;

function quotedKey(words: string): string {
  return /^(["'])(.*?)\1/.exec(words)?.[2] ?? "";
}

function readEscapes(raw: string): string {
  if (!raw.includes("\\")) return raw;
  return raw.replace(/\\(\r?\n\s*|[\s\S])/g, (_, next: string) =>
    next === "n" ? "\n" : next === "t" ? "\t" : /^\r?\n/.test(next) ? "" : next,
  );
}

function findLineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

function maskText(text: string, piece: RegExp, templates: string): string {
  let masked = "";
  let at = 0;
  for (const match of text.matchAll(piece)) {
    masked += text.slice(at, match.index) + maskPiece(match[0], templates);
    at = match.index + match[0].length;
  }
  return masked + text.slice(at);
}

function maskPiece(piece: string, templates: string): string {
  const opening = /^(?:[rRbBuUfFL$@]{0,2}#*)("""|'''|["'`])/.exec(piece);
  if (!opening) return /^\/(?![/*])/.test(piece) ? fill(piece) : piece.replace(/[^\r\n]/g, " ");
  const quote = opening[1]!;
  const close = piece.lastIndexOf(quote);
  const from = opening[0].length;
  if (close < from) return opening[0] + fill(piece.slice(from));
  const inside = piece.slice(from, close);
  return opening[0] + (templates.includes(quote) ? fillTemplate(inside) : fill(inside)) + piece.slice(close);
}

function fill(text: string): string {
  return text.replace(/[^\r\n]/g, FILLER);
}

/** Expressions in a template are code. */
function fillTemplate(text: string): string {
  return text.replace(/\$\{[^{}`]*\}|\$\w+|[^\r\n]/g, (piece) => (piece.length > 1 ? piece : FILLER));
}

/** The names of kinds that a reader writes with leading dashes. */
export function flagName(name: string): string {
  if (name.startsWith("-")) return name;
  return name.length === 1 ? `-${name}` : `--${name}`;
}

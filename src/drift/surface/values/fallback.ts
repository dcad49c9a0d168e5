import type { Region } from "../../../text/model/region.ts";
import type { CodeText } from "../read/code-text.ts";
import { valueAt } from "./value-text.ts";

const REACH = 300;

/** The plain value that the code takes where the expression at a region gives none. */
export function fallbackOf(code: CodeText, { start, end }: Region): string | undefined {
  return (
    chainedFallback(code, start, end) ??
    checkedFallback(code, start, end) ??
    ternaryFallback(code, start, end) ??
    assignedFallback(code, start, end)
  );
}

/** Calls that only convert: what follows them is a fallback of what they are given. */
const CONVERSION =
  /\b(?:Number|parseInt|parseFloat|Number\.parseInt|String|Boolean|int|float|str|Integer|Float|ofNullable|Or)\(\s*$/;
/** Links whose argument is the value of an expression that has none. */
const LINK = /^\s*\??\.\s*(\w+)\s*(?:::<[\w<>, ]+>)?\(/;
const FALLBACK_LINKS: ReadonlySet<string> = new Set(
  "unwrap_or unwrap_or_else orElse orElseGet getOrElse ifBlank ifEmpty".split(" "),
);
const OPERATOR = /^\s*(?:\?\?=?|\|\|=?|\?:|\bor\b)\s*/;

/** `x ?? 80`, `x || 80`, `x or 80`, `Number(x) || 80`, `x.unwrap_or(80)`, `cmp.Or(x, 80)`, `fetch(x) { 80 }`. */
function chainedFallback(code: CodeText, start: number, end: number): string | undefined {
  const isConverted = CONVERSION.test(code.code.slice(Math.max(0, start - 40), start));
  let at = end;
  for (let step = 0; step < 8; step++) {
    const rest = code.code.slice(at, at + REACH);
    const operator = OPERATOR.exec(rest);
    if (operator) return valueAt(code, at + operator[0].length);
    const link = LINK.exec(rest);
    const group = link && code.readGroup(at + link[0].length - 1);
    if (link && group) {
      if (FALLBACK_LINKS.has(link[1]!)) return linkValue(code, at + link[0].length);
      at = group.end;
      continue;
    }
    const close = isConverted ? /^\s*(?:,\s*10\s*)?\)/.exec(rest) : null;
    if (close) at += close[0].length;
    else if (isConverted && /^\s*,/.test(rest)) return valueAt(code, at + /^\s*,/.exec(rest)![0].length);
    else if (code.family === "ruby" && /^\s*\{\s*/.test(rest))
      return valueAt(code, at + /^\s*\{\s*/.exec(rest)![0].length);
    else return undefined;
  }
  return undefined;
}

/** The argument of a link, or what its closure returns. */
function linkValue(code: CodeText, from: number): string | undefined {
  const closure = /^\s*(?:\|\w*\||\(\w*\)\s*->|\w+\s*=>)\s*/.exec(code.code.slice(from, from + 40));
  return valueAt(code, from + (closure?.[0].length ?? 0));
}

/** `if (!x) x = 80`, `if (x == null) { x = 80 }`, `if x is None: x = 80`. */
function checkedFallback(code: CodeText, start: number, end: number): string | undefined {
  const before = /\bif\s*\(?\s*(!?)\s*$/.exec(code.code.slice(Math.max(0, start - 12), start));
  if (!before) return undefined;
  const rest = code.code.slice(end, end + REACH);
  const check = /^\s*((?:===?|is)\s*(?:undefined|null|None|void 0|""|0))?\s*\)?\s*[{:]?\s*/.exec(rest)!;
  if (!check[1] && !before[1]) return undefined;
  const used = code.code.slice(start, end);
  if (!rest.startsWith(used, check[0].length)) return undefined;
  const after = check[0].length + used.length;
  const sign = /^\s*=\s*(?!=)/.exec(rest.slice(after));
  return sign ? valueAt(code, end + after + sign[0].length) : undefined;
}

/** `x ? Number(x) : 80`, `x !== undefined ? x : 80`, `x === undefined ? 80 : x`. */
function ternaryFallback(code: CodeText, start: number, end: number): string | undefined {
  const head =
    /^\s*(?:!==?\s*(?:undefined|null)\s*|!=\s*(?:null|NULL)\s*|===?\s*["']\u0001+["']\s*)?\?(?![?.:])/.exec(
      code.code.slice(end, end + 60),
    );
  const empty = /^\s*===?\s*(?:undefined|null|void 0)\s*\?(?![?.:])/.exec(code.code.slice(end, end + 60));
  if (empty) return valueAt(code, end + empty[0].length);
  if (!head) return undefined;
  const used = code.code.slice(start, end);
  const rest = code.code.slice(end + head[0].length, end + head[0].length + REACH);
  const colon = endOfBranch(rest);
  return colon > 0 && rest.slice(0, colon).includes(used.slice(0, 12))
    ? valueAt(code, end + head[0].length + colon + 1)
    : undefined;
}

/** Where the first branch of a conditional expression ends: the colon outside of brackets. */
function endOfBranch(rest: string): number {
  let depth = 0;
  for (let at = 0; at < rest.length; at++) {
    const char = rest[at]!;
    if ("([{".includes(char)) depth++;
    else if (")]}".includes(char)) depth--;
    else if (char === ":" && depth === 0) return at;
    if (depth < 0 || char === ";") return -1;
  }
  return -1;
}

const TARGET = /([A-Za-z_$][\w.$]*)(?:\s*,\s*(\w+))?\s*:?=\s*$/;

/** `port := os.Getenv("PORT")`, then `if port == "" { port = "80" }`. */
function assignedFallback(code: CodeText, start: number, end: number): string | undefined {
  const target = TARGET.exec(code.code.slice(Math.max(0, start - 80), start));
  if (!target) return undefined;
  const rest = code.code.slice(end, end + REACH);
  const check =
    /^[);\s]*\bif\s*\(?\s*(!?)\s*([\w.$]+)\s*(?:(?:==|is)\s*(?:""|nil|NULL|None|null|''))?\s*\)?\s*[{:]?\s*/.exec(
      rest,
    );
  if (!check || (check[2] !== target[1] && check[2] !== target[2])) return undefined;
  const name = target[1]!;
  const assignment = rest.slice(check[0].length, check[0].length + name.length + 6);
  const sign = assignment.startsWith(name) ? /^\s*=\s*(?!=)/.exec(assignment.slice(name.length)) : null;
  return sign ? valueAt(code, end + check[0].length + name.length + sign[0].length) : undefined;
}

import type { CodeText } from "../read/code-text.ts";

const LONGEST = 200;

const NUMBER = String.raw`[-+]?(?:\d[\w.]*|\.\d[\w.]*)`;
const NAME = String.raw`(?:\w+(?:\.|::))*[A-Z]\w*`;
const FACTOR = `(?:${NUMBER}|${NAME})`;
const LITERAL = String.raw`(?:"[^"]*"|'[^']*'|-?[\d.]+)`;
/** Forms of a value that a document can state as a default, each as a whole. */
const PLAIN: readonly RegExp[] = [
  /^(?:true|false|null|nil|none|undefined|True|False|None|YES|NO)$/,
  new RegExp(`^${NAME}$`),
  // Arithmetic with a number: `60 * 1000`, `30 * time.Second`, `1 << 20`.
  new RegExp(`^(?=.*(?<![\\w.])\\d)\\(?${FACTOR}(?:\\s*(?:[*+/|^-]|<<)\\s*${FACTOR})*\\)?$`),
  // Lists and sets of literals, and empty tables.
  /^(?:&?(?:\[\]\w+|vec!|new \w+)?\s*)(?:\[[^[\]{}()\n]*\]|\(\s*\))$/,
  new RegExp(`^(?:\\[\\]\\w+\\s*)?\\{\\s*(?:${LITERAL}\\s*(?:,\\s*${LITERAL}\\s*)*,?\\s*)?\\}$`),
  // A call with one literal: `Duration::from_secs(30)`, `timedelta(seconds=30)`.
  /^(?:\w+(?:\.|::))*\w+\((?:\w*(?:seconds|minutes|hours|days|weeks)\s*=\s*)?(?:[-\d._]+[a-zA-Z]?|["'][^"']*["'])\)$/,
  // A number with its unit: `1.seconds`, `5.minutes`.
  /^\d[\d_]*(?:\.\d+)?\.[a-z]+(?:\(\))?$/,
  // A symbol of Ruby, a case of an enumeration of Swift.
  /^[:.][a-z]\w*$/,
];
const STRING = /^(?:[rRbBuUfF@$]{0,2}["'`]|&["'])/;
/** Calls that look something up or build a field: their argument is no value. */
const LOOKUPS: readonly RegExp[] = [
  /^[\w.]*(?:[fF]ield|attr\.ib|getenv|get_env|ConfigDict)\(/,
  /^(?:require|import|process|env|os|System)\b(?!::Duration)/,
];

/**
 * Whether a document can state the value as a default: a literal, a list of literals, arithmetic of numbers, a
 * constant's name or a call with one literal. A local name or a lookup is none.
 */
export function isPlainValue(value: string): boolean {
  if (value.length > LONGEST) return false;
  if (STRING.test(value)) return !value.includes("${") && isOneString(value);
  return !LOOKUPS.some((form) => form.test(value)) && PLAIN.some((form) => form.test(value));
}

/** One literal, or several that are joined. */
function isOneString(value: string): boolean {
  const rest = value.replace(/(["'`])(?:\\[\s\S]|(?!\1)[^\\])*\1/g, "");
  return /^(?:[rRbBuUfF@$&\s+]|\.\w+\(\))*$/.test(rest);
}

/** Calls that only convert. */
const CASTS =
  "Some|Ok|Number|parseInt|String(?:::from)?|(?:Box|Arc)::(?:from|new)|Cow::Borrowed|str|string|int|float";

/** Wrappers that do not change what a value is, with the value as their first group. */
const WRAPPERS: readonly RegExp[] = [
  /^(.+?)\.(?:to_string|to_owned|into|as_str|to_path_buf|freeze|clone|to_sym)(?:\(\))?$/,
  new RegExp(`^(?:${CASTS})\\((.+?)(?:,\\s*10)?\\)$`),
  /^(.+?)\s+as\s+[\w.]+$/,
  /^\(\s*(?:int|float|bool|string)\s*\)\s*(.+)$/,
  /^\((.+)\)$/,
];

/** A value without the calls and casts that only give it a type. */
export function bareValue(written: string): string {
  let value = written.trim();
  for (let step = 0; step < 3; step++) {
    const inner = WRAPPERS.map((form) => form.exec(value)?.[1]).find((each) => each && isPlainValue(each));
    if (!inner) return value;
    value = inner;
  }
  return value;
}

/** The plain value that the expression at `from` is; nothing for a longer expression. */
export function valueAt(code: CodeText, from: number): string | undefined {
  const start = from + /^\s*/.exec(code.code.slice(from, from + LONGEST))![0].length;
  const end = endOfValue(code.code, start);
  const value = bareValue(code.text.slice(start, end));
  return value !== "" && (isPlainValue(value) || isConstantName(value)) ? value : undefined;
}

/** A name that is written as constants are. */
export function isConstantName(value: string): boolean {
  return /^(?:[\w$]+(?:\.|::))*(?:[A-Z][A-Z0-9_]+|[dD]efault\w*|[A-Z_]+_DEFAULT)$/.test(value);
}

/** Where an expression ends: at a separator, a closing bracket, or an operator of lower rank. */
function endOfValue(code: string, start: number): number {
  const last = Math.min(code.length, start + LONGEST + 1);
  let depth = 0;
  for (let at = start; at < last; at++) {
    const char = code[at]!;
    if (char === "{" && depth === 0 && at > start && /\s/.test(code[at - 1]!)) return at;
    if (char === "(" || char === "[" || char === "{") depth++;
    else if (char === ")" || char === "]" || char === "}") {
      if (depth === 0) return at;
      depth--;
    } else if (depth === 0 && isSeparator(code, at, start)) return at;
  }
  return last;
}

const OPERATORS: ReadonlySet<string> = new Set(["&&", "||", "??", "=>", "->"]);

function isSeparator(code: string, at: number, start: number): boolean {
  const char = code[at]!;
  if (char === "," || char === ";" || char === "\n" || char === "?") return true;
  if (char === ":") return code[at + 1] !== ":" && code[at - 1] !== ":" && at > start;
  return OPERATORS.has(code.slice(at, at + 2));
}

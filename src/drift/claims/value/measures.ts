import { defined } from "../../../text/model/defined.ts";
import { bareValue } from "../../surface/values/value-text.ts";

/** A value as a page or a declaration writes it, in a form in which the two can be compared. */
export type Measure =
  | { readonly is: "number"; readonly number: number; readonly unit?: Unit; readonly hasPoint?: true }
  | { readonly is: "flag"; readonly on: boolean }
  | { readonly is: "nothing" }
  | { readonly is: "text"; readonly text: string }
  /** An expression that only running the program could work out. */
  | { readonly is: "expression"; readonly text: string };

type Unit = { readonly of: "time" | "size" | "share"; readonly scale: number };

/** The units of a kind, each with its words and its scale. */
function readUnits(of: Unit["of"], table: string): [word: string, unit: Unit][] {
  return table.split("; ").flatMap((row) => {
    const [scale, ...words] = row.split(" ");
    return words.map((word): [string, Unit] => [word, { of, scale: Number(scale) }]);
  });
}

const UNITS: ReadonlyMap<string, Unit> = new Map([
  ...readUnits("share", "0.01 %"),
  ...readUnits(
    "time",
    "1e-6 ns nanosecond; 1e-3 us µs microsecond; 1 ms msec millisecond milli; 1e3 s sec second",
  ),
  ...readUnits("time", "6e4 m min minute; 36e5 h hr hour; 864e5 d day; 6048e5 week"),
  ...readUnits("size", "1 b byte; 1024 kb kib kilobyte; 1048576 mb mib megabyte; 1073741824 gb gib gigabyte"),
]);

/** The unit that a word names: `ms`, `seconds`, `MB`, `%`. */
export function unitOf(word: string): Unit | undefined {
  const plain = word.toLowerCase();
  return UNITS.get(plain) ?? (plain.length > 2 ? UNITS.get(plain.replace(/s$/, "")) : undefined);
}

const WORDS = "zero one two three four five six seven eight nine ten eleven twelve".split(" ");
const ON = new Set(["true", "yes", "on", "enabled"]);
const OFF = new Set(["false", "no", "off", "disabled"]);
const NOTHING = new Set(["none", "null", "nil", "undefined", "nothing", "unset", "empty"]);

/** A value as a page writes it, without the marks around it. */
export function readWritten(text: string): Measure {
  const plain = text.trim();
  const word = plain.toLowerCase();
  if (ON.has(word) || OFF.has(word)) return { is: "flag", on: ON.has(word) };
  if (NOTHING.has(word)) return { is: "nothing" };
  const counted = /^(\w+)(?:\s+([a-z]+))?$/i.exec(word);
  const spelled = counted ? WORDS.indexOf(counted[1]!) : -1;
  if (spelled >= 0) return numberWith(spelled, counted![2] ?? "");
  const measured = /^(-?\d[\d_,]*(?:\.\d+)?)\s*([a-zµ]+|%)?$/i.exec(plain);
  if (measured) {
    const number = Number(measured[1]!.replace(/[_,]/g, ""));
    const unit = measured[2] ?? "";
    if (unit === "" || unitOf(unit)) return numberWith(number, unit);
  }
  return { is: "text", text: readList(plain) ?? unquote(plain) };
}

/** A list of literals in one spelling; null for anything else. */
function readList(text: string): string | null {
  const inside = /^(?:vec!)?\s*\[(.*)\]$/s.exec(text)?.[1];
  const items = inside?.match(/"[^"\\]*"|'[^'\\]*'|[^\s,"']+/g) ?? [];
  const plain = inside?.replace(/"[^"\\]*"|'[^'\\]*'|-?\d+(?:\.\d+)?/g, "").replace(/[\s,]/g, "");
  return plain === "" ? `[${items.map((item) => item.replace(/^'(.*)'$/, '"$1"')).join(", ")}]` : null;
}

function numberWith(number: number, unit: string): Measure {
  const known = unit === "" ? undefined : unitOf(unit);
  return { is: "number", number, ...defined({ unit: known }) };
}

/** A value as a declaration writes it. */
export function readCoded(written: string): Measure {
  const text = bareValue(written.trim().replace(/^&|;$/g, "").replace(FIELD, "$1"));
  const word = text.toLowerCase();
  if (word === "true" || word === "false") return { is: "flag", on: word === "true" };
  if (NOTHING.has(word)) return { is: "nothing" };
  const list = readList(text);
  if (list !== null) return { is: "text", text: list };
  const quoted = /^(?:[fbru]{0,2})(["'`])([\s\S]*)\1$/i.exec(text);
  if (quoted && !quoted[2]!.includes(quoted[1]!)) return readText(quoted[2]!);
  const duration = readDuration(text);
  if (duration !== undefined) return { is: "number", number: duration, unit: { of: "time", scale: 1 } };
  const product = readProduct(text);
  if (product !== undefined)
    return { is: "number", number: product, ...defined({ hasPoint: /\d\.\d/.test(text) || undefined }) };
  // A folder below a variable of the system is written on pages as scripts write it.
  if (/^\$[A-Z_]+(?:\/[\w.-]+)+$/.test(text)) return { is: "text", text };
  return /^[\w.$:/@-]+$/.test(text) && !/^[\p{L}_$]/u.test(text)
    ? { is: "text", text }
    : { is: "expression", text };
}

/** A string of the code: `"80"` and `"30s"` are numbers to a reader. */
function readText(text: string): Measure {
  const read = readWritten(text);
  return read.is === "number" || read.is === "flag" ? read : { is: "text", text };
}

/** `attrs.field(default=40)`, `Field(40, ge=1)`: a field that gives its default. */
const FIELD = /^(?:[\w.]*[fF]ield|attr\.ib)\((?:[^()]*\bdefault\s*=\s*)?([^,()=]+)\s*(?:,[^()]*)?\)$/;

const CALLED =
  /^[\w.:]*?(?:from_?|of|to)?_?(millis|milliseconds|secs|seconds|minutes|mins|hours|days)\(\s*([\d_.]+)\s*\)$/i;
const NAMED = /^timedelta\(\s*(\w+)\s*=\s*([\d_.]+)\s*\)$/;
const SUFFIXED = /^([\d_.]+)\.(milliseconds|seconds|minutes|hours|days|second|minute|hour|day)(?:\(\))?$/;
const GO = /^(?:([\d_.]+)\s*\*\s*)?time\.(Millisecond|Second|Minute|Hour)(?:\s*\*\s*([\d_.]+))?$/;

/** Milliseconds of a duration as the common libraries write it. */
function readDuration(text: string): number | undefined {
  const [, calledUnit, called] = CALLED.exec(text) ?? [];
  const [, namedUnit, named] = NAMED.exec(text) ?? [];
  const [, suffixed, suffix] = SUFFIXED.exec(text) ?? [];
  const go = GO.exec(text);
  const unit = calledUnit ?? namedUnit ?? suffix ?? go?.[2];
  const amount = called ?? named ?? suffixed ?? go?.[1] ?? go?.[3] ?? "1";
  const known = unit === undefined ? undefined : unitOf(unit === "millis" ? "ms" : unit);
  return known === undefined ? undefined : Number(amount.replaceAll("_", "")) * known.scale;
}

/** `60 * 1000`, `10_000`, `3u32`, `1 << 20`. */
function readProduct(text: string): number | undefined {
  if (/^\(?0x[\da-f]+\)?$/i.test(text)) return Number(text.replace(/[()]/g, ""));
  const shift = /^(\d+)\s*<<\s*(\d+)$/.exec(text);
  if (shift) return Number(shift[1]) * 2 ** Number(shift[2]);
  const factors = text.split("*").map((factor) => factor.trim().replace(/^\((.*)\)$/, "$1"));
  const numbers = factors.map((factor) =>
    /^-?\d[\d_]*(?:\.\d+)?(?:e\d+)?(?:[uif]\d+|usize|isize|[lLfFdDn])?$/.test(factor)
      ? Number.parseFloat(factor.replaceAll("_", ""))
      : Number.NaN,
  );
  const product = numbers.reduce((all, number) => all * number, 1);
  return Number.isNaN(product) ? undefined : product;
}

function unquote(text: string): string {
  return /^(["'`]).*\1$/s.test(text) ? text.slice(1, -1) : text;
}

/** How many units of the declaration one unit of the page has, where both mean the same; null where they differ. */
export function sameValue(page: Measure, code: Measure): { readonly factor: number } | null {
  if (page.is === "number" && code.is === "number") return sameNumber(page, code);
  if (page.is === "flag" && code.is === "flag") return page.on === code.on ? { factor: 1 } : null;
  if (page.is === "nothing" && code.is === "nothing") return { factor: 1 };
  if (page.is === "text" && code.is === "text") return page.text === code.text ? { factor: 1 } : null;
  if (code.is === "expression" && page.is === "text") {
    const compact = (text: string): string => text.replace(/\s+/g, "").replace(/["'`]/g, '"');
    const member = code.text.split(/\.|::/).at(-1)!;
    const same = compact(page.text) === compact(code.text) || (code.text !== member && page.text === member);
    return same ? { factor: 1 } : null;
  }
  return null;
}

type NumberMeasure = Extract<Measure, { is: "number" }>;

function sameNumber(page: NumberMeasure, code: NumberMeasure): { readonly factor: number } | null {
  const factors = page.unit
    ? code.unit
      ? [page.unit.scale / code.unit.scale]
      : [1, page.unit.scale, page.unit.scale / 1000, ...(page.unit.of === "share" ? [0.01] : [])]
    : code.unit
      ? [1 / code.unit.scale, 1000 / code.unit.scale, 60_000 / code.unit.scale]
      : [1];
  const found = factors.find(
    (factor) => Math.abs(page.number * factor - code.number) < 1e-9 * Math.max(1, Math.abs(code.number)),
  );
  return found === undefined ? null : { factor: found };
}

/** A new value in the spelling of the old one; null where it cannot be written that way. */
export function respell(written: string, now: Measure, factor: number): string | null {
  const old = readWritten(written);
  if (now.is === "number" && old.is === "number")
    return respellNumber(written, now.number / factor, now.hasPoint);
  if (now.is === "flag" && old.is === "flag") return respellFlag(written, now.on);
  if (now.is === "text" && old.is === "text" && readList(written.trim()) !== null)
    return written.includes("'") ? now.text.replaceAll('"', "'") : now.text;
  if (now.is === "text" && old.is === "text") return written.replace(unquote(written.trim()), () => now.text);
  if (now.is === "expression" && old.is === "text") {
    if (!/^[\w.:]+$/.test(now.text)) return null;
    const whole = /\.|::/.test(written);
    return whole ? now.text : now.text.split(/\.|::/).at(-1)!;
  }
  if (now.is === "nothing" || old.is === "nothing") return null;
  return null;
}

function respellNumber(written: string, number: number, hasPoint = false): string | null {
  const rounded = Math.round(number * 1000) / 1000;
  if (Math.abs(rounded - number) > 1e-9) return null;
  const parts = /^(-?[\d_,.]+|[a-z]+)(\s*)([a-zµ]*|%)$/i.exec(written.trim());
  if (!parts) return null;
  const [, digits, space, unit] = parts;
  const spelled = /[a-z]/i.test(digits!);
  const separator = /\d([_,])\d{3}/.exec(digits!)?.[1];
  const shown =
    spelled && Number.isInteger(rounded) && rounded >= 0 && rounded <= 12
      ? WORDS[rounded]!
      : separator
        ? String(rounded).replace(/\B(?=(\d{3})+(?!\d))/g, separator)
        : hasPoint && digits!.includes(".") && Number.isInteger(rounded)
          ? rounded.toFixed(1)
          : String(rounded);
  return `${shown}${space}${pluralUnit(unit!, number)}`;
}

function pluralUnit(unit: string, number: number): string {
  if (unit.length <= 3) return unit;
  const plain = unit.replace(/s$/, "");
  return number === 1 ? plain : `${plain}s`;
}

const PAIRS =
  "true false, True False, TRUE FALSE, yes no, Yes No, on off, On Off, enabled disabled, Enabled Disabled"
    .split(", ")
    .map((pair) => pair.split(" "));

function respellFlag(written: string, on: boolean): string | null {
  return PAIRS.find((words) => words.includes(written.trim()))?.[on ? 0 : 1] ?? null;
}

import type { Thing } from "../thing.ts";
import type { Argument, CodeText } from "./code-text.ts";
import { nameParts } from "./names.ts";

/**
 * Options that a program in JavaScript gives a default where it reads them: `options.retries ?? 3`,
 * `Object.assign({ retries: 3 }, options)`. Only literal defaults are read.
 */
export function readOptionValues(code: CodeText): Thing[] {
  return [...readFallbacks(code), ...readAssigned(code), ...readDestructured(code)];
}

const OPTIONS = "(?:opts?|options|config|settings|props|args|\\w*(?:Options|Config|Opts|Settings))";
const LITERAL =
  "(?:([\"'`])\\u0001*\\2|-?[\\d_]+(?:\\.\\d+)?(?:\\s*\\*\\s*[\\d_]+)*|true|false|null)(?![\\w$.(\\[])";

/** `options.name ?? 3`, `options.name || 3`, `options.name !== undefined ? options.name : 3`. */
function readFallbacks(code: CodeText): Thing[] {
  const patterns = [
    new RegExp(`\\b${OPTIONS}(?:\\.\\w+)*\\.([a-zA-Z]\\w*)\\s*(?:\\?\\?=?|\\|\\|=?)\\s*(?=${LITERAL})`, "g"),
    new RegExp(`\\?\\s*${OPTIONS}(?:\\.\\w+)*\\.([a-zA-Z]\\w*)\\s*:\\s*(?=${LITERAL})`, "g"),
  ];
  return patterns.flatMap((pattern) =>
    Array.from(code.find(pattern)).flatMap((match) => {
      const value = literalAt(code, match.index + match[0].length);
      const at = match.index + match[0].lastIndexOf(match[1]!);
      return value === undefined ? [] : [optionThing(code, match[1]!, { at, value })];
    }),
  );
}

function literalAt(code: CodeText, at: number): string | undefined {
  const found = new RegExp(`^()${LITERAL}`).exec(code.code.slice(at, at + 300))?.[0];
  return found === undefined ? undefined : code.text.slice(at, at + found.length).trim();
}

/** `Object.assign({ retries: 3 }, options)`, `{ retries: 3, ...options }`. */
function readAssigned(code: CodeText): Thing[] {
  const assigned = [...code.calls(/\bObject\.assign\s*\(/g)].flatMap((call) => {
    const literal = call.arguments[0];
    const taken = call.arguments.slice(1).some(({ text }) => IS_OPTIONS.test(text));
    return literal && taken && code.code[literal.start] === "{"
      ? entryThings(code, code.readGroup(literal.start)?.arguments ?? [])
      : [];
  });
  const spread = [...code.calls(/(?<=[=(:,]\s{0,40}|\breturn\s{1,4})\{(?=\s*\w+\s*:)/g)].flatMap((call) => {
    const at = call.arguments.findIndex(
      ({ text }) => text.startsWith("...") && IS_OPTIONS.test(text.slice(3)),
    );
    return at > 0 ? entryThings(code, call.arguments.slice(0, at)) : [];
  });
  return [...assigned, ...spread];
}

const IS_OPTIONS = new RegExp(`^${OPTIONS}(?:\\b|$)`);

function entryThings(code: CodeText, entries: readonly Argument[]): Thing[] {
  return entries.flatMap(({ name, valueStart, end, start }) => {
    const value = name ? literalAt(code, valueStart) : undefined;
    return value !== undefined && valueStart + value.length === end
      ? [optionThing(code, name!, { at: start, value })]
      : [];
  });
}

/** `const { retries = 3 } = options`. */
function readDestructured(code: CodeText): Thing[] {
  const pattern = new RegExp(`\\{([^{}]{0,2000})\\}\\s*=\\s*${OPTIONS}\\b`, "g");
  return Array.from(code.find(pattern)).flatMap((match) =>
    Array.from(match[1]!.matchAll(/(?:^|,)\s*(\w+)(?:\s*:\s*\w+)?\s*=\s*/g)).flatMap((entry) => {
      const value = literalAt(code, match.index + 1 + entry.index + entry[0].length);
      const at = match.index + 1 + entry.index + entry[0].indexOf(entry[1]!);
      return value === undefined ? [] : [optionThing(code, entry[1]!, { at, value })];
    }),
  );
}

/** `kwargs.pop("name", 3)`, `options.get("name", 3)`. */
export function readKeywords(code: CodeText): Thing[] {
  return [...code.calls(/\b(?:kwargs|options|opts|config|params)\.(?:pop|get|setdefault)\s*\(/g)].flatMap(
    (call) => {
      const [name, value] = call.arguments;
      if (name?.string === undefined || !/^\w+$/.test(name.string) || !value) return [];
      const literal = /^(?:True|False|None|-?[\d._]+|["'][^"']*["'])$/.test(value.text);
      return literal ? [optionThing(code, name.string, { at: name.start, value: value.text })] : [];
    },
  );
}

/** `if cfg.NameTemplate == "" { cfg.NameTemplate = "x" }`: the key is `name_template` in most files. */
export function readEmptyChecks(code: CodeText): Thing[] {
  const pattern =
    /\bif\s+([\w.[\]]+)\.([A-Z]\w*)\s*==\s*(?:""|0|nil|false)\s*\{\s*\1\.\2\s*=\s*([^\n]+?)\s*\}/g;
  const counted = /\bif\s+len\(([\w.[\]]+)\.([A-Z]\w*)\)\s*==\s*0\s*\{\s*\1\.\2\s*=\s*([^\n]+?)\s*\}/g;
  return [pattern, counted].flatMap((each) =>
    Array.from(code.find(each)).map((match) => {
      const start = match.index + match[0].lastIndexOf(match[3]!);
      const value = code.text.slice(start, start + match[3]!.length);
      const owner = match[1]!
        .split(".")
        .filter((part) => /^[A-Z]\w*$/.test(part) && part !== "Config")
        .slice(-1);
      return optionThing(code, nameParts(match[2]!).join("_"), { at: match.index, value, owner });
    }),
  );
}

function optionThing(
  code: CodeText,
  name: string,
  {
    at,
    value,
    owner = [],
  }: { readonly at: number; readonly value: string; readonly owner?: readonly string[] },
): Thing {
  return code.thing({ kind: "setting", name, owner, at, value, exported: "unknown" });
}

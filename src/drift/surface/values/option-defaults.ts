import type { Argument, CodeText } from "../read/code-text.ts";
import { nameParts } from "../read/names.ts";
import type { OfferedDeclaration } from "../read/symbols.ts";
import type { Thing } from "../thing.ts";
import { createEnclosing, typeName } from "./enclosing.ts";
import { fallbackOf } from "./fallback.ts";
import { bareValue, isPlainValue, valueAt } from "./value-text.ts";

/**
 * Options that a program in JavaScript gives a default where it reads them: `options.retries ?? 3`,
 * `Object.assign({ retries: 3 }, options)`. Their owner is the type of the object that is read, if the file says it.
 */
export function readOptionValues(code: CodeText, offered: readonly OfferedDeclaration[]): Thing[] {
  const ownerOf = createReceivers(offered);
  return [
    ...readFallbacks(code, ownerOf),
    ...readAssigned(code, ownerOf),
    ...readDestructured(code, ownerOf),
    ...readTypedPatterns(code, offered),
    ...readMade(code, offered),
  ];
}

const OPTIONS = "(?:opts?|options|config|settings|props|args|\\w*(?:Options|Config|Opts|Settings))";

/** The type of the object that is read at an offset: `options`, `this.options`. */
type ReceiverOwner = (receiver: string, at: number) => readonly string[];

function createReceivers(offered: readonly OfferedDeclaration[]): ReceiverOwner {
  const around = createEnclosing(offered);
  const types = new Map(
    offered.flatMap(({ declaration: { kind, path, type } }) =>
      kind === "property" && type ? [[path.join("."), type] as const] : [],
    ),
  );
  return (receiver, at) => {
    const declaration = around(at)?.declaration;
    const own = receiver.replace(/^this\./, "");
    const type =
      own === receiver
        ? declaration?.parameters?.find(({ name }) => name === own)?.type
        : types.get([...(declaration?.path.slice(0, -1) ?? []), own].join("."));
    const name = typeName(type);
    return name ? [name] : [];
  };
}

/** `options.name ?? 3`, `options.name !== undefined ? options.name : 3`, `if (!options.name) options.name = 3`. */
function readFallbacks(code: CodeText, ownerOf: ReceiverOwner): Thing[] {
  const pattern = new RegExp(
    `\\b((?:this\\.)?${OPTIONS})((?:\\??\\.\\w+)*)\\??\\.([a-zA-Z]\\w*)\\b(?!\\s*\\()`,
    "g",
  );
  return Array.from(code.find(pattern)).flatMap((match) => {
    const end = match.index + match[0].length;
    const value = fallbackOf(code, { start: match.index, end });
    if (value === undefined || value === "undefined") return [];
    const between = match[2]!.split(/\??\./).filter(Boolean);
    const root = ownerOf(match[1]!, match.index);
    const owner = root.length > 0 ? [...root, ...between] : [];
    return [optionThing(code, match[3]!, { at: end - match[3]!.length, value, owner })];
  });
}

/** The options that a call is assigned to: `opts = Object.assign(`. */
const TARGET = new RegExp(`\\b(${OPTIONS})\\s*=\\s*$`);

/** `Object.assign({ retries: 3 }, options)`, `{ retries: 3, ...options }`. */
function readAssigned(code: CodeText, ownerOf: ReceiverOwner): Thing[] {
  const assigned = [...code.calls(/\bObject\.assign\s*\(/g)].flatMap((call) => {
    const literal = call.arguments[0];
    const target = TARGET.exec(code.code.slice(Math.max(0, call.start - 60), call.start))?.[1];
    const taken = call.arguments.slice(1).find(({ text }) => IS_OPTIONS.test(text))?.text ?? target;
    return literal && taken && code.code[literal.start] === "{"
      ? entryThings(code, code.readGroup(literal.start)?.arguments ?? [], ownerOf(taken, call.start))
      : [];
  });
  const spread = [...code.calls(/(?<=[=(:,]\s{0,40}|\breturn\s{1,4})\{(?=\s*\w+\s*:)/g)].flatMap((call) => {
    const at = call.arguments.findIndex(
      ({ text }) => text.startsWith("...") && IS_OPTIONS.test(text.slice(3)),
    );
    if (at <= 0) return [];
    return entryThings(
      code,
      call.arguments.slice(0, at),
      ownerOf(call.arguments[at]!.text.slice(3), call.start),
    );
  });
  return [...assigned, ...spread];
}

const IS_OPTIONS = new RegExp(`^(?:this\\.)?${OPTIONS}(?:\\b|$)`);

function entryThings(code: CodeText, entries: readonly Argument[], owner: readonly string[]): Thing[] {
  return entries.flatMap(({ name, text, start }) => {
    const value = bareValue(text);
    return name && isPlainValue(value) ? [optionThing(code, name, { at: start, value, owner })] : [];
  });
}

/** `const { retries = 3 } = options`. */
function readDestructured(code: CodeText, ownerOf: ReceiverOwner): Thing[] {
  const pattern = new RegExp(
    `\\{((?:[^{}]|\\{[^{}]*\\}){0,2000})\\}\\s*=\\s*((?:this\\.)?${OPTIONS})\\b`,
    "g",
  );
  return Array.from(code.find(pattern)).flatMap((match) =>
    Array.from(match[1]!.matchAll(/(?:^|,)\s*(\w+)(?:\s*:\s*\w+)?\s*=\s*/g)).flatMap((entry) => {
      const from = match.index + 1 + entry.index;
      const value = valueAt(code, from + entry[0].length);
      const at = from + entry[0].indexOf(entry[1]!);
      const owner = ownerOf(match[2]!, match.index);
      return value === undefined ? [] : [optionThing(code, entry[1]!, { at, value, owner })];
    }),
  );
}

/** `function get({ retries = 3 }: GetOptions)`: the type of the parameter owns its keys. */
function readTypedPatterns(code: CodeText, offered: readonly OfferedDeclaration[]): Thing[] {
  return offered.flatMap(({ declaration, parent }) => {
    if (declaration.kind !== "property" || declaration.value === undefined) return [];
    const { start } = declaration.region;
    const pattern = parent?.parameters?.find(({ region }) => region.start <= start && start < region.end);
    const name = typeName(pattern?.type);
    const value = bareValue(declaration.value);
    if (!name || !isPlainValue(value)) return [];
    return [optionThing(code, declaration.name, { at: start, value, owner: [name] })];
  });
}

/** `function defaultOptions(): Options { return { retries: 3 } }`. */
function readMade(code: CodeText, offered: readonly OfferedDeclaration[]): Thing[] {
  return offered.flatMap(({ declaration: { kind, name, body, returns } }) => {
    if (!body || !/^(?:function|method)$/.test(kind) || !/default/i.test(name)) return [];
    const made = /\breturn\s*\{/.exec(code.code.slice(body.start, body.end));
    const group = made && code.readGroup(body.start + made.index + made[0].length - 1);
    const owner = typeName(returns);
    return entryThings(code, group?.arguments ?? [], owner ? [owner] : []);
  });
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
export function readEmptyChecks(code: CodeText, offered: readonly OfferedDeclaration[]): Thing[] {
  // The tag of a field says its key.
  const tagged = new Set(offered.flatMap(({ declaration: { tag, name } }) => (tag ? [name] : [])));
  const pattern =
    /\bif\s+([\w.[\]]+)\.([A-Z]\w*)\s*==\s*(?:""|0|nil|false)\s*\{\s*\1\.\2\s*=\s*([^\n]+?)\s*\}/g;
  const counted = /\bif\s+len\(([\w.[\]]+)\.([A-Z]\w*)\)\s*==\s*0\s*\{\s*\1\.\2\s*=\s*([^\n]+?)\s*\}/g;
  return [pattern, counted].flatMap((each) =>
    Array.from(code.find(each)).flatMap((match) => {
      if (tagged.has(match[2]!)) return [];
      const start = match.index + match[0].lastIndexOf(match[3]!);
      const value = code.text.slice(start, start + match[3]!.length);
      const owner = match[1]!
        .split(".")
        .filter((part) => /^[A-Z]\w*$/.test(part) && part !== "Config")
        .slice(-1);
      return [optionThing(code, nameParts(match[2]!).join("_"), { at: match.index, value, owner })];
    }),
  );
}

/** `default_config = dict(host="x", port=80)`, `const DEFAULTS = ['port' => 80]`, `var defaultSettings = map[string]any{"port": 80}`. */
export function readDefaultTables(code: CodeText): Thing[] {
  return [...code.calls(DEFAULT_TABLE)].flatMap((call) =>
    entryThings(code, call.arguments, [call.match[1]!]),
  );
}

const DEFAULT_TABLE =
  /^[ \t]*(?:(?:var|const|private|protected|public|static)[ \t]+)*\$?(\w*defaults?\w*)\s*:?=\s*(?:dict\s*\(|map\[string\](?:interface\s*\{\}|\w+)\s*\{|\[(?=\s*["']))/gim;

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

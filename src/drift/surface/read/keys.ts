import { defined } from "../../../text/model/defined.ts";
import { stringsIn } from "../library/flag-things.ts";
import type { Thing } from "../thing.ts";
import { isPlainValue } from "../values/value-text.ts";
import type { Argument, CodeText } from "./code-text.ts";
import type { OfferedDeclaration } from "./symbols.ts";

/** Keys that a program looks up by name, where no type declares them: `config["title"]`, `viper.GetString("a.b")`. */
export function readKeys(code: CodeText): Thing[] {
  return [...readLookups(code), ...readSubscripts(code)];
}

const HOLDER =
  "(?:\\w*[cC]onfig(?:uration)?|\\w*[sS]ettings|options|opts|conf|cfg|theme|prefs|preferences|viper)";

/** `config.get("a.b", 3)`, `viper.SetDefault("a.b", 3)`, `theme.get("ui.text")`. */
function readLookups(code: CodeText): Thing[] {
  const pattern = new RegExp(
    `\\b${HOLDER}\\.(?:[gG]et\\w*|try_get\\w*|has|IsSet|SetDefault|set_default|fetch)\\s*\\((?=\\s*["'])`,
    "g",
  );
  return [...code.calls(pattern)].flatMap((call) => {
    const [name, value] = call.arguments;
    if (name?.string === undefined || !/^[A-Za-z][\w.:-]*$/.test(name.string)) return [];
    const plain = value && isPlainValue(value.text) && !/[,(]/.test(value.text) ? { value: value.text } : {};
    return [key(code, name.string, { at: name.start, ...plain })];
  });
}

/** `config["title"]`. */
function readSubscripts(code: CodeText): Thing[] {
  return [...code.calls(new RegExp(`\\b${HOLDER}\\s*\\[(?=\\s*["'])`, "g"))].flatMap((call) => {
    const name = call.arguments[0];
    return name?.string !== undefined && /^[A-Za-z][\w.-]*$/.test(name.string)
      ? [key(code, name.string, { at: name.start })]
      : [];
  });
}

/** `options.retries` in JavaScript without types to declare it. A method of the object is no option. */
export function readProperties(code: CodeText): Thing[] {
  if (code.language !== "javascript") return [];
  return Array.from(code.find(/\b(?:options|opts|config|settings)\.([a-z]\w*)\b(?!\s*[(\w])/g)).flatMap(
    (match) =>
      match[1] === "length"
        ? []
        : [key(code, match[1]!, { at: match.index + match[0].length - match[1]!.length })],
  );
}

/** A JSON Schema that is written in code, and the defaults beside it: a rule of a linter, the options of a route. */
export function readCodeSchemas(code: CodeText): Thing[] {
  if (!/\bproperties\s*:\s*\{|\bdefaultOptions\s*[:=]/.test(code.code)) return [];
  const base = /(?<![^/])([^/]+?)(?:\/index)?\.[cm]?[jt]sx?$/.exec(code.path)?.[1] ?? "";
  const properties = [...code.calls(/\bproperties\s*:\s*\{/g)].flatMap((call) =>
    call.arguments.flatMap((entry) => {
      const facts =
        code.code[entry.valueStart] === "{" ? code.readGroup(entry.valueStart)?.arguments : undefined;
      if (!entry.name || !facts?.some(({ name }) => SCHEMA_WORDS.has(name ?? ""))) return [];
      const find = (word: string) => facts.find(({ name }) => name === word);
      const value = find("default")?.text;
      const choices = stringsIn(code, find("enum"));
      const description = find("description")?.string;
      return [
        code.thing({
          kind: "setting",
          name: entry.name,
          owner: [base],
          at: entry.start,
          region: { start: entry.start, end: entry.end },
          exported: "unknown",
          ...defined({
            value: value !== undefined && isPlainValue(value) ? value : undefined,
            choices: choices.length > 0 ? choices : undefined,
            description: description || undefined,
          }),
        }),
      ];
    }),
  );
  const defaults = [...code.calls(/\bdefaultOptions\s*[:=]\s*(?:\[\s*)?\{/g)].flatMap((call) =>
    call.arguments.flatMap(({ name, text, start }) =>
      name && isPlainValue(text)
        ? [code.thing({ kind: "setting", name, owner: [base], at: start, value: text, exported: "unknown" })]
        : [],
    ),
  );
  return [...properties, ...defaults];
}

/** `convict({ mail: { retries: { doc: "…", default: 4, env: "MAIL_RETRIES" } } })`: settings with their variables. */
export function readDescribedSettings(code: CodeText): Thing[] {
  return [...code.calls(/\bconvict\s*\(\s*\{/g)].flatMap((call) => entriesBelow(code, call.arguments, []));
}

function entriesBelow(code: CodeText, entries: readonly Argument[], owner: readonly string[]): Thing[] {
  return entries.flatMap((entry) => {
    const { name, start, end, valueStart } = entry;
    const facts = code.code[valueStart] === "{" ? code.readGroup(valueStart)?.arguments : undefined;
    if (!name || !facts || owner.length > 8) return [];
    const find = (word: string) => facts.find((fact) => fact.name === word);
    const value = find("default")?.text;
    if (value === undefined) return entriesBelow(code, facts, [...owner, name]);
    const [variable, description, choices] = [find("env")?.string, find("doc")?.string, find("format")];
    const common = {
      at: start,
      region: { start, end },
      ...defined({
        value: isPlainValue(value) ? value : undefined,
        description: description || undefined,
        choices: choices?.text.startsWith("[") ? stringsIn(code, choices) : undefined,
      }),
    };
    const setting = code.thing({ kind: "setting", name, owner, ...common });
    return variable ? [setting, code.thing({ kind: "environment", name: variable, ...common })] : [setting];
  });
}

const SCHEMA_WORDS: ReadonlySet<string> = new Set(
  "type enum const items $ref anyOf oneOf allOf properties description default".split(" "),
);

/** `template.FuncMap{"trim": …}`: the functions of a template language. */
export function readFunctionMaps(code: CodeText): Thing[] {
  return [...code.calls(/\b(?:\w+\.)?FuncMap\s*\{/g)].flatMap((call) =>
    call.arguments.flatMap(({ name, start }) =>
      name ? [code.thing({ kind: "member", name, owner: ["template"], at: start })] : [],
    ),
  );
}

/** `const ( LevelQuiet Level = "quiet" )`: the constants of a type are its values. */
export function readTypedConstants(code: CodeText): Thing[] {
  const types = new Set(
    Array.from(
      code.find(/^type[ \t]+([A-Z]\w*)[ \t]+(?:string|u?int\w*|byte|rune)\b/gm),
      (match) => match[1]!,
    ),
  );
  if (types.size === 0) return [];
  return Array.from(
    code.find(/^[ \t]*(?:const[ \t]+)?([A-Z]\w*)[ \t]+([A-Z]\w*)[ \t]*=[ \t]*(?="\u0001+"|\d)/gm),
  ).flatMap((match) => {
    const [whole, name, type] = match;
    if (!types.has(type!)) return [];
    const from = match.index + whole.length;
    const value = /^("[^"\n]*"|\d\w*)/.exec(code.text.slice(from, from + 200))?.[1];
    const at = match.index + whole.indexOf(name!);
    return [
      code.thing({
        kind: "enum-value",
        name: name!,
        owner: [type!],
        at,
        ...defined({ value: value || undefined }),
      }),
    ];
  });
}

/** `("site_name", config_options.Type(str, default="x"))`: a schema written as pairs. */
export function readSchemaPairs(code: CodeText): Thing[] {
  return [...code.calls(/(?<=[[(,]\s{0,80})\((?=\s*["']\u0001+["']\s*,\s*(?:\w+\.)*[A-Z]\w*\()/g)].flatMap(
    (call) => {
      const [name, type] = call.arguments;
      if (call.arguments.length !== 2 || !name?.string || !/^[a-z]\w*$/.test(name.string)) return [];
      const value = /\bdefault\s*=\s*([^,()]+|[^,()]*\([^()]*\))/.exec(type!.text)?.[1]?.trim();
      const typed = /^[\w.]+/.exec(type!.text)?.[0];
      return [
        code.thing({
          kind: "setting",
          name: name.string,
          at: name.start,
          ...defined({ value: value || undefined, type: typed || undefined }),
        }),
      ];
    },
  );
}

/** The words that a type is parsed from: `"line" => Self::Line` in `from_str`. */
export function readParsedWords(code: CodeText, offered: readonly OfferedDeclaration[]): Thing[] {
  return offered.flatMap(({ declaration: { name, path, body } }) => {
    if (!body || path.length < 2 || !/^(?:from_str|try_from|visit_str)$/.test(name)) return [];
    const arms = code.code.slice(body.start, body.end).matchAll(/(?:"\u0001+"\s*\|\s*)*"\u0001+"\s*=>/g);
    return Array.from(arms).flatMap((arm) => {
      const start = body.start + arm.index;
      const words = code.text.slice(start, start + arm[0].length).matchAll(/"([^"]+)"/g);
      return Array.from(words, (word) =>
        code.thing({ kind: "enum-value", name: word[1]!, owner: path.slice(0, -1), at: start + word.index }),
      );
    });
  });
}

function key(
  code: CodeText,
  name: string,
  { at, value }: { readonly at: number; readonly value?: string },
): Thing {
  return code.thing({
    kind: "setting",
    name,
    at,
    exported: "unknown",
    ...defined({ value }),
  });
}

import { defined } from "../../../text/model/defined.ts";
import type { CodeText } from "../read/code-text.ts";
import { describe } from "../read/documentation.ts";
import { inStyle, kebab } from "../read/names.ts";
import type { OfferedDeclaration } from "../read/symbols.ts";
import { marks } from "../read/symbols.ts";
import { type Thing, thingId } from "../thing.ts";
import { readLimits } from "../values/limits.ts";
import { type CallForm, readForms, stringsOf } from "./call-forms.ts";
import { createOwners, type OwnedRange, readChain } from "./command-owners.ts";
import { commandThing, flagThings } from "./flag-things.ts";

/** Commands and flags of clap (derived or built), structopt, argh and bpaf. */
export function readRustFlags(code: CodeText, offered: readonly OfferedDeclaration[]): Thing[] {
  return [
    ...readBuilder(code),
    ...readMacros(code),
    ...offered.flatMap((each) => readDerived(each, offered, code)),
  ];
}

const FORMS: readonly CallForm[] = [
  {
    declares: "flag",
    head: /\b(?:Arg::(?:new|with_name)|flag)\s*\(/g,
    facts: {},
    links: {
      ...{
        long: "names",
        short: "names",
        visible_alias: "names",
        alias: "names",
        visible_short_alias: "names",
      },
      ...{ default_value: "value", possible_values: "choices", value_parser: "choices", env: "variable" },
      ...{ help: "description", hide: "hidden" },
    },
  },
  {
    declares: "command",
    head: /\b(?:Command|App|SubCommand)::(?:new|with_name)\s*\(/g,
    facts: { names: [0] },
    links: { about: "description", hide: "hidden", alias: "names", visible_alias: "names" },
  },
];

/** `Arg::new("name").long("name").short('n').help("…").default_value("x").env("X")`, `Command::new("name")`. */
function readBuilder(code: CodeText): Thing[] {
  const ownerAt = createOwners(commandRanges(code));
  return readForms(code, FORMS, { ownerAt }).map((thing) =>
    thing.kind === "command" ? { ...thing, owner: [], id: thingId("command", [], thing.name) } : thing,
  );
}

/** The calls that build each command. A command that has others is the program. */
function commandRanges(code: CodeText): OwnedRange[] {
  return [...code.calls(/\b(?:Command|App|SubCommand)::(?:new|with_name)\s*\(/g)].flatMap((call) => {
    const name = call.arguments[0]?.string;
    const { links, end } = readChain(code, call.end);
    if (name === undefined) return [];
    const isProgram = links.some((link) => ["subcommand", "subcommands", "version"].includes(link.name));
    return [{ start: call.start, end, owner: isProgram ? [] : [name] }];
  });
}

/** `arg!(-c --color <WHEN> "when to use colours")`. */
function readMacros(code: CodeText): Thing[] {
  const ownerAt = createOwners(commandRanges(code));
  return [...code.calls(/\barg!\s*\(/g)].flatMap((call) => {
    const written = code.text.slice(call.start, call.end);
    const names = Array.from(written.matchAll(/(?<![\w-])--?[A-Za-z][\w-]*/g), ([name]) => name);
    const { links, end } = readChain(code, call.end);
    const first = (link: string) => links.find(({ name }) => name === link)?.arguments[0];
    const choices = first("value_parser");
    return flagThings(code, {
      names,
      at: call.start,
      end,
      owner: ownerAt(call.start),
      description: /"([^"]*)"\s*\)$/.exec(written)?.[1],
      value: first("default_value")?.text,
      choices: choices && stringsOf(code, choices),
    });
  });
}

const ATTRIBUTE =
  /#\[(?:arg|argh|bpaf|clap|structopt|command|value)\(((?:[^()[\]"]|"(?:\\[\s\S]|[^"\\])*"|\((?:[^()]|\([^()]*\))*\)|\[[^\]]*\])*)\)\]/g;

function attributesOf(preamble: string): string | undefined {
  const found = Array.from(preamble.matchAll(ATTRIBUTE), (match) => match[1]!);
  return found.length > 0 ? found.join(", ") : undefined;
}

function readDerived(
  each: OfferedDeclaration,
  offered: readonly OfferedDeclaration[],
  code: CodeText,
): Thing[] {
  const { declaration, parent } = each;
  if (declaration.kind === "property") return readField(each, offered, code);
  if (declaration.kind !== "member" || !parent) return [];
  const head = preambleOf(parent, code);
  if (/\bderive\([^)]*\bSubcommand\b/.test(head) || (/\bStructOpt\b/.test(head) && parent.kind === "enum"))
    return readVariant(each, head, code);
  if (!/\bderive\([^)]*\b(?:ValueEnum|ArgEnum)\b/.test(head)) return [];
  const name =
    /\bname\s*=\s*"([^"]+)"/.exec(attributesOf(each.preamble) ?? "")?.[1] ??
    inStyle(declaration.name, styleOf(head) ?? "kebab-case");
  return [
    code.thing({
      kind: "enum-value",
      name,
      owner: declaration.path.slice(0, -1),
      at: declaration.nameRegion.start,
      region: declaration.region,
      ...marks(each),
    }),
  ];
}

function readVariant(
  { declaration, preamble, doc }: OfferedDeclaration,
  head: string,
  code: CodeText,
): Thing[] {
  const attributes = attributesOf(preamble) ?? "";
  const name =
    /\bname\s*=\s*"([^"]+)"/.exec(attributes)?.[1] ??
    inStyle(declaration.name, styleOf(head) ?? "kebab-case");
  const about =
    /\b(?:about|help)\s*=\s*"((?:\\[\s\S]|[^"\\])*)"/.exec(attributes)?.[1] ??
    (doc ? describe(doc) : undefined);
  const place = { at: declaration.nameRegion.start, end: declaration.region.end, description: about };
  const hidden = /\bhide\b(?:\s*=\s*true)?/.test(attributes);
  return [name, ...aliasesOf(attributes)].flatMap((each) =>
    commandThing(code, { ...place, name: each, hidden }),
  );
}

function aliasesOf(attributes: string): string[] {
  return Array.from(
    attributes.matchAll(/\b(?:visible_)?alias\s*(?:=|\()\s*"([^"]+)"/g),
    (match) => match[1]!,
  );
}

function readField(
  each: OfferedDeclaration,
  offered: readonly OfferedDeclaration[],
  code: CodeText,
): Thing[] {
  const { declaration, parent, preamble } = each;
  const attributes = attributesOf(preamble);
  if (attributes === undefined || !parent) return [];
  const plain = attributes.replace(
    /"(?:\\[\s\S]|[^"\\])*"/g,
    (string) => `"${"\u0001".repeat(string.length - 2)}"`,
  );
  const read = (key: string) =>
    new RegExp(
      `(?<![\\w.])${key}(?:\\s*=\\s*|\\s*\\(\\s*)("(?:\\\\[\\s\\S]|[^"\\\\])*"|'.'|[^,()]+(?:\\([^()]*\\))?)`,
    ).exec(attributes)?.[1];
  const has = (key: string) => new RegExp(`(?:^|,|\\s)${key}\\s*(?:,|=|\\(|$)`).test(plain);
  const isLong = has("long") || (/#\[argh\b/.test(preamble) && (has("switch") || has("option")));
  if (!isLong && !has("short")) return [];
  const style = styleOf(preambleOf(parent, code));
  const long = isLong
    ? (unquote(read("long")) ?? (style ? inStyle(declaration.name, style) : kebab(declaration.name)))
    : undefined;
  const short = has("short")
    ? (unquote(read("short"))?.replace(/^-/, "") ?? declaration.name.slice(0, 1))
    : undefined;
  const aliases = aliasesOf(attributes);
  const listed = /\b(?:possible_values|value_parser)\s*(?:=|\()\s*&?\[([^\]]*)\]/.exec(attributes)?.[1];
  const choices = Array.from(listed?.matchAll(/"([^"]+)"/g) ?? [], (match) => match[1]!);
  const help = unquote(read("help")) ?? unquote(read("long_help"));
  const variable = has("env") ? (unquote(read("env")) ?? declaration.name.toUpperCase()) : undefined;
  const { description, deprecated } = marks(each);
  const value = asTyped(read("default_value") ?? read("default_value_t"), declaration.type, offered);
  return [
    ...flagThings(code, {
      names: [
        ...(long ? [`--${long}`] : []),
        ...(short ? [`-${short}`] : []),
        ...aliases.map((alias) => `--${alias}`),
      ],
      at: declaration.nameRegion.start,
      end: declaration.region.end,
      owner: commandOf(each, offered, code),
      value,
      choices,
      ...readLimits(attributes),
      description: help ?? description,
      type: declaration.type,
      deprecated,
      hidden: has("hide") || has("hidden"),
    }),
    ...(variable
      ? [
          code.thing({
            kind: "environment",
            name: variable,
            at: declaration.nameRegion.start,
            ...defined({ value }),
          }),
        ]
      : []),
  ];
}

/** A default as a reader types it: a variant of an enumeration of values is a word. */
function asTyped(
  value: string | undefined,
  type: string | undefined,
  offered: readonly OfferedDeclaration[],
): string | undefined {
  const variant = /^\w+::(\w+)$/.exec(value?.trim() ?? "")?.[1];
  const own =
    variant &&
    offered.find(
      ({ declaration: { kind, path } }) =>
        kind === "member" && path.at(-2) === type && path.at(-1) === variant,
    );
  return own ? inStyle(variant, "kebab-case") : value?.trim();
}

/** The command whose variant holds the field, or whose variant holds the field's struct. */
function commandOf(
  { parent }: OfferedDeclaration,
  all: readonly OfferedDeclaration[],
  code: CodeText,
): readonly string[] {
  if (!parent) return [];
  if (parent.kind === "member") return [kebab(parent.name)];
  const variant = all.find(
    ({ declaration }) =>
      declaration.kind === "member" &&
      new RegExp(`\\(\\s*(?:\\w+::)*(?:Box<)?${parent.name}\\b`).test(
        code.code.slice(declaration.nameRegion.end, declaration.region.end),
      ),
  );
  return variant ? [kebab(variant.declaration.name)] : [];
}

function preambleOf(
  declaration: { region: { start: number }; signature: { start: number } },
  code: CodeText,
): string {
  return code.text.slice(declaration.region.start, declaration.signature.start);
}

function styleOf(head: string): string | undefined {
  const style = /\brename_all\s*=\s*"([^"]+)"/.exec(head)?.[1];
  return style?.replace(/^(kebab|snake)$/, "$1_case").replace("kebab_case", "kebab-case");
}

function unquote(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const inside = /^["']((?:\\.|[^\\])*)["']$/.exec(text.trim())?.[1];
  return inside?.replace(/\\\n\s*/g, "").replace(/\\(.)/g, "$1");
}

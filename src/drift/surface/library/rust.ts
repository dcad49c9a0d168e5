import type { CodeText } from "../read/code-text.ts";
import { describe } from "../read/documentation.ts";
import { inStyle, kebab } from "../read/names.ts";
import type { OfferedDeclaration } from "../read/symbols.ts";
import { marks } from "../read/symbols.ts";
import type { Thing } from "../thing.ts";
import { readLimits } from "../values/limits.ts";
import { createOwners, type OwnedRange } from "./command-owners.ts";
import { commandThing, flagThings } from "./flag-things.ts";

/** Commands and flags of clap (derived or built) and structopt. */
export function readRustFlags(code: CodeText, offered: readonly OfferedDeclaration[]): Thing[] {
  return [
    ...readBuilder(code),
    ...readMacros(code),
    ...offered.flatMap((each) => readDerived(each, offered, code)),
  ];
}

/** `Arg::new("name").long("name").short('n').help("…").default_value("x").env("X")`. */
function readBuilder(code: CodeText): Thing[] {
  const ownerAt = createOwners(commandRanges(code));
  return [
    ...code.calls(/\b(?:Arg::(?:new|with_name)|(?:Command|App|SubCommand)::(?:new|with_name)|flag)\s*\(/g),
  ].flatMap((call) => {
    const first = call.arguments[0];
    if (first?.string === undefined) return [];
    const chain = readChain(code, call.end);
    const description =
      chain.get("help")?.string ?? chain.get("about")?.string ?? chain.get("long_help")?.string;
    const place = { at: call.start, end: chain.end, description, hidden: chain.get("hide")?.text === "true" };
    const owner = ownerAt(call.start);
    if (/^(?:Command|App|SubCommand)/.test(call.match[0]))
      return commandThing(code, { name: first.string, ...place });
    const names = ["long", "short", "visible_alias", "alias", "visible_short_alias"].flatMap((link) => {
      const value = chain.get(link);
      return value
        ? [
            (value.string ?? value.text.replace(/'/g, "")) ||
              (link === "short" ? first.string!.slice(0, 1) : first.string!),
          ]
        : [];
    });
    const variable = chain.get("env")?.string;
    return [
      ...flagThings(code, {
        names,
        ...place,
        owner,
        value: chain.get("default_value")?.text,
        choices: chain.get("possible_values")?.list ?? chain.get("value_parser")?.list,
      }),
      ...(variable ? [code.thing({ kind: "environment", name: variable, at: call.start })] : []),
    ];
  });
}

/** The calls that build each command. A command that has others is the program. */
function commandRanges(code: CodeText): OwnedRange[] {
  return [...code.calls(/\b(?:Command|App|SubCommand)::(?:new|with_name)\s*\(/g)].flatMap((call) => {
    const name = call.arguments[0]?.string;
    const chain = readChain(code, call.end);
    if (name === undefined) return [];
    const isProgram = ["subcommand", "subcommands", "version"].some((link) => chain.has(link));
    return [{ start: call.start, end: chain.end, owner: isProgram ? [] : [name] }];
  });
}

/** `arg!(-c --color <WHEN> "when to use colours")`. */
function readMacros(code: CodeText): Thing[] {
  const ownerAt = createOwners(commandRanges(code));
  return [...code.calls(/\barg!\s*\(/g)].flatMap((call) => {
    const written = code.text.slice(call.start, call.end);
    const names = Array.from(written.matchAll(/(?<![\w-])--?[A-Za-z][\w-]*/g), ([name]) => name);
    const chain = readChain(code, call.end);
    return flagThings(code, {
      names,
      at: call.start,
      end: chain.end,
      owner: ownerAt(call.start),
      description: /"([^"]*)"\s*\)$/.exec(written)?.[1],
      value: chain.get("default_value")?.text,
      choices: chain.get("value_parser")?.list,
    });
  });
}

type ChainedCall = { readonly text: string; readonly string?: string; readonly list?: readonly string[] };

/** The calls that are chained behind `end`, by name. */
function readChain(code: CodeText, end: number): Map<string, ChainedCall> & { end: number } {
  const links = Object.assign(new Map<string, ChainedCall>(), { end });
  for (let steps = 0; steps < 40; steps++) {
    const link = /^\s*\.\s*(\w+)\s*\(/.exec(code.code.slice(links.end, links.end + 200));
    const group = link && code.readGroup(links.end + link[0].length - 1);
    if (!link || !group) break;
    const first = group.arguments[0];
    const open = first ? code.code.slice(first.start, first.end).indexOf("[") : -1;
    const list =
      open >= 0
        ? code.readGroup(first!.start + open)?.arguments.flatMap(({ string }) => string ?? [])
        : undefined;
    links.set(link[1]!, {
      text: first?.text ?? "",
      ...(first?.string !== undefined && { string: first.string }),
      ...(list && { list }),
    });
    links.end = group.end;
  }
  return links;
}

const ATTRIBUTE =
  /#\[(?:arg|clap|structopt|command|value)\(((?:[^()[\]"]|"(?:\\[\s\S]|[^"\\])*"|\((?:[^()]|\([^()]*\))*\)|\[[^\]]*\])*)\)\]/g;

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
  return commandThing(code, {
    name,
    at: declaration.nameRegion.start,
    end: declaration.region.end,
    description: about,
    hidden: /\bhide\b(?:\s*=\s*true)?/.test(attributes),
  });
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
  if (!has("long") && !has("short")) return [];
  const style = styleOf(preambleOf(parent, code));
  const long = has("long")
    ? (unquote(read("long")) ?? (style ? inStyle(declaration.name, style) : kebab(declaration.name)))
    : undefined;
  const short = has("short")
    ? (unquote(read("short"))?.replace(/^-/, "") ?? declaration.name.slice(0, 1))
    : undefined;
  const aliases = Array.from(
    attributes.matchAll(/\b(?:visible_)?alias\s*(?:=|\()\s*"([^"]+)"/g),
    (match) => match[1]!,
  );
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
            ...(value !== undefined && { value }),
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

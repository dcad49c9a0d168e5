import type { Argument, CodeText } from "../read/code-text.ts";
import type { OfferedDeclaration } from "../read/symbols.ts";
import type { Thing } from "../thing.ts";
import { fallbackOf } from "../values/fallback.ts";
import { isPlainValue, valueAt } from "../values/value-text.ts";
import { createOwners, type OwnedRange } from "./command-owners.ts";
import { commandThing, flagThings, named, stringsIn, unnamed } from "./flag-things.ts";

/** Commands and flags of OptionParser, mercenary, Thor and slop. */
export function readRubyFlags(code: CodeText): Thing[] {
  if (!/option|\.on\b|command|\bThor\b|\bSlop\b/.test(code.code)) return [];
  return [...readSwitches(code), ...readThor(code), ...readCommands(code)];
}

/** `opts.fetch(:limit, 9)`, `opts[:deep] || 2`, `mattr_accessor :size, default: 20`, `setting :adapter, default: :mem`. */
export function readRubySettings(code: CodeText, offered: readonly OfferedDeclaration[]): Thing[] {
  const add = (name: string, at: number, value: string | undefined) =>
    value === undefined ? [] : [code.thing({ kind: "setting", name, at, value, exported: "unknown" })];
  const fetched = [...code.calls(/\b@?(?:opts|options|config|settings|params)\.fetch\s*\((?=\s*:)/g)].flatMap(
    (call) => add(call.arguments[0]!.text.slice(1), call.start, call.arguments[1]?.text),
  );
  const keys = Array.from(code.find(/\b@?(?:opts|options|config|settings)\[:(\w+)\]/g)).flatMap((match) =>
    add(match[1]!, match.index, fallbackOf(code, { start: match.index, end: match.index + match[0].length })),
  );
  const declared = Array.from(
    code.find(/^[ \t]*(?:[mc]attr_accessor|class_attribute|config_accessor|setting)[ \t(]+:(\w+)[ \t]*,/gm),
  ).flatMap((match) =>
    add(match[1]!, match.index, named(code.readBare(match.index + match[0].length), "default")?.text),
  );
  return [...fetched, ...keys, ...declared, ...readInitialised(code, offered)];
}

/** `@host = "localhost"` in the constructor of a class of settings. */
function readInitialised(code: CodeText, offered: readonly OfferedDeclaration[]): Thing[] {
  return offered.flatMap(({ declaration: { name, path, body } }) => {
    if (
      name !== "initialize" ||
      !body ||
      !/(?:Config|Configuration|Options|Settings)$/.test(path.at(-2) ?? "")
    )
      return [];
    return Array.from(
      code.code.slice(body.start, body.end).matchAll(/^[^\S\n]*@(\w+)\s*\|?\|?=\s*/gm),
    ).flatMap((match) => {
      const value = valueAt(code, body.start + match.index + match[0].length);
      const at = body.start + match.index;
      return value === undefined
        ? []
        : [code.thing({ kind: "setting", name: match[1]!, owner: path.slice(0, -1), at, value })];
    });
  });
}

/** `opts.on("-p", "--port PORT", Integer, "help")`, `c.option "port", "-P", "--port [PORT]", "help"`. */
function readSwitches(code: CodeText): Thing[] {
  const found: Thing[] = [];
  const defaults = readHashDefaults(code);
  const ownerAt = createOwners(commandRanges(code));
  for (const match of code.find(
    /\.(?:on(?:_tail|_head)?|option|string|integer|boolean|bool|array)\b[ \t]*(\(|(?=["']))/g,
  )) {
    const at = match.index;
    const group = match[1] ? code.readGroup(at + match[0].length - 1) : undefined;
    const args = match[1] ? group?.arguments : code.readBare(at + match[0].length);
    const strings = unnamed(args ?? []).flatMap(({ string }) => string ?? []);
    const names = strings.flatMap((each) =>
      Array.from(each.matchAll(/(?:^|[\s,])(--?(?:\[no-\])?[A-Za-z][\w-]*)/g), (found) => found[1]!),
    );
    const spelled = strings.filter((each) => each.startsWith("-"));
    if (spelled.length === 0) continue;
    const description = strings.filter((each) => !each.startsWith("-") && /\s/.test(each)).join(" ");
    found.push(
      ...flagThings(code, {
        names: names.filter((name) => spelled.some((each) => each.includes(name))).flatMap(expandNo),
        at,
        owner: ownerAt(at),
        description,
        value: defaults.get(storedKey(code, group?.end) ?? ""),
        choices: args?.flatMap((each) => listedWords(each)),
      }),
    );
  }
  return found;
}

/** The defaults of the hash that a parser fills: `options = { port: 3000 }`, `options[:port] = 3000`. */
function readHashDefaults(code: CodeText): ReadonlyMap<string, string> {
  const defaults = new Map<string, string>();
  for (const call of code.calls(/(?:options|opts|config|DEFAULTS?|defaults?)\s*=\s*\{/g))
    for (const { name, text } of call.arguments) if (name && isPlainValue(text)) defaults.set(name, text);
  return defaults;
}

/** `port` of the block `{ |v| options[:port] = v }` behind a switch. */
function storedKey(code: CodeText, end: number | undefined): string | undefined {
  if (end === undefined) return undefined;
  return /^\s*(?:\{|do)\s*\|[^|]*\|\s*@?\w+\[:(\w+)\]\s*=/.exec(code.code.slice(end, end + 120))?.[1];
}

/** The words of a list of choices: `[:a, :b]`, `%w[a b]`. */
function listedWords({ text }: Argument): string[] {
  const list = /^\[\s*(:[\w:,\s]+)\]$|^%[wi][[(]([\w\s-]+)[\])]$/.exec(text);
  return (list?.[1] ?? list?.[2] ?? "").split(/[\s,:]+/).filter(Boolean);
}

/** The blocks that build each command: `prog.command(:build) do |c|`, up to the next one. */
function commandRanges(code: CodeText): OwnedRange[] {
  const heads = Array.from(code.find(/\.command\(\s*:(\w+)\s*\)\s*do\b/g));
  return heads.map(({ 1: name = "", index }, at) => ({
    start: index,
    end: heads[at + 1]?.index ?? code.code.length,
    owner: [name],
  }));
}

function expandNo(name: string): string[] {
  return name.includes("[no-]") ? [name.replace("[no-]", ""), name.replace("[no-]", "no-")] : [name];
}

/** `method_option :port, type: :numeric, default: 80, desc: "…", aliases: "-p"`. */
function readThor(code: CodeText): Thing[] {
  return Array.from(
    code.find(/^[ \t]*(?:method_option|class_option|option)[ \t(]+:(\w+)[ \t]*(?:,|$)/gm),
  ).flatMap((match) => {
    const args = match[0].endsWith(",") ? code.readBare(match.index + match[0].length) : [];
    const alias = named(args, "aliases");
    return flagThings(code, {
      names: [
        `--${match[1]!.replaceAll("_", "-")}`,
        ...(alias?.string ? [alias.string] : stringsIn(code, alias)),
      ],
      at: match.index,
      owner: match[0].includes("class_option") ? [] : methodBelow(code, match.index),
      choices: stringsIn(code, named(args, "enum")),
      value: named(args, "default")?.text,
      description: named(args, "desc")?.string,
      type: named(args, "type")?.text,
    });
  });
}

/** The method that options of Thor are written above: its name is the command. */
function methodBelow(code: CodeText, at: number): readonly string[] {
  const method = /^[ \t]*def[ \t]+(\w+)/m.exec(code.code.slice(at, at + 4000))?.[1];
  return method ? [method.replaceAll("_", "-")] : [];
}

/** `prog.command(:build) do |c|`, Thor's `desc "build DIR", "help"`. */
function readCommands(code: CodeText): Thing[] {
  const mercenary = Array.from(code.find(/\.command\(\s*:(\w+)\s*\)/g)).flatMap((match) => {
    const described = /\.description[ \t]+(?=["'])/.exec(code.code.slice(match.index, match.index + 600));
    const text = described
      ? code.readBare(match.index + described.index + described[0].length)?.[0]?.string
      : undefined;
    return commandThing(code, { name: match[1]!, at: match.index, description: text });
  });
  const thor = Array.from(code.find(/^[ \t]*desc[ \t]+(?=["'])/gm)).flatMap((match) => {
    const args = code.readBare(match.index + match[0].length) ?? [];
    const [usage, help] = args;
    if (usage?.string === undefined || help?.string === undefined) return [];
    return commandThing(code, {
      name: usage.string.split(/\s/)[0]!,
      at: usage.start,
      description: help.string,
    });
  });
  return [...mercenary, ...thor];
}

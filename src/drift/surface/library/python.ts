import { defined } from "../../../text/model/defined.ts";
import type { Argument, CallText, CodeText } from "../read/code-text.ts";
import { kebab } from "../read/names.ts";
import type { OfferedDeclaration } from "../read/symbols.ts";
import type { Thing } from "../thing.ts";
import { createEnclosing } from "../values/enclosing.ts";
import { readLimits } from "../values/limits.ts";
import { isPlainValue } from "../values/value-text.ts";
import { type CallForm, readForms, withNegation } from "./call-forms.ts";
import { createOwners, receiverName } from "./command-owners.ts";
import { commandThing, flagThings, named, stringsIn, unnamed } from "./flag-things.ts";

/** Commands and flags of argparse, optparse, click, typer, cleo and plumbum. */
export function readPythonFlags(code: CodeText, offered: readonly OfferedDeclaration[]): Thing[] {
  if (!/argument|option|Option|command|parser|plumbum|@task/.test(code.code)) return [];
  return [
    ...readDeclaredOptions(code, offered),
    ...readTyperParameters(code, offered),
    ...readPlainParameters(code, offered),
    ...readCommands(code, offered),
    ...readCleo(code, offered),
    ...readManagementCommand(code, offered),
  ];
}

/** `management/commands/import_stock.py` with a class `Command`: Django names the command after its file. */
function readManagementCommand(code: CodeText, offered: readonly OfferedDeclaration[]): Thing[] {
  const name = /(?:^|\/)management\/commands\/(\w+)\.py$/.exec(code.path)?.[1];
  const own = offered.find(
    ({ declaration: { kind, path } }) => kind === "class" && path.join() === "Command",
  );
  return name && own ? commandThing(code, { name, at: own.declaration.nameRegion.start }) : [];
}

function readDeclaredOptions(code: CodeText, offered: readonly OfferedDeclaration[]): Thing[] {
  const pattern =
    /(?:\.add_(?:argument|option)|@(?:\w+\.)?option|\b(?:click|cloup|typer)\.(?:Option|option)|\b[oO]ption|\bmake_option|\bcli\.(?:Flag|SwitchAttr|CountOf|switch))\s*\(/g;
  const parserAt = createParsers(code, offered);
  const defaults = readSetDefaults(code);
  return [...code.calls(pattern)].flatMap((call) => {
    const spellings = [...unnamed(call.arguments), ...listItems(code, call.arguments)].flatMap(
      ({ string }) =>
        string !== undefined && /^-/.test(string) ? string.split("/").map((each) => each.trim()) : [],
    );
    if (spellings.length === 0 || isTyperParameter(code, call)) return [];
    const owner = call.match[0].startsWith("@")
      ? decoratedCommand(code, offered, call.start)
      : parserAt(receiverName(code, call.start), call.start);
    const facts = common(code, call.arguments, call);
    const isNegatable = /\bBooleanOptionalAction$/.test(named(call.arguments, "action")?.text ?? "");
    const names = isNegatable ? spellings.flatMap(withNegation) : spellings;
    const value =
      facts.value ?? defaults.get(named(call.arguments, "dest")?.string ?? destinationOf(spellings));
    return [...flagThings(code, { ...facts, names, owner, value }), ...environment(code, call.arguments)];
  });
}

/** `parser.set_defaults(port=80)`. */
function readSetDefaults(code: CodeText): ReadonlyMap<string, string> {
  const calls = [...code.calls(/\.set_defaults\s*\(/g)];
  const entries = calls.flatMap((call) => call.arguments);
  return new Map(
    entries.flatMap(({ name, text }) => (name && isPlainValue(text) ? [[name, text] as const] : [])),
  );
}

/** The attribute that argparse stores a flag in: `dry_run` for `--dry-run`. */
function destinationOf(names: readonly string[]): string {
  const long = names.find((name) => name.startsWith("--")) ?? names[0] ?? "";
  return long.replace(/^-+/, "").replaceAll("-", "_");
}

const CLEO: readonly CallForm[] = [
  {
    declares: "flag",
    head: /(?<![.@])\boption\s*\(/g,
    dashed: false,
    facts: { names: [0, 1], description: ["description", 2], value: ["default"] },
  },
];

/** `options = [option("dry-run", None, "help")]` in a class whose `name` is the command. */
function readCleo(code: CodeText, offered: readonly OfferedDeclaration[]): Thing[] {
  const commands = offered.flatMap(({ declaration: { name, kind, value }, parent }) => {
    const text = /^["']([\w:. -]+)["']$/.exec(value ?? "")?.[1];
    return name === "name" && kind === "property" && parent?.kind === "class" && text
      ? [{ ...parent.region, owner: text.split(" ") }]
      : [];
  });
  const ownerAt = createOwners(commands);
  const flags = readForms(code, CLEO, { ownerAt });
  const used = new Set(flags.map(({ owner }) => owner.join(" ")));
  return [
    ...commands
      .filter(({ owner }) => used.has(owner.join(" ")))
      .flatMap(({ owner, start, end }) =>
        commandThing(code, { name: owner.at(-1)!, owner: owner.slice(0, -1), at: start, end }),
      ),
    ...flags,
  ];
}

/** Typer writes the option as the default or the annotation of a parameter; those are read with their functions. */
function isTyperParameter(code: CodeText, { start, match }: CallText): boolean {
  return (
    /^(?:typer\.)?Option/.test(match[0]) &&
    /(?:=|Annotated\[[^=\n]*,)\s*$/.test(code.code.slice(Math.max(0, start - 80), start))
  );
}

type ParserAt = (variable: string | undefined, at: number) => readonly string[];

/** The command of the parser that a variable holds at an offset: `serve = sub.add_parser("serve")`. */
function createParsers(code: CodeText, offered: readonly OfferedDeclaration[]): ParserAt {
  const around = createEnclosing(offered);
  const scopeOf = (variable: string, at: number) =>
    `${around(at)?.declaration.region.start ?? ""} ${variable}`;
  const held = new Map<string, { readonly at: number; readonly owner: readonly string[] }[]>();
  const find: ParserAt = (variable, at) =>
    variable === undefined
      ? []
      : (held.get(scopeOf(variable, at))?.findLast((each) => each.at < at)?.owner ?? []);
  const pattern =
    /^[ \t]*(\w+)\s*=\s*(?:(\w+)\.)?(add_parser|ArgumentParser|add_argument_group|add_mutually_exclusive_group)\s*\(/gm;
  for (const call of code.calls(pattern)) {
    const [, variable = "", receiver, maker] = call.match;
    const name = maker === "add_parser" ? unnamed(call.arguments)[0]?.string : undefined;
    const owner = name ? [name] : maker === "ArgumentParser" ? [] : find(receiver, call.start);
    const scope = scopeOf(variable, call.start);
    held.set(scope, [...(held.get(scope) ?? []), { at: call.start, owner }]);
  }
  return find;
}

function listItems(code: CodeText, args: readonly Argument[]): { string?: string }[] {
  const list = unnamed(args)[0];
  return list && /^[[(]/.test(code.code.slice(list.valueStart, list.valueStart + 1))
    ? stringsIn(code, list).map((string) => ({ string }))
    : [];
}

function common(code: CodeText, args: readonly Argument[], { start, end }: { start: number; end: number }) {
  const choices = named(args, "choices") ?? named(args, "type");
  const deprecated = named(args, "deprecated");
  return {
    at: start,
    end,
    value: named(args, "default")?.text,
    description: named(args, "help")?.string,
    type: listName(choices?.text) ?? named(args, "type")?.text,
    ...readLimits(
      args
        .filter(({ name }) => /^(?:type|min|max)$/.test(name ?? ""))
        .map(writtenAs)
        .join(", "),
    ),
    choices:
      choices && (choices.name === "choices" || /\bChoice\(/.test(choices.text))
        ? choiceStrings(code, choices)
        : [],
    hidden: /SUPPRESS/.test(named(args, "help")?.text ?? "") || named(args, "hidden")?.text === "True",
    ...(deprecated && deprecated.text !== "False" && { deprecated: deprecated.string ?? "" }),
  };
}

/** `FORMATS` of `choices=FORMATS`, `choices=list(FORMATS)`, `type=click.Choice(FORMATS)`. */
function listName(text: string | undefined): string | undefined {
  return /^(?:list\(|sorted\(|(?:click\.)?Choice\()?([A-Z]\w*)(?:,[^()]*)?\)?$/.exec(text ?? "")?.[1];
}

function writtenAs({ name, text }: Argument): string {
  return `${name}=${text}`;
}

/** `choices=["a", "b"]`, `type=click.Choice(["a", "b"])`. */
function choiceStrings(code: CodeText, argument: Argument): string[] {
  const bracket = code.code.slice(argument.valueStart, argument.end).search(/\[|\((?=\s*["'])/);
  if (bracket < 0) return [];
  const group = code.readGroup(argument.valueStart + bracket);
  return (group?.arguments ?? []).flatMap(
    ({ string, text }) => string ?? (/^-?\d[\d.]*$/.test(text) ? text : []),
  );
}

function environment(code: CodeText, args: readonly Argument[]): Thing[] {
  const variable = named(args, "envvar", "env_var");
  const names = variable
    ? variable.string !== undefined
      ? [variable.string]
      : stringsIn(code, variable)
    : [];
  const value = named(args, "default")?.text;
  return names.map((name) =>
    code.thing({
      kind: "environment",
      name,
      at: variable?.start ?? 0,
      ...defined({ value }),
    }),
  );
}

/** `name: str = typer.Option("x", "--name", help="…")`, `name: Annotated[str, typer.Option(help="…")] = "x"`. */
function readTyperParameters(code: CodeText, offered: readonly OfferedDeclaration[]): Thing[] {
  const isOnly = [...code.find(/^[ \t]*@\w+\.command\s*\(/gm)].length < 2;
  const pattern = /\b(\w+)\s*:\s*(?:Annotated\s*\[[^=]*?,\s*|[\w.[\], |]+=\s*)(?:typer\.)?Option\s*\(/g;
  return [...code.calls(pattern)].flatMap((call) => {
    const annotated = /:\s*Annotated/.test(call.match[0]);
    const plain = unnamed(call.arguments);
    const names = plain.flatMap(({ string }) => (string?.startsWith("-") ? string.split("/") : []));
    const after = annotated
      ? /^\s*\]\s*=\s*([^,\n)]+)/.exec(code.text.slice(call.end, call.end + 200))?.[1]?.trim()
      : undefined;
    const value = annotated ? after : plain[0]?.string?.startsWith("-") ? undefined : plain[0]?.text;
    const spelled = names.some((name) => name.startsWith("--"))
      ? names
      : [`--${kebab(call.match[1]!)}`, ...names];
    return [
      ...flagThings(code, {
        ...common(code, call.arguments, call),
        names: spelled,
        owner: isOnly ? [] : decoratedCommand(code, offered, call.start),
        ...defined({ value: value && value !== "..." ? value : undefined }),
      }),
      ...environment(code, call.arguments),
    ];
  });
}

/** `@app.command() def serve(port: int = 80)`: typer makes a flag of every parameter with a default. */
function readPlainParameters(code: CodeText, offered: readonly OfferedDeclaration[]): Thing[] {
  if (!/\btyper\b/.test(code.code)) return [];
  const isOnly = [...code.find(/^[ \t]*@\w+\.command\s*\(/gm)].length < 2;
  return offered.flatMap(({ declaration: { kind, parameters = [], region, nameRegion } }) => {
    if (kind !== "function" || !/@\w+\.command\s*\(/.test(code.code.slice(region.start, nameRegion.start)))
      return [];
    const owner = isOnly ? [] : decoratedCommand(code, offered, nameRegion.start);
    return parameters.flatMap(({ name, type, default: value, region: at }) =>
      value === undefined || /\b(?:Option|Argument|Context)\b/.test(`${type} ${value}`)
        ? []
        : flagThings(code, {
            names: type === "bool" ? withNegation(`--${kebab(name)}`) : [`--${kebab(name)}`],
            ...{ at: at.start, end: at.end, owner, value, type },
          }),
    );
  });
}

/** `@cli.command("name")`, `@app.command()`, `subparsers.add_parser("name")`. */
function readCommands(code: CodeText, offered: readonly OfferedDeclaration[]): Thing[] {
  const decorated = [...code.calls(/^[ \t]*@(?:\w+\.)*(?:command|group)\s*\(/gm)].flatMap((call) => {
    const first = unnamed(call.arguments)[0]?.string ?? named(call.arguments, "name")?.string;
    const target = functionAfter(code, offered, call.end);
    const name =
      first ?? (target ? kebab(target.declaration.name.replace(/_(?:command|cmd|group)$/, "")) : undefined);
    if (name === undefined) return [];
    const description = named(call.arguments, "help", "short_help")?.string;
    return commandThing(code, { name, at: call.start, end: call.end, description });
  });
  const parsers = [...code.calls(/\.add_parser\s*\(/g)].flatMap((call) => {
    const name = unnamed(call.arguments)[0]?.string;
    const description = named(call.arguments, "help", "description")?.string;
    return name ? commandThing(code, { name, at: call.start, end: call.end, description }) : [];
  });
  return [...decorated, ...parsers, ...readInvoke(code, offered)];
}

/** `@task def build(c)` of invoke: a task that a reader runs by its name. */
function readInvoke(code: CodeText, offered: readonly OfferedDeclaration[]): Thing[] {
  if (!/\binvoke\b/.test(code.code)) return [];
  return offered.flatMap(({ declaration: { kind, name, nameRegion, region }, preamble }) => {
    const mark = /@task\b(?:\(([^()]*)\))?/.exec(preamble);
    if (kind !== "function" || !mark) return [];
    const given = /\bname\s*=\s*["']([\w.-]+)["']/.exec(mark[1] ?? "")?.[1];
    return [code.thing({ kind: "script", name: given ?? kebab(name), at: nameRegion.start, region })];
  });
}

/** The command that a decorated function is. */
function decoratedCommand(
  code: CodeText,
  offered: readonly OfferedDeclaration[],
  at: number,
): readonly string[] | undefined {
  const target = functionAround(offered, at);
  if (!target) return undefined;
  const region = target.declaration.region;
  const head = code.code.slice(region.start, target.declaration.nameRegion.start);
  const command = /@(?:\w+\.)*(?:command|group)\s*\(/.exec(head);
  if (!command) return undefined;
  const call = code.readGroup(region.start + command.index + command[0].length - 1);
  const first = call && (unnamed(call.arguments)[0]?.string ?? named(call.arguments, "name")?.string);
  return [first ?? kebab(target.declaration.name.replace(/_(?:command|cmd|group)$/, ""))];
}

function functionAround(offered: readonly OfferedDeclaration[], at: number): OfferedDeclaration | undefined {
  return offered.find(
    ({ declaration: { kind, region } }) =>
      (kind === "function" || kind === "method") && region.start <= at && at < region.end,
  );
}

function functionAfter(
  code: CodeText,
  offered: readonly OfferedDeclaration[],
  at: number,
): OfferedDeclaration | undefined {
  return (
    functionAround(offered, at) ??
    offered.find(
      ({ declaration }) =>
        declaration.kind === "function" &&
        declaration.region.start >= at &&
        code.lineOf(declaration.region.start) - code.lineOf(at) < 20,
    )
  );
}

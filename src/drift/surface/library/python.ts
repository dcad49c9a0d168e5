import type { Argument, CallText, CodeText } from "../read/code-text.ts";
import { kebab } from "../read/names.ts";
import type { OfferedDeclaration } from "../read/symbols.ts";
import type { Thing } from "../thing.ts";
import { createEnclosing } from "../values/enclosing.ts";
import { readLimits } from "../values/limits.ts";
import { receiverName } from "./command-owners.ts";
import { commandThing, flagThings, named, stringsIn, unnamed } from "./flag-things.ts";

/** Commands and flags of argparse, optparse, click and typer. */
export function readPythonFlags(code: CodeText, offered: readonly OfferedDeclaration[]): Thing[] {
  if (!/argument|option|Option|command|parser/.test(code.code)) return [];
  return [
    ...readDeclaredOptions(code, offered),
    ...readTyperParameters(code, offered),
    ...readPlainParameters(code, offered),
    ...readCommands(code, offered),
  ];
}

function readDeclaredOptions(code: CodeText, offered: readonly OfferedDeclaration[]): Thing[] {
  const pattern =
    /(?:\.add_(?:argument|option)|@(?:\w+\.)?option|\b(?:click|cloup|typer)\.(?:Option|option)|\b[oO]ption|\bmake_option)\s*\(/g;
  const parserAt = createParsers(code, offered);
  return [...code.calls(pattern)].flatMap((call) => {
    const spellings = [...unnamed(call.arguments), ...listItems(code, call.arguments)].flatMap(
      ({ string }) =>
        string !== undefined && /^-/.test(string) ? string.split("/").map((each) => each.trim()) : [],
    );
    if (spellings.length === 0 || isTyperParameter(code, call)) return [];
    const owner = call.match[0].startsWith("@")
      ? decoratedCommand(code, offered, call.start)
      : parserAt(receiverName(code, call.start), call.start);
    return [
      ...flagThings(code, { ...common(code, call.arguments, call), names: spellings, owner }),
      ...environment(code, call.arguments),
    ];
  });
}

/** Typer writes the option as the default or the annotation of a parameter; those are read with their functions. */
function isTyperParameter(code: CodeText, { start, match }: CallText): boolean {
  return (
    !match[0].startsWith("@") &&
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
    type: named(args, "type")?.text,
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
      ...(value !== undefined && { value }),
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
        ...(value && value !== "..." && { value }),
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
        : flagThings(code, { names: [`--${kebab(name)}`], at: at.start, end: at.end, owner, value, type }),
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
  return [...decorated, ...parsers];
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

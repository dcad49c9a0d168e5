import type { Argument, CodeText } from "../read/code-text.ts";
import type { OfferedDeclaration } from "../read/symbols.ts";
import type { Thing } from "../thing.ts";
import { commandThing, flagThings, named } from "./flag-things.ts";

/** Commands and flags of `flag`, pflag and cobra, urfave/cli and kingpin. */
export function readGoFlags(code: CodeText, offered: readonly OfferedDeclaration[]): Thing[] {
  if (!/[fF]lag|Command|kingpin/.test(code.code)) return [];
  const commands = readCobraCommands(code);
  const ownerAt = (at: number) => commandAround(at, commands, offered);
  return [
    ...commands.flatMap(({ things }) => things),
    ...withDeprecations(code, readFlagCalls(code, ownerAt)),
    ...readUrfave(code),
    ...readKingpin(code),
  ];
}

type CobraCommand = { readonly name: string; readonly at: number; readonly things: readonly Thing[] };

function readCobraCommands(code: CodeText): CobraCommand[] {
  return [...code.calls(/\bcobra\.Command\s*\{/g)].flatMap((call) => {
    const use = named(call.arguments, "Use")?.string?.split(/\s/)[0];
    if (!use) return [];
    const deprecated = named(call.arguments, "Deprecated")?.string;
    const things = commandThing(code, {
      name: use,
      at: call.start,
      end: call.end,
      description: named(call.arguments, "Short", "Long")?.string,
      hidden: named(call.arguments, "Hidden")?.text === "true",
      ...(deprecated !== undefined && { deprecated }),
    });
    return [{ name: use, at: call.start, things }];
  });
}

/** The command declared before a flag in the same function; without one, the only command of the file. */
function commandAround(
  at: number,
  commands: readonly CobraCommand[],
  offered: readonly OfferedDeclaration[],
): readonly string[] {
  const around = offered.find(
    ({ declaration: { kind, region } }) => kind === "function" && region.start <= at && at < region.end,
  );
  const region = around?.declaration.region;
  const inside = region ? commands.filter((command) => region.start <= command.at && command.at < at) : [];
  const found = inside.at(-1) ?? (commands.length === 1 ? commands[0] : undefined);
  return found ? [found.name] : [];
}

const TYPES =
  "Bool|String|Int|Int8|Int16|Int32|Int64|Uint|Uint8|Uint16|Uint32|Uint64|Float32|Float64|Duration|StringSlice|StringArray|IntSlice|UintSlice|BoolSlice|DurationSlice|StringToString|StringToInt|Count|IP|IPNet|BytesHex|Text|Func|";

/** `fs.StringVarP(&x, "name", "n", "default", "usage")`, `flag.String("name", "default", "usage")`. */
function readFlagCalls(code: CodeText, ownerAt: (at: number) => readonly string[]): Thing[] {
  const pattern = new RegExp(
    `\\b(?:flag|pflag|\\w*[fF]lags?(?:et|Set)?|fs|f|c|Flags\\(\\)|PersistentFlags\\(\\)|LocalFlags\\(\\))\\s*\\.\\s*(${TYPES})(Var)?(P?F?)\\s*\\(`,
    "g",
  );
  return [...code.calls(pattern)].flatMap((call) => {
    const [, type, isVar, short] = call.match;
    if (type === "" && !isVar) return [];
    const args: Argument[] = call.arguments.slice(isVar ? 1 : 0);
    const name = args.shift();
    if (name?.string === undefined || !/^[\w][\w.-]*$/.test(name.string)) return [];
    const shorthand = short?.startsWith("P") ? args.shift()?.string : undefined;
    const description = args.at(-1)?.string;
    const value = type === "Count" || type === "Func" || args.length < 2 ? undefined : args[0]!.text;
    return flagThings(code, {
      names: [name.string, ...(shorthand ? [shorthand] : [])],
      at: call.start,
      end: call.end,
      owner: ownerAt(call.start),
      description: description?.replace(/`([^`]*)`/g, "$1"),
      value,
      type: type || undefined,
    });
  });
}

/** `flags.MarkDeprecated("name", "use --other")`, `MarkHidden("name")`. */
function withDeprecations(code: CodeText, things: readonly Thing[]): Thing[] {
  const deprecated = new Map<string, string>();
  const hidden = new Set<string>();
  for (const call of code.calls(/\.(MarkDeprecated|MarkHidden)\s*\(/g)) {
    const name = call.arguments[0]?.string;
    if (name === undefined) continue;
    if (call.match[1] === "MarkHidden") hidden.add(`--${name}`);
    else deprecated.set(`--${name}`, call.arguments[1]?.string ?? "");
  }
  return things.map((thing) => {
    const text = deprecated.get(thing.name);
    if (hidden.has(thing.name)) return { ...thing, exported: "no" };
    return text === undefined ? thing : { ...thing, deprecated: text };
  });
}

/** `&cli.StringFlag{Name: "port", Aliases: []string{"p"}, Value: 80, Usage: "…", EnvVars: …}`, `&cli.Command{Name: …}`. */
function readUrfave(code: CodeText): Thing[] {
  return [...code.calls(/\bcli\.(\w*Flag|Command)\s*\{/g)].flatMap((call) => {
    const name = named(call.arguments, "Name")?.string;
    if (!name) return [];
    const description = named(call.arguments, "Usage")?.string;
    const place = {
      at: call.start,
      end: call.end,
      description,
      hidden: named(call.arguments, "Hidden")?.text === "true",
    };
    if (call.match[1] === "Command") return commandThing(code, { name, ...place });
    return [
      ...flagThings(code, {
        names: [...name.split(/,\s*/), ...strings(code, named(call.arguments, "Aliases"))],
        value: named(call.arguments, "Value")?.text,
        type: call.match[1]!.replace(/Flag$/, ""),
        ...place,
      }),
      ...strings(code, named(call.arguments, "EnvVars", "EnvVar", "Sources")).map((each) =>
        code.thing({ kind: "environment", name: each, at: call.start }),
      ),
    ];
  });
}

function strings(code: CodeText, argument: Argument | undefined): string[] {
  if (!argument) return [];
  if (argument.string !== undefined) return [argument.string];
  const open = code.code.slice(argument.valueStart, argument.end).search(/[{(](?!\s*[})])/);
  const group = open < 0 ? undefined : code.readGroup(argument.valueStart + open);
  return (group?.arguments ?? []).flatMap(({ string }) => (string !== undefined ? [string] : []));
}

/** `app.Flag("name", "help").Short('n').Default("x").Envar("X")`, `app.Command("name", "help")`. */
function readKingpin(code: CodeText): Thing[] {
  if (!/kingpin/.test(code.code)) return [];
  return [...code.calls(/\.(Flag|Command)\s*\(/g)].flatMap((call) => {
    const [name, help] = call.arguments;
    if (name?.string === undefined) return [];
    const place = { at: call.start, end: call.end, description: help?.string };
    if (call.match[1] === "Command") return commandThing(code, { name: name.string, ...place });
    const rest = code.text.slice(call.end, call.end + 300).split("\n\n")[0]!;
    const value = /^[^\n]*?(?:\.|\.\n\s*)Default\(([^)]*)\)/.exec(rest)?.[1];
    const short = /^[^\n]*?\.Short\('(.)'\)/.exec(rest)?.[1];
    return flagThings(code, { names: [name.string, ...(short ? [short] : [])], ...place, value });
  });
}

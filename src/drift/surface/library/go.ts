import { defined } from "../../../text/model/defined.ts";
import type { Argument, CallText, CodeText } from "../read/code-text.ts";
import type { OfferedDeclaration } from "../read/symbols.ts";
import type { Thing } from "../thing.ts";
import { createEnclosing } from "../values/enclosing.ts";
import { isPlainValue } from "../values/value-text.ts";
import { type CallForm, readForms, stringsOf } from "./call-forms.ts";
import { assignedName, createOwners, type OwnedRange, receiverName } from "./command-owners.ts";
import { commandThing, flagThings, named } from "./flag-things.ts";

/** Commands and flags of `flag`, pflag and cobra, urfave/cli and kingpin. */
export function readGoFlags(code: CodeText, offered: readonly OfferedDeclaration[]): Thing[] {
  if (!/[fF]lag|Command|kingpin/.test(code.code)) return [];
  const commands = readCobraCommands(code);
  const sets = flagSets(code);
  const around = createEnclosing(offered);
  const ownerAt = (at: number, receiver: string | undefined) =>
    (receiver && sets.get(receiver)) || commandAround({ at, receiver, commands, around: around(at) });
  return [
    ...commands.flatMap(({ things }) => things),
    ...withDeprecations(code, readFlagCalls(code, ownerAt)),
    ...readFlagHelpers(code),
    ...readUrfave(code),
    ...readKingpin(code),
  ];
}

type CobraCommand = {
  readonly name: string;
  readonly variable: string | undefined;
  readonly at: number;
  readonly things: readonly Thing[];
};

function readCobraCommands(code: CodeText): CobraCommand[] {
  return [...code.calls(/\bcobra\.Command\s*\{/g)].flatMap((call) => {
    const use = named(call.arguments, "Use")?.string?.split(/\s/)[0];
    if (!use) return [];
    const deprecated = named(call.arguments, "Deprecated")?.string;
    const things = [use, ...strings(code, named(call.arguments, "Aliases"))].flatMap((name) =>
      commandThing(code, {
        name,
        at: call.start,
        end: call.end,
        description: named(call.arguments, "Short", "Long")?.string,
        hidden: named(call.arguments, "Hidden")?.text === "true",
        ...defined({ deprecated }),
      }),
    );
    const variable = assignedName(code, call.start);
    return [{ name: use, variable, at: call.start, things }];
  });
}

/** The flag sets that a file names: `fs := flag.NewFlagSet("push", flag.ExitOnError)`. */
function flagSets(code: CodeText): ReadonlyMap<string, readonly string[]> {
  const calls = [...code.calls(/\bNewFlagSet\s*\(/g)];
  return new Map(
    calls.flatMap((call) => {
      const variable = assignedName(code, call.start);
      const name = call.arguments[0]?.string;
      return variable && name ? [[variable, [name]] as const] : [];
    }),
  );
}

type FlagPlace = {
  readonly at: number;
  readonly receiver: string | undefined;
  readonly commands: readonly CobraCommand[];
  readonly around: OfferedDeclaration | undefined;
};

/** The command that the receiver holds; else the one declared before in the same function, or the only one. */
function commandAround({ at, receiver, commands, around }: FlagPlace): readonly string[] {
  const held = commands.filter(({ variable }) => variable !== undefined && variable === receiver);
  const region = around?.declaration.region;
  const inside = region ? commands.filter((command) => region.start <= command.at && command.at < at) : [];
  const only = commands.length === 1 ? commands[0] : undefined;
  const found = (held.length === 1 ? held[0] : inside.at(-1)) ?? only;
  return found ? [found.name] : [];
}

const TYPES =
  "Bool|String|Int|Int8|Int16|Int32|Int64|Uint|Uint8|Uint16|Uint32|Uint64|Float32|Float64|Duration|StringSlice|StringArray|IntSlice|UintSlice|BoolSlice|DurationSlice|StringToString|StringToInt|Count|IP|IPNet|BytesHex|Text|Func|";

/** `fs.StringVarP(&x, "name", "n", "default", "usage")`, `flag.String("name", "default", "usage")`. */
function readFlagCalls(
  code: CodeText,
  ownerAt: (at: number, receiver: string | undefined) => readonly string[],
): Thing[] {
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
      owner: ownerAt(call.start, receiverOf(code, call)),
      description: description?.replace(/`([^`]*)`/g, "$1"),
      value,
      type: type || undefined,
    });
  });
}

/** `bind(v, fs, fs.BoolP, "name", "n", "key.of.viper", false, "usage")`: a helper that is given the method of a set. */
function readFlagHelpers(code: CodeText): Thing[] {
  const pattern = /\b\w+\s*\((?=[^()"]{0,80}\b(?:fs|\w*[fF]lags?(?:Set)?)\b)/g;
  return [...code.calls(pattern)].flatMap((call) => {
    const set = call.arguments.findIndex(({ text }) => FLAG_METHOD.test(text));
    const bare = call.arguments.findIndex(({ text }) => /^(?:fs|\w*[fF]lags?(?:Set)?)$/.test(text));
    const at = set < 0 ? bare : set;
    const [name, ...rest] = call.arguments.slice(at + 1);
    if (at < 0 || name?.string === undefined || !/^[a-z][\w.-]+$/.test(name.string)) return [];
    const isShort = /P$/.test(set < 0 ? (/^\w+/.exec(call.match[0])?.[0] ?? "") : call.arguments[set]!.text);
    const shorthand = isShort ? rest.shift()?.string : undefined;
    const value = rest.length > 1 ? rest.at(-2) : undefined;
    return flagThings(code, {
      names: [name.string, ...(shorthand ? [shorthand] : [])],
      at: call.start,
      end: call.end,
      description: rest.at(-1)?.string,
      value: value && isPlainValue(value.text) ? value.text : undefined,
    });
  });
}

const FLAG_METHOD = new RegExp(`^\\w+\\.(?:${TYPES.slice(0, -1)})P?$`);

/** `serveCmd` of `serveCmd.Flags().Int(…)`, `fs` of `fs.Int(…)`. */
function receiverOf(code: CodeText, { match, start }: CallText): string | undefined {
  return /Flags\(\)/.test(match[0]) ? receiverName(code, start) : /^\w+/.exec(match[0])?.[0];
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

const URFAVE: readonly CallForm[] = [
  {
    declares: "flag",
    head: /\bcli\.(?:\w*Flag)\s*\{/g,
    facts: {
      names: ["Name", "Aliases"],
      value: ["Value"],
      description: ["Usage"],
      variable: ["EnvVars", "EnvVar", "Sources"],
      hidden: ["Hidden"],
    },
  },
];

/** `&cli.StringFlag{Name: "port", Aliases: []string{"p"}, Value: 80, Usage: "…", EnvVars: …}`, `&cli.Command{Name: …}`. */
function readUrfave(code: CodeText): Thing[] {
  const commands = urfaveCommands(code);
  const ownerAt = createOwners(
    commands.map(({ name, start, end }) => ({ start, end, owner: [name] }) satisfies OwnedRange),
  );
  return [
    ...commands.flatMap((command) =>
      [command.name, ...strings(code, named(command.arguments, "Aliases"))].flatMap((name) =>
        commandThing(code, { ...urfavePlace(command), name }),
      ),
    ),
    ...readForms(code, URFAVE, { ownerAt }),
  ];
}

type Literal = Pick<CallText, "start" | "end" | "arguments">;

function urfavePlace({ start, end, arguments: entries }: Literal) {
  const description = named(entries, "Usage")?.string;
  return { at: start, end, description, hidden: named(entries, "Hidden")?.text === "true" };
}

/** The commands of a program, also those of a list that leaves out the type. A command with commands is the program. */
function urfaveCommands(code: CodeText): (Literal & { readonly name: string })[] {
  const lists = [...code.calls(/\bCommands:\s*\[\]\*?cli\.Command\s*\{/g)];
  const listed = lists.flatMap((list) =>
    list.arguments.flatMap(({ start }) => {
      const group = code.code[start] === "{" ? code.readGroup(start) : undefined;
      return group ? [{ start, ...group }] : [];
    }),
  );
  return [...code.calls(/\bcli\.Command\s*\{(?!\s*\{)/g), ...listed].flatMap((literal) => {
    const name = named(literal.arguments, "Name")?.string;
    return name && !named(literal.arguments, "Commands") ? [{ ...literal, name }] : [];
  });
}

function strings(code: CodeText, argument: Argument | undefined): string[] {
  return argument ? stringsOf(code, argument) : [];
}

const KINGPIN: readonly CallForm[] = [
  {
    declares: "flag",
    head: /\.Flag\s*\(/g,
    facts: { names: [0], description: [1] },
    links: {
      ...{ Short: "names", Default: "value", Envar: "variable", Enum: "choices", EnumVar: "choices" },
      Hidden: "hidden",
    },
  },
  {
    declares: "command",
    head: /\.Command\s*\(/g,
    facts: { names: [0], description: [1] },
    links: { Alias: "names", Hidden: "hidden" },
  },
];

/** `app.Flag("name", "help").Short('n').Default("x").Envar("X")`, `app.Command("name", "help")`. */
function readKingpin(code: CodeText): Thing[] {
  if (!/kingpin/.test(code.code)) return [];
  const commands = new Map<string, readonly string[]>();
  for (const call of code.calls(/\.Command\s*\(/g)) {
    const variable = assignedName(code, call.start);
    const name = call.arguments[0]?.string;
    if (variable && name) commands.set(variable, [name]);
  }
  return readForms(code, KINGPIN, {
    ownerAt: (at) => commands.get(receiverName(code, at) ?? "") ?? [],
  });
}

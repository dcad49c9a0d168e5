import type { Argument, CodeText } from "../read/code-text.ts";
import { kebab } from "../read/names.ts";
import type { OfferedDeclaration } from "../read/symbols.ts";
import type { Thing } from "../thing.ts";
import { type CallForm, type OwnerAt, readForms, stringsOf, withNegation } from "./call-forms.ts";
import { assignedName, createOwners, type OwnedRange, readChain } from "./command-owners.ts";
import { commandThing, flagThings, named, stringsIn } from "./flag-things.ts";

/** Commands and flags of commander, cac, yargs, meow, oclif, citty, `parseArgs` and tables of options. */
export function readJavaScriptFlags(code: CodeText, offered: readonly OfferedDeclaration[]): Thing[] {
  if (!/option|command|flag|parseArgs|argv|alias|\barg\(|\bboolean\s*:\s*\[/i.test(code.code)) return [];
  const ownerAt = createOwners(commandRanges(code));
  return [
    ...readOptionCalls(code, ownerAt),
    ...readForms(code, OPTION, { ownerAt }),
    ...readYargsLinks(code, ownerAt),
    ...readParserTables(code),
    ...readFlagKeys(code),
    ...readCommandCalls(code),
    ...readOptionObjects(code, ownerAt),
    ...readNamedEntries(code),
    ...readFlagTables(code, offered),
  ];
}

const COMMAND_CALL = /(?:\.(?:command|addCommand)|\bnew\s+(?:\w+\.)?Command)\s*\((?=\s*["'`])/g;

/** Where the options of each command stand: behind it in its chain, in its builder, or behind a variable that holds it. */
function commandRanges(code: CodeText): OwnedRange[] {
  const ranges: OwnedRange[] = [];
  const variables = new Map<string, readonly string[]>();
  for (const call of code.calls(COMMAND_CALL)) {
    const [first, ...others] = call.arguments;
    const name = first?.string?.split(/[\s<[|,]/)[0];
    if (!name) continue;
    const isBuilt = others.some(({ text }) => /=>|\bfunction\b|^\{/.test(text));
    const chain = { start: call.end, end: readChain(code, call.end, "command").end };
    ranges.push({ ...(isBuilt ? { start: call.start, end: call.end } : chain), owner: [name] });
    const variable = assignedName(code, call.start);
    if (variable) variables.set(variable, [name]);
  }
  if (variables.size === 0) return ranges;
  for (const match of code.find(/(?<![\w$.)\]])([A-Za-z_$][\w$]*)(?=\s*\.\s*[a-zA-Z]+\s*\()/g)) {
    const owner = variables.get(match[1]!);
    const start = match.index + match[0].length;
    if (owner) ranges.push({ start, end: readChain(code, start, "command").end, owner });
  }
  return ranges;
}

const OPTION: readonly CallForm[] = [
  {
    declares: "flag",
    head: /\bnew\s+(?:\w+\.)?Option\s*\(/g,
    facts: { names: [0], description: [1] },
    links: { default: "value", choices: "choices", hideHelp: "hidden", env: "variable" },
  },
  // clipanion.
  {
    declares: "flag",
    head: /\bOption\.(?:Boolean|String|Array|Counter)\s*\(/g,
    dashed: true,
    facts: { names: [0], value: [1], description: ["description"] },
  },
  // ts-command-line.
  {
    declares: "flag",
    head: /\.define\w+Parameter\s*\(\s*\{/g,
    facts: {
      names: ["parameterLongName", "parameterShortName"],
      value: ["defaultValue"],
      description: ["description"],
      variable: ["environmentVariable"],
    },
  },
];

/** `.option("-p, --port <number>", "help", 80)`, `.option("port", { … })`, `.boolean("quiet")`. */
function readOptionCalls(code: CodeText, ownerAt: OwnerAt): Thing[] {
  return [...code.calls(/\.(?:option|requiredOption|addOption)\s*\(/g)].flatMap((call) => {
    const [first, second, third] = call.arguments;
    if (first?.string === undefined) return [];
    const at = first.start;
    const common = { at, end: call.end, owner: ownerAt(call.start) };
    if (/(?:^|[\s,|])--?\w/.test(first.string)) {
      const settings = third && code.code[third.valueStart] === "{" ? entriesOf(code, third) : [];
      return flagThings(code, {
        ...common,
        names: flagNames(first.string),
        description: second?.string,
        value:
          named(settings, "default")?.text ?? (settings.length === 0 ? lastValue(call.arguments) : undefined),
      });
    }
    if (!second || code.code[second.valueStart] !== "{") return [];
    return yargsOption(code, first.string, { entries: entriesOf(code, second), ...common });
  });
}

/** The lists by type, the aliases and the defaults that minimist, mri, getopts and yargs-parser are given. */
const PARSER_KEYS = ["boolean", "string", "array", "number", "count", "alias", "default"];
const PARSER_TABLE = new RegExp(
  `(\\b(?:minimist|mri|getopts)\\s*\\([^;]{0,120}?,\\s*)?\\{(?=\\s*(?:${PARSER_KEYS.join("|")})\\s*:\\s*[[{])`,
  "g",
);

/** `minimist(argv, { boolean: ["watch"], alias: { w: "watch" }, default: { out: "dist" } })`, or that table as a constant. */
function readParserTables(code: CodeText): Thing[] {
  return [...code.calls(PARSER_TABLE)].flatMap((call) => {
    const known = PARSER_KEYS.map((key) => named(call.arguments, key));
    if (!call.match[1] && known.filter(Boolean).length < 2) return [];
    const [alias, preset] = known
      .slice(-2)
      .map((entry) => (entry && code.code[entry.valueStart] === "{" ? entriesOf(code, entry) : []));
    const defaults = new Map(preset!.map(({ name = "", text }) => [name, text] as const));
    const aliases = alias!.map((entry) => [entry.name ?? "", ...stringsOf(code, entry)]);
    const listed = known.slice(0, -2).flatMap((entry) => (entry ? stringsOf(code, entry) : []));
    return [...aliases, ...[...listed, ...defaults.keys()].map((name) => [name])].flatMap((names) => {
      const value = names.map((name) => defaults.get(name)).find((each) => each !== undefined);
      return flagThings(code, { names: names.map(kebabFlag), at: call.start, end: call.end, value });
    });
  });
}

/** `arg({ "--port": Number, "-p": "--port" })`: a table whose keys are flags. */
function readFlagKeys(code: CodeText): Thing[] {
  return [...code.calls(/\barg\s*\(\s*\{(?=\s*["'])/g)].flatMap((call) =>
    call.arguments.flatMap(({ name, start, end }) =>
      name?.startsWith("-") ? flagThings(code, { names: [name], at: start, end }) : [],
    ),
  );
}

/** `.boolean("quiet")`, `.alias("q", "quiet")`, `.default("depth", 3)` of yargs, where the file uses it. */
function readYargsLinks(code: CodeText, ownerAt: OwnerAt): Thing[] {
  if (!/\byargs\b/.test(code.code)) return [];
  return [...code.calls(/\.(boolean|string|number|array|alias|default)\s*\((?=\s*["'[])/g)].flatMap(
    (call) => {
      const [first, second] = call.arguments;
      const names =
        call.match[1] === "alias"
          ? call.arguments.flatMap((each) => stringsOf(code, each))
          : stringsOf(code, first!);
      const value = call.match[1] === "default" ? second?.text : undefined;
      const place = { at: call.start, end: call.end, owner: ownerAt(call.start), value };
      return names.flatMap((name) => flagThings(code, { ...place, names: [name] }));
    },
  );
}

function lastValue(args: readonly Argument[]): string | undefined {
  const value = args.length > 2 ? args.at(-1) : undefined;
  return value && !/=>|\bfunction\b|^(?!DEFAULT|default)[A-Za-z_$][\w$]*$/.test(value.text)
    ? value.text
    : /^(?:true|false)$/.test(value?.text ?? "")
      ? value!.text
      : undefined;
}

/** `-p, --port <number>`; `--no-color` takes the colour away. */
function flagNames(spelling: string): string[] {
  return Array.from(spelling.matchAll(/(?:^|[\s,|/])(--?[A-Za-z?][\w.:-]*)/g), (match) =>
    match[1]!.replace(/[.:]$/, ""),
  );
}

function entriesOf(code: CodeText, argument: Argument): readonly Argument[] {
  return code.readGroup(argument.valueStart)?.arguments ?? [];
}

type OptionEntries = {
  readonly entries: readonly Argument[];
  readonly at: number;
  readonly end: number;
  readonly owner?: readonly string[];
};

function yargsOption(code: CodeText, name: string, { entries, at, end, owner }: OptionEntries): Thing[] {
  const alias = named(entries, "alias", "shortFlag", "short", "shorthand", "char", "aliases");
  const aliases = alias ? (alias.string !== undefined ? [alias.string] : stringsIn(code, alias)) : [];
  const value = named(entries, "default", "defaultValue")?.text;
  // optionator turns a flag that is on by itself off; oclif asks for it.
  const isNegatable =
    named(entries, "allowNo")?.text === "true" ||
    (named(entries, "option") !== undefined && /^["']true["']$/.test(value ?? ""));
  const variable = named(entries, "env");
  const flags = flagThings(code, {
    names: [...(isNegatable ? withNegation(name) : [name]), ...aliases],
    at,
    end,
    owner,
    description: named(entries, "describe", "description", "desc", "help", "summary")?.string,
    value,
    type: named(entries, "type")?.text,
    choices: stringsIn(code, named(entries, "choices", "options", "enum")),
    hidden: /^true$/.test(named(entries, "hidden")?.text ?? ""),
  });
  const isVariable = variable?.string !== undefined && /^[A-Z][A-Z0-9_]+$/.test(variable.string);
  const given = value === undefined ? {} : { value };
  return isVariable
    ? [...flags, code.thing({ kind: "environment", name: variable.string!, at: variable.start, ...given })]
    : flags;
}

/** `.command("build [dir]", "help")`, and the `command:` of a yargs module. */
function readCommandCalls(code: CodeText): Thing[] {
  return [...code.calls(COMMAND_CALL)].flatMap((call) => {
    const [first, second] = call.arguments;
    if (first?.string === undefined) return [];
    const name = first.string.split(/[\s<[|,]/)[0]!;
    const described = /^\s*\.\s*(?:description|describe|summary)\s*\(/.exec(
      code.code.slice(call.end, call.end + 200),
    );
    const text = described
      ? code.readGroup(call.end + described[0].length - 1)?.arguments[0]?.string
      : undefined;
    return commandThing(code, {
      name,
      at: first.start + 1,
      end: call.end,
      description: second?.string ?? text,
    });
  });
}

/** What stands before an object whose keys are flags. */
const OPTION_OBJECTS: readonly string[] = [
  /\.options\s*\(\s*/,
  /\bflags\s*[:=]\s*/,
  /\bargs\s*:\s*(?=\{\s*\w+\s*:\s*\{\s*(?:type|alias|description)\b)/,
  /\bparseArgs\s*\(\s*\{(?:[^{}]|\{[^{}]*\})*?\boptions\s*:\s*/,
].map(({ source }) => source);

/** `.options({ port: { describe: …, default: 80 } })`, `meow(…, { flags: { port: { … } } })`, `static flags = { … }`. */
function readOptionObjects(code: CodeText, ownerAt: OwnerAt): Thing[] {
  // The path of a class of oclif is its command.
  const own = /(?:^|\/)commands\/(.+?)(?:\/index)?\.[cm]?[jt]s$/.exec(code.path)?.[1]?.split("/") ?? [];
  const pattern = new RegExp(`(?:${OPTION_OBJECTS.join("|")})\\{`, "g");
  return [...code.calls(pattern)].flatMap((call) =>
    call.arguments.flatMap((entry) => {
      const brace = code.code.slice(entry.valueStart, entry.end).indexOf("{");
      if (
        !entry.name ||
        brace < 0 ||
        !/^(?:[\w.]+\s*\(\s*)?$/.test(code.code.slice(entry.valueStart, entry.valueStart + brace))
      )
        return [];
      const entries = code.readGroup(entry.valueStart + brace)?.arguments ?? [];
      if (
        !named(entries, "type", "describe", "description", "default", "alias", "char", "shortFlag", "short")
      )
        return [];
      const owner = /^flags/.test(call.match[0]) ? own : ownerAt(call.start);
      return yargsOption(code, kebabFlag(entry.name), { entries, at: entry.start, end: entry.end, owner });
    }),
  );
}

/** A reader types `--dry-run` for the key `dryRun`. */
function kebabFlag(name: string): string {
  return /[A-Z]/.test(name) && !/-/.test(name) ? kebab(name) : name;
}

/** `{ name: "port", alias: "p", type: Number, description: "…" }`: an entry of a table of flags. */
function readNamedEntries(code: CodeText): Thing[] {
  const pattern = /(?<=[[,(:]\s{0,200})\{(?=\s*(?:name|option|alias|description|usage|type)\s*:)/g;
  return [...code.calls(pattern)].flatMap((call) => {
    const name = named(call.arguments, "name", "option")?.string;
    const description = named(call.arguments, "description", "describe", "desc")?.string;
    const isTyped = /^(?:String|Number|Boolean)$/.test(named(call.arguments, "type")?.text ?? "");
    if (
      !name ||
      (description === undefined && !isTyped) ||
      !named(call.arguments, "type", "alias", "configs", "defaultType", "multiple", "usage")
    )
      return [];
    if (named(call.arguments, "pkg", "usage") || /\s[[<]/.test(name))
      return commandThing(code, {
        name: name.split(/[\s[<]/)[0]!,
        at: call.start,
        end: call.end,
        description,
      });
    return yargsOption(code, name, { entries: call.arguments, at: call.start, end: call.end });
  });
}

/** A table of flags by name whose entries have descriptions: `const cliOptions = { root: { description: "…" } }`. */
function readFlagTables(code: CodeText, offered: readonly OfferedDeclaration[]): Thing[] {
  return offered.flatMap(({ declaration }) => {
    const { kind, path, value, region } = declaration;
    if (kind !== "property" || path.length < 2 || !value?.startsWith("{")) return [];
    if (!/cli|flag|command/i.test(path[0]!) || !/option|flag|config|args/i.test(path[0]!)) return [];
    const open = code.code.lastIndexOf("{", region.end - value.length);
    const entries = code.readGroup(open)?.arguments ?? [];
    const description = named(entries, "description");
    if (!description) return [];
    const parents = path.slice(1, -1).filter((part) => part !== "subcommands");
    return yargsOption(code, [...parents, declaration.name].join("."), {
      entries,
      at: region.start,
      end: region.end,
    });
  });
}

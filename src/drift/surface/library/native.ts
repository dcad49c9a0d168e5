import type { CodeText } from "../read/code-text.ts";
import type { Thing } from "../thing.ts";
import { bareValue, isPlainValue } from "../values/value-text.ts";
import { type CallForm, readForms } from "./call-forms.ts";
import { assignedName, receiverName } from "./command-owners.ts";
import { flagThings } from "./flag-things.ts";

const FORMS: readonly CallForm[] = [
  // CLI11, and argparse for C++.
  {
    declares: "flag",
    head: /(?:\.|->)\s*add_(?:option|flag|argument)(?:_function)?(?:<[^<>()]*>)?\s*\(/g,
    dashed: true,
    facts: { names: [0, 1], description: [2] },
    links: {
      ...{ default_val: "value", default_value: "value", default_str: "value" },
      ...{ help: "description", envname: "variable", choices: "choices" },
    },
  },
  {
    declares: "command",
    head: /(?:\.|->)\s*add_subcommand\s*\(/g,
    facts: { names: [0], description: [1] },
  },
];

/** Commands and flags of getopt, argp, CLI11, argparse for C++, cxxopts, Boost and gflags. */
export function readNativeFlags(code: CodeText): Thing[] {
  const commands = new Map<string, readonly string[]>();
  for (const call of code.calls(/(?:\.|->)\s*add_subcommand\s*\(/g)) {
    const variable = assignedName(code, call.start);
    const name = call.arguments[0]?.string;
    if (variable && name) commands.set(variable, [name]);
  }
  const ownerAt = (at: number) => commands.get(receiverName(code, at) ?? "") ?? [];
  return [
    ...readOptionTables(code),
    ...readLetters(code),
    ...readForms(code, FORMS, { ownerAt }),
    ...readOptionGroups(code),
    ...readDefined(code),
  ];
}

/** `options.add_options()("l,level", "help", value<int>()->default_value("3"))("v,verbose", "help")`. */
function readOptionGroups(code: CodeText): Thing[] {
  return Array.from(code.find(/\badd_options\s*\([^()]*\)/g)).flatMap((match) => {
    const found: Thing[] = [];
    let end = match.index + match[0].length;
    for (let step = 0; step < 300; step++) {
      const open = /^\s*\(/.exec(code.code.slice(end, end + 200));
      const group = open ? code.readGroup(end + open[0].length - 1) : undefined;
      if (!group) break;
      const [names, ...rest] = group.arguments;
      const value = /\bdefault_value\(\s*(?!\s)([^()]*[^()\s])\s*\)/.exec(
        rest.map(({ text }) => text).join(" "),
      )?.[1];
      found.push(
        ...flagThings(code, {
          names: names?.string?.split(/(?<!\s)\s*,\s*/) ?? [],
          at: end,
          end: group.end,
          value,
          description: rest.find(({ string }) => string !== undefined)?.string,
        }),
      );
      end = group.end;
    }
    return found;
  });
}

/** `DEFINE_int32(workers, 4, "help")`, `ABSL_FLAG(std::string, lang, "en", "help")`. */
function readDefined(code: CodeText): Thing[] {
  return [...code.calls(/^[ \t]*(?:DEFINE_(?:bool|u?int(?:32|64)|double|string)|ABSL_FLAG)\s*\(/gm)].flatMap(
    (call) => {
      const [name, value, help] = call.arguments.slice(/ABSL/.test(call.match[0]) ? 1 : 0);
      const names = name && /^\w+$/.test(name.text) ? [`--${name.text}`] : [];
      return flagThings(code, {
        names,
        at: call.start,
        end: call.end,
        value: value?.text,
        description: help?.string,
      });
    },
  );
}

/** Tables of long options in C: `{"name", required_argument, 0, 'n'}`, `{"name", ARG_STRG, 'n', C_NAME}`. */
function readOptionTables(code: CodeText): Thing[] {
  const kind = "no_argument|required_argument|optional_argument|ARG_\\w+|OPT_\\w+|[012]\\s*,|'.'\\s*,";
  return [...code.calls(new RegExp(`\\{(?=\\s*"\\u0001+"\\s*,\\s*(?:${kind}))`, "g"))].flatMap((call) => {
    const name = call.arguments[0]?.string;
    if (name === undefined || !/^[\w][\w.-]*$/.test(name)) return [];
    const others = call.arguments.slice(1).map(({ text }) => text);
    const short = others.map((text) => /^'(\w)'$/.exec(text)?.[1]).find((each) => each !== undefined);
    return flagThings(code, {
      names: [`--${name}`, ...(short ? [`-${short}`] : [])],
      at: call.start,
      end: call.end,
      value: initialValue(code, others.at(-1) ?? ""),
    });
  });
}

/** `getopt(argc, argv, "n:v")`. */
function readLetters(code: CodeText): Thing[] {
  return [...code.calls(/\bgetopt(?:_long(?:_only)?)?\s*\(/g)].flatMap(({ start, end, arguments: given }) =>
    Array.from(given[2]?.string?.replace(/[^A-Za-z]/g, "") ?? "").flatMap((letter) =>
      flagThings(code, { names: [`-${letter}`], at: start, end, value: initialValue(code, `'${letter}'`) }),
    ),
  );
}

/** `case 'n': lines = atoi(optarg);` after `int lines = 10;`: the value that the variable of an option begins with. */
function initialValue({ text }: CodeText, returned: string): string | undefined {
  if (!/^(?:'\w'|[A-Z]\w+|\d{3,})$/.test(returned)) return undefined;
  const arm = text.indexOf(`case ${returned}:`);
  const set = arm < 0 ? null : /([A-Za-z_]\w*)\s*=[^=;\n]*\boptarg\b/.exec(text.slice(arm, arm + 200));
  if (!set) return undefined;
  const first = new RegExp(`\\b${set[1]}\\s*=\\s*([^=;,{}\\n][^;,{}\\n]*)[;,}]`).exec(text.slice(0, arm));
  const value = first ? bareValue(first[1]!.trim()) : "";
  return isPlainValue(value) ? value : undefined;
}

/** `static const struct config defaults = { .port = 8080 }`: the fields that a default configuration sets. */
export function readInitialisers(code: CodeText): Thing[] {
  const pattern = /\b(?:struct\s+)?(\w+)\s+\w*(?:default|DEFAULT)\w*\s*=\s*\{(?=\s*\.)/g;
  return [...code.calls(pattern)].flatMap((call) =>
    call.arguments.flatMap(({ start, end }) => {
      const field = /^\.(\w+)\s*=\s*/.exec(code.text.slice(start, Math.min(end, start + 200)));
      const value = field && bareValue(code.text.slice(start + field[0].length, end));
      if (!field || !value || !isPlainValue(value)) return [];
      return [code.thing({ kind: "setting", name: field[1]!, owner: [call.match[1]!], at: start, value })];
    }),
  );
}

/** `--name)` and `-n|--name=*)` of a shell `case`, and the letters of `getopts`, with the variables that they set. */
export function readShellFlags(code: CodeText): Thing[] {
  const defaults = readAssignments(code);
  const arms = Array.from(
    code.find(
      /^[ \t]*(--?[A-Za-z][\w-]*=?\*?(?:(?:[ \t]*\|[ \t]*|[ \t]+)--?[A-Za-z][\w-]*=?\*?)*)[ \t]*(?:\|[ \t]*)?\)/gm,
    ),
  ).flatMap((match) =>
    flagThings(code, {
      names: Array.from(match[1]!.matchAll(/--?[A-Za-z][\w-]*/g), ([name]) => name),
      at: match.index + match[0].indexOf("-"),
      value: defaults.get(assignedBy(code, match.index + match[0].length) ?? ""),
    }),
  );
  return [...arms, ...readGetopts(code, defaults)];
}

/** `getopts "d:v" opt` and its arm `d) depth=$OPTARG`. */
function readGetopts(code: CodeText, defaults: ReadonlyMap<string, string>): Thing[] {
  return Array.from(code.find(/\bgetopts\s+(["'])/g)).flatMap((match) => {
    const from = match.index + match[0].length;
    const letters = /^[\w:]+/.exec(code.text.slice(from, from + 80))?.[0].replace(/:/g, "") ?? "";
    return [...letters].flatMap((letter) => {
      const arm = new RegExp(`^[ \\t]*${letter}\\)`, "m").exec(code.code.slice(from, from + 4000));
      const variable = arm ? assignedBy(code, from + arm.index + arm[0].length) : undefined;
      return flagThings(code, {
        names: [`-${letter}`],
        at: match.index,
        value: defaults.get(variable ?? ""),
      });
    });
  });
}

/** The first plain value of each variable of a script. */
function readAssignments(code: CodeText): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const match of code.find(/^[ \t]*(?:readonly[ \t]+|local[ \t]+|declare[ \t]+)?(\w+)=/gm)) {
    const from = match.index + match[0].length;
    const value = SHELL_VALUE.exec(code.text.slice(from, from + 200));
    const plain = value?.[1] ?? value?.[2] ?? value?.[3];
    if (plain !== undefined && plain !== "" && !found.has(match[1]!)) found.set(match[1]!, plain);
  }
  return found;
}

/** A literal, or the default of an expansion: `"x"`, `5`, `${PORT:-5}`. */
const SHELL_VALUE = /^"?\$\{\w+:?-([^{}$"]*)\}"?|^(["'][^"'$`\n]*["'])|^([\w./:-]+)(?=\s|;|$)/;

/** The variable that an arm of a `case` sets from its argument. */
function assignedBy(code: CodeText, from: number): string | undefined {
  return /^\s*(?:shift(?:\s*;\s*|\s+))?(\w+)=["']?\$(?:\{?(?:[12]|OPTARG)\b|\{1[#%])/.exec(
    code.text.slice(from, from + 80),
  )?.[1];
}

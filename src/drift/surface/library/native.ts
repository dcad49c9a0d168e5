import type { CodeText } from "../read/code-text.ts";
import type { Thing } from "../thing.ts";
import { bareValue, isPlainValue } from "../values/value-text.ts";
import { flagThings } from "./flag-things.ts";

/** Tables of long options in C: `{"name", required_argument, 0, 'n'}`, `{"name", ARG_STRG, 'n', C_NAME}`. */
export function readNativeFlags(code: CodeText): Thing[] {
  return [
    ...code.calls(
      /\{(?=\s*"\u0001+"\s*,\s*(?:no_argument|required_argument|optional_argument|ARG_\w+|OPT_\w+|[012]\s*,))/g,
    ),
  ].flatMap((call) => {
    const name = call.arguments[0]?.string;
    if (name === undefined || !/^[\w][\w.-]*$/.test(name)) return [];
    const short = call.arguments
      .slice(1)
      .map(({ text }) => /^'(\w)'$/.exec(text)?.[1])
      .find((each) => each !== undefined);
    return flagThings(code, {
      names: [`--${name}`, ...(short ? [`-${short}`] : [])],
      at: call.start,
      end: call.end,
    });
  });
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
  const arms = Array.from(code.find(/^[ \t]*((?:--?[A-Za-z][\w-]*(?:=\*|=)?[ \t]*\|?[ \t]*)+)\)/gm)).flatMap(
    (match) =>
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
  return /^[\s]*(?:shift\s*;?\s*)?(\w+)=["']?\$(?:\{?(?:[12]|OPTARG)\b|\{1[#%])/.exec(
    code.text.slice(from, from + 80),
  )?.[1];
}

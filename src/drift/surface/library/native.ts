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

/** `--name)` and `-n|--name=*)` of a shell `case`. */
export function readShellFlags(code: CodeText): Thing[] {
  return Array.from(code.find(/^[ \t]*((?:--?[A-Za-z][\w-]*(?:=\*|=)?[ \t]*\|?[ \t]*)+)\)/gm)).flatMap(
    (match) =>
      flagThings(code, {
        names: Array.from(match[1]!.matchAll(/--?[A-Za-z][\w-]*/g), ([name]) => name),
        at: match.index + match[0].indexOf("-"),
      }),
  );
}

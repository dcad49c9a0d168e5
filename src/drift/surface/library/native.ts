import type { CodeText } from "../read/code-text.ts";
import type { Thing } from "../thing.ts";
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

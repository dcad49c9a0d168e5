import { C_LITERALS } from "../../../syntax/languages/literals.ts";
import { CodeText, DATA_CODE } from "../read/code-text.ts";
import type { Thing } from "../thing.ts";
import { flagThings } from "./flag-things.ts";

/** What autoconf, m4 and CMake files offer to those who build the project; nothing for other files. */
export function readBuildFile(path: string, text: string): Thing[] {
  if (/(?:^|\/)(?:configure\.(?:ac|in)|[^/]*\.m4)$/.test(path))
    return readAutoconf(new CodeText(path, text, { literals: C_LITERALS }));
  if (/(?:^|\/)(?:CMakeLists\.txt|[^/]*\.cmake)$/.test(path))
    return readCMake(new CodeText(path, text, DATA_CODE));
  return [];
}

/** `AC_ARG_WITH([name], AS_HELP_STRING([--with-name], [help]))`, `AC_ARG_ENABLE(name, …)`. */
function readAutoconf(code: CodeText): Thing[] {
  const text = code.text;
  const pattern = /^(?![ \t]*(?:dnl|#))[^\n#]*?\bAC_ARG_(WITH|ENABLE)\(\s*\[?([\w.+-]+)\]?\s*,/gm;
  return Array.from(text.matchAll(pattern)).flatMap((match) => {
    const at = match.index + match[0].indexOf("AC_ARG");
    const rest = text.slice(at, at + 1500).split(/\n(?=\s*AC_ARG_)/)[0]!;
    const help =
      /AS_HELP_STRING\(\s*\[(--[^[\]]*(?:\[[^[\]]*\][^[\]]*)*)\]\s*,\s*\[([\s\S]*?)\]\s*(?:,|\))/.exec(rest);
    const prefixes = match[1] === "WITH" ? ["with", "without"] : ["enable", "disable"];
    return flagThings(code, {
      names: prefixes.map((prefix) => `--${prefix}-${match[2]!}`),
      at,
      description: help?.[2]?.replace(/\s+/g, " "),
    });
  });
}

/** `option(NAME "help" ON)`, `set(NAME "value" CACHE STRING "help")`, `cmake_dependent_option(NAME "help" ON …)`. */
function readCMake(code: CodeText): Thing[] {
  const options = Array.from(code.find(/^[ \t]*(?:cmake_dependent_)?option\s*\(\s*(\w+)\s+"/gim)).flatMap(
    (match) => {
      const quote = match.index + match[0].length - 1;
      const [description, end] = readQuoted(code, quote);
      const value = /^\s*(\w+)/.exec(code.code.slice(end, end + 40))?.[1] ?? "OFF";
      return [code.thing({ ...settingAt(match, end), value, description })];
    },
  );
  const cached = Array.from(code.find(/^[ \t]*set\s*\(\s*(\w+)\s+([^\s()]*)\s+CACHE\s+(\w+)\s+"/gim)).flatMap(
    (match) => {
      const [description, end] = readQuoted(code, match.index + match[0].length - 1);
      const valueAt =
        match.index + match[0].indexOf(match[2]!, match[0].indexOf(match[1]!) + match[1]!.length);
      const value = code.text.slice(valueAt, valueAt + match[2]!.length);
      return [code.thing({ ...settingAt(match, end), value, type: match[3]!, description })];
    },
  );
  return [...options, ...cached];
}

/** A setting of CMake, whose name is the first group of the match. */
function settingAt({ 1: name, index }: RegExpExecArray, end: number) {
  return {
    kind: "setting",
    name: name!,
    owner: ["cmake"],
    at: index,
    region: { start: index, end },
  } as const;
}

function readQuoted(code: CodeText, quote: number): [string, number] {
  const close = code.code.indexOf('"', quote + 1);
  const end = close < 0 ? code.text.length : close + 1;
  return [code.text.slice(quote + 1, end - 1).slice(0, 600), end];
}

import { defined } from "../../../text/model/defined.ts";
import type { Thing } from "../thing.ts";
import type { CodeText } from "./code-text.ts";
import type { OfferedDeclaration } from "./symbols.ts";

/** Error codes with the message beside them, and the texts of errors that are raised. */
export function readErrors(code: CodeText, offered: readonly OfferedDeclaration[]): Thing[] {
  return [...readCodes(code), ...readTables(code, offered), ...readMessages(code)];
}

/** `const ERRORS = { TIMEOUT: "ERR_APP_TIMEOUT" }`: the values of a table of codes. */
function readTables(code: CodeText, offered: readonly OfferedDeclaration[]): Thing[] {
  return offered.flatMap(({ declaration: { value, nameRegion, region } }) => {
    const name = /^["'](\w+)["']$/.exec(value ?? "")?.[1];
    if (!name || !/(?:^|_)(?:ERR|ERROR|E)_/.test(name) || !CODE.test(name)) return [];
    return [code.thing({ kind: "error", name, at: nameRegion.start, region })];
  });
}

const CODE = /^(?:[A-Z][A-Z0-9]*_)*(?:ERR|ERROR|E|WARN|DEP)[A-Z0-9]*(?:_[A-Z0-9]+)+$|^[A-Z]{2,}\d{3,5}$/;

/** `createError("FST_ERR_X", "message", 500)`, `code: "ERR_X"`, `this.code = "ERR_X"`. */
function readCodes(code: CodeText): Thing[] {
  const found = new Map<string, Thing>();
  const add = (name: string, at: number, rest: Pick<Thing, "description" | "value">) => {
    if (CODE.test(name) && !found.has(name))
      found.set(name, code.thing({ kind: "error", name, at, ...rest }));
  };
  for (const call of code.calls(
    /\b\w*(?:[eE]rror|[wW]arning|Deprecation)\w*\s*\((?=\s*(?:\{\s*)?["'`a-z])/g,
  )) {
    const strings = call.arguments.flatMap(({ string, start }) =>
      string !== undefined ? [{ string, start }] : [],
    );
    const name = strings.find(({ string }) => CODE.test(string));
    const description = strings.find(({ string }) => string !== name?.string && /\s/.test(string))?.string;
    const value = call.arguments.find(({ text }) => /^[1-5]\d\d$/.test(text))?.text;
    if (name)
      add(
        name.string,
        name.start,
        defined({ description: description || undefined, value: value || undefined }),
      );
  }
  for (const match of code.find(/\bcode\s*(?::|=(?!=))\s*(["'])\u0001+\1/g)) {
    const end = match.index + match[0].length;
    const start = end - match[0].length + match[0].indexOf(match[1]!) + 1;
    add(code.text.slice(start, end - 1), start, {});
  }
  return [...found.values()];
}

/** Texts of three words and more; documents do not quote shorter ones. */
function readMessages(code: CodeText): Thing[] {
  const { raises } = code.libraries;
  if (!raises) return [];
  const found = new Map<string, Thing>();
  for (const call of code.calls(raises)) {
    const text = call.arguments.find(
      ({ string, text: written }) => string !== undefined || written.startsWith("`"),
    );
    const name = (text?.string ?? text?.text.slice(1, -1) ?? "").replace(/\s+/g, " ").trim();
    if (!text || name.split(" ").length < 3 || name.length > 300) continue;
    found.set(
      name,
      code.thing({ kind: "message", name, at: text.start, region: { start: text.start, end: text.end } }),
    );
  }
  return [...found.values()];
}

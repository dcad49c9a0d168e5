import { closingAt } from "../../../syntax/source/brackets.ts";
import { defined } from "../../../text/model/defined.ts";
import { CodeText } from "../read/code-text.ts";
import { deprecation, describe } from "../read/documentation.ts";
import type { Thing, ThingKind } from "../thing.ts";

/** A name within the braces of another one: `type Query { matches }`. */
type Holder = { readonly path: readonly string[]; readonly keyword: string; readonly end: number };

/** How a language for interfaces writes its declarations. */
export type InterfaceLanguage = {
  readonly literals: readonly RegExp[];
  /** The head of a block. Groups: the keyword, the name. */
  readonly block: RegExp;
  /** A declaration within a block, at the start of a line or behind a separator. Groups as in `read`. */
  readonly entry: RegExp;
  /** Keywords of blocks whose entries are values. */
  readonly lists: ReadonlySet<string>;
  /** What an entry of a block says; nothing if it is none. */
  readonly read: (match: RegExpExecArray, code: CodeText) => EntryDraft | undefined;
};

export type EntryDraft = {
  readonly name: string;
  /** Where the name is written. */
  readonly at: number;
  readonly end: number;
  readonly type?: string | undefined;
  readonly value?: string | undefined;
  readonly deprecated?: string | undefined;
  readonly parameters?: readonly FieldArgument[];
};

export type FieldArgument = {
  readonly name: string;
  readonly at: number;
  readonly type: string;
  readonly value?: string;
};

/** The declarations of GraphQL, protobuf and their like: blocks, their entries, and the arguments of these. */
export function readInterface(path: string, text: string, language: InterfaceLanguage): Thing[] {
  const code = new CodeText(path, text, { literals: language.literals });
  const holders: Holder[] = [];
  const things: Thing[] = [];
  for (const match of code.find(language.block)) {
    const [, keyword = "", name = ""] = match;
    const open = match.index + match[0].length - 1;
    while (holders.length > 0 && holders.at(-1)!.end < match.index) holders.pop();
    const path = [...(holders.at(-1)?.path ?? []), name];
    const close = closingAt(code.code, open);
    const end = close < 0 ? code.code.length : close + 1;
    holders.push({ path, keyword: keyword, end });
    const at = match.index + match[0].lastIndexOf(name, match[0].length - 1);
    const region = { start: match.index, end };
    things.push(
      code.thing({
        kind: "symbol",
        name: name,
        owner: path.slice(0, -1),
        at,
        region,
        ...docs(code, match.index),
      }),
    );
    const inner = { path, keyword: keyword, end };
    things.push(...readEntries(code, language, { ...inner, start: open + 1 }));
  }
  return things;
}

function readEntries(
  code: CodeText,
  language: InterfaceLanguage,
  { path, keyword, start, end }: Holder & { readonly start: number },
): Thing[] {
  const kind: ThingKind = language.lists.has(keyword) ? "enum-value" : "member";
  return levels(code.code, start, end).flatMap(({ from, to }) => {
    const pattern = new RegExp(language.entry.source, "gm");
    return Array.from(code.code.slice(from, to).matchAll(pattern)).flatMap((match) => {
      match.index += from;
      const entry = language.read(match as RegExpExecArray, code);
      if (!entry) return [];
      const { name, at, end: last, parameters = [], ...rest } = entry;
      const given = Object.fromEntries(Object.entries(rest).filter(([, field]) => field !== undefined));
      const region = { start: at, end: last };
      const marks = { ...docs(code, match.index), ...given };
      return [
        code.thing({
          kind,
          name,
          owner: path,
          at,
          region,
          ...marks,
          ...defined({ parameters: parameters.length > 0 ? parameters.map(parameterOf) : undefined }),
        }),
        ...parameters.map((each) =>
          code.thing({
            kind: "parameter",
            name: each.name,
            owner: [...path, name],
            at: each.at,
            type: each.type,
            ...defined({ value: each.value }),
          }),
        ),
      ];
    });
  });
}

function parameterOf({ name, type, value }: FieldArgument) {
  return { name, type, ...defined({ default: value }) };
}

/** The stretches of a block that lie in no block within it. */
function levels(code: string, start: number, end: number): { from: number; to: number }[] {
  const found: { from: number; to: number }[] = [];
  let from = start;
  let depth = 0;
  for (let at = start; at < end; at++) {
    if (code[at] === "{") {
      if (depth++ === 0) found.push({ from, to: at });
    } else if (code[at] === "}" && --depth === 0) from = at + 1;
  }
  found.push({ from: Math.min(from, end), to: Math.max(from, end - 1) });
  return found;
}

const DOC_LINES = 12;

/** The comment or description directly above an offset. */
function docs(code: CodeText, at: number): Pick<Thing, "description" | "deprecated"> {
  // A declaration behind another one on its line has none.
  if (!/(?:^|\n)[ \t]*$/.test(code.text.slice(Math.max(0, at - 80), at))) return {};
  const above = code.text
    .slice(Math.max(0, at - 1500), at)
    .split("\n")
    .slice(-DOC_LINES - 1, -1);
  const lines: string[] = [];
  let isOpen = false;
  for (const line of above.reverse()) {
    const text = line.trim();
    const isFence = /^"""|"""$/.test(text) && !/^""".*"""$/.test(text);
    if (isFence) isOpen = !isOpen;
    else if (!isOpen && !/^(?:\/\/|#|\*|\/\*|"""|".*"$)/.test(text)) break;
    lines.unshift(text.replace(/^"([^"]*)"$/, "$1"));
    if (isFence && !isOpen) break;
  }
  const doc = lines.join("\n");
  const description = doc && describe(doc);
  const deprecated = doc ? deprecation(doc) : undefined;
  return defined({ description: description || undefined, deprecated });
}

import { DOUBLE, HASH, TRIPLE } from "../../../syntax/languages/literals.ts";
import { defined } from "../../../text/model/defined.ts";
import type { CodeText } from "../read/code-text.ts";
import type { Thing } from "../thing.ts";
import {
  type EntryDraft,
  type FieldArgument,
  type InterfaceLanguage,
  readInterface,
} from "./interface-language.ts";

/** The types, fields, arguments and enumerations of a GraphQL schema. */
export function readGraphQl(path: string, text: string): Thing[] {
  return readInterface(path, text, GRAPHQL);
}

const GRAPHQL: InterfaceLanguage = {
  literals: [TRIPLE, HASH, DOUBLE],
  block: /^[ \t]*(?:extend[ \t]+)?(type|interface|input|enum)[ \t]+(\w+)\b[^{}\n]*\{/gm,
  entry:
    /(?<=^|[,{\s])(\w+)[ \t]*(\((?:[^()]|\([^()]*\))*\))?(?:[ \t]*:[ \t]*([\w![\]]+))?(?:[ \t]*=[ \t]*([^\s@,]+))?/,
  lists: new Set(["enum"]),
  read: readField,
};

function readField(match: RegExpExecArray, code: CodeText): EntryDraft | undefined {
  const [whole, name, list, type, value] = match;
  if (!name) return undefined;
  const at = match.index + whole.indexOf(name);
  const end = match.index + whole.length;
  const line = code.text.slice(end, end + 300).split("\n")[0]!;
  const mark = /^[^,]*?@deprecated(?:\(\s*reason\s*:\s*"([^"]*)")?/.exec(line);
  return {
    name,
    at,
    end,
    type,
    value: value && code.text.slice(end - value.length, end),
    deprecated: mark ? (mark[1] ?? "") : undefined,
    parameters: list ? readArguments(code, match.index + whole.indexOf("(")) : [],
  };
}

/** `(first: Int = 25, after: String)`. */
function readArguments(code: CodeText, open: number): FieldArgument[] {
  return (code.readGroup(open)?.arguments ?? []).flatMap(({ name, text, start }) => {
    const [type, value] = text.split(/(?<!\s)\s*=\s*/);
    return name && type
      ? [
          {
            name,
            at: start,
            type: withoutDirectives(type),
            ...defined({ value: value ? withoutDirectives(value) : undefined }),
          },
        ]
      : [];
  });
}

function withoutDirectives(text: string): string {
  return text.replace(/(?<!\s)\s+@[\s\S]*$/, "");
}

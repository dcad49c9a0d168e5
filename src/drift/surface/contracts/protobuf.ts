import { DOUBLE, SLASHES } from "../../../syntax/languages/literals.ts";
import type { CodeText } from "../read/code-text.ts";
import type { Thing } from "../thing.ts";
import { type EntryDraft, type InterfaceLanguage, readInterface } from "./interface-language.ts";

/** The messages, fields, services, calls and enumerations of a protobuf file. */
export function readProtobuf(path: string, text: string): Thing[] {
  return readInterface(path, text, PROTOBUF);
}

const LABEL = String.raw`(?:(?:optional|required|repeated|rpc)[ \t]+)?`;
// Begins with a character that is no blank: comments were replaced by blanks, and long ones would take quadratic time.
const TYPE = String.raw`(?:([\w.<>][\w.<>, ]*?)[ \t]*)?`;
const NUMBER_OR_REQUEST = String.raw`(?:=[ \t]*-?\w+|\(([^()]*)\))`;

const PROTOBUF: InterfaceLanguage = {
  literals: [SLASHES, DOUBLE],
  block: /^[ \t]*(message|enum|service)[ \t]+(\w+)[ \t]*\{/gm,
  entry: new RegExp(`(?<=^|[;{])[ \\t]*${LABEL}${TYPE}\\b(\\w+)[ \\t]*${NUMBER_OR_REQUEST}([^;{}]*)`),
  lists: new Set(["enum"]),
  read: readField,
};

function readField(match: RegExpExecArray, code: CodeText): EntryDraft | undefined {
  const [whole, type, name, , options = ""] = match;
  if (!name || type === "option" || type === "reserved" || name === "option") return undefined;
  const at = match.index + whole.indexOf(name, type ? whole.indexOf(type) + type.length : 0);
  const end = match.index + whole.length;
  const written = code.text.slice(end - options.length, end);
  const returned = /\breturns\s*\(\s*(?:stream\s+)?([\w.]+)/.exec(written)?.[1];
  return {
    name,
    at,
    end,
    type: returned ?? type?.trim(),
    value: /\bdefault\s*=\s*("[^"]*"|[^,\]\s]+)/.exec(written)?.[1],
    deprecated: /\bdeprecated\s*=\s*true\b/.test(written) ? "" : undefined,
  };
}

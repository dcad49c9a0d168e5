import { matcher } from "../../text/match/glob.ts";
import { isRecord, parseJson } from "../../text/model/json.ts";

/** Whether the tool calls of a session name a file, by its path in the project. */
export type IsNamed = (path: string) => boolean;

/**
 * The files that the tool calls of a session name, from the client's own record of it. Commands that only read do not
 * count. What a person types in an editor is in no tool call. Without a record, no file is named.
 */
export function namedFiles(transcript: string | null, root: string): IsNamed {
  const words = new Set(
    (transcript?.split("\n") ?? [])
      .flatMap((line) => toolInputs(parseJson(line)))
      .flatMap(writingWords)
      .map((word) => shorten(word, root))
      .filter((word) => /\w/.test(word)),
  );
  const patterns = [...words].filter((word) => /[*?]/.test(word)).map(matcher);
  return (path) =>
    foldersOf(path).some((one) => words.has(one)) ||
    words.has(path.slice(path.lastIndexOf("/") + 1)) ||
    patterns.some((matches) => matches(path));
}

/** A path and the folders that it lies in. */
function foldersOf(path: string): string[] {
  const at = path.lastIndexOf("/");
  return at < 0 ? [path] : [path, ...foldersOf(path.slice(0, at))];
}

/** The inputs of the tool calls in a record, in the words of any client, as texts. */
function toolInputs(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(toolInputs);
  if (!isRecord(value)) return [];
  const isCall = /tool_use|call/i.test(`${value.type}`) || "toolName" in value || "args" in value;
  const isReading = /^(?:read|view|grep|glob|search|list|ls|fetch|web)/i.test(
    `${value.name ?? value.toolName}`,
  );
  const inputs = [value.input, value.arguments, value.args, value.action, value.parameters];
  if (isCall && inputs.some((input) => input !== undefined)) return isReading ? [] : inputs.flatMap(textsIn);
  return Object.values(value).flatMap(toolInputs);
}

function textsIn(value: unknown): string[] {
  if (typeof value === "string") {
    const inner = value.startsWith("{") ? parseJson(value) : null;
    return inner === null ? [value] : textsIn(inner);
  }
  if (Array.isArray(value)) return value.every(isText) ? [commandOf(value)] : value.flatMap(textsIn);
  return isRecord(value) ? Object.values(value).flatMap(textsIn) : [];
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

/** The command in a list of words, which may be a script for a shell. */
function commandOf(words: readonly string[]): string {
  return /(?:^|\/)(?:ba|z|da)?sh$/.test(words[0] ?? "") ? (words.at(-1) ?? "") : words.join(" ");
}

/** The words of the commands in a text, without those that only read. */
function writingWords(text: string): string[] {
  return text
    .slice(0, 100_000)
    .split(/\n|&&|\|\||[;|]/)
    .filter((command) => command.includes(">") || !READERS.test(command.trim()))
    .flatMap((command) => command.split(/[\s"'`=<>(){}:,]+/));
}

const READERS =
  /^(?:cat|head|tail|less|more|ls|grep|rg|find|wc|stat|file|diff|tree|pwd|echo|cd|git\s+(?:status|diff|log|show|blame|grep|ls-files)|sed\s+-n)\b/;

function shorten(word: string, root: string): string {
  const inside = word.startsWith(`${root}/`) ? word.slice(root.length + 1) : word;
  return inside.replace(/^(?:\.\/)+/, "").replace(/(?<!\/)\/+$/, "");
}

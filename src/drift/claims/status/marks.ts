import { readLiterals } from "../../../syntax/source/literals.ts";
import { isDistinct } from "../../change/names.ts";
import type { State } from "../../state/state.ts";
import { plainName } from "../../surface/plain-name.ts";
import type { Thing } from "../../surface/thing.ts";

/** Whether a file may mark anything: most do not, and need no further look. */
export function mayMark(text: string | null): boolean {
  return text !== null && hasMark(text);
}

/** A file that marks a thing has one of these words. */
export const MARK_WORDS: readonly string[] = ["deprecated", "obsolete", "deprecate", "deprecation"]
  .flatMap((word) => [word, `${word[0]!.toUpperCase()}${word.slice(1)}`, word.toUpperCase()])
  .concat("DeprecationWarning", "trigger_deprecation", "E_USER_DEPRECATED", "FutureWarning");

const hasMark = keepLatest((source) => /deprecat|obsolete/i.test(source));

/**
 * The text of the mark that says a thing is deprecated; undefined for a thing in good standing. A thing is marked by its
 * declaration, by its help text, by a comment behind it, by a warning that its body always gives, or by a message of its
 * file that names it.
 */
export async function markOf(thing: Thing, state: State): Promise<string | undefined> {
  if (thing.deprecated !== undefined) return thing.deprecated;
  const { description = "" } = thing;
  if (HELP_MARK.test(description)) return description;
  const source = await state.text(thing.path);
  if (!mayMark(source)) return undefined;
  return (
    commentMark(thing, source!) ??
    bodyMark(thing, source!) ??
    saidMarks(source!, thing.path).get(plainName(thing.name))
  );
}

const HELP_MARK = /^\W{0,2}deprecated\b|[[(]deprecated\b/i;

/** `theme_dir = 2  # deprecated`. */
function commentMark({ line }: Thing, source: string): string | undefined {
  const lines = linesOf(source);
  return /(?:\/\/|#|--|\/\*)\s*(deprecated\b.*)/i.exec(lines[line - 1] ?? "")?.[1];
}

const WARNS =
  /\b(?:\w*DeprecationWarning|FutureWarning|trigger_deprecation|E_USER_DEPRECATED|util\.deprecate|deprecate\w*\s*\()/;

/** A warning among the first statements of a body: one below a condition is about an argument. */
function bodyMark({ kind, region }: Thing, source: string): string | undefined {
  if (kind !== "symbol" && kind !== "member" && kind !== "command") return undefined;
  const lines = linesOf(source.slice(region.start, Math.min(region.end, region.start + LONGEST_BODY)));
  const own = indentOf(lines[0]!);
  const first = lines.slice(1).find((line) => line.trim() !== "" && indentOf(line) > own);
  if (first === undefined) return undefined;
  const indent = indentOf(first);
  for (const [at, line] of lines.entries()) {
    if (indentOf(line) !== indent || !/\w\s*\(/.test(line)) continue;
    const end = lines.findIndex(
      (next, index) => index > at && indentOf(next) <= indent && next.trim() !== "",
    );
    const statement = lines.slice(at, end < 0 ? at + 1 : Math.max(end, at + 1)).join(" ");
    if (
      WARNS.test(statement) &&
      !/^\s*(?:@|(?:if|elif|else|for|while|case|def|class|with|try|switch)\b)/.test(line)
    )
      return statement;
  }
  return undefined;
}

const LONGEST_BODY = 4000;

function indentOf(line: string): number {
  return line.trim() === "" ? Number.POSITIVE_INFINITY : line.search(/\S/);
}

/** The names that messages of a file call deprecated, each with its message. */
export const saidMarks = keepLatest(readSaidMarks);

function readSaidMarks(source: string, path: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  if (!/deprecated/i.test(source)) return found;
  for (const { text } of readLiterals(path, source)) {
    if (text.length > 1000 || !/\bdeprecated\b/i.test(text)) continue;
    const instead = insteadOf(text)?.replace(/^-+/, "");
    const subject = SUBJECT.exec(text)?.[1];
    const names = [
      ...SAID.map((form) => form.exec(text)?.[1]),
      ...(subject && isDistinct(subject) ? [subject] : []),
    ];
    for (const name of names)
      if (name !== undefined && name !== instead && !found.has(name)) found.set(name, text);
  }
  return found;
}

const SAID: readonly RegExp[] = [
  /[`'"]-{0,2}([\p{L}_][\w.-]*)(?:\(\))?[`'"][^.;`'"]{0,60}\bdeprecated\b/iu,
  /\bdeprecated\b[^.;`'"]{0,20}[`'"]-{0,2}([\p{L}_][\w.-]*)[`'"]/iu,
];

/** "OpenPanel is deprecated": a name that is no ordinary word needs no quotes. */
const SUBJECT = /^([\p{L}_][\w.-]*)(?:\(\))? (?:is|are|has been) (?:now )?deprecated\b/iu;

/** What the text of a mark recommends. */
export function insteadOf(text: string): string | undefined {
  return INSTEAD.exec(text)?.[1];
}

const ADVICE = /\b(?:use|favou?r of|replaced by|renamed to|switch to|prefer)\s+(?:the\s+|new\s+)*/;
const QUOTED_NAME = /[`'"]?(-{0,2}[\p{L}_][\w.-]*\w)/u;
const INSTEAD = new RegExp(ADVICE.source + QUOTED_NAME.source, "iu");

const linesOf = keepLatest((source) => source.split("\n"));

/** Keeps what was read of the latest texts: all things of a file are asked one after the other. */
function keepLatest<Read>(
  read: (source: string, path: string) => Read,
): (source: string, path?: string) => Read {
  const latest = new Map<string, Read>();
  return (source, path = "") => {
    const known = latest.get(source);
    if (known !== undefined) return known;
    if (latest.size > 8) latest.clear();
    const fresh = read(source, path);
    latest.set(source, fresh);
    return fresh;
  };
}

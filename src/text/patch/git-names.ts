/** The two names a file goes by in a patch; null where it does not exist on that side. */
export type Names = { readonly old: string | null; readonly new: string | null };

/** What follows `--- ` or `+++ `: a name, perhaps quoted, perhaps followed by a date. */
export function parseHeaderName(rest: string): { name: string | null; epoch: boolean } | null {
  if (rest.length > longestName) return null;
  if (rest.startsWith('"')) {
    const quoted = unquote(rest);
    return quoted && { name: quoted.name, epoch: false };
  }
  const dated = date.exec(rest.slice(-longestDate).trimEnd());
  const name = dated
    ? rest.trimEnd().slice(0, -dated[0].length).trimEnd()
    : rest.split("\t", 1)[0]!.trimEnd();
  if (name === "") return null;
  return { name: name === "/dev/null" ? null : name, epoch: dated !== null && isEpoch(dated[1]!, dated[2]) };
}

const longestName = 16_384;
const longestDate = 80;
const date = /[\t ](\d{4}-\d\d-\d\d[ T]\d\d:\d\d(?::\d\d(?:\.\d+)?)?) ?([+-]\d\d:?\d\d|Z)?$/;

/** `diff` without git marks a missing file by the first moment of 1970. */
function isEpoch(date: string, zone = "+00:00"): boolean {
  const offset = zone === "Z" ? zone : zone.replace(/^([+-]\d\d):?(\d\d)$/, "$1:$2");
  return Date.parse(`${date.replace(" ", "T")}${offset}`) === 0;
}

/** The names after `diff --git `, separated only by a space; null if the separation is ambiguous. */
export function parseGitNames(rest: string): { old: string; new: string } | null {
  if (rest.length > longestName) return null;
  if (rest.includes('"')) return parseQuotedPair(rest);
  for (
    let at = rest.indexOf(" "), tried = 0;
    at >= 0 && tried < 64;
    at = rest.indexOf(" ", at + 1), tried++
  ) {
    const pair = { old: rest.slice(0, at), new: rest.slice(at + 1) };
    const names = stripNames(pair);
    if (names.old === names.new && names.old !== null) return pair;
  }
  const words = rest.split(" ");
  return words.length === 2 ? { old: words[0]!, new: words[1]! } : null;
}

function parseQuotedPair(rest: string): { old: string; new: string } | null {
  if (rest.startsWith('"')) {
    const first = unquote(rest);
    if (!first) return null;
    const second = first.rest.trim();
    const name = second.startsWith('"') ? unquote(second)?.name : second;
    return name ? { old: first.name, new: name } : null;
  }
  const at = rest.indexOf(' "');
  const second = at < 0 ? null : unquote(rest.slice(at + 1));
  return second && { old: rest.slice(0, at), new: second.name };
}

/** A name as git quotes it, with C escapes and octal bytes, and what follows it. */
export function unquote(text: string): { name: string; rest: string } | null {
  const bytes: number[] = [];
  const encoder = new TextEncoder();
  let at = 1;
  while (at < text.length && text[at] !== '"') {
    if (text[at] !== "\\") {
      const stop = /["\\]/.exec(text.slice(at))?.index ?? text.length - at;
      bytes.push(...encoder.encode(text.slice(at, at + stop)));
      at += stop;
      continue;
    }
    const octal = /^[0-3][0-7]{2}/.exec(text.slice(at + 1, at + 4));
    const plain = escapes.get(text[at + 1] ?? "");
    if (octal) bytes.push(Number.parseInt(octal[0], 8));
    else if (plain !== undefined) bytes.push(plain);
    else return null;
    at += octal ? 4 : 2;
  }
  if (at >= text.length) return null;
  try {
    const name = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(new Uint8Array(bytes));
    return { name, rest: text.slice(at + 1) };
  } catch {
    return null;
  }
}

const escapes = new Map([
  ["a", 7],
  ["b", 8],
  ["t", 9],
  ["n", 10],
  ["v", 11],
  ["f", 12],
  ["r", 13],
  ['"', 34],
  ["\\", 92],
]);

/**
 * The names without what `diff` put in front: `strip` leading parts where the caller says so; else the `a/` and
 * `b/` of git, and any first part in which the two names differ while the rest is the same.
 */
export function stripNames(names: Names, strip?: number): Names {
  const { old: before, new: after } = names;
  if (strip !== undefined) return { old: dropParts(before, strip), new: dropParts(after, strip) };
  const marked =
    (isMarked(before) || before === null) &&
    (isMarked(after) || after === null) &&
    before?.[0] !== after?.[0];
  const drop = marked || differInFirstPart(before, after) ? 1 : 0;
  return { old: dropParts(before, drop), new: dropParts(after, drop) };
}

function isMarked(name: string | null): boolean {
  return name !== null && /^[ab]\/[^/]/.test(name);
}

function differInFirstPart(before: string | null, after: string | null): boolean {
  if (before === null || after === null || before === after) return false;
  const rest = before.indexOf("/") < 1 ? "" : before.slice(before.indexOf("/"));
  return rest.length > 1 && after.indexOf("/") > 0 && after.slice(after.indexOf("/")) === rest;
}

/** A name without its first parts; a name that has fewer keeps its last one. */
function dropParts(name: string | null, count: number): string | null {
  if (name === null) return null;
  const parts = name.replace(/\/{2,}/g, "/").split("/");
  const kept = parts.slice(Math.min(count, parts.length - 1)).join("/");
  return kept.replace(/^(\.\/)+(?=.)/, "");
}

import { ignoreMarksOf } from "../../drift/pages/policies.ts";
import { outlineDocument } from "../../syntax/formats/outline.ts";
import { formatAt, isMarkdownPath } from "../../syntax/formats/registry.ts";
import type { Region } from "../../text/model/region.ts";
import { gateText } from "../../wording/agents.ts";
import { findShownCode } from "./markup.ts";
import type { DraftedPage, GateVerdict } from "./objection.ts";
import { compareWords, shorten } from "./section/words.ts";
import { findTags } from "./tags.ts";

/**
 * Comments are read by the next agent and by no person. A model may add marks of a few words for other programs; it may
 * not add sentences, nor change which lines the check leaves out.
 */
export function checkHiddenText({ path, before, after }: DraftedPage): Partial<GateVerdict> {
  const object = (detail: string) => ({ objections: [{ gate: "safety", path, detail }] }) as const;
  const old = before ?? "";
  const hider = findHider(path, old, after);
  if (hider !== null) return object(gateText.hidden(shorten(hider)));
  if (ignoreMarksOf(after).join() !== ignoreMarksOf(old).join()) return object(gateText.ignoreMark);
  const fresh = findFresh(commentsOf(path, old), commentsOf(path, after));
  const words = fresh.map((text) => text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length);
  const long = fresh[words.findIndex((count) => count > mostWords)];
  const many = words.reduce((sum, count) => sum + count, 0) > mostWordsOfAll;
  const found = long ?? (many ? fresh[0] : undefined);
  return found === undefined
    ? { risks: fresh.map((text) => ({ path, what: "hidden text", detail: shorten(text) })) }
    : object(gateText.hidden(shorten(found)));
}

/** A new class, or attribute list, by which themes keep text from readers and leave it to machines. */
function findHider(path: string, old: string, after: string): string | null {
  const had = new Set(Array.from(old.matchAll(HIDERS), ([found]) => found));
  const code = shownCode(path, after);
  for (const { 0: found, index } of after.matchAll(HIDERS))
    if (!had.has(found) && !code.some(({ start, end }) => index >= start && index < end)) return found;
  return null;
}

const HIDERS =
  /(?:\bclass(?:name)?\s{0,9}=\s{0,9}["']?[^"'>\n]{0,80}?|\{:?[^{}\n]{0,80}?\.|\[\.|^[ \t]*:class:[^\n]{0,60}?|^\.\.[ \t]+(?:container|(?:\w+-)?class)::[^\n]{0,60}?|\brole\s{0,3}=\s{0,3}["']?)(?<![\w-])(?:sr-only|screen-reader(?:-text|-only)?|visually-?hidden|hidden|d-none|invisible|hide|is-hidden|display-none|u-hidden|opacity-0|text-transparent|no-display|offscreen|clip)(?![\w-])[^\n]{0,40}|<[a-z][^<>\n]{0,200}\s(?:hidden|aria-hidden)(?=[\s=>])[^\n]{0,40}/gim;

const mostWords = 3;
const mostWordsOfAll = 8;

/** The comments that are neither old nor old ones with a word or two changed. More changed ones than `most` count as new. */
function findFresh(old: readonly string[], now: readonly string[]): string[] {
  const [had, has] = [new Set(old), new Set(now)];
  const gone = [...had].filter((text) => !has.has(text)).slice(0, most);
  const added = now.filter((text) => !had.has(text));
  return added.filter((text, at) => at >= most || !gone.some((one) => isAlike(one, text)));
}

const most = 50;

function isAlike(old: string, fresh: string): boolean {
  const { both, more } = compareWords(old, fresh);
  return both > 0 && both * 3 >= more * 2;
}

/** Forms for issues and pull requests: their comments are shown to the person who fills them in. */
const shownInForms = /(?:issue|pull_request|merge_request)_templates?(?:\/|\.)/i;

/** The texts of a page that its format never shows. */
function commentsOf(path: string, text: string): string[] {
  if (shownInForms.test(path)) return [];
  const code = shownCode(path, text);
  const comments = (formatAt(path).comments ?? []).flatMap((shape) =>
    Array.from(text.matchAll(shape), ({ 0: found, index, groups }) =>
      code.some(({ start, end }) => index >= start && index < end) ? "" : (groups?.text ?? found).trim(),
    ).filter((comment) => comment !== ""),
  );
  // A word or two are for other programs: the name of a window, a flag of a highlighter.
  const notes = [...unseenAttributes(path, text), ...fenceNotes(path, text)].filter(isSentence);
  const unseen = [...comments, ...notes];
  return isMarkdownPath(path) ? [...unseen, ...unusedDefinitions(text)] : unseen;
}

function isSentence(text: string): boolean {
  return text.split(/\s+/, mostWords + 1).length > mostWords;
}

/** Texts in attributes that a browser shows to nobody, or only under the pointer. */
function unseenAttributes(path: string, text: string): string[] {
  const code = findShownCode(path, text);
  return findTags(text)
    .filter(({ region }) => !code.some(({ start, end }) => region.start >= start && region.end <= end))
    .flatMap(({ attributes }) => {
      const isDot = attributes.some(
        ({ name, value }) => /^(?:width|height)$/.test(name) && /^[0-3](?:px)?$/.test(value),
      );
      const names = isDot
        ? /^(?:title|lang|dir|name|id|rel|target|type|alt)$/
        : /^(?:title|lang|dir|name|id|rel|target|type)$/;
      return attributes.filter(({ name }) => names.test(name)).map(({ value }) => value.trim());
    })
    .filter((value) => value !== "");
}

/** The words after the language of a fence. No reader sees them, except a title. */
function fenceNotes(path: string, text: string): string[] {
  return outlineDocument(path, text).blocks.flatMap(({ kind, meta = "" }) => {
    const words =
      kind === "code-fence"
        ? meta.replace(/(?<![\w-])[\w-]+=(?:"[^"]*"|'[^']*'|\S+)|\{[\d, -]*\}/g, "").trim()
        : "";
    return words === "" ? [] : [words];
  });
}

/** Footnotes and titles of links whose label nothing on the page uses. */
function unusedDefinitions(text: string): string[] {
  const definitions = Array.from(
    text.matchAll(/^[ \t>]{0,9}\[(\^?[^\]\n]{1,80})\]:[ \t]*([^\n]{1,1000})/gm),
    ([, label, words]) => ({ label: label!.toLowerCase(), words: words! }),
  );
  if (definitions.length === 0) return [];
  const uses = text.toLowerCase().match(/\[[^\]\n]{1,80}\](?!:)/g) ?? [];
  const used = new Set(uses.map((use) => use.slice(1, -1)));
  return definitions
    .filter(({ label }) => !used.has(label))
    .map(({ label, words }) => (label.startsWith("^") ? words : (/\s(["'(].*)$/.exec(words)?.[1] ?? "")))
    .filter((words) => words !== "");
}

/** In formats other than Markdown, code that is indented is always code. */
function shownCode(path: string, text: string): readonly Region[] {
  if (isMarkdownPath(path)) return findShownCode(path, text);
  return outlineDocument(path, text)
    .blocks.filter(({ kind }) => kind === "code-fence")
    .map(({ content }) => content);
}

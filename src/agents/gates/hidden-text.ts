import { ignoreMarksOf } from "../../drift/pages/policies.ts";
import { outlineDocument } from "../../syntax/formats/outline.ts";
import { formatAt, isMarkdownPath } from "../../syntax/formats/registry.ts";
import type { Region } from "../../text/model/region.ts";
import { gateText } from "../../wording/agents.ts";
import { findShownCode } from "./markup.ts";
import type { DraftedPage, GateVerdict } from "./objection.ts";
import { compareWords, shorten } from "./section/words.ts";

/**
 * Comments are read by the next agent and by no person. A model may add marks of a few words for other programs; it may
 * not add sentences, nor change which lines the check leaves out.
 */
export function checkHiddenText({ path, before, after }: DraftedPage): Partial<GateVerdict> {
  const object = (detail: string) => ({ objections: [{ gate: "safety", path, detail }] }) as const;
  const old = before ?? "";
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
  return isMarkdownPath(path) ? [...comments, ...unusedDefinitions(text)] : comments;
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

import type { DocumentPage } from "../change/change-model.ts";

import type { Notice } from "../findings.ts";
import { pageOwners } from "../pages/owners.ts";
import { isFilledIn, type PageLine } from "../pages/page.ts";
import { bindsName, sampleAround } from "../pages/samples.ts";
import { nameOf } from "./notice-name.ts";

/** How the page mentions the name: in which place, in which form, and under which heading. */
export function mentionFeatures(notice: Notice, repository: readonly string[]): Record<string, number> {
  const line = notice.page.read().lines[notice.line];
  if (!line) return {};
  const features: Record<string, number> = { [`mention in ${line.place}`]: 1 };
  const at = positionOf(notice, line);
  if (at) {
    const [before, after] = [line.text.slice(0, at.start), line.text.slice(at.end)];
    const inSpan = line.spans.some((span) => span.start <= at.start && at.end <= span.end);
    if (inSpan) features["mention in span"] = 1;
    features[`mention ${roleAt(before, after)}`] = 1;
    if (!inSpan && line.place !== "code" && line.place !== "heading") features["mention plain"] = 1;
    if (/^[\s|#>*+-]*(?:\d+[.)]\s+)?[`*_[<"'.:-]*$/.test(before)) features["mention first"] = 1;
    if (line.place === "code" && IMPORT.test(before)) features["sample imports it"] = 1;
    if (INSTALL.test(before) && !isOwnPackage(notice)) features["mention in a command that installs"] = 1;
    if (/\bhttps?:\/\/\S*$/.test(before)) features["mention in address"] = 1;
    if (linksElsewhere(before, after, repository)) features["mention links elsewhere"] = 1;
    if (features["mention bare"] && isReadersOwn(notice)) features["sample declares the name"] = 1;
  }
  if (isFilledIn(line)) features["mention filled in"] = 1;
  if (HISTORY.test(line.text)) features["line tells history"] = 1;
  if (tellsHistory(notice)) features["page tells its history"] = 1;
  if (/(?:^|\/)readme[^/]*$/i.test(notice.page.path)) features["page readme"] = 1;
  return { ...features, ...ownerFeatures(notice.page, notice) };
}

const IMPORT = /\b(?:require\(|from|import)\s*\(?["']$/;

/** A command of a package manager, up to the names of the packages. */
const INSTALL =
  /\b(?:npm|pnpm|yarn|bun|pip3?|pipx|poetry|uv|cargo|gem|composer|go|brew|apt(?:-get)?)\s+(?:install|i|add|get|require)\s[^|;&]*$/;

/** Whether the evidence is the name that a manifest gives its own package. */
function isOwnPackage({ evidence }: Notice): boolean {
  return evidence.some(({ before }) => /^\s*["']?name["']?\s*[:=]/.test(before ?? ""));
}

const LINK_TEXT = /\[[^\][]*$/;
const LINK_TARGET = /^[^\][]*\]\(<?(https?:\/\/[^)\s>]+)|^[^`<>]*<(https?:\/\/[^>\s]+)>`_/;

/** Whether the name is the text of a link to the site or the repository of another project. */
function linksElsewhere(before: string, after: string, repository: readonly string[]): boolean {
  const match = LINK_TARGET.exec(after);
  const target = match && (match[2] ?? (LINK_TEXT.test(before) ? match[1] : undefined));
  if (target === undefined || target === null || !repository.length) return false;
  const address = target.toLowerCase();
  const host = address.replace(/^https?:\/\//, "").replace(/[/:?#].*$/, "");
  return !repository.some((name) => {
    const words = name.toLowerCase().split("/");
    return address.includes(name.toLowerCase()) || words.some((word) => plain(host).includes(plain(word)));
  });
}

function plain(text: string): string {
  return text.replace(/[^\p{L}\p{N}]/gu, "");
}

/** Whether the sample around the passage declares a variable of the name. */
function isReadersOwn({ page, line, message }: Notice): boolean {
  const name = nameOf(message.old);
  const sample = name === null ? null : sampleAround(page, line);
  return sample !== null && bindsName(sample, name!);
}

const HISTORY =
  /\b(?:deprecated|obsolete|no longer|formerly|previously|used to be|renamed|removed|legacy|before v?\d|since v?\d|prior to)\b/i;

/** Whether a line of the page says that the name is deprecated or removed. */
function tellsHistory({ page, message: { old } }: Notice): boolean {
  if (old === undefined || old.length < 4) return false;
  return historyOf(page).some((text) => text.includes(old));
}

const histories = new WeakMap<DocumentPage, readonly string[]>();

/** The lines of a page that mention a removal or a deprecation, searched once for each page. */
function historyOf(page: DocumentPage): readonly string[] {
  const known = histories.get(page);
  if (known) return known;
  const lines = page.read().lines.flatMap(({ text }) => (HISTORY.test(text) ? [text] : []));
  histories.set(page, lines);
  return lines;
}

function positionOf(
  { splice, message, kind }: Notice,
  line: PageLine,
): { start: number; end: number } | null {
  // The notice removes a whole entry; the mention is the name in it.
  const isWhole = kind === "removal" && splice?.text === "";
  if (splice && !isWhole && splice.region.start >= line.start) {
    const start = splice.region.start - line.start;
    if (start <= line.text.length)
      return { start, end: Math.min(line.text.length, splice.region.end - line.start) };
  }
  const at = message.old ? line.text.indexOf(message.old) : -1;
  return at < 0 ? null : { start: at, end: at + message.old!.length };
}

function roleAt(before: string, after: string): string {
  if (/--$/.test(before)) return "flag";
  if (/[\w)\]]\.$|::$|->$|#$/.test(before)) return "member";
  if (/^\(/.test(after)) return "call";
  if (/^\s*[:=](?![:=])/.test(after)) return "key";
  if (/["']$/.test(before) && /^["']/.test(after)) return "quoted";
  if (/\$\{?$/.test(before)) return "variable";
  return "bare";
}

/** Whether the page's section, its introductory line or the word before the dot names the owner of the thing. */
function ownerFeatures(page: DocumentPage, { line, evidence, message }: Notice): Record<string, number> {
  const { headings, stem, introduction } = pageOwners(page, line);
  const about = new Set([...headings, ...stem, ...introduction]);
  const own = new Set(evidence.flatMap(({ path }) => stemParts(path)));
  const isNamed = [...own].some((name) => name.length > 3 && about.has(name));
  const owner = message.owner?.toLowerCase();
  return {
    "owner in section": isNamed ? 1 : 0,
    "owner said": owner !== undefined && about.has(owner) ? 1 : 0,
  };
}

function stemParts(path: string): string[] {
  return path
    .toLowerCase()
    .split("/")
    .slice(-2)
    .map((part) => part.replace(/\.\w+$/, "").replace(/[^\p{L}\p{N}]/gu, ""));
}

import { posix } from "node:path";
import { outlineDocument } from "../../syntax/formats/outline.ts";
import { formatAt } from "../../syntax/formats/registry.ts";
import type { Region } from "../../text/model/region.ts";
import { gateText } from "../../wording/agents.ts";
import type { KnownFacts } from "./known-facts.ts";
import { asBrowserReads, resolveReferences } from "./normalise.ts";
import type { DraftedPage, GateVerdict, Objection } from "./objection.ts";
import { findTags, MOST_TAGS, type WrittenTag } from "./tags.ts";

/**
 * Raw HTML that a model brings onto a page: tags of a short list, with attributes of a short list, and tags that stood
 * on the page before. Everything else could fetch, run or cover something.
 */
export function checkMarkup(draft: DraftedPage, facts: KnownFacts): Partial<GateVerdict> {
  const { path, before, after } = draft;
  const oldTags = before === null ? [] : findTags(before);
  const old = new Set(oldTags.map((tag) => shown(before!, tag)));
  const used = new Set(
    oldTags.flatMap(({ name, attributes }) => attributes.map((one) => `${name} ${one.name}`)),
  );
  const code = findShownCode(path, after);
  const samples = findSamples(path, after).filter(({ isActing }) => !isActing);
  const objections: Objection[] = [];
  const tags = findTags(after);
  if (tags.length === MOST_TAGS) return { objections: [{ gate: "safety", path, detail: gateText.manyTags }] };
  for (const tag of tags) {
    if (old.has(shown(after, tag)) || isAutolink(after, tag) || isCrossReference(path, after, tag)) continue;
    // A sample shows its `<` as text, also where the tag would end below it.
    const { start } = tag.region;
    if (isWithin(code, tag.region) || isWithin(samples, { start, end: start + 1 })) continue;
    const why = judgeTag(tag, { draft, facts, used });
    if (why !== null)
      objections.push({ gate: "safety", path, detail: gateText.active(why, shown(after, tag).slice(0, 60)) });
  }
  return { objections: objections.slice(0, 5) };
}

function shown(text: string, { region }: WrittenTag): string {
  return text.slice(region.start, region.end);
}

/** Whether one of the regions, which are in order, holds another one. */
function isWithin(regions: readonly Region[], { start, end }: Region): boolean {
  let low = 0;
  let high = regions.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (regions[middle]!.start <= start) low = middle + 1;
    else high = middle;
  }
  return low > 0 && end <= regions[low - 1]!.end;
}

/** Code that every reader of the format shows as text: samples between fences, and spans. */
export function findShownCode(path: string, text: string): Region[] {
  return joinCode(
    findSamples(path, text).filter(({ isActing }) => !isActing),
    findSpans(path, text),
  );
}

/** The same, and drawings and programs between fences. */
export function findCode(path: string, text: string): Region[] {
  return joinCode(findSamples(path, text), findSpans(path, text));
}

function joinCode(samples: readonly Region[], spans: readonly Region[]): Region[] {
  return [...samples, ...spans].sort((a, b) => a.start - b.start);
}

/** Spans of code. A browser reads the tags inside `<code>`. */
function findSpans(path: string, text: string): Region[] {
  return outlineDocument(path, text)
    .spans.filter(({ kind, region }) => kind === "code" && text[region.start] !== "<")
    .map(({ region }) => region);
}

/** Code between fences, and whether site builders draw, run or follow it. Code that is only indented is not always code. */
function findSamples(path: string, text: string): (Region & { readonly isActing: boolean })[] {
  return outlineDocument(path, text)
    .blocks.filter(
      ({ kind, fence, region }) => kind === "code-fence" && fence !== "" && text[region.start] !== "<",
    )
    .map(({ content, language = "", meta = "" }) => ({
      ...content,
      isActing: ACTING_LANGUAGE.test(language) || /\blive\b/.test(meta),
    }));
}

/** Languages of fences that site builders draw, run or follow. */
const ACTING_LANGUAGE =
  /^(?:\{|(?:mermaid|plantuml|puml|uml|dot|graphviz|d2|kroki|markmap|vega|vega-lite|geojson|math|katex)$)/i;

type Judging = {
  readonly draft: DraftedPage;
  readonly facts: KnownFacts;
  /** Attributes that the page had before, with the names of their tags. */
  readonly used: ReadonlySet<string>;
};

/** `<https://host/path>` is a link. Its host is judged with the other addresses. */
function isAutolink(text: string, tag: WrittenTag): boolean {
  return /^<(?:https?:\/\/|mailto:)[^\s<>"'=]*>$/i.test(
    shown(text, tag).replace(/[?&][\w.-]+=[\w.%-]*|:~:text=[\w.%,-]*(?:&text=[\w.%,-]*)*/g, ""),
  );
}

/** Such as `<<id, words>>`, where the format of the page has them. */
function isCrossReference(path: string, text: string, { name, region: { start } }: WrittenTag): boolean {
  const { angleReference } = formatAt(path);
  if (angleReference === undefined || ACTIVE.has(name.replace(/,.*/, ""))) return false;
  return angleReference.test(text.slice(Math.max(0, start - 1), start + 400));
}

/** What a tag is that may not be added; `null` for one that may. */
function judgeTag({ name, attributes }: WrittenTag, { draft, facts, used }: Judging): string | null {
  // A prefix belongs to a server or to another language: `jsp:include`, `xml:script`.
  if (ACTIVE.has(name) || /^(?:cf[a-z]|[a-z]\w*:[a-z])/.test(name)) return "active HTML";
  const isUsed = (attribute: string): boolean =>
    used.has(`${name} ${attribute}`) && !/^on|^style$/.test(attribute);
  // A name without attributes fetches nothing: `Vec<T>` and `<your name>` in a sentence are such tags.
  if (!PLAIN.has(name) && !attributes.every((one) => isUsed(one.name)))
    return "HTML that pages here do not use";
  const acting = attributes.find(({ name: attribute }) => !ATTRIBUTES.has(attribute) && !isUsed(attribute));
  if (acting) return /^on/.test(acting.name) ? "an event handler" : "HTML with an attribute that can act";
  const isFetched = attributes.some(
    ({ name: attribute, value }) =>
      (attribute === "src" && !isFile(value, draft, facts)) ||
      (attribute === "srcset" && !areFiles(value, draft, facts)),
  );
  return isFetched ? "HTML that fetches an address" : null;
}

/** Tags that run, fetch, cover, submit, or change how the rest of the page is read. */
const ACTIVE: ReadonlySet<string> = new Set(
  "applet audio base basefont bgsound body button embed fencedframe fieldset form frame frameset head html iframe image input isindex keygen link listing math meta noembed noframes noscript object option param plaintext portal script select slot style svg template textarea title track video xml xmp".split(
    " ",
  ),
);

const PLAIN: ReadonlySet<string> = new Set(
  "a abbr b blockquote br center cite code dd del details dfn div dl dt em figcaption figure h1 h2 h3 h4 h5 h6 hr i img ins kbd li mark ol p picture pre q s samp small source span strong sub summary sup table tbody td tfoot th thead tr u ul var wbr".split(
    " ",
  ),
);

/** `href` is judged with the other addresses of the page. */
const ATTRIBUTES: ReadonlySet<string> = new Set(
  "href src srcset alt id name align valign width height title class lang dir open colspan rowspan rel target border start type scope media".split(
    " ",
  ),
);

/** Whether an address that every reader of the page fetches is a file of the repository. */
export function isFile(address: string, { path }: DraftedPage, facts: KnownFacts): boolean {
  const read = asBrowserReads(address);
  if (/^[a-z][a-z0-9+.-]*:|^\/\//i.test(read)) return false;
  const named = decodePercent(read.split(/[?#]/, 1)[0]!);
  const joined = posix.normalize(posix.join(named.startsWith("/") ? "." : posix.dirname(path), named));
  if (facts.hasFile(joined)) return true;
  // Each site maps its root to a folder of its own.
  return named.startsWith("/") && facts.hasPathEnd(named.slice(1));
}

/** The candidates of `srcset`: addresses and sizes, between commas. */
function areFiles(value: string, draft: DraftedPage, facts: KnownFacts): boolean {
  return resolveReferences(value)
    .split(",")
    .map((candidate) => candidate.trim().split(/\s/, 1)[0]!)
    .every((address) => address === "" || isFile(address, draft, facts));
}

function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

import { addressAt } from "../address.ts";
import { BlockList } from "../block-list.ts";
import { trimRegion } from "../characters.ts";
import type { Block, Outline, Span } from "../document.ts";
import type { Format } from "../format.ts";
import { readIndentedLines } from "../indented-lines.ts";

/** Texts in no format that the registry lists. */
export const plain: Format = {
  name: "plain",
  title: "plain text",
  extensions: [],
  // Lists that programs read lie beside the pages.
  sharedFolders:
    /(?:^|\/)(?:docs?|documentation|manual|help)\/(?:.*\/)?(?!requirements|constraints|cmakelists|robots|llms)[^/]+\.txt$/i,
  outline: outlinePlain,
};

/** A text without a known format: paragraphs separated by blank lines, the addresses in them, and code in backticks. */
export function outlinePlain(text: string): Outline {
  const lines = readIndentedLines(text, text.charCodeAt(0) === 0xfeff ? 1 : 0);
  const list = new BlockList();
  for (let line = 0; line < lines.count; ) {
    let end = line;
    while (end < lines.count && lines.indent(end) >= 0) end++;
    if (end > line) list.add("paragraph", trimRegion(text, lines.start(line), lines.end(end - 1)));
    line = end + 1;
  }
  return { format: "plain", blocks: list.blocks, spans: findSpans(text, list.blocks), trouble: [] };
}

function findSpans(text: string, blocks: readonly Block[]): Span[] {
  const addresses = findAddresses(text, blocks);
  const code = findCode(text, blocks);
  if (code.length === 0) return addresses;
  const ordered = [...addresses, ...code].sort((a, b) => a.region.start - b.region.start);
  let end = 0;
  return ordered.filter(({ region }) => {
    const isApart = region.start >= end;
    if (isApart) end = region.end;
    return isApart;
  });
}

/** Code in backticks, as people write it in comments and plain texts too. */
function findCode(text: string, blocks: readonly Block[]): Span[] {
  let block = 0;
  return Array.from(text.matchAll(/`([^`\n]+)`/g), ({ 0: all, index }) => {
    while (block + 1 < blocks.length && blocks[block]!.region.end <= index) block++;
    const region = { start: index, end: index + all.length };
    return { kind: "code", region, content: { start: index + 1, end: region.end - 1 }, block };
  });
}

function findAddresses(text: string, blocks: readonly Block[]): Span[] {
  const spans: Span[] = [];
  let block = 0;
  for (let at = text.indexOf("http"); at >= 0; ) {
    while (block < blocks.length && blocks[block]!.region.end <= at) block++;
    const stop = block < blocks.length ? addressAt(text, at, blocks[block]!.region) : -1;
    const region = { start: at, end: stop };
    if (stop > 0)
      spans.push({
        kind: "autolink",
        region,
        content: region,
        destination: { value: text.slice(at, stop), region },
        block,
      });
    at = text.indexOf("http", Math.max(stop, at + 4));
  }
  return spans;
}

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

/** A text without a known format: paragraphs separated by blank lines, and the addresses in them. */
export function outlinePlain(text: string): Outline {
  const lines = readIndentedLines(text, text.charCodeAt(0) === 0xfeff ? 1 : 0);
  const list = new BlockList();
  for (let line = 0; line < lines.count; ) {
    let end = line;
    while (end < lines.count && lines.indent(end) >= 0) end++;
    if (end > line) list.add("paragraph", trimRegion(text, lines.start(line), lines.end(end - 1)));
    line = end + 1;
  }
  return { format: "plain", blocks: list.blocks, spans: findAddresses(text, list.blocks), trouble: [] };
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

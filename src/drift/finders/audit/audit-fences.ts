import type { Block } from "../../../syntax/formats/document.ts";
import { outlineDocument } from "../../../syntax/formats/outline.ts";
import type { Splice } from "../../../text/model/splice.ts";
import type { History, Since } from "../../change/change.ts";
import type { DocumentPage } from "../../change/change-model.ts";
import { createLineCounter } from "../../change/tokens.ts";
import type { Notice } from "../../findings.ts";
import type { Audit } from "../../rule.ts";
import { auditNotice } from "./audit-notice.ts";

/** A sample that runs on over a heading of its page. */
type OpenFence = {
  /** Where the sample begins. */
  readonly start: number;
  /** The first heading that it swallows, as written. */
  readonly heading: string;
  /** The line that should close it, if that is clear. */
  readonly splice?: Splice;
};

/** Samples that are never closed, or only by the mark of a later sample. */
export async function auditFences({ pages, input: { history } }: Audit): Promise<Notice[]> {
  const found = pages.flatMap((page) => findOpenFences(page.path, page.text).map((open) => ({ page, open })));
  const since = await sinceWhen([...new Set(found.map(({ page }) => page))], history);
  return found.map(({ page, open }) => {
    const line = createLineCounter(page.text)(open.start);
    const opened = since.get(page.path);
    return {
      ...auditNotice({ page, line }, "fence", "likely", { what: "open fence", old: open.heading }),
      cause: `fence:${page.path}:${open.heading}`,
      ...(opened && { since: opened }),
      ...(open.splice && { splice: open.splice }),
    };
  });
}

/** The commit since which each page has an open fence. */
async function sinceWhen(
  pages: readonly DocumentPage[],
  history: History | undefined,
): Promise<ReadonlyMap<string, Since>> {
  if (!history || pages.length === 0) return new Map();
  const paths = new Set(pages.map(({ path }) => path));
  const losses = await history.losses({
    keys: [...paths],
    mayHold: (path) => paths.has(path),
    keysOf: (path, text) => (findOpenFences(path, text).length === 0 ? [path] : []),
  });
  return new Map([...losses].map(([path, { commit, date, subject }]) => [path, { commit, date, subject }]));
}

/** Samples whose language is itself text with headings, or is not given. */
const TEXT =
  /^(?:|md|mdx|markdown|mdown|text|txt|plain|plaintext|diff|patch|console|[rq]md|quarto|mermaid|none)$/i;
const HEADING = /(?<=\n[ \t]*\n)#{2,6}[ \t]+\S[^\n]*(?=\n[ \t]*\n)/;

function findOpenFences(path: string, text: string): OpenFence[] {
  if (!/\.(?:md|mdx|markdown)$/i.test(path) || !/^(?:```|~~~)/m.test(text)) return [];
  return outlineDocument(path, text).blocks.flatMap((block) => judgeFence(block, text) ?? []);
}

function judgeFence(
  { kind, fence = "", language = "", region, content }: Block,
  text: string,
): OpenFence | null {
  if (kind !== "code-fence" || fence === "" || TEXT.test(language)) return null;
  // Delimiters inside a quotation or a list belong to that block.
  if (region.start > 0 && text[region.start - 1] !== "\n") return null;
  const body = text.slice(content.start, content.end);
  const heading = HEADING.exec(`\n${body}\n`);
  if (!heading) return null;
  const at = heading.index - 1;
  const isNext = new RegExp(`\\n${fence}[A-Za-z][^\\n]*\\n`).test(body.slice(at));
  const isClosed = text.slice(content.end, region.end).includes(fence);
  if (!isNext && isClosed) return null;
  const before = body.slice(0, at).replace(/(?<!\s)\s+$/, "");
  // A blank line in the sample: it may end there, or before the heading.
  const isPlain = !/\n[ \t]*\r?\n/.test(before) && before !== "";
  const end = content.start + before.length;
  const ending = text.slice(end, end + 2) === "\r\n" ? "\r\n" : "\n";
  return {
    start: region.start,
    heading: heading[0].replace(/\r$/, ""),
    ...(isPlain && { splice: { region: { start: end, end }, text: `${ending}${fence}` } }),
  };
}

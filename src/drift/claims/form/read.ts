import { parses } from "../../../syntax/check.ts";
import type { Block } from "../../../syntax/formats/document.ts";
import { defined } from "../../../text/model/defined.ts";
import type { Splice } from "../../../text/model/splice.ts";
import type { DocumentPage } from "../../change/change-model.ts";
import { fileNamesFor } from "../../pages/samples.ts";
import type { Claim } from "../claim.ts";

/** A fence of a page: it is closed, and its sample parses. */
export type FormClaim = Claim & {
  readonly language: string;
  /** Identifies the fence on its page after its other lines changed. */
  readonly key: string;
  /** Absent where the fence is closed. */
  readonly open?: OpenFence;
  /** The sample, where its language can be parsed and it is long enough to be told from others. */
  readonly sample?: string;
};

/** A fence that runs on over a heading of its page, or to its end. */
type OpenFence = {
  /** The first heading that it swallows, as written. */
  readonly heading?: string;
  /** The line that should close it, if that is clear. */
  readonly close?: Splice;
};

export async function isSound({ open, sample, language }: FormClaim): Promise<boolean> {
  if (open || sample === undefined) return !open;
  for (const name of fileNamesFor(language)) if (await parses(name, sample)) return true;
  return false;
}

/** The fences of a page, with the samples that can be parsed and are told from the others by their first lines. */
export function readFences(page: DocumentPage): FormClaim[] {
  if (!MAY_FENCE.test(page.text)) return [];
  const claims = page.outline().blocks.flatMap((block) => readFence(block, page));
  const byKey = Map.groupBy(claims, ({ key }) => key);
  return claims.map(({ sample, ...claim }) =>
    sample === undefined || byKey.get(claim.key)!.length > 1 ? claim : { ...claim, sample },
  );
}

const MAY_FENCE = /`{3}|~{3}|::/;

function readFence(block: Block, page: DocumentPage): FormClaim[] {
  const { kind, language = "", region, content } = block;
  if (kind !== "code-fence") return [];
  const open = findOpen(block, page);
  const sample = open ? null : sampleOf(block, page.text);
  const [first = "", second = ""] = page.text.slice(content.start, content.end).trim().split("\n", 2);
  return [
    {
      page,
      region: { start: region.start, end: content.start },
      language,
      key: `${language}\0${first.trim()}\0${second.trim()}`,
      ...defined({ open: open ?? undefined, sample: sample ?? undefined }),
    },
  ];
}

/** Samples whose language is itself text with headings, or is not given. */
const TEXT =
  /^(?:|md|mdx|markdown|mdown|text|txt|plain|plaintext|diff|patch|console|[rq]md|quarto|mermaid|none)$/i;
const HEADING = /(?<=\n[ \t]*\n)#{2,6}[ \t]+\S[^\n]*(?=\n[ \t]*\n)/;

/** A fence that is never closed, or only by the mark of a later one. */
function findOpen(
  { fence = "", language = "", region, content }: Block,
  page: DocumentPage,
): OpenFence | null {
  const { text, path } = page;
  if (fence === "" || TEXT.test(language) || !/\.(?:md|mdx|markdown)$/i.test(path)) return null;
  // Delimiters inside a quotation or a list belong to that block.
  if (region.start > 0 && text[region.start - 1] !== "\n") return null;
  const body = text.slice(content.start, content.end);
  const isClosed = text.slice(content.end, region.end).includes(fence);
  const heading = HEADING.exec(`\n${body}\n`);
  if (!heading) return isClosed || !/\S/.test(body) ? null : {};
  const at = heading.index - 1;
  const isNext = new RegExp(`\\n${fence}[A-Za-z][^\\n]*\\n`).test(body.slice(at));
  if (!isNext && isClosed) return null;
  const before = body.slice(0, at).replace(/(?<!\s)\s+$/, "");
  // A blank line in the sample: it may end there, or before the heading.
  const isPlain = !/\n[ \t]*\r?\n/.test(before) && before !== "";
  const end = content.start + before.length;
  const ending = text.slice(end, end + 2) === "\r\n" ? "\r\n" : "\n";
  return {
    heading: heading[0].replace(/\r$/, ""),
    ...(isPlain && { close: { region: { start: end, end }, text: `${ending}${fence}` } }),
  };
}

const mostCharacters = 20_000;

/** Shell samples have prompts and output as often as programs. */
const SHELL = /^(?:sh|bash|zsh|shell|console)$/i;

/** Marks for omitted lines, for placeholders and for templates: the sample is not a complete program. */
const LEAVES_OUT =
  /(?<![\w.)\]}])\.{3}(?![\w.[{("'`])|…|\{\{|\{%|<%|<[a-z][\w ]*>(?!.*<\/)|^[^\S\n]*[$>]\s/im;

/** The text of a sample that says it is whole; one line is too little to know it again. */
function sampleOf({ language = "", content: { start, end } }: Block, page: string): string | null {
  if (end - start > mostCharacters || SHELL.test(language) || fileNamesFor(language).length === 0)
    return null;
  // A file ends with a line ending, and some grammars need it.
  const sample = `${page.slice(start, end).replace(/\n$/, "")}\n`;
  return sample.trim().split("\n", 3).length < 3 || LEAVES_OUT.test(sample) ? null : sample;
}

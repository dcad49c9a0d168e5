import { parses } from "../../../syntax/check.ts";
import type { Block } from "../../../syntax/formats/document.ts";
import { outlineDocument } from "../../../syntax/formats/outline.ts";
import type { Loss } from "../../change/change.ts";
import type { DocumentPage } from "../../change/change-model.ts";
import { createLineCounter } from "../../change/tokens.ts";
import type { Notice } from "../../findings.ts";
import { createPace } from "../../pace.ts";
import { fileNamesFor } from "../../pages/samples.ts";
import type { Audit } from "../../rule.ts";
import { auditNotice } from "./audit-notice.ts";

/** A sample of a page in a language that can be parsed. */
type PageSample = {
  readonly start: number;
  readonly language: string;
  readonly text: string;
  /** The page, the language and the first line identify a sample after its other lines changed. */
  readonly key: string;
};

type BrokenSample = { readonly page: DocumentPage; readonly sample: PageSample };

/**
 * Samples that parsed once and that an edit of their page broke. A sample that never parsed may be an intended excerpt,
 * so the history decides.
 */
export async function auditSamples({ pages, input: { history } }: Audit): Promise<Notice[]> {
  if (!history) return [];
  const broken = await findBroken(pages);
  const paths = new Set(broken.map(({ page }) => page.path));
  if (paths.size === 0) return [];
  const losses = await history.losses({
    keys: broken.map(({ sample }) => sample.key),
    mayHold: (path) => paths.has(path),
    keysOf: parsedKeys,
  });
  return broken.flatMap((one) => {
    const loss = losses.get(one.sample.key);
    return loss ? [toNotice(one, loss)] : [];
  });
}

function toNotice({ page, sample }: BrokenSample, { commit, date, subject }: Loss): Notice {
  const line = createLineCounter(page.text)(sample.start);
  return {
    ...auditNotice({ page, line }, "fence", "likely", { what: "broken sample", old: sample.language }),
    cause: `sample:${sample.key}`,
    since: { commit, date, subject },
  };
}

async function findBroken(pages: readonly DocumentPage[]): Promise<BrokenSample[]> {
  const pace = createPace();
  const broken: BrokenSample[] = [];
  for (const page of pages)
    for (const sample of findSamples(page.path, page.text)) {
      await pace();
      if (!LEAVES_OUT.test(sample.text) && !(await doesParse(sample))) broken.push({ page, sample });
    }
  return broken;
}

/** Marks for omitted lines, for placeholders and for templates: the sample is not a complete program. */
const LEAVES_OUT =
  /(?<![\w.)\]}])\.{3}(?![\w.[{("'`])|…|\{\{|\{%|<%|<[a-z][\w ]*>(?!.*<\/)|^[^\S\n]*[$>]\s/im;

async function parsedKeys(path: string, text: string): Promise<string[]> {
  const keys: string[] = [];
  for (const sample of findSamples(path, text)) if (await doesParse(sample)) keys.push(sample.key);
  return keys;
}

async function doesParse({ language, text }: PageSample): Promise<boolean> {
  for (const name of fileNamesFor(language)) if (await parses(name, text)) return true;
  return false;
}

const mostCharacters = 20_000;

/** Shell samples have prompts and output as often as programs. */
const SHELL = /^(?:sh|bash|zsh|shell|console)$/i;

/** The samples of a page whose first line is unique. */
function findSamples(path: string, text: string): PageSample[] {
  if (!text.includes("```") && !text.includes("~~~") && !text.includes("::")) return [];
  const samples = outlineDocument(path, text).blocks.flatMap((block) => toSample(block, path, text));
  const byKey = Map.groupBy(samples, ({ key }) => key);
  return samples.filter(({ key }) => byKey.get(key)!.length === 1);
}

function toSample({ kind, language = "", region, content }: Block, path: string, text: string): PageSample[] {
  const size = content.end - content.start;
  if (kind !== "code-fence" || size > mostCharacters || SHELL.test(language)) return [];
  if (fileNamesFor(language).length === 0) return [];
  // A file ends with a line ending, and some grammars need it.
  const body = `${text.slice(content.start, content.end).replace(/\n$/, "")}\n`;
  const lines = body.trim().split("\n");
  // One line is too little to identify a sample.
  if (lines.length < 3) return [];
  const key = `sample ${path}\0${language}\0${lines[0]!.trim()}\0${lines[1]!.trim()}`;
  return [{ start: region.start, language, text: body, key }];
}

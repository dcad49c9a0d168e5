import { isRecord, parseJson } from "../../text/model/json.ts";

/** Which sources a page was written from, and the commit it was last true at. */
export type PageLineage = {
  readonly sources: readonly string[];
  readonly commit: string | null;
  /** Version of the page that was written. */
  readonly version: string;
};

/** `.suture/lineage.json`. It is committed with the pages, so that every clone has it. */
export type Lineage = { readonly version: 1; readonly pages: Readonly<Record<string, PageLineage>> };

export const lineageFile = "lineage.json";

export const emptyLineage: Lineage = { version: 1, pages: {} };

/** `null` if this version cannot read the file. Callers then leave the file as it is. */
export function parseLineage(text: string): Lineage | null {
  const value = parseJson(text);
  if (!isRecord(value) || value.version !== 1 || !isRecord(value.pages)) return null;
  const pages = Object.entries(value.pages);
  return pages.every((page): page is [string, PageLineage] => isPage(page[1]))
    ? { version: 1, pages: Object.fromEntries(pages) }
    : null;
}

function isPage(value: unknown): value is PageLineage {
  if (!isRecord(value)) return false;
  const { sources, commit, version } = value;
  const named = Array.isArray(sources) && sources.every((source) => typeof source === "string");
  return named && (commit === null || typeof commit === "string") && typeof version === "string";
}

/** Sorted by path, so that git can merge the pages of two people. */
export function printLineage({ pages }: Lineage): string {
  const sorted = Object.entries(pages).sort(([a], [b]) => (a < b ? -1 : 1));
  const tidy = sorted.map(([path, page]) => [path, { ...page, sources: [...page.sources].sort() }]);
  return `${JSON.stringify({ version: 1, pages: Object.fromEntries(tidy) }, null, 2)}\n`;
}

export function withPages(lineage: Lineage, pages: Readonly<Record<string, PageLineage>>): Lineage {
  return { version: 1, pages: { ...lineage.pages, ...pages } };
}

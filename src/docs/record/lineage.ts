/** Which sources a page was written from, and the commit it was last true at. */
export type PageLineage = {
  readonly sources: readonly string[];
  readonly commit: string | null;
  /** Version of the page that was written. */
  readonly version: string;
};

/** `.suture/lineage.json`: committed with the pages, so every copy of the repository knows. */
export type Lineage = { readonly version: 1; readonly pages: Readonly<Record<string, PageLineage>> };

export const lineageFile = "lineage.json";

export const emptyLineage: Lineage = { version: 1, pages: {} };

/** `null`: not a lineage this version can read. It is then left alone rather than started afresh. */
export function parseLineage(text: string): Lineage | null {
  try {
    const value: unknown = JSON.parse(text);
    if (!isRecord(value) || value.version !== 1 || !isRecord(value.pages)) return null;
    const pages = Object.entries(value.pages);
    return pages.every((page): page is [string, PageLineage] => isPage(page[1]))
      ? { version: 1, pages: Object.fromEntries(pages) }
      : null;
  } catch {
    return null;
  }
}

function isPage(value: unknown): value is PageLineage {
  if (!isRecord(value)) return false;
  const { sources, commit, version } = value;
  const named = Array.isArray(sources) && sources.every((source) => typeof source === "string");
  return named && (commit === null || typeof commit === "string") && typeof version === "string";
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** In order of path, so that two people's pages meet in separate lines. */
export function printLineage({ pages }: Lineage): string {
  const sorted = Object.entries(pages).sort(([a], [b]) => (a < b ? -1 : 1));
  const tidy = sorted.map(([path, page]) => [path, { ...page, sources: [...page.sources].sort() }]);
  return `${JSON.stringify({ version: 1, pages: Object.fromEntries(tidy) }, null, 2)}\n`;
}

export function withPages(lineage: Lineage, pages: Readonly<Record<string, PageLineage>>): Lineage {
  return { version: 1, pages: { ...lineage.pages, ...pages } };
}

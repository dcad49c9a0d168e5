import { z } from "zod";

/** Which sources a page was written from, and the commit it was last true at. */
export type PageLineage = {
  readonly sources: readonly string[];
  readonly commit: string | null;
  /** Version of the page that was written. */
  readonly version: string;
};

/** `.suture/lineage.json`: committed with the pages, so every copy of the repository knows. */
export type Lineage = { readonly version: 1; readonly pages: Readonly<Record<string, PageLineage>> };

const schema = z.object({
  version: z.literal(1),
  pages: z.record(
    z.string(),
    z.object({ sources: z.array(z.string()), commit: z.string().nullable(), version: z.string() }),
  ),
});

export const emptyLineage: Lineage = { version: 1, pages: {} };

/** `null`: not a lineage this version can read. It is then left alone rather than started afresh. */
export function parseLineage(text: string): Lineage | null {
  try {
    const parsed = schema.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
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

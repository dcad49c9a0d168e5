import type { Region } from "../../../text/model/region.ts";
import { applySplices, inOrder } from "../../../text/model/splice.ts";
import type { DocumentPage } from "../../change/change-model.ts";
import type { Notice } from "../../findings.ts";
import { linePolicyOf } from "../../pages/line-policy.ts";
import { lineAt } from "../../pages/page.ts";
import type { State } from "../../state/state.ts";
import { foldAnchor, headingsOf } from "./headings.ts";
import { locate } from "./locate.ts";
import { readLinks } from "./read.ts";

type LinkingPages = { readonly head: State; readonly pages: readonly DocumentPage[] };

/** The notices, each edit of a heading with the links that lead to it on every page. `open` is asked only if there is one. */
export async function followHeadings(
  notices: readonly Notice[],
  open: () => LinkingPages,
): Promise<Notice[]> {
  const isHeading = ({ page, line, splice, tier }: Notice): boolean =>
    splice !== undefined && tier !== "possible" && page.read().lines[line]?.place === "heading";
  const edited = notices.filter(isHeading);
  if (edited.length === 0) return [...notices];
  const linking = open();
  const slugs = new Map(
    Array.from(
      Map.groupBy(edited, ({ page }) => page),
      ([page, own]) => [page, slugsAfter(page, own)],
    ),
  );
  return Promise.all(
    notices.map((notice) => {
      const slug = isHeading(notice) ? slugs.get(notice.page)?.get(notice.line) : undefined;
      return slug ? followHeading(notice, slug, { notices, linking }) : notice;
    }),
  );
}

/** The slug of a heading before and after the edits of its page. */
type SlugChange = { readonly old: string; readonly fresh: string };

/** What becomes of the slugs of a page, by line. Equal headings have numbers, so all edits count together. */
function slugsAfter(page: DocumentPage, edited: readonly Notice[]): ReadonlyMap<number, SlugChange> {
  const splices = inOrder(edited.map(({ splice }) => splice!));
  const after = headingsOf(page.path, applySplices(page.text, splices));
  return new Map(
    headingsOf(page.path, page.text).flatMap(({ line, slug: old }, at) => {
      const fresh = after[at]?.slug;
      return fresh === undefined || fresh === old ? [] : [[line - 1, { old, fresh }] as const];
    }),
  );
}

async function followHeading(
  notice: Notice,
  { old, fresh }: SlugChange,
  { notices, linking }: { readonly notices: readonly Notice[]; readonly linking: LinkingPages },
): Promise<Notice> {
  const links = await findLinks({ path: notice.page.path, slug: old }, linking);
  const isTaken = (link: { readonly page: DocumentPage; readonly region: Region }): boolean =>
    notices.some(
      (other) =>
        other.page === link.page &&
        other.splice !== undefined &&
        other.splice.region.start < link.region.end &&
        link.region.start < other.splice.region.end,
    );
  const also = links.filter((link) => !isTaken(link)).map((link) => ({ ...link, text: fresh }));
  return also.length === 0 ? notice : { ...notice, also };
}

/** The fragments of all links to a heading. */
async function findLinks(
  { path, slug }: { readonly path: string; readonly slug: string },
  { head, pages }: LinkingPages,
): Promise<{ readonly page: DocumentPage; readonly region: Region }[]> {
  const found: { readonly page: DocumentPage; readonly region: Region }[] = [];
  for (const page of pages) {
    if (!page.text.toLowerCase().includes(`#${slug.toLowerCase()}`)) continue;
    const { ownerOf, isSilent } = linePolicyOf(page);
    for (const claim of readLinks(page)) {
      const { fragment } = claim;
      if (fragment === null || foldAnchor(fragment.text) !== foldAnchor(slug)) continue;
      const line = lineAt(page.read(), fragment.region.start);
      if (ownerOf(line) !== null || isSilent(line)) continue;
      const place = await locate(claim, head);
      if (place.is === "there" && place.path === path) found.push({ page, region: fragment.region });
    }
  }
  return found;
}

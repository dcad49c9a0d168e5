import type { Region } from "../../../text/model/region.ts";
import { applySplices } from "../../../text/model/splice.ts";
import type { DocumentPage } from "../../change/change-model.ts";
import type { Notice } from "../../findings.ts";
import { linePolicyOf } from "../../pages/line-policy.ts";
import { lineAt } from "../../pages/page.ts";
import type { State } from "../../state/state.ts";
import { foldAnchor, headingsOf } from "./headings.ts";
import { locate } from "./locate.ts";
import { readLinks } from "./read.ts";

type Places = { readonly head: State; readonly pages: readonly DocumentPage[] };

/** The notices, each edit of a heading with the links that lead to it on every page. `open` is asked only if there is one. */
export async function followHeadings(notices: readonly Notice[], open: () => Places): Promise<Notice[]> {
  const isHeading = ({ page, line, splice, tier }: Notice): boolean =>
    splice !== undefined && tier !== "possible" && page.read().lines[line]?.place === "heading";
  if (!notices.some(isHeading)) return [...notices];
  const places = open();
  return Promise.all(
    notices.map((notice) => (isHeading(notice) ? followHeading(notice, notices, places) : notice)),
  );
}

async function followHeading(notice: Notice, notices: readonly Notice[], places: Places): Promise<Notice> {
  const { page, line, splice } = notice;
  const [before, after] = [
    headingsOf(page.path, page.text),
    headingsOf(page.path, applySplices(page.text, [splice!])),
  ];
  const at = before.findIndex((heading) => heading.line === line + 1);
  const [old, fresh] = [before[at]?.slug, after[at]?.slug];
  if (old === undefined || fresh === undefined || old === fresh) return notice;
  const links = await findLinks({ path: page.path, slug: old }, places);
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
  { head, pages }: Places,
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

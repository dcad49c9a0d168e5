import type { DocumentText } from "../../change/change.ts";
import type { DocumentPage } from "../../change/change-model.ts";
import type { Notice, Tier } from "../../findings.ts";
import { anchorsOf, findLinks, foldAnchor, type Link } from "../../pages/links.ts";
import type { Audit } from "../../rule.ts";
import { auditNotice } from "./audit-notice.ts";

/** Whether there is a file or a folder of that name. */
type Places = { readonly holds: (path: string) => boolean };

function createPlaces(tree: readonly string[]): Places {
  const known = new Set(tree);
  for (const path of tree)
    for (let at = path.lastIndexOf("/"); at > 0; at = path.lastIndexOf("/", at - 1)) {
      const folder = path.slice(0, at);
      if (known.has(folder)) break;
      known.add(folder);
    }
  known.add("");
  return { holds: (path) => known.has(path) };
}

const PLACEHOLDER = /path\/to|your[-_]|example|sample|foo|bar|xxx|\.\.\.|\$/i;

/** Links, anchors and paths in code that lead nowhere. A link to a missing file is certain. */
export async function auditPaths({ pages, input }: Audit): Promise<Notice[]> {
  const places = createPlaces(input.tree);
  const anchors = createAnchors(input.documents);
  return pages.flatMap((page) => [...brokenLinks(page, anchors, places), ...brokenPaths(page, places)]);
}

function brokenLinks(
  page: DocumentPage,
  anchors: (path: string) => ReadonlySet<string> | null,
  places: Places,
): Notice[] {
  return findLinks(page.path, page.text).flatMap((link) => {
    const target = link.targets.find((path) => places.holds(path));
    if (target === undefined)
      return [
        auditNotice({ page, line: link.line }, "path", tierOf(link), { what: "no file", old: link.address }),
      ];
    const offered = link.anchor ? anchors(target) : null;
    if (!offered || offered.has(foldAnchor(link.anchor!)) || foldAnchor(link.anchor!) === "top") return [];
    return [
      auditNotice({ page, line: link.line }, "path", "likely", {
        what: "no heading",
        old: link.anchor!,
        owner: target,
      }),
    ];
  });
}

/** A site may make a page of an address without an ending; a file that is named whole is there or is not. */
function tierOf({ address }: Link): Tier {
  return /\.(?!html?$)\w{1,5}$/i.test(address) && !PLACEHOLDER.test(address) ? "certain" : "possible";
}

/** The anchors of a page, read once however many links lead to it; null for what is no document. */
function createAnchors(documents: readonly DocumentText[]): (path: string) => ReadonlySet<string> | null {
  const texts = new Map(documents.map(({ path, text }) => [path, text]));
  const known = new Map<string, ReadonlySet<string>>();
  return (path) => {
    const text = texts.get(path);
    if (text === undefined) return null;
    const offered = known.get(path) ?? anchorsOf(path, text);
    known.set(path, offered);
    return offered;
  };
}

const PATH = /^(?:\.\/)?([\w@.-]+(?:\/[\w@.-]+)+\.\w{1,5})$/;

/** Paths in inline code that begin with a folder of the repository and end nowhere. */
function brokenPaths(page: DocumentPage, places: Places): Notice[] {
  if (!page.text.includes("/")) return [];
  const folder = page.path.split("/").slice(0, -1).join("/");
  return page.read().lines.flatMap(({ text, spans }, line) =>
    spans.flatMap(({ start, end }) => {
      const path = PATH.exec(text.slice(start, end).replaceAll("`", ""))?.[1];
      if (!path || PLACEHOLDER.test(path) || !places.holds(path.slice(0, path.indexOf("/")))) return [];
      if (places.holds(path) || places.holds(folder === "" ? path : `${folder}/${path}`)) return [];
      return [auditNotice({ page, line }, "path", "possible", { what: "no file", old: path })];
    }),
  );
}

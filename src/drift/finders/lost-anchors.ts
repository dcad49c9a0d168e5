import { outlineDocument } from "../../syntax/formats/outline.ts";
import { createWordFinder } from "../../syntax/words/words.ts";
import type { ChangedFile } from "../change/change.ts";
import type { ChangeModel, DocumentPage } from "../change/change-model.ts";
import { compareFile } from "../change/comparison.ts";
import { joinMovedFiles } from "../change/files/file-moves.ts";
import type { Notice } from "../findings.ts";
import { anchorsOf, findLinks, foldAnchor, type Link } from "../pages/links.ts";
import { documentClass } from "../pages/policies.ts";

/** A removed heading: its anchor, and the anchor that replaced it. */
type LostAnchor = {
  readonly successor: string | null;
  readonly before: string;
  readonly after?: string;
  readonly line: number;
};

/** The change renamed or removed a heading of a page, and a link points to its anchor. */
export async function findAnchors(change: ChangeModel): Promise<Notice[]> {
  const changes = joinMovedFiles(change.input.pages ?? [], change.moves.movedTo);
  const lost = new Map(
    changes.flatMap((file) => {
      const anchors = findLostAnchors(file);
      return anchors.size ? [[file.path, anchors] as const] : [];
    }),
  );
  if (!lost.size) return [];
  const tree = new Set(change.input.tree);
  const mayLink = createHint(lost);
  return change.linkingPages
    .filter(mayLink)
    .flatMap((page) =>
      findLinks(page.path, page.text).flatMap(
        (link) => missingAnchor(change, { page, link }, { lost, tree }) ?? [],
      ),
    );
}

/** Only pages that contain the name of a page with a lost anchor are parsed. */
function createHint(lost: ReadonlyMap<string, unknown>): (page: DocumentPage) => boolean {
  const stems = [...lost.keys()].map((path) =>
    path
      .slice(path.lastIndexOf("/") + 1)
      .replace(/\.\w+$/, "")
      .toLowerCase(),
  );
  // A link to a folder means its index page without naming it.
  if (stems.some((stem) => /^(?:index|readme|_index)$/.test(stem))) return () => true;
  const find = createWordFinder(stems);
  return ({ path, text }) => lost.has(path) || find(text.toLowerCase()).length > 0;
}

type LinkOnPage = { readonly page: DocumentPage; readonly link: Link };

/** The anchors that each page lost, and every path of the tree. */
type Targets = {
  readonly lost: ReadonlyMap<string, ReadonlyMap<string, LostAnchor>>;
  readonly tree: ReadonlySet<string>;
};

function missingAnchor(
  change: ChangeModel,
  { page, link }: LinkOnPage,
  { lost, tree }: Targets,
): Notice | null {
  if (!link.anchor) return null;
  const target = link.targets.find((one) => tree.has(one) || one === page.path);
  const anchor = target === undefined ? undefined : lost.get(target)?.get(foldAnchor(link.anchor));
  if (!target || !anchor) return null;
  const { successor, before, after, line } = anchor;
  const start = link.region.end - link.anchor.length;
  const plain = page.text.slice(start, link.region.end) === link.anchor;
  return {
    ...pointAt(page, link),
    tier: successor === null ? "likely" : "certain",
    cause: `anchor:${target}#${link.anchor}`,
    features: { "target is history": documentClass(target) === "history" ? 1 : 0 },
    message:
      successor === null
        ? { what: "removed", old: `#${link.anchor}` }
        : { what: "moved", old: `#${link.anchor}`, new: `#${successor}` },
    evidence: [
      {
        path: target,
        revision: successor === null ? change.input.base : change.input.head,
        startLine: line,
        endLine: line,
        before,
        ...(after === undefined ? {} : { after }),
      },
    ],
    ...(successor === null || !plain
      ? {}
      : { splice: { region: { start, end: link.region.end }, text: successor } }),
  };
}

/** Anchors that the page no longer has, each with the heading that replaced it. */
function findLostAnchors(file: ChangedFile): Map<string, LostAnchor> {
  const lost = new Map<string, LostAnchor>();
  if (file.before === null || file.after === null || file.before === file.after) return lost;
  // The headings of an included file are headings of the page.
  if (INCLUDE.test(file.after)) return lost;
  const were = headingsOf(file.from ?? file.path, file.before);
  const are = headingsOf(file.path, file.after);
  const kept = anchorsOf(file.path, file.after);
  const known = anchorsOf(file.from ?? file.path, file.before);
  const facing = new Map(
    compareFile(file).rewrites.flatMap(({ pairs, removed, added }) => {
      const old = removed.filter(({ number }) => were.has(number));
      const fresh = added.filter(({ number }) => are.has(number));
      if (old.length === 1 && fresh.length === 1) return [[old[0]!.number, fresh[0]!] as const];
      return pairs.map((pair) => [pair.old.number, pair.new] as const);
    }),
  );
  for (const [line, { slug, text }] of were) {
    // A number distinguishes equal headings, and renderers number them differently.
    if (kept.has(foldAnchor(slug)) || kept.has(foldAnchor(slug.replace(/-\d+$/, "")))) continue;
    const next = facing.get(line);
    const successor = next ? are.get(next.number)?.slug : undefined;
    const fits = successor !== undefined && !known.has(foldAnchor(successor));
    lost.set(foldAnchor(slug), {
      successor: fits ? successor : null,
      before: text,
      ...(fits ? { after: next!.text } : {}),
      line: fits ? next!.number : line,
    });
  }
  return lost;
}

const INCLUDE =
  /^\s*(?:-{1,}8<-{1,}|\.\. include::|include::|<!--\s*@include)|\{%-?\s*include|\{\{\s*#?include/m;

/** Headings by line, counted from 1. */
function headingsOf(
  path: string,
  text: string,
): Map<number, { readonly slug: string; readonly text: string }> {
  const found = new Map<number, { slug: string; text: string }>();
  let line = 1;
  let at = 0;
  for (const { kind, slug, region } of outlineDocument(path, text).blocks) {
    if (kind !== "heading" || !slug || region.start < at) continue;
    for (let next = text.indexOf("\n", at); next >= 0 && next < region.start; next = text.indexOf("\n", at)) {
      line++;
      at = next + 1;
    }
    found.set(line, { slug, text: text.slice(region.start, region.end).split("\n")[0]! });
  }
  return found;
}

function pointAt(page: DocumentPage, { line }: Link): Pick<Notice, "page" | "line" | "endLine" | "kind"> {
  return { page, line, endLine: line, kind: "anchor" };
}

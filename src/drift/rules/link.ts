import { outlineDocument } from "../../syntax/formats/outline.ts";
import { createWordFinder } from "../../syntax/words/words.ts";
import type { ChangedFile } from "../change/change.ts";
import type { DocumentPage, Ground } from "../change/change-model.ts";
import { compareFile, pairMovedFiles } from "../change/comparison.ts";
import type { Notice } from "../findings.ts";
import { anchorsOf, findLinks, foldAnchor, type Link, targetsOf } from "../pages/links.ts";

/** A heading that is no more: its anchor, and the one that took its place. */
type LostAnchor = {
  readonly partner: string | null;
  readonly before: string;
  readonly after?: string;
  readonly line: number;
};

/**
 * H. The change moved or removed a page or a heading of one, and a link leads where it was. Certain where one page or
 * one heading took its place; likely where nothing did, and then it is pointed at.
 */
export async function findBrokenLinks(ground: Ground): Promise<Notice[]> {
  const changes = pairMovedFiles(ground.input.pages ?? []);
  if (!changes.length) return [];
  const tree = new Set(ground.input.tree);
  const gone = new Map(
    changes.flatMap((file) => (isGone(file, tree) ? [[file.from ?? file.path, file] as const] : [])),
  );
  const lost = new Map(
    changes.flatMap((file) => {
      const anchors = findLostAnchors(file);
      return anchors.size ? [[file.path, anchors] as const] : [];
    }),
  );
  const moved = new Map(changes.flatMap((file) => (file.from ? [[file.path, file.from] as const] : [])));
  if (!gone.size && !lost.size) return [];
  const mayLink = createHint(gone, lost);
  const notices: Notice[] = [];
  for (const page of ground.pages) {
    if (!moved.has(page.path) && !mayLink(page)) continue;
    for (const link of findLinks(page.path, page.text)) {
      const notice =
        missingPage(ground, page, link, gone, tree) ??
        brokenByMove(ground, page, link, moved.get(page.path), tree) ??
        missingAnchor(ground, page, link, lost, tree);
      if (notice) notices.push(notice);
    }
  }
  return notices;
}

/** Whether no page stands any more where the change found one. */
function isGone({ path, from, after }: ChangedFile, tree: ReadonlySet<string>): boolean {
  return !tree.has(from ?? path) && (after === null || (from !== undefined && from !== path));
}

/** Only pages that spell a lost page or anchor are read closely. */
function createHint(
  gone: ReadonlyMap<string, unknown>,
  lost: ReadonlyMap<string, ReadonlyMap<string, LostAnchor>>,
): (page: DocumentPage) => boolean {
  const stems = [...gone.keys(), ...lost.keys()].map((path) =>
    path
      .slice(path.lastIndexOf("/") + 1)
      .replace(/\.\w+$/, "")
      .toLowerCase(),
  );
  // A link to a folder means its index without a word of it.
  if (stems.some((stem) => /^(?:index|readme|_index)$/.test(stem))) return () => true;
  const find = createWordFinder(stems);
  return ({ path, text }) => lost.has(path) || find(text.toLowerCase()).length > 0;
}

function missingPage(
  ground: Ground,
  page: DocumentPage,
  link: Link,
  gone: ReadonlyMap<string, ChangedFile>,
  tree: ReadonlySet<string>,
): Notice | null {
  if (link.targets.some((target) => tree.has(target))) return null;
  const file = link.targets.map((target) => gone.get(target)).find((one) => one !== undefined);
  if (!file || file.path === page.path) return null;
  const to = file.after === null ? null : addressOf(page.path, file.path, link.address);
  return {
    ...pointAt(page, link),
    tier: to === null ? "likely" : "certain",
    message:
      to === null ? { what: "removed", old: link.address } : { what: "moved", old: link.address, new: to },
    evidence: [
      {
        path: file.path,
        revision: file.after === null ? ground.input.base : ground.input.head,
        startLine: 1,
        endLine: 1,
        before: file.from ?? file.path,
        ...(file.after === null ? {} : { after: file.path }),
      },
    ],
    ...(to === null ? {} : spliceAddress(link, to)),
  };
}

/** A link of a page that moved itself: it still says the way from the old place. */
function brokenByMove(
  ground: Ground,
  page: DocumentPage,
  link: Link,
  from: string | undefined,
  tree: ReadonlySet<string>,
): Notice | null {
  if (from === undefined || link.address === "" || link.targets.some((target) => tree.has(target)))
    return null;
  const meant = targetsOf(from, link.address).find((target) => tree.has(target));
  if (meant === undefined) return null;
  const to = addressOf(page.path, meant, link.address);
  return {
    ...pointAt(page, link),
    tier: "certain",
    message: { what: "moved", old: link.address, new: to },
    evidence: [
      {
        path: page.path,
        revision: ground.input.head,
        startLine: 1,
        endLine: 1,
        before: from,
        after: page.path,
      },
    ],
    ...spliceAddress(link, to),
  };
}

function missingAnchor(
  ground: Ground,
  page: DocumentPage,
  link: Link,
  lost: ReadonlyMap<string, ReadonlyMap<string, LostAnchor>>,
  tree: ReadonlySet<string>,
): Notice | null {
  if (!link.anchor) return null;
  const target = link.targets.find((one) => tree.has(one) || one === page.path);
  const anchor = target === undefined ? undefined : lost.get(target)?.get(foldAnchor(link.anchor));
  if (!target || !anchor) return null;
  const { partner, before, after, line } = anchor;
  const start = link.region.end - link.anchor.length;
  const plain = page.text.slice(start, link.region.end) === link.anchor;
  return {
    ...pointAt(page, link),
    tier: partner === null ? "likely" : "certain",
    message:
      partner === null
        ? { what: "removed", old: `#${link.anchor}` }
        : { what: "moved", old: `#${link.anchor}`, new: `#${partner}` },
    evidence: [
      {
        path: target,
        revision: partner === null ? ground.input.base : ground.input.head,
        startLine: line,
        endLine: line,
        before,
        ...(after === undefined ? {} : { after }),
      },
    ],
    ...(partner === null || !plain
      ? {}
      : { splice: { region: { start, end: link.region.end }, text: partner } }),
  };
}

/** Anchors that the page had and has no more, each with the heading that stands in its place now. */
function findLostAnchors(file: ChangedFile): Map<string, LostAnchor> {
  const lost = new Map<string, LostAnchor>();
  if (file.before === null || file.after === null || file.before === file.after) return lost;
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
    if (kept.has(foldAnchor(slug))) continue;
    const next = facing.get(line);
    const partner = next ? are.get(next.number)?.slug : undefined;
    const fits = partner !== undefined && !known.has(foldAnchor(partner));
    lost.set(foldAnchor(slug), {
      partner: fits ? partner : null,
      before: text,
      ...(fits ? { after: next!.text } : {}),
      line: fits ? next!.number : line,
    });
  }
  return lost;
}

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

/** The way from one page to another, written as the old one was: with its ending or without, with `./` or without. */
function addressOf(from: string, to: string, like: string): string {
  const here = from.split("/").slice(0, -1);
  const there = to.split("/");
  let shared = 0;
  while (shared < here.length && shared < there.length - 1 && here[shared] === there[shared]) shared++;
  const up = here.slice(shared).map(() => "..");
  const path = [...up, ...there.slice(shared)].join("/");
  const dotted = like.startsWith("./") && up.length === 0 ? `./${path}` : path;
  if (/\.html?$/i.test(like)) return dotted.replace(/\.\w+$/, /\.\w+$/.exec(like)![0]);
  if (/\.\w+$/.test(like)) return dotted;
  return dotted.replace(/\/(?:index|README|readme|_index)\.\w+$/, "/").replace(/\.\w+$/, "");
}

function spliceAddress({ region, address }: Link, to: string): Pick<Notice, "splice"> {
  return { splice: { region: { start: region.start, end: region.start + address.length }, text: to } };
}

function pointAt(page: DocumentPage, { line }: Link): Pick<Notice, "page" | "line" | "endLine" | "kind"> {
  return { page, line, endLine: line, kind: "path" };
}

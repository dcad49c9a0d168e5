import { formatAt } from "../../../syntax/formats/registry.ts";
import { createWordFinder } from "../../../syntax/words/words.ts";
import { defined } from "../../../text/model/defined.ts";
import type { Evidence } from "../../../text/model/edit.ts";
import { boundTo } from "../../binding/bound-by.ts";
import type { ChangedFile, Since } from "../../change/change.ts";
import type { ChangeModel, DocumentPage } from "../../change/change-model.ts";
import { joinMovedFiles } from "../../change/files/file-moves.ts";
import { foldersAbove } from "../../change/folders.ts";
import { commandAt } from "../../pages/command-lines.ts";
import { documentClass } from "../../pages/policies.ts";
import { statementAt } from "../../pages/statements.ts";
import type { State } from "../../state/state.ts";
import type { Drift, Kind, PastStates, Truth } from "../claim.ts";
import { addressOf, labelFor } from "./address.ts";
import { findDead, isFragment, SHOWN_AS_IS } from "./dead.ts";
import {
  anchorsOf,
  foldAnchor,
  type Heading,
  hasAnchor,
  headingsOf,
  isAnchorLost,
  lineOfAnchor,
  namedHeading,
  successorOf,
} from "./headings.ts";
import { judgeLabel, labelTruth, lostLabels } from "./labels.ts";
import { isMention, type LinkPlace, locate } from "./locate.ts";
import { type LinkClaim, readLinks } from "./read.ts";
import { isReadersOwn } from "./readers-own.ts";
import { seeksLabels } from "./served.ts";

export const link: Kind<"link", LinkClaim> = {
  name: "link",
  docs: "A page links to a file, a folder or a heading that is not there, shows it on a code host, or names its path.",
  mayEdit: true,
  rules: ["path", "anchor"],
  formerly: { paths: "path", links: "path" },
  read: readLinks,
  touched: findTouched,
  judge,
  timeless: isTimeless,
  evaluate,
};

/** The links of pages that the change wrote or moved, and of pages that name a lost path or a lost heading. */
async function findTouched({ input, moves, linkingPages }: ChangeModel): Promise<LinkClaim[]> {
  const names = [...moves.gone, ...moves.goneFolders].flatMap(hintOf);
  const pages = joinMovedFiles(input.pages ?? [], moves.movedTo);
  const lost = new Map(pages.map((file) => [file.path, findLostAnchors(file)] as const));
  const anchors = [...[...lost.values()].flat(), ...pages.flatMap(lostLabels)];
  const find = createWordFinder([...names, ...anchors].map((word) => word.toLowerCase()));
  const mayLink = ({ path, text }: DocumentPage): boolean =>
    lost.has(path) || moves.movedFrom(path) !== null || find(text.toLowerCase()).length > 0;
  return linkingPages.filter(mayLink).flatMap((page) => readLinks(page));
}

/** A word that a page must have to name a path. A link to a folder means its index page without naming it. */
function hintOf(path: string): string[] {
  const parts = path.split("/");
  const stem = parts.at(-1)!.replace(/\.\w+$/, "");
  const isIndex = /^(?:index|readme|_index)$/i.test(stem) && parts.length > 1;
  const word = (isIndex ? parts.at(-2)! : stem).replace(/^\d+[-_.]/, "");
  return word === "" ? [] : [word];
}

function findLostAnchors({ path, from = path, before, after }: ChangedFile): string[] {
  if (before === null || after === null || before === after) return [];
  const kept = anchorsOf(path, after);
  return headingsOf(from, before).flatMap(({ slug }) =>
    kept.has(foldAnchor(slug)) ? [] : [slug, joined(slug)],
  );
}

/** A link to a file by its name is dead whatever the past was. A site may serve an address without an ending. */
function isTimeless({ form, written }: LinkClaim): boolean {
  return (
    form === "url" ||
    (form === "link" && (written === "" || (/\.\w+$/.test(written) && !/\.html?$/i.test(written))))
  );
}

async function evaluate(claim: LinkClaim, state: State): Promise<Truth> {
  if (claim.form === "label") return labelTruth(claim, state);
  const place = await locate(claim, state);
  if (place.is === "missing") return isKnown(claim, place, state);
  if (place.is !== "there") return place;
  const { path } = place;
  const file = boundTo([{ name: path, path, line: 1 }], "file");
  if (claim.fragment === null) return { is: "true", ...file };
  const { text } = claim.fragment;
  const has = await hasAnchor(state, path, text);
  if (has === "no")
    return (await maySeekLabel(claim, state))
      ? { is: "undecidable", why: "the site looks for the label in all its pages", ...file }
      : { is: "false", evidence: [], ...file };
  if (has === "yes") {
    const line = await lineOfAnchor(state, path, text);
    return { is: "true", ...boundTo([{ name: `${path}#${text}`, path, line }], "file") };
  }
  return !/\S/.test(text) || claim.hosted
    ? { is: "true", ...file }
    : { is: "undecidable", why: "the page gets headings from elsewhere", ...file };
}

/** A path in code that never was in the repository is no claim about it. */
async function isKnown(
  claim: LinkClaim,
  { paths }: LinkPlace & { is: "missing" },
  state: State,
): Promise<Truth> {
  if (!isMention(claim) || state.movedTo === undefined) return { is: "false", evidence: [] };
  for (const path of paths) if (await state.movedTo(path)) return { is: "false", evidence: [] };
  return { is: "none", why: "no path of this repository" };
}

async function judge(claim: LinkClaim, { base, head }: PastStates): Promise<Drift<LinkClaim> | null> {
  if (claim.form === "label") return judgeLabel(claim, { base, head });
  if (base === null) return judgeDead(claim, head);
  const was = await locate(claim, base);
  if (was.is === "missing" && (await isNew(claim, base))) return judgeNew(claim, head);
  if (was.is !== "there") return null;
  const now = await locate(claim, head);
  if (now.is !== "there" && now.is !== "missing") return null;
  const isElsewhere = now.is === "there" && now.way === "end" && was.way === "plain";
  if (now.is === "missing" || isElsewhere) return judgePath(claim, was, { base, head });
  const drift = await judgeHeading(claim, { from: was.path, path: now.path }, { base, head });
  return drift ?? (claim.fragment && (await isNew(claim, base)) ? judgeNew(claim, head) : null);
}

/** Whether the page did not have this destination at the base. */
async function isNew({ page, at, region }: LinkClaim, base: State): Promise<boolean> {
  const before = await base.text(base.pathOf?.(page.path) ?? page.path);
  return before === null || !before.includes(page.text.slice(at.start, region.end));
}

/** A link that never was true: its owner, the tree of files or the page, is closed. */
async function judgeNew(claim: LinkClaim, head: State): Promise<Drift<LinkClaim> | null> {
  const drift = isTimeless(claim) ? await judgeDead(claim, head) : null;
  return drift?.tier === "certain" ? { ...drift, tier: "likely" } : drift;
}

type There = LinkPlace & { is: "there" };

/** A file or folder that was there at the base and is not at the head. */
async function judgePath(
  claim: LinkClaim,
  { path: from, way }: There,
  { base, head }: PastStates & { readonly base: State },
): Promise<Drift<LinkClaim> | null> {
  const page = base.pathOf?.(claim.page.path) ?? claim.page.path;
  // The page moved and its target did not.
  const isLeftBehind = page !== claim.page.path && head.has(from);
  const moved = isLeftBehind ? { to: from } : await followMove(from, { base, head });
  if (moved === null && head.has(from)) return null;
  const to = moved?.to ?? null;
  const repair = to === null || way === "site" ? null : repairPath(claim, from, to);
  return {
    claim,
    tier: await tierOf(claim, way, { base, isFile: base.files().has(from), isMoved: repair !== null }),
    message: pathMessage(claim, repair?.address ?? null),
    evidence: [movedEvidence(from, to, to === null ? base.revision : head.revision)],
    cause: `path:${isLeftBehind ? from : await movedFolder(from, to, head)}`,
    ...defined({ repair: repair?.text }),
  };
}

function pathMessage({ written }: LinkClaim, address: string | null): Drift["message"] {
  return address === null ? { what: "removed", old: written } : { what: "moved", old: written, new: address };
}

function movedEvidence(from: string, to: string | null, revision: string): Evidence {
  return {
    path: to ?? from,
    revision,
    startLine: 1,
    endLine: 1,
    before: from,
    ...defined({ after: to ?? undefined }),
  };
}

/** Where a path went by git's rename or by equal content, alone or with its folder. */
async function followMove(
  from: string,
  { base, head }: { readonly base: State | null; readonly head: State },
): Promise<{ readonly to: string | null } | null> {
  const own = (await head.movedTo?.(from)) ?? null;
  if (own?.to && !(await isTrivial(from, base))) return own;
  for (const folder of foldersAbove(from)) {
    const to = (await head.movedTo?.(folder))?.to;
    const path = to && `${to}${from.slice(folder.length)}`;
    if (path && head.has(path)) return { to: path };
  }
  return own && { to: null };
}

/** Files of next to no content are equal by chance. */
async function isTrivial(path: string, state: State | null): Promise<boolean> {
  const text = state?.files().has(path) ? await state.text(path) : null;
  return text !== null && text.trim().length < 16;
}

/** All paths of a folder that moved as a whole have one cause, and so have files that went from one folder to one other. */
async function movedFolder(from: string, to: string | null, head: State): Promise<string> {
  if (to === null) return from;
  for (const folder of foldersAbove(from).reverse()) {
    const moved = (await head.movedTo?.(folder))?.to;
    if (moved && `${moved}${from.slice(folder.length)}` === to) return folder;
  }
  return movedPart(from, to);
}

/** What is left of a move without the end that stayed: `old/a.md` that is `new/a.md` now is a move of `old` to `new`. */
function movedPart(from: string, to: string): string {
  const [was, is] = [from.split("/"), to.split("/")];
  while (was.length > 1 && is.length > 1 && was.at(-1) === is.at(-1)) {
    was.pop();
    is.pop();
  }
  return was.length === from.split("/").length ? from : `${was.join("/")} ${is.join("/")}`;
}

type LinkRepair = { readonly address: string; readonly text: string };

/** The words of the claim with the new path, in the link and in words that repeat it. */
function repairPath(claim: LinkClaim, from: string, to: string): LinkRepair | null {
  const { page, region, at, label, written } = claim;
  const address = addressOf(claim, page.path, { from, to });
  if (address === null || address === written) return null;
  const cut = (start: number, end: number): string => page.text.slice(start, end);
  const words = label && labelFor(cut(label.start, label.end), { written, address, from, to });
  const head = label ? `${words}${cut(label.end, at.start)}` : cut(region.start, at.start);
  return { address, text: `${head}${address}${cut(at.end, region.end)}` };
}

/** Certain where the page shows the path itself, or a command takes it; likely where a path in code is one of several readings. */
async function tierOf(
  claim: LinkClaim,
  way: There["way"],
  { base, isFile, isMoved }: { readonly base: State; readonly isFile: boolean; readonly isMoved: boolean },
): Promise<Drift["tier"]> {
  if (!isMention(claim)) return way === "plain" ? "certain" : "likely";
  if (await isReadersOwn(claim, base)) return "possible";
  const isWhole = way === "plain" && isFile && /\.\w+$|(^|\/)[A-Z]\w+$/.test(claim.written);
  return isWhole && (claim.form === "span" || (isMoved && isInCommand(claim))) ? "certain" : "likely";
}

/** Whether a path is a word of a command. Other lines of a sample give it to something of the reader's. */
function isInCommand({ page, at }: LinkClaim): boolean {
  const statement = statementAt(page, at.start);
  return statement !== undefined && commandAt(statement, at.start) !== null;
}

/** A heading that its page had at the base and has not at the head. */
async function judgeHeading(
  claim: LinkClaim,
  { from, path }: { readonly from: string; readonly path: string },
  states: PastStates & { readonly base: State },
): Promise<Drift<LinkClaim> | null> {
  const { fragment } = claim;
  if (fragment === null) return null;
  const is = await isAnchorLost(fragment.text, { from, path }, states);
  if (is === "no") return null;
  const { lost, now } = await successorOf(fragment.text, { from, path }, states);
  const isHistory = documentClass(path) === "history";
  const evidence = now ?? lost;
  const slug = now && !isHistory ? spelledLike(claim, lost, now.slug) : null;
  const repair = slug === null ? null : repairFragment(claim, slug);
  const old = `#${fragment.text}`;
  return {
    claim,
    tier: isHistory ? "possible" : is === "lost" ? "certain" : "likely",
    rule: "anchor",
    message: now === null ? { what: "removed", old } : { what: "moved", old, new: `#${now.slug}` },
    evidence: [
      {
        path,
        revision: now === null ? states.base.revision : states.head.revision,
        startLine: evidence?.line ?? 1,
        endLine: evidence?.line ?? 1,
        ...defined({ before: lost?.text, after: now?.text }),
      },
    ],
    cause: `anchor:${path}#${foldAnchor(fragment.text)}`,
    ...defined({ repair: repair ?? undefined }),
  };
}

/** An anchor with single hyphens, as some sites write it where the heading has marks between its words. */
function joined(anchor: string): string {
  return anchor.replace(/-{2,}/g, "-");
}

/**
 * An anchor in the spelling of the one that led to the lost heading; null where neither that one nor the place of the page
 * shows what the site makes of marks between words.
 */
function spelledLike(claim: LinkClaim, lost: Heading | null, slug: string): string | null {
  if (joined(slug) === slug) return slug;
  if (lost && joined(lost.slug) !== lost.slug)
    return lost.slug === claim.fragment?.text ? slug : joined(slug);
  return SHOWN_AS_IS.test(claim.page.path) ? slug : null;
}

function repairFragment({ page, region, fragment }: LinkClaim, slug: string): string {
  const { start, end } = fragment!.region;
  return `${page.text.slice(region.start, start)}${slug}${page.text.slice(end, region.end)}`;
}

/** A link that leads nowhere, whatever its page's past is. */
async function judgeDead(claim: LinkClaim, head: State): Promise<Drift<LinkClaim> | null> {
  const place = await locate(claim, head);
  if (place.is !== "there" && place.is !== "missing") return null;
  if (place.is === "there") return judgeDeadHeading(claim, place, head);
  if (place.at !== undefined) return missingAt(claim, place.at);
  const dead = await findDead(claim, place.paths, head);
  if (dead === null) return null;
  const { from, tier, since } = dead;
  const to = dead.to ?? (since && (await followMove(from, { base: null, head }))?.to) ?? null;
  const repair = to === null ? null : repairPath(claim, from, to);
  return {
    claim,
    tier,
    message: repair
      ? { what: "moved", old: claim.written, new: repair.address }
      : { what: "no file", old: claim.written },
    evidence: since ? [movedEvidence(from, to, since.commit)] : [],
    cause: `path:${since ? await movedFolder(from, to, head) : from}`,
    ...sinceOf(since),
    ...defined({ repair: repair?.text }),
  };
}

function sinceOf(since: Since | undefined): { readonly since?: Since } {
  return since ? { since } : {};
}

function missingAt(claim: LinkClaim, revision: string): Drift<LinkClaim> {
  const { written } = claim;
  return {
    claim,
    tier: "certain",
    message: { what: "no file at", old: written, owner: revision },
    evidence: [],
    cause: `permalink:${revision}:${written}`,
  };
}

/** A heading that its page does not have. A link whose words are a heading means that one. */
async function judgeDeadHeading(
  claim: LinkClaim,
  { path }: There,
  head: State,
): Promise<Drift<LinkClaim> | null> {
  const { fragment, page } = claim;
  if (fragment === null || claim.hosted || documentClass(path) === "history") return null;
  if (!MADE_OF_WORDS.test(fragment.text) || (await maySeekLabel(claim, head))) return null;
  if (formatAt(path).hasHeadingIds || (await hasAnchor(head, path, fragment.text)) !== "no") return null;
  const headings = headingsOf(path, (await head.text(path)) ?? "");
  const named = namedHeading(headings, { anchor: fragment.text, words: wordsBefore(page, claim) });
  const isOwnPage = claim.written === "";
  return {
    claim,
    tier: "likely",
    rule: "anchor",
    message: { what: "no heading", old: fragment.text, ...defined({ owner: !isOwnPage ? path : undefined }) },
    evidence: [],
    cause: `anchor:${isOwnPage ? "" : path}#${foldAnchor(fragment.text)}`,
    ...defined({ repair: named ? repairFragment(claim, named.slug) : undefined }),
  };
}

/** Whether a label that the page itself does not have may be found: on a page that takes it in, on another, or in the code. */
async function maySeekLabel(claim: LinkClaim, state: State): Promise<boolean> {
  const { written, page } = claim;
  return written === "" && (isFragment(claim) || (await seeksLabels(page.path, state)));
}

/** An anchor as words of a heading make it. Programs give their own anchors other marks: `fn:1`, `option.color`. */
const MADE_OF_WORDS = /^[\p{L}\p{N}][\p{L}\p{N}\p{M}_-]*$/u;

/** The words of a link: `[words](destination)`. */
function wordsBefore({ text }: DocumentPage, { at }: LinkClaim): string {
  return /\[([^\]]{1,120})\]\($/.exec(text.slice(Math.max(0, at.start - 200), at.start))?.[1] ?? "";
}

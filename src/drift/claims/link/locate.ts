import { formatAt, hasDocumentEnding, isDocumentPath } from "../../../syntax/formats/registry.ts";
import type { DocumentPage } from "../../change/change-model.ts";
import { lastName } from "../../change/folders.ts";
import { fold } from "../../change/names.ts";
import type { State } from "../../state/state.ts";
import { placesOf } from "./places.ts";
import { decoded, type LinkClaim, WORKFLOWS } from "./read.ts";
import { isDetour, whyServed } from "./served.ts";
import { mentionTargets, resolveFrom, servedFolder, siteTargets, targetsOf } from "./targets.ts";

/** Where a link leads in a state. */
export type LinkPlace =
  | {
      readonly is: "there";
      readonly path: string;
      /** As it is written; by the rules of a site; by the end of a path that only one file has. */
      readonly way: "plain" | "site" | "end";
    }
  | { readonly is: "missing"; readonly paths: readonly string[]; readonly at?: string }
  /** Nothing of this repository; or it is not known what the site makes of it. */
  | { readonly is: "none" | "undecidable"; readonly why: string };

/** The file or folder that a link means in a state, by the rules of code hosts and of sites. */
export async function locate(claim: LinkClaim, state: State): Promise<LinkPlace> {
  if (claim.hosted) return locateHosted(claim, claim.hosted, state);
  const page = state.pathOf?.(claim.page.path) ?? claim.page.path;
  if (claim.written === "") return { is: "there", path: page, way: "plain" };
  // Browsers follow a backslash of an address like a slash.
  const address = decoded(claim.written).replaceAll("\\", "/");
  const paths = pathsFor(claim, page, address);
  if (paths.length === 0) return { is: "none", why: "outside the repository" };
  const isThere = (path: string): boolean =>
    claim.form === "site" ? state.files().has(path) : state.has(path);
  // A heading is one of a page, not of a folder.
  const indexed = claim.fragment && paths.find((one) => state.files().has(one));
  const plain = indexed ?? paths.find(isThere);
  if (plain !== undefined) return { is: "there", path: plain, way: "plain" };
  const other =
    isMention(claim) || claim.form === "include"
      ? byEnd(address, state)
      : bySite(claim, { page, address, paths }, state);
  if (other !== null) return other;
  for (const path of paths) if (await isDetour(path, state)) return DETOUR;
  const why = await whyServed(paths, address, state);
  return why === null ? { is: "missing", paths } : { is: "undecidable", why };
}

export function isMention({ form }: LinkClaim): boolean {
  return form === "span" || form === "code";
}

function pathsFor({ form }: LinkClaim, page: string, address: string): string[] {
  if (form === "site") return siteTargets(page, address);
  return form === "link" ? targetsOf(page, address) : mentionTargets(page, address);
}

/** A path in code that leaves out its first folders means the only file that ends so. */
function byEnd(address: string, state: State): LinkPlace | null {
  const plain = address.replace(/^(?:\.{1,2}\/)+|(?<!\/)\/+$/g, "");
  const [only, ...others] = placesOf(state).endingWith(plain);
  if (only === undefined) return null;
  return others.length === 0
    ? { is: "there", path: only, way: "end" }
    : { is: "undecidable", why: "several files have a path that ends so" };
}

type SoughtAddress = { readonly page: string; readonly address: string; readonly paths: readonly string[] };

/** A page that a site serves under another address than its path, or a file that a site takes from another folder. */
function bySite(
  { form, page }: LinkClaim,
  { page: path, address, paths }: SoughtAddress,
  state: State,
): LinkPlace | null {
  const places = placesOf(state);
  const found = (target: string): LinkPlace => ({ is: "there", path: target, way: "site" });
  if (form === "site" && paths.some((one) => state.has(one)))
    return { is: "undecidable", why: "a folder of that path may be served by other rules" };
  if (hasDocumentEnding(address) && form === "link") return null;
  const pretty = targetsOf(servedFolder(path), address).find((one) => state.has(one));
  if (pretty !== undefined) return found(pretty);
  const isPage = !/\.\w+$/.test(address) || /\.html?$/i.test(address);
  const whole = resolveFrom(path, address.replace(/^\//, "")) ?? address;
  const served = isPage ? [...places.servedAt(whole), ...places.servedAt(longEnough(address, form))] : [];
  if (served.length > 0) return found(served[0]!);
  const ending = form === "site" ? places.endingWith(longEnough(address, form)) : [];
  if (ending.length > 0) return found(ending[0]!);
  return formatAt(page.path).imageFolder && !isDocumentPath(address) && places.endingWith(address).length > 0
    ? { is: "undecidable", why: "the folder of pictures may be set elsewhere" }
    : null;
}

/** A single name is too little for a relative address. */
function longEnough(address: string, form: LinkClaim["form"]): string {
  const plain = address.replace(/^(?:\.{0,2}\/)+|\/+$/g, "");
  return form === "site" || plain.includes("/") ? plain : "";
}

const DETOUR: LinkPlace = { is: "undecidable", why: "a link of the file system, or another repository" };
const BRANCH = /^(?:main|master|head|develop|development|dev|trunk|next|canary|default)$/i;

async function locateHosted(
  { page, written }: LinkClaim,
  { repository, revision }: NonNullable<LinkClaim["hosted"]>,
  state: State,
): Promise<LinkPlace> {
  if (!isOwn(repository, page, state)) return { is: "none", why: "another repository" };
  const path = revision === WORKFLOWS ? `${WORKFLOWS}/${written}` : decoded(written).replace(/\/+$/, "");
  if (revision === WORKFLOWS || BRANCH.test(revision)) {
    if (state.has(path)) return { is: "there", path, way: "plain" };
    return (await isDetour(path, state)) ? DETOUR : { is: "missing", paths: [path] };
  }
  const there = (await state.pathsAt?.(revision)) ?? null;
  if (there === null) return { is: "undecidable", why: "the clone does not have that revision" };
  return there.has(path)
    ? { is: "there", path, way: "plain" }
    : { is: "missing", paths: [path], at: revision };
}

/** Whether an address shows this repository. Where its names are not known, the title of the page is one. */
export function isOwn(repository: string, page: DocumentPage, { repository: names = [] }: State): boolean {
  if (names.length > 0) return names.some((name) => name.toLowerCase() === repository);
  const title = page.outline().blocks.find(({ kind }) => kind === "heading");
  return (
    title !== undefined &&
    fold(page.text.slice(title.content.start, title.content.end)) === fold(lastName(repository))
  );
}

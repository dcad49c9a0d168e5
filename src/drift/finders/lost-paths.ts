import { USUAL_EXTENSIONS } from "../../syntax/formats/registry.ts";
import { createWordFinder } from "../../syntax/words/words.ts";
import type { ChangeModel, DocumentPage } from "../change/change-model.ts";
import type { FileMoves } from "../change/files/file-moves.ts";
import type { Notice } from "../findings.ts";
import { targetsOf } from "../pages/links.ts";
import { lineAt } from "../pages/page.ts";
import { findReferences, type Reference } from "../pages/references.ts";

/** A reference whose target exists at the base and not at the head. */
type Broken = { readonly reference: Reference; readonly target: string; readonly to: string | null };

/** A file or folder was removed or moved, and a page links to it, shows it on a code host, or names its path. */
export async function findPaths(change: ChangeModel): Promise<Notice[]> {
  const { moves, input } = change;
  if (!moves.gone.size) return [];
  const mayName = createHint(moves);
  const movedFrom = new Map(
    [...moves.gone].flatMap((path) => {
      const to = moves.movedTo(path);
      return to === null ? [] : [[to, path] as const];
    }),
  );
  return change.linkingPages
    .filter((page) => mayName(page) || movedFrom.has(page.path))
    .flatMap((page) =>
      findReferences(page, input.repository ?? []).flatMap((reference) => {
        const broken =
          findBroken(reference, moves) ?? findLeftBehind(page, reference, moves, movedFrom.get(page.path));
        return broken ? toNotices(change, page, broken) : [];
      }),
    );
}

/** A relative link of a moved page: it is still relative to the old folder. */
function findLeftBehind(
  page: DocumentPage,
  reference: Reference,
  moves: FileMoves,
  from: string | undefined,
): Broken | null {
  if (from === undefined || reference.form !== "link") return null;
  if (reference.targets.some((target) => moves.existsNow(target))) return null;
  const meant = targetsOf(from, reference.written).find((target) => moves.existsNow(target));
  return meant === undefined || meant === page.path ? null : { reference, target: meant, to: meant };
}

/** Only pages that contain the last segment of a lost path are parsed. */
function createHint({ gone, goneFolders }: FileMoves): (page: DocumentPage) => boolean {
  const stems = [...gone, ...goneFolders].flatMap((path) => {
    const parts = path.split("/");
    const stem = (parts.at(-1) ?? "").replace(/\.\w+$/, "").toLowerCase();
    // A link to a folder means its index page without naming it.
    return /^(?:index|readme|_index)$/.test(stem) && parts.length > 1
      ? [parts.at(-2)!.toLowerCase()]
      : [stem];
  });
  const find = createWordFinder([...new Set(stems.filter(Boolean))]);
  return ({ text }) => find(text.toLowerCase()).length > 0;
}

function findBroken(reference: Reference, moves: FileMoves): Broken | null {
  if (reference.targets.some((target) => moves.existsNow(target))) return null;
  // A site shows pages and files, never a folder of sources.
  const isFolder = (path: string): boolean => reference.form !== "site" && moves.goneFolders.has(path);
  const target = reference.targets.find((path) => moves.gone.has(path) || isFolder(path));
  if (target === undefined) return null;
  const to = moves.movedTo(target);
  return { reference, target, to };
}

function toNotices(change: ChangeModel, page: DocumentPage, broken: Broken): Notice[] {
  const { reference, target, to } = broken;
  const address = to === null ? null : addressOf(page.path, broken, to);
  const isMoved = address !== null && address !== reference.written;
  const notice: Notice = {
    page,
    line: reference.line,
    endLine: reference.line,
    tier: isMoved ? "certain" : "likely",
    kind: "path",
    cause: `path:${target}`,
    message: isMoved
      ? { what: "moved", old: reference.written, new: address }
      : { what: "removed", old: reference.written },
    evidence: [evidenceOf(change, target, to)],
    features: {
      [`reference ${reference.form}`]: 1,
      "reference from the root": reference.targets[0] === target ? 1 : 0,
      "target moved": to === null ? 0 : 1,
      "target is a folder": change.moves.goneFolders.has(target) ? 1 : 0,
      "reader may own the path": isReadersOwn(page, reference) ? 1 : 0,
      [`reference ${reference.form} for contributors`]: CONTRIBUTOR.test(page.path) ? 1 : 0,
    },
    ...(isMoved && { splice: { region: reference.region, text: address } }),
  };
  return isMoved ? [notice, ...labelOf(notice, broken, address)] : [notice];
}

const COMMON_PATH =
  /^(?:\.\/)?(?:src|lib|app|pages|components|public|test|tests|config|assets|static|bin|content|templates?)\/(?:index|main|app|config|setup|server|client|styles?|utils?|types?)\.\w+$/i;
const CONTRIBUTOR =
  /(^|\/)(?:contributing|agents|claude|develop|hacking|building|maintain|architecture|internals?)/i;

/**
 * A short path in a common folder on a page for users may be a path in the reader's own project. So may the path in a
 * comment of a sample.
 */
export function isReadersOwn(page: DocumentPage, reference: Reference): boolean {
  const { form, written } = reference;
  if ((form !== "span" && form !== "code") || CONTRIBUTOR.test(page.path)) return false;
  if (form === "code" && namesSample(page, reference)) return true;
  return COMMON_PATH.test(written) || /(?:^|\/)\.[a-z][\w-]*\//i.test(written);
}

const SAMPLE_NAME =
  /^\s*(?:\/\/|#|\/\*|<!--|--)\s*(?:(?:file|filename|path|title)\s*[:=]?\s*)?["'`]?[\w@./-]+["'`]?\s*(?:\*\/|-->)?\s*$/i;

/** `// file: src/store.ts`, alone on its line: the file that the sample is for. */
function namesSample(page: DocumentPage, { region }: Reference): boolean {
  const { lines } = page.read();
  return SAMPLE_NAME.test(lines[lineAt(page.read(), region.start)]?.text ?? "");
}

function evidenceOf({ input }: ChangeModel, target: string, to: string | null): Notice["evidence"][number] {
  return {
    path: to ?? target,
    revision: to === null ? input.base : input.head,
    startLine: 1,
    endLine: 1,
    before: target,
    ...(to !== null && { after: to }),
  };
}

/** The new path, in the form of the old one. */
export function addressOf(page: string, { reference, target }: Broken, to: string): string {
  const { form, written, targets } = reference;
  if (form === "url") return written.endsWith("/") ? `${to}/` : to;
  if (form === "site") return siteAddress(written, target, to);
  if (form !== "link" && targets[0] === target) {
    const dotted = written.startsWith("./") ? `./${to}` : to;
    return written.endsWith("/") ? `${dotted}/` : dotted;
  }
  return relativeAddress(page, to, written);
}

function siteAddress(written: string, target: string, to: string): string {
  const plain = written.replace(/^\/|\/$|\.html?$/g, "");
  const root = target.slice(0, Math.max(0, target.indexOf(plain.split("/")[0]!)));
  if (!to.startsWith(root)) return written;
  const bare = /\.\w+$/.test(plain)
    ? to.slice(root.length)
    : to
        .slice(root.length)
        .replace(/\.\w+$/, "")
        .replace(/\/(?:index|readme|_index)$/i, "");
  const ending = /\.html?$/.exec(written)?.[0] ?? (written.endsWith("/") ? "/" : "");
  return `/${bare}${ending}`;
}

const PAGE_ENDING = new RegExp(`\\.(?:${USUAL_EXTENSIONS.join("|")})$`);

/** The relative path from one page to another, with or without extension and `./` like the old one. */
export function relativeAddress(from: string, to: string, like: string): string {
  const here = from.split("/").slice(0, -1);
  const there = to.split("/");
  let shared = 0;
  while (shared < here.length && shared < there.length - 1 && here[shared] === there[shared]) shared++;
  const up = here.slice(shared).map(() => "..");
  const path = [...up, ...there.slice(shared)].join("/");
  const dotted = like.startsWith("./") && up.length === 0 ? `./${path}` : path;
  if (/\.html?$/i.test(like)) return dotted.replace(/\.\w+$/, /\.\w+$/.exec(like)![0]);
  if (/\.\w+$/.test(like)) return dotted;
  const bare = dotted.replace(/\/(?:index|README|readme|_index)\.\w+$/, "/").replace(PAGE_ENDING, "");
  return like.endsWith("/") && !bare.endsWith("/") ? `${bare}/` : bare;
}

/** A link text that is the file's path or name changes together with the address. */
function labelOf(notice: Notice, { reference, target, to }: Broken, address: string): Notice[] {
  const { written, region } = reference;
  const line = notice.page.read().lines[notice.line]!;
  const from = Math.max(line.start, region.start - 300);
  const before = line.text.slice(from - line.start, region.start - line.start);
  const was = /\[`?([^\]`]+)`?\]\([^()\s]*$/.exec(before)?.[1];
  const names = new Map([
    [written, address],
    [`./${written}`, `./${address}`],
    [target, to ?? target],
    [lastName(written), lastName(address)],
  ]);
  const text = was === undefined ? undefined : names.get(was);
  if (was === undefined || text === undefined || text === was) return [];
  const at = from + before.lastIndexOf(was, before.lastIndexOf("]("));
  return at < from ? [] : [{ ...notice, splice: { region: { start: at, end: at + was.length }, text } }];
}

function lastName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

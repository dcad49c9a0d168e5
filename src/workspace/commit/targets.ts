import type { FileMode } from "../../text/model/edit.ts";
import { accept, type Outcome, refuse } from "../../text/model/outcome.ts";
import { absent, type Content, versionOf } from "../files/content.ts";
import type { FileRecord, FileState } from "../journal/entries.ts";
import type { Step } from "../journal/journal.ts";
import { isOwnImage } from "../journal/saved-copies.ts";
import type { GatedPath } from "../paths/paths.ts";
import type { Spot } from "../paths/walk.ts";
import { isSpelt, lookAt, type Site } from "./commit-context.ts";

/** What shall become of one file, if it is still the version that was meant. */
export type FileChange = {
  readonly gated: GatedPath;
  readonly expected: string;
  /** What stood there when the change was worked out, if that was under the same lock. */
  readonly found?: { readonly place: Spot; readonly content: Content | null };
  /** `mode`: absent keeps the old file's, and gives a new one what new files get. */
  readonly after: { readonly bytes: Uint8Array; readonly mode?: FileMode | number } | null;
  readonly about: Pick<FileRecord, "splices" | "hunks" | "lines" | "from" | "sibling">;
  readonly texts: { readonly inserted: readonly string[]; readonly removed: readonly string[] };
};

/** A change with the file it meets. */
export type Target = {
  readonly change: FileChange;
  readonly place: Spot;
  readonly content: Content | null;
  readonly before: FileState | null;
  readonly after: FileState | null;
  /** Who shall own the new file; absent: whoever makes it. */
  readonly owner?: { readonly uid: number; readonly gid: number };
  readonly step: Step;
};

export type TargetOptions = {
  readonly changes: readonly FileChange[];
  /** Files below a mount point may be written. */
  readonly mounts: boolean;
  readonly strict: boolean;
  readonly inPlace: boolean;
};

/**
 * Reads every file again, under the lock, and compares it with what the plan was made for. In the order of folded
 * names, and of two spellings of one name the one that goes first, so that a change of case is two steps.
 */
export async function readTargets(site: Site, options: TargetOptions): Promise<Outcome<Target[]>> {
  const changes = options.changes.toSorted((a, b) => compare(orderOf(a), orderOf(b)));
  const targets: Target[] = [];
  for (const change of changes) {
    const target = await readTarget(site, change, options);
    if (!target.ok) return refuse({ path: change.gated.path, ...target.refusal });
    if (target.value) targets.push(target.value);
  }
  return targets.length > 0 ? accept(targets) : refuse({ code: "no-change", why: "same-text" });
}

function orderOf({ gated, after }: FileChange): string {
  return `${gated.key}\0${after ? 1 : 0}`;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

async function readTarget(
  site: Site,
  change: FileChange,
  options: TargetOptions,
): Promise<Outcome<Target | null>> {
  const looked = change.found ? accept(change.found) : await lookAt(site, change.gated.names);
  if (!looked.ok) return looked;
  const { place, content } = looked.value;
  const actual = content?.version ?? absent;
  if (actual !== change.expected) return refuse({ code: "stale", expected: change.expected, actual });
  const before = content && { version: content.version, mode: content.stat.mode, size: content.bytes.length };
  const after = change.after && {
    version: versionOf(change.after.bytes),
    mode: modeAfter(site, change.after.mode, before?.mode),
    size: change.after.bytes.length,
  };
  if (before?.version === after?.version && before?.mode === after?.mode) return accept(null);
  const fit = content
    ? await checkFile(site, content, options)
    : await checkNew(site, change, place, options);
  if (!fit.ok) return fit;
  const parent = content ? null : await site.files.statOpen(place.dir);
  const owner =
    content?.stat ?? (parent && (parent.mode & 0o2000) !== 0 ? { uid: parent.uid, gid: parent.gid } : null);
  const beside = (content?.stat ?? parent!).device !== site.state.device;
  if (beside && !options.mounts)
    return refuse({
      code: "not-allowed",
      barrier: "other-disk",
      detail: "on another file system than the root",
    });
  const how = { beside, inPlace: fit.value.inPlace, strict: options.strict };
  const step = await stepOf(site, content, after, how);
  return accept({ change, place, content, before, after, ...(owner ? { owner } : {}), step });
}

/** A mode with the one difference that a plan can ask for. */
export function withFileMode(mode: number, wanted: FileMode | undefined): number {
  if (wanted === "regular") return mode & 0o777 & ~0o111;
  // Whoever may read it may run it.
  return (mode & 0o777) | (wanted === "executable" ? (mode & 0o444) >> 2 : 0);
}

function modeAfter(site: Site, wanted: FileMode | number | undefined, old: number | undefined): number {
  if (typeof wanted === "number") return wanted & 0o777;
  return withFileMode(old ?? 0o666 & ~site.files.umask(), wanted);
}

/** How an existing file may be written: by replacing it, in place, or not at all. */
async function checkFile(
  site: Site,
  content: Content,
  { inPlace }: TargetOptions,
): Promise<Outcome<{ inPlace: boolean }>> {
  const { mode, links } = content.stat;
  if ((mode & 0o7000) !== 0)
    return refuse({
      code: "not-allowed",
      barrier: "special-bits",
      detail: "a file with special permission bits",
    });
  if (links <= 1 || (await isOwnImage(site.files, site.state, content))) return accept({ inPlace: false });
  return inPlace
    ? accept({ inPlace })
    : refuse({
        code: "not-allowed",
        barrier: "hard-links",
        detail: `a file with ${links} names, which would be split`,
      });
}

async function checkNew(
  site: Site,
  { gated, after }: FileChange,
  { dir, name, missing }: Spot,
  { changes }: TargetOptions,
): Promise<Outcome<{ inPlace: boolean }>> {
  if (!after) return refuse({ code: "not-found", what: "file" });
  if (gated.hidesText)
    return refuse({ code: "malformed", what: "the name has characters that hide or reorder text" });
  const standing = missing.length === 0 && (await site.files.stat(dir, name));
  if (!standing) return accept({ inPlace: false });
  // The file system takes another spelling for this one. Fine, if that one is leaving.
  const leaves = changes.some((other) => other.after === null && other.gated.key === gated.key);
  if (leaves && !(await isSpelt(site.files, dir, name))) return accept({ inPlace: false });
  return refuse({ code: "exists" });
}

type How = { readonly beside: boolean; readonly inPlace: boolean; readonly strict: boolean };

async function stepOf(
  { files, state }: Site,
  content: Content | null,
  after: FileState | null,
  how: How,
): Promise<Step> {
  const name = (kind: string): string => `${how.beside ? ".suture-" : ""}${files.randomId()}.${kind}`;
  const moves = content && !how.inPlace && (!after || (how.strict && state.links));
  return {
    ...(after ? { staged: name("new") } : {}),
    ...(moves ? { aside: name("old") } : {}),
    ...(how.beside ? { beside: true } : {}),
    ...(how.inPlace && after ? { inPlace: true } : {}),
    ...(content || state.links ? {} : { reserve: true }),
    ...(content ? { identity: content.stat.identity } : {}),
    ...(content && (await files.stat(state.blobs, content.version)) ? { held: true } : {}),
  };
}

/** Directories that have to be made for new files, parents first. */
export function missingDirs(targets: readonly Target[]): string[] {
  const made = new Set<string>();
  for (const { change, place } of targets) {
    const { names } = change.gated;
    for (let depth = names.length - place.missing.length; depth < names.length; depth++)
      made.add(names.slice(0, depth).join("/"));
  }
  return [...made].sort(compare);
}

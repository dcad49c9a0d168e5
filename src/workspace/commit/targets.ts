import { compareText } from "../../text/characters/compare-text.ts";
import { defined } from "../../text/model/defined.ts";
import type { FileMode } from "../../text/model/edit.ts";
import { accept, type Barrier, type Outcome, refuse } from "../../text/model/outcome.ts";
import type { Attributes } from "../files/attributes.ts";
import { absent, type Content, versionOf } from "../files/content.ts";
import type { FileRecord, FileState } from "../journal/entries.ts";
import type { EntryMetadata } from "../journal/entry-metadata.ts";
import { isOwnCopy } from "../journal/saved-copies.ts";
import type { Step } from "../journal/transaction-log.ts";
import type { GatedPath } from "../paths/paths.ts";
import type { ResolvedPath } from "../paths/walk.ts";
import { findAttributes } from "./attributes.ts";
import { type CommitContext, isSpelt, lookAt } from "./commit-context.ts";

/** The change of one file, if the file still has the expected version. */
export type FileChange = {
  readonly gated: GatedPath;
  readonly expected: string;
  /** The file that was found when the change was prepared, if that was under the same lock. */
  readonly found?: { readonly place: ResolvedPath; readonly content: Content | null };
  /** Without `mode`, an existing file keeps its mode, and a new file gets the default one. */
  readonly after: { readonly bytes: Uint8Array; readonly mode?: FileMode | number } | null;
  /** The journal's record of the change. */
  readonly details: Pick<FileRecord, "splices" | "hunks" | "lines" | "from" | "sibling">;
  readonly texts: { readonly inserted: readonly string[]; readonly removed: readonly string[] };
};

/** A change with the file that it applies to. */
export type Target = {
  readonly change: FileChange;
  readonly place: ResolvedPath;
  readonly content: Content | null;
  readonly before: FileState | null;
  readonly after: FileState | null;
  /** The owner of the new file; absent: the user of this process. */
  readonly owner?: { readonly uid: number; readonly gid: number };
  readonly step: Step;
};

export type TargetOptions = {
  readonly changes: readonly FileChange[];
  /** Files below a mount point may be written. */
  readonly mounts: boolean;
  readonly strict: boolean;
  readonly inPlace: boolean;
  readonly metadata: Pick<EntryMetadata, "kind">;
};

/**
 * Reads every file again, under the lock, and compares it with the expected version. The order is by folded name; of two
 * spellings of one name, the deleted one comes first, so that a change of case is two steps.
 */
export async function readTargets(
  context: CommitContext,
  options: TargetOptions,
): Promise<Outcome<Target[]>> {
  const changes = options.changes.toSorted((a, b) => compareText(orderOf(a), orderOf(b)));
  const found: FoundFile[] = [];
  for (const change of changes) {
    const file = await findFile(context, change);
    if (!file.ok) return refuse({ path: change.gated.path, ...file.refusal });
    if (file.value) found.push(file.value);
  }
  const attributes = await findAttributes(context, found);
  const targets: Target[] = [];
  for (const file of found) {
    const target = await toTarget(context, { ...file, attributes: attributes.get(file.place) }, options);
    if (!target.ok) return refuse({ path: file.change.gated.path, ...target.refusal });
    targets.push(target.value);
  }
  return targets.length > 0 ? accept(targets) : refuse({ code: "no-change", why: "same-text" });
}

/** A file with the expected version, which the change really changes. */
type FoundFile = Pick<Target, "change" | "place" | "content" | "before" | "after">;

function orderOf({ gated, after }: FileChange): string {
  return `${gated.key}\0${after ? 1 : 0}`;
}

async function findFile(context: CommitContext, change: FileChange): Promise<Outcome<FoundFile | null>> {
  const looked = change.found ? accept(change.found) : await lookAt(context, change.gated.names);
  if (!looked.ok) return looked;
  const { place, content } = looked.value;
  const actual = content?.version ?? absent;
  if (actual !== change.expected) return refuse({ code: "stale", expected: change.expected, actual });
  const before = content && { version: content.version, mode: content.stat.mode, size: content.bytes.length };
  const after = change.after && {
    version: versionOf(change.after.bytes),
    mode: modeAfter(context, change.after.mode, before?.mode),
    size: change.after.bytes.length,
  };
  const isSame = before?.version === after?.version && before?.mode === after?.mode;
  return accept(isSame ? null : { change, place, content, before, after });
}

async function toTarget(
  context: CommitContext,
  { attributes, ...file }: FoundFile & { readonly attributes: Attributes | undefined },
  options: TargetOptions,
): Promise<Outcome<Target>> {
  const { change, place, content } = file;
  const allowed = content
    ? await checkFile(context, { ...file, content, attributes }, options)
    : await checkNew(context, change, { place, changes: options.changes });
  if (!allowed.ok) return allowed;
  const { owner, device, inherited } = content?.stat
    ? { owner: content.stat, device: content.stat.device, inherited: null }
    : await newFileProperties(context, place);
  const isElsewhere = device !== context.state.device && !(await isLowerFile(context, place));
  if (isElsewhere && !options.mounts)
    return refuse({
      code: "not-allowed",
      barrier: "other-disk",
      detail: "on another file system than the root",
    });
  const mode = inherited === null ? null : modeInFolder(inherited, change.after?.mode);
  const after = file.after && mode !== null ? { ...file.after, mode } : file.after;
  // The system gives a new file the list of its folder only if it is created there.
  const beside = isElsewhere || mode !== null || (!content && context.state.lists);
  const how = { beside, inPlace: allowed.value.inPlace, strict: options.strict };
  const step = await stepOf(context, { content, after }, how);
  return accept({ ...file, after, ...defined({ owner: owner ?? undefined }), step });
}

/** Whether a file comes from a lower layer of an overlay. It has the device of that layer and can be replaced all the same. */
async function isLowerFile({ files, state }: CommitContext, { dir, name }: ResolvedPath): Promise<boolean> {
  if ((await files.statOpen(dir)).device !== state.device) return false;
  return (await files.stat(dir, name)) !== null && (await files.fileSystem(dir, name)).name === "overlay";
}

/** The mode of a new file in a folder with a list; `null` for a file that comes back and had another mode there. */
function modeInFolder(inherited: number, wanted: FileMode | number | undefined): number | null {
  if (typeof wanted !== "number") return withFileMode(inherited, wanted);
  return (wanted & 0o666) === inherited ? wanted & 0o777 : null;
}

/**
 * The owner of a new file, and the mode that the directory's default access control list gives. In a directory with the
 * setgid bit the file belongs to the directory's group; its user is the author.
 */
async function newFileProperties(
  { files }: CommitContext,
  { dir }: ResolvedPath,
): Promise<{ owner: { uid: number; gid: number } | null; device: string; inherited: number | null }> {
  const { mode, gid, device } = await files.statOpen(dir);
  const uid = files.user();
  const owner = (mode & 0o2000) !== 0 && uid !== null ? { uid, gid } : null;
  return { owner, device, inherited: await files.defaultMode(dir) };
}

/** A mode with the executable bits that a plan asks for. */
export function withFileMode(mode: number, wanted: FileMode | number | undefined): number {
  if (typeof wanted === "number") return wanted & 0o777;
  if (wanted === "regular") return mode & 0o777 & ~0o111;
  // Every user who may read the file may run it.
  return (mode & 0o777) | (wanted === "executable" ? (mode & 0o444) >> 2 : 0);
}

function modeAfter(
  context: CommitContext,
  wanted: FileMode | number | undefined,
  old: number | undefined,
): number {
  return withFileMode(old ?? 0o666 & ~context.files.umask(), wanted);
}

type ExistingFile = FoundFile & { readonly content: Content; readonly attributes: Attributes | undefined };

/** Whether an existing file may be written, and whether in place. */
async function checkFile(
  context: CommitContext,
  file: ExistingFile,
  { inPlace, metadata }: TargetOptions,
): Promise<Outcome<{ inPlace: boolean }>> {
  const { content, attributes, after, place } = file;
  const { mode, links } = content.stat;
  const barred = (barrier: Barrier, detail: string) => refuse({ code: "not-allowed", barrier, detail });
  if ((mode & 0o7000) !== 0) return barred("special-bits", "a file with special permission bits");
  if (attributes?.capability) return barred("capability", "a file with capabilities");
  if (attributes?.extended && !after) {
    // The folder gave the list to a file that an entry created, and gives it again.
    const comesBack = metadata.kind !== "edit" && (await context.files.defaultMode(place.dir)) !== null;
    if (!comesBack) return barred("attributes", "a file with an access control list or extended attributes");
  }
  if (links > 1 && !(await isOwnCopy(context, content)) && !(await losesOtherLinks(context, place, inPlace)))
    return inPlace
      ? accept({ inPlace })
      : barred("hard-links", `a file with ${links} hard links, which a new file would separate`);
  return accept({ inPlace: after !== null && mustStay(context, file) });
}

/** Whether the other hard links go away: a commit in an enclosing or nested root makes one for a moment. */
async function losesOtherLinks(
  { files }: CommitContext,
  { dir, name }: ResolvedPath,
  inPlace: boolean,
): Promise<boolean> {
  const longest = inPlace ? 50 : 1000;
  for (let pause = 5; pause < longest; pause *= 2) {
    await files.sleep(pause);
    if ((await files.stat(dir, name))?.links === 1) return true;
  }
  return false;
}

/** Whether a new file in the place of the old one would lack its list or attributes, or could not get its owner. */
function mustStay({ files, state }: CommitContext, { content, attributes }: ExistingFile): boolean {
  const user = files.user();
  const isForeign = user !== null && user !== 0 && user !== content.stat.uid;
  return attributes?.extended === true || state.lists || isForeign;
}

async function checkNew(
  context: CommitContext,
  { gated, after }: FileChange,
  { place, changes }: { place: ResolvedPath; changes: readonly FileChange[] },
): Promise<Outcome<{ inPlace: boolean }>> {
  if (!after) return refuse({ code: "not-found", what: "file" });
  if (gated.hidesText)
    return refuse({ code: "malformed", what: "the name has characters that hide or reorder text" });
  const existing = place.missing.length === 0 && (await context.files.stat(place.dir, place.name));
  if (!existing) return accept({ inPlace: false });
  // The file system finds another spelling of the name. That is allowed if that file is deleted.
  const isDeleted = changes.some((other) => other.after === null && other.gated.key === gated.key);
  if (isDeleted && !(await isSpelt(context.files, place))) return accept({ inPlace: false });
  return refuse({ code: "exists" });
}

type WriteOptions = { readonly beside: boolean; readonly inPlace: boolean; readonly strict: boolean };

async function stepOf(
  { files, state }: CommitContext,
  { content, after }: Pick<Target, "content" | "after">,
  { beside, inPlace, strict }: WriteOptions,
): Promise<Step> {
  const name = (kind: string): string => `${beside ? ".suture-" : ""}${files.randomId()}.${kind}`;
  const moves = content && !inPlace && (!after || (strict && state.links));
  return defined({
    staged: after ? name("new") : undefined,
    aside: moves ? name("old") : undefined,
    beside: beside || undefined,
    inPlace: inPlace && after ? true : undefined,
    reserve: content || state.links ? undefined : true,
    identity: content?.stat.identity,
    held: content && (await files.stat(state.blobs, content.version)) ? true : undefined,
  });
}

/** Directories that new files need, parents first. */
export function missingDirs(targets: readonly Target[]): string[] {
  const missing = new Set<string>();
  for (const { change, place } of targets) {
    const { names } = change.gated;
    for (let depth = names.length - place.missing.length; depth < names.length; depth++)
      missing.add(names.slice(0, depth).join("/"));
  }
  return [...missing].sort(compareText);
}

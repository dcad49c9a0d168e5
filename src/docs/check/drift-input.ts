import type { ChangedFile, DocumentText, DriftInput, WholeInput } from "../../drift/change/change.ts";
import { isProductPath } from "../../drift/change/code-path.ts";
import { createPace } from "../../drift/pace.ts";
import { toDocument } from "../../drift/pages/document-text.ts";
import { documentClass, isDocumentPath } from "../../drift/pages/policies.ts";
import { isCodePath } from "../../syntax/file-kinds.ts";
import { dropComments, keepDocComments } from "../../syntax/source/doc-comments.ts";
import { parseWordIndex, type WordIndex } from "../../syntax/words/word-index.ts";
import { createWordFinder } from "../../syntax/words/words.ts";
import { unknownWords } from "../../wording/findings.ts";
import { readCacheFile, writeCacheFile } from "../../workspace/files/cache-file.ts";
import type { Git, RawChange } from "../../workspace/git/git.ts";
import type { Reader } from "../../workspace/workspace.ts";
import { isCurrentDocument, isProof } from "../config.ts";
import type { Question } from "./check.ts";
import { followRemovals } from "./follow-removals.ts";
import { CheckMemory, textOf } from "./memory.ts";
import { findOwnNames } from "./own-names.ts";
import type { Unknown } from "./report.ts";

/** `keep` puts what was learnt about unchanged files where the next check finds it. */
export type DriftQuestion = {
  readonly input: DriftInput;
  readonly unknown: readonly Unknown[];
  /** Every path the change touched, documents and pictures included. */
  readonly touched: readonly string[];
  readonly keep: () => void;
};

/**
 * Two states of a repository as the drift rules want them. The head is the work tree, the index, or a commit; only
 * what the rules may need is read, and other files only when a name is looked up in them.
 */
export async function askDrift(question: Question): Promise<DriftQuestion> {
  const { git, reader, ends, config, memory = new CheckMemory(), signal, onProgress } = question;
  const { base, head } = ends;
  const unknown: Unknown[] = [];
  const changes = await git.changes(base, head);
  const proves = isProof(config);
  const shelf = await openShelf({ git, reader, base, head, changes, proves, memory });
  const isCode = (path: string): boolean => isCodePath(path) && proves(path);
  const files = await readChanges(changes, shelf, unknown, isCode);
  const pages = await readChanges(changes, shelf, unknown, isDocumentPath);
  signal?.throwIfAborted();
  const comments = config.docs?.comments ?? false;
  const touched = changes.map(({ path }) => path);
  const concerned = new Set(touched);
  const isCurrent = isCurrentDocument(config);
  const documents = await readDocuments(shelf, unknown, {
    isCurrent,
    isConcerned: (path) => concerned.has(path) && (isJudged(path) || isCurrent(path)),
  });
  if (comments) documents.push(...(await readComments(shelf)));
  const words = openWords(git.top, shelf, memory);
  const input: DriftInput = {
    base,
    head,
    ...(signal ? { pause: breathing(signal, onProgress) } : {}),
    files: files.map((file) => memory.change(file)),
    pages: pages.map((page) => memory.change(page)),
    paths: sidesOf(changes),
    repository: await findOwnNames(git, {
      has: (path) => shelf.ids.has(path),
      text: (path) => shelf.text(path),
    }),
    tree: [...shelf.ids.keys()],
    documents: documents.map((page) => memory.document(page)),
    read: (path) => shelf.text(path),
    past: () => git.log(base, pastCommits).catch(() => []),
    occurrences: (names) => findOccurrences(names, shelf, words.index, comments),
  };
  const keep = (): void => {
    words.keep();
    memory.settle(input.documents, [...input.files, ...(input.pages ?? [])]);
  };
  return { input, unknown, touched, keep };
}

/** Lets the process hear what else it was asked, and stops the rules there if that makes this check stale. */
function breathing(signal: AbortSignal, onProgress: Question["onProgress"]) {
  return async (done: number, total: number): Promise<void> => {
    onProgress?.(done, total);
    await new Promise((resolve) => setImmediate(resolve));
    signal.throwIfAborted();
  };
}

/** Every path, pictures and binaries included, that stands on one side of the change only. */
function sidesOf(changes: readonly RawChange[]): NonNullable<DriftInput["paths"]> {
  const files = changes.filter(({ kind }) => kind === "file" || kind === "link");
  return {
    removed: files.flatMap(({ path, status, before }) =>
      status === "deleted" ? [{ path, id: before }] : [],
    ),
    added: files.flatMap(({ path, status, after }) => (status === "added" ? [{ path, id: after }] : [])),
  };
}

export type WholeQuestion = {
  readonly input: WholeInput;
  readonly head: string;
  readonly unknown: readonly Unknown[];
};

/** A repository as it stands: the work tree, or the last commit where there is none. */
export async function askWhole(question: Question): Promise<WholeQuestion> {
  const { git, reader, ends, config, memory = new CheckMemory() } = question;
  const { base, head } = ends;
  const unknown: Unknown[] = [];
  const changes = head === base ? [] : await git.changes(base, head);
  const shelf = await openShelf({ git, reader, base, head, changes, proves: isProof(config), memory });
  const isCurrent = isCurrentDocument(config);
  const isConcerned = (path: string): boolean => isJudged(path) || isCurrent(path);
  const documents = await readDocuments(shelf, unknown, { isCurrent, isConcerned });
  const words = openWords(git.top, shelf, memory);
  const input: WholeInput = {
    tree: [...shelf.ids.keys()],
    documents,
    read: (path) => shelf.text(path),
    repository: await findOwnNames(git, {
      has: (path) => shelf.ids.has(path),
      text: (path) => shelf.text(path),
    }),
    removals: (paths) => followRemovals(git, base, { paths, holds: (path) => shelf.ids.has(path) }),
    occurrences: (names) => findOccurrences(names, shelf, words.index),
  };
  return { input, head, unknown };
}

/** Whether the rules say anything about a page of its class. */
function isJudged(path: string): boolean {
  const kind = documentClass(path);
  return kind === "page" || kind === "instructions";
}

/** Suture's own files in a tree quote old names; a name that only they have is gone. */
const OWN_FILE = /(^|\/)suture[\w.-]*\.json$/;

// Enough to know which pages move with a file, and quickly listed.
const pastCommits = 300;

/** The files at the head: where each one's content is, and its text when asked for. */
type Shelf = {
  /** Blob ids by path; null where the content is only on disk. */
  readonly ids: ReadonlyMap<string, string | null>;
  /** The paths of what names may be looked up in: no documents, no pictures, in order. */
  readonly code: readonly string[];
  text(path: string): Promise<string | null>;
  blobText(id: string): Promise<string | null>;
  fill(ids: readonly string[]): Promise<void>;
  /** Whether a blob that was asked for is not in this clone. */
  isAbsent(id: string): boolean;
  /** Texts of files that are asked for only once. */
  glance(paths: readonly string[]): Promise<(path: string) => Promise<string | null>>;
};

async function openShelf({
  git,
  reader,
  base,
  head,
  changes,
  proves,
  memory: { texts },
}: {
  readonly git: Git;
  readonly reader: Reader | null;
  readonly base: string;
  readonly head: string;
  readonly changes: readonly RawChange[];
  readonly proves: (path: string) => boolean;
  readonly memory: CheckMemory;
}): Promise<Shelf> {
  const ids = new Map<string, string | null>();
  const committed = head === "worktree" || head === "index" ? base : head;
  for (const { path, id } of await git.tree(committed)) ids.set(path, id);
  if (committed === base)
    for (const { path, after, status, kind } of changes) {
      if (status === "deleted" || kind !== "file") ids.delete(path);
      else ids.set(path, after);
    }
  if (head === "worktree" && reader)
    for (const path of await git.untracked()) if (!ids.has(path)) ids.set(path, null);
  const blobText = (id: string): Promise<string | null> => texts.read(git, id);
  const text = async (path: string): Promise<string | null> => {
    const id = ids.get(path);
    if (id === undefined) return null;
    if (id !== null) return blobText(id);
    const read = await reader?.read(path);
    return read?.ok ? read.value.text : null;
  };
  const glance: Shelf["glance"] = async (paths) => {
    const unread = paths
      .map((path) => ids.get(path))
      .filter((id) => typeof id === "string" && !texts.has(id)) as string[];
    if (unread.length <= fewGlances) {
      await texts.fill(git, unread);
      return text;
    }
    const blobs = await git.blobs(unread);
    return async (path) => {
      const blob = blobs.get(ids.get(path) ?? "");
      return blob ? textOf(blob) : text(path);
    };
  };
  const code = [...ids.keys()]
    .filter((path) => isCodePath(path) && proves(path) && !OWN_FILE.test(path))
    .sort(byCodeUnit);
  return {
    ids,
    code,
    blobText,
    fill: (wanted) => texts.fill(git, wanted),
    text,
    glance,
    isAbsent: (id) => texts.isAbsent(id),
  };
}

/**
 * Both sides of the files that a change touched. A file that is no text, or too large, says nothing about names; one
 * whose content is not in this clone might.
 */
async function readChanges(
  changes: readonly RawChange[],
  shelf: Shelf,
  unknown: Unknown[],
  isWanted: (path: string) => boolean,
): Promise<ChangedFile[]> {
  const wanted = changes.filter(({ path, kind }) => kind === "file" && isWanted(path));
  await shelf.fill(wanted.flatMap(({ before, after }) => [before, after].filter((id) => id !== null)));
  const files: ChangedFile[] = [];
  for (const { path, before, after, status } of wanted) {
    const old = before === null ? null : await shelf.blobText(before);
    const fresh =
      status === "deleted" ? null : after === null ? await shelf.text(path) : await shelf.blobText(after);
    const isWhole = (before === null || old !== null) && (status === "deleted" || fresh !== null);
    if (isWhole && old !== fresh) files.push({ path, before: old, after: fresh });
    else if (!isWhole && [before, after].some((id) => id !== null && shelf.isAbsent(id)))
      unknown.push({ path, why: unknownWords.absent });
  }
  return files;
}

type DocumentFilters = {
  readonly isCurrent: (path: string) => boolean;
  /** Whether a document that cannot be read is named as unknown. */
  readonly isConcerned: (path: string) => boolean;
};

async function readDocuments(
  shelf: Shelf,
  unknown: Unknown[],
  { isCurrent, isConcerned }: DocumentFilters,
): Promise<DocumentText[]> {
  const paths = [...shelf.ids.keys()].filter(isDocumentPath).sort(byCodeUnit);
  await shelf.fill(paths.map((path) => shelf.ids.get(path)).filter((id) => typeof id === "string"));
  const documents: DocumentText[] = [];
  const pace = createPace();
  for (const path of paths) {
    await pace();
    const text = await shelf.text(path);
    if (text !== null)
      documents.push({ ...toDocument(path, text), ...(isCurrent(path) ? { isCurrent: true } : {}) });
    else if (isConcerned(path) && !unknown.some((one) => one.path === path))
      unknown.push({
        path,
        why: shelf.isAbsent(shelf.ids.get(path) ?? "") ? unknownWords.absent : unknownWords.unreadable,
      });
  }
  return documents;
}

/** The doc comments of the product's sources, each file as a page. */
async function readComments(shelf: Shelf): Promise<DocumentText[]> {
  const paths = shelf.code.filter(isProductPath);
  await shelf.fill(paths.map((path) => shelf.ids.get(path)).filter((id) => typeof id === "string"));
  const pages: DocumentText[] = [];
  for (const path of paths) {
    const whole = await shelf.text(path);
    const text = whole === null ? null : keepDocComments(path, whole);
    if (whole !== null && text !== null) pages.push({ path, text, whole });
  }
  return pages;
}

// So few texts may be kept: the next check of an editor asks for the same files again.
const fewGlances = 100;

/** Starting git costs more than reading, and what was only looked through is not kept. */
const batchSize = 4000;

async function findOccurrences(
  names: readonly string[],
  shelf: Shelf,
  index: () => WordIndex,
  leaveComments = false,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = new Map<string, string[]>(names.map((name) => [name, []]));
  if (names.length === 0) return found;
  const find = createWordFinder(names);
  const paths = findCandidates(names, shelf, index());
  const pace = createPace();
  for (let start = 0; start < paths.length; start += batchSize) {
    const batch = paths.slice(start, start + batchSize);
    const glance = await shelf.glance(batch);
    for (const path of batch) {
      await pace();
      const text = await glance(path);
      const id = shelf.ids.get(path);
      if (typeof id === "string" && !index().has(id)) index().add(id, text ?? "");
      if (text === null) continue;
      // Where comments are documents, a name that only they have is not alive by that.
      const code = leaveComments ? dropComments(path, text) : text;
      for (const name of new Set(find(code).map((mention) => mention.name))) found.get(name)?.push(path);
    }
  }
  return found;
}

/** The files that must be read to know whether they hold the names. */
function findCandidates(names: readonly string[], { ids, code }: Shelf, index: WordIndex): readonly string[] {
  const known = code.map((path) => ids.get(path)).filter((id) => typeof id === "string");
  const candidates = index.mayHold(known, names);
  return code.filter((path) => {
    const id = ids.get(path);
    return typeof id !== "string" || candidates.has(id);
  });
}

// Fewer files than this are read as quickly as what is known about them.
const fewest = 200;

/** What earlier checks of this repository learnt about its blobs, read when first asked for. */
function openWords(
  top: string,
  { ids, code }: Shelf,
  memory: CheckMemory,
): { index: () => WordIndex; keep: () => void } {
  const { createHash } = process.getBuiltinModule("node:crypto");
  const name = `words/${createHash("sha256").update(top).digest("hex").slice(0, 32)}.bin`;
  return {
    index: () => {
      memory.words ??= parseWordIndex(code.length < fewest ? null : readCacheFile(name));
      return memory.words;
    },
    keep: () => {
      const index = memory.words;
      // Writing it all anew costs as much as reading a few hundred files.
      if (!index || code.length < fewest || index.added() < fewest / 2) return;
      const known = new Set(code.map((path) => ids.get(path)).filter((id) => typeof id === "string"));
      const bytes = index.print(known);
      if (bytes) writeCacheFile(name, bytes);
    },
  };
}

function byCodeUnit(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

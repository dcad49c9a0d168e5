import { createPace } from "../../drift/pace.ts";
import { isWrittenText } from "../../syntax/file-kinds.ts";
import { isDocumentPath } from "../../syntax/formats/registry.ts";
import type { Git, RawChange } from "../../workspace/git/git.ts";
import type { Reader } from "../../workspace/workspace.ts";
import { type BlobTexts, type LeftOut, textOf } from "./memory.ts";

/** The state of a repository at the head of a check: the work tree, the index, or a commit. */
export type HeadState = {
  readonly git: Git;
  readonly reader: Reader | null;
  readonly base: string;
  readonly head: string;
  /** The changes from the base to the head. */
  readonly changes: readonly RawChange[];
};

export type HeadFilesOptions = {
  /** Whether a source counts as evidence. */
  readonly proves: (path: string) => boolean;
  readonly texts: BlobTexts;
};

/** Opens the files at the head. Their texts are read later, when they are needed. */
export async function openHeadFiles(state: HeadState, options: HeadFilesOptions): Promise<HeadFiles> {
  return new HeadFiles(state, await listBlobs(state), options);
}

/** The files at the head: where the content of each one is, and its text on request. */
export class HeadFiles {
  /** Blob ids by path; null where the content is only on disk. */
  readonly ids: ReadonlyMap<string, string | null>;
  /** The sorted paths of the files in which names are looked up: no documents, no pictures. */
  readonly code: readonly string[];
  /** The sorted paths of the documents. */
  readonly documents: readonly string[];
  readonly #git: Git;
  readonly #reader: Reader | null;
  readonly #texts: BlobTexts;

  constructor(
    { git, reader }: HeadState,
    ids: ReadonlyMap<string, string | null>,
    { proves, texts }: HeadFilesOptions,
  ) {
    this.ids = ids;
    this.#git = git;
    this.#reader = reader;
    this.#texts = texts;
    const { documents = [], others = [] } = Object.groupBy(ids.keys(), (path) =>
      isDocumentPath(path) ? "documents" : "others",
    );
    this.documents = documents.sort(byCodeUnit);
    this.code = others
      .filter((path) => isWrittenText(path) && proves(path) && !OWN_FILE.test(path))
      .sort(byCodeUnit);
  }

  async text(path: string): Promise<string | null> {
    const id = this.ids.get(path);
    if (id === undefined) return null;
    if (id !== null) return this.blobText(id);
    const read = await this.#reader?.read(path);
    return read?.ok ? read.value.text : null;
  }

  blobText(id: string): Promise<string | null> {
    return this.#texts.read(this.#git, id);
  }

  /** Reads blobs in one call of git, so that their texts are there. */
  fill(ids: readonly string[]): Promise<void> {
    return this.#texts.fill(this.#git, ids);
  }

  /** Why a blob that was asked for has no text; undefined where it has one. */
  leftOut(id: string): LeftOut | undefined {
    return this.#texts.leftOut(id);
  }

  /** Hands over the bytes of blobs, also of those that are left out. */
  eachBlob(ids: readonly string[], take: (id: string, bytes: Uint8Array) => void): Promise<void> {
    return this.#git.eachBlob(ids, take);
  }

  /** Hands over the texts of many files, in any order. They are kept only if there are few of them. */
  async search(paths: readonly string[], take: (path: string, text: string | null) => void): Promise<void> {
    const { unread = [], known = [] } = Object.groupBy(paths, (path) =>
      this.#isUnread(path) ? "unread" : "known",
    );
    const pathsById = Map.groupBy(unread, (path) => this.ids.get(path)!);
    if (pathsById.size > mostKept)
      await this.#git.eachBlob([...pathsById.keys()], (id, bytes) => {
        const text = textOf(bytes);
        for (const path of pathsById.get(id)!) take(path, text);
        pathsById.delete(id);
      });
    await this.fill([...pathsById.keys()]);
    const pace = createPace();
    for (const path of [...known, ...[...pathsById.values()].flat()]) {
      await pace();
      take(path, await this.text(path));
    }
  }

  #isUnread(path: string): boolean {
    const id = this.ids.get(path);
    return typeof id === "string" && !this.#texts.has(id);
  }
}

// The next check of an editor asks for the same files again.
const mostKept = 100;

/** Suture's own files in a tree quote old names; a name that only they have is gone. */
const OWN_FILE = /(^|\/)suture[\w.-]*\.json$/;

async function listBlobs({
  git,
  reader,
  base,
  head,
  changes,
}: HeadState): Promise<Map<string, string | null>> {
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
  return ids;
}

export function byCodeUnit(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

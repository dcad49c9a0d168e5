import type { Reader } from "../reader.ts";
import { blobIdLike, createIdHash, type Git, type RawChange, type TreeFile } from "./git.ts";

/** A file that differed from the commit when a work tree was pinned. `id: null`: there was no such file. */
export type PinnedFile = { readonly path: string; readonly id: string | null; readonly bytes?: Uint8Array };

/** A work tree as it was: a commit, and what differed from it. */
export type WorkTreePin = {
  readonly commit: string;
  readonly files: readonly PinnedFile[];
  /** Whether the bytes of every file that differed were kept. */
  readonly isWhole: boolean;
};

const mostFiles = 500;
const mostBytes = 8_000_000;
const largestFile = 1_000_000;

/** Keeps what a work tree has beyond a commit: changed, removed and untracked files, up to a fixed amount of bytes. */
export async function pinWorkTree(git: Git, reader: Reader, commit: string): Promise<WorkTreePin> {
  const changes = await git.changes(commit, "worktree");
  const gone = changes.filter(({ status }) => status === "deleted").map(({ path }) => path);
  const there = changes.filter(({ status, kind }) => status !== "deleted" && kind === "file");
  const paths = [...there.map(({ path }) => path), ...(await git.untracked())];
  const files: PinnedFile[] = gone.slice(0, mostFiles).map((path) => ({ path, id: null }));
  let left = mostBytes;
  for (const path of paths.slice(0, mostFiles)) {
    const bytes = await readBytes(reader, path);
    if (bytes === null || bytes.length > largestFile || bytes.length > left) continue;
    left -= bytes.length;
    files.push({ path, id: blobIdLike(bytes, commit), bytes });
  }
  return { commit, files, isWhole: files.length === gone.length + paths.length };
}

/** A repository in which the pinned work tree is a revision of its own. */
export type PinnedGit = { readonly git: Git; readonly base: string };

/** Lets a pinned work tree be compared like a commit. Nothing is written to the repository. */
export function openPin(git: Git, reader: Reader, pin: WorkTreePin): PinnedGit {
  if (pin.files.length === 0) return { git, base: pin.commit };
  const base = pinId(pin);
  const at = (revision: string): string => (revision === base ? pin.commit : revision);
  const blobs = new Map(pin.files.flatMap(({ id, bytes }) => (id && bytes ? [[id, bytes] as const] : [])));
  const pinned: Git = {
    ...git,
    resolve: async (revision) => (revision === base ? base : git.resolve(revision)),
    mergeBase: (a, b) => git.mergeBase(at(a), at(b)),
    parents: (commit) => git.parents(at(commit)),
    message: (commit) => git.message(at(commit)),
    log: (revision, most) => git.log(at(revision), most),
    tree: async (revision) => {
      const tree = await git.tree(at(revision));
      return revision === base ? overlayTree(tree, pin.files) : tree;
    },
    changes: (from, head) =>
      from === base ? compareWithPin({ git, reader, pin }, head) : git.changes(from, head),
    blobs: async (ids) => new Map([...(await git.blobs(ids.filter((id) => !blobs.has(id)))), ...blobs]),
    eachBlob: async (ids, take) => {
      const { own = [], committed = [] } = Object.groupBy(new Set(ids), (id) =>
        blobs.has(id) ? "own" : "committed",
      );
      for (const id of own) take(id, blobs.get(id)!);
      await git.eachBlob(committed, take);
    },
  };
  return { git: pinned, base };
}

function overlayTree(tree: readonly TreeFile[], files: readonly PinnedFile[]): TreeFile[] {
  const ids = new Map(tree.map(({ path, id }) => [path, id]));
  for (const { path, id } of files)
    if (id === null) ids.delete(path);
    else ids.set(path, id);
  return [...ids].map(([path, id]) => ({ path, id }));
}

type PinnedPlace = { readonly git: Git; readonly reader: Reader; readonly pin: WorkTreePin };

async function compareWithPin({ git, reader, pin }: PinnedPlace, head: string): Promise<RawChange[]> {
  const changes = new Map((await git.changes(pin.commit, head)).map((change) => [change.path, change]));
  const isOpen = head === "worktree" || head === "index";
  const tree = new Map((await git.tree(isOpen ? pin.commit : head)).map(({ path, id }) => [path, id]));
  for (const { path, id: before } of pin.files) {
    const known = changes.get(path);
    const after = await currentContent({ path, known, tree, isOpen, reader, like: pin.commit });
    changes.delete(path);
    if (after.id !== before) changes.set(path, changeOf(path, before, after));
  }
  return [...changes.values()];
}

/** The content of a file at the head: `id: null` if there is none, `isOnDisk` if git does not have the content. */
type CurrentContent = { readonly id: string | null; readonly isOnDisk: boolean };

async function currentContent({
  path,
  known,
  tree,
  isOpen,
  reader,
  like,
}: {
  readonly path: string;
  readonly known: RawChange | undefined;
  readonly tree: ReadonlyMap<string, string>;
  readonly isOpen: boolean;
  readonly reader: Reader;
  readonly like: string;
}): Promise<CurrentContent> {
  if (!isOpen || (!known && tree.has(path))) return { id: tree.get(path) ?? null, isOnDisk: false };
  if (known?.status === "deleted") return { id: null, isOnDisk: false };
  if (known?.after) return { id: known.after, isOnDisk: false };
  const bytes = await readBytes(reader, path);
  return { id: bytes === null ? null : blobIdLike(bytes, like), isOnDisk: true };
}

function changeOf(path: string, before: string | null, { id, isOnDisk }: CurrentContent): RawChange {
  const status = before === null ? "added" : id === null ? "deleted" : "modified";
  return { path, before, after: isOnDisk ? null : id, status, kind: "file" };
}

async function readBytes(reader: Reader, path: string): Promise<Uint8Array | null> {
  const read = await reader.read(path, { strayBytes: "keep" });
  return read.ok ? read.value.bytes : null;
}

function pinId({ commit, files }: WorkTreePin): string {
  const hash = createIdHash(commit).update(`pin ${commit}\0`);
  for (const { path, id } of files) hash.update(`${path}\0${id}\0`);
  return hash.digest("hex");
}

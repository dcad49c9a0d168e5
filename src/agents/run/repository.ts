import { posix } from "node:path";
import { locateRange } from "../../docs/check/range.ts";
import { pairMovedFiles } from "../../drift/change/files/file-moves.ts";
import { compareTexts } from "../../text/diff/compare.ts";
import { printDiff } from "../../text/diff/diff.ts";
import { decode } from "../../text/model/encoding.ts";
import { accept, type Outcome, refuse } from "../../text/model/outcome.ts";
import { repositoryText } from "../../wording/agents.ts";
import { type Git, openGit, type RawChange } from "../../workspace/git/git.ts";
import { gate } from "../../workspace/paths/paths.ts";
import type { Reader } from "../../workspace/workspace.ts";
import type { FilePatch } from "../context/diff-excerpt.ts";

/**
 * One file of a change; `from` is its old name where it moved. Binary files, mode changes and files with secrets
 * count too; their patch does not show the content.
 */
export type ChangedPath = FilePatch & { readonly status: "added" | "changed" | "deleted" | "moved" };

/** The change between two states of a repository; the oldest commit comes first. */
export type RepositoryChange = {
  readonly base: string | null;
  readonly head: string | null;
  readonly commits: readonly string[];
  readonly files: readonly ChangedPath[];
};

export const noChange: RepositoryChange = { base: null, head: null, commits: [], files: [] };

/** `null`: the folder belongs to no repository, or git is not installed. */
export async function openGitRepository(root: string, reader: Reader): Promise<GitRepository | null> {
  const git = await openGit(root);
  return git && new GitRepository(git, { root, reader });
}

/** The history of a folder, as agents need it. */
export class GitRepository {
  readonly #git: Git;
  readonly #reader: Reader;
  readonly #folder: string;

  constructor(git: Git, { root, reader }: { readonly root: string; readonly reader: Reader }) {
    this.#git = git;
    this.#reader = reader;
    this.#folder = folderOf(git.top, root);
  }

  head(): Promise<string | null> {
    return this.#git.resolve("HEAD");
  }

  /** Whether the head has a file of this path. */
  async isCommitted(path: string): Promise<boolean> {
    const head = await this.head();
    if (head === null) return false;
    return (await this.#git.tree(head)).some((file) => file.path === this.#folder + path);
  }

  /** The commit of a name; `null` where there is none. */
  resolve(name: string): Promise<string | null> {
    return this.#git.resolve(name);
  }

  /** Whether `earlier` is `later` or one of its ancestors. */
  async isBefore(earlier: string, later: string): Promise<boolean> {
    return (await this.#git.mergeBase(earlier, later)) === earlier;
  }

  /** The commit that `check` compares with: where the head left `name`; without a name, the usual base. */
  async findBase(name: string | undefined): Promise<Outcome<string>> {
    const ends = await locateRange(this.#git, { base: name, sinceFork: true });
    return ends.ok ? accept(ends.value.base) : ends;
  }

  /** The change from the merge base of `base` and the head, to the head. */
  async changeSince(base: string): Promise<Outcome<RepositoryChange>> {
    const head = await this.head();
    const from =
      head === null ? null : ((await this.#git.mergeBase(base, head)) ?? (await this.#git.resolve(base)));
    if (head === null || from === null)
      return refuse({ code: "unavailable", detail: repositoryText.noRevision(base) });
    const files = await this.#readChange(await this.#git.changes(from, head), async () => null);
    return accept({ base: from, head, commits: await commitsBetween(this.#git, from, head), files });
  }

  /** The change that a check looked at: from `base` to a commit, the index or the work tree, with its commits. */
  async changeTo(base: string, head: string): Promise<Outcome<RepositoryChange>> {
    const tip = (await this.#git.resolve(head)) ?? (await this.head());
    const from = await this.#git.resolve(base);
    if (tip === null || from === null)
      return refuse({ code: "unavailable", detail: repositoryText.noRevision(base) });
    const raw = await this.#git.changes(from, head);
    const files = await this.#readChange(raw, async (path) => {
      const read = await this.#reader.read(path);
      return read.ok ? read.value.bytes : null;
    });
    return accept({ base: from, head, commits: await commitsBetween(this.#git, from, tip), files });
  }

  /** What commits say of themselves: subject and body, in the same order. Missing ones are left out. */
  async messages(commits: readonly string[], most = 20): Promise<string[]> {
    const found = await Promise.all(commits.slice(-most).map((id) => this.#git.message(id)));
    return found.filter((message) => message !== null);
  }

  /** The newest commits up to a revision, or to the head: the paths that each touched. */
  async pastCommits(
    revision: string,
    most = 1000,
  ): Promise<readonly { readonly paths: readonly string[] }[]> {
    const tip = (await this.#git.resolve(revision)) ?? (await this.head());
    const folder = this.#folder;
    const inside = (paths: readonly string[]): string[] =>
      paths.flatMap((path) => (path.startsWith(folder) ? [path.slice(folder.length)] : []));
    return tip === null
      ? []
      : (await this.#git.log(tip, most)).map(({ paths }) => ({ paths: inside(paths) }));
  }

  /** Every change that is not committed yet, staged or not. */
  async uncommitted(): Promise<Outcome<RepositoryChange>> {
    const head = await this.head();
    if (head === null) return refuse({ code: "unavailable", detail: repositoryText.noCommit });
    const raw = await this.#git.changes(head, "worktree");
    const files = await this.#readChange(raw, async (path) => {
      const read = await this.#reader.read(path);
      return read.ok ? read.value.bytes : null;
    });
    return accept({ base: head, head, commits: [], files });
  }

  /**
   * The texts that the files of a revision had; `null` where there is no such revision. `current` are the texts in the
   * work tree: only files that differ from them are read from git. Without a work tree, all of them are.
   */
  async textsAt(
    revision: string,
    current: ReadonlyMap<string, string>,
  ): Promise<ReadonlyMap<string, string> | null> {
    const commit = await this.#git.resolve(revision);
    if (commit === null) return null;
    const folder = this.#folder;
    const differs = await this.#findDifferent(commit, current);
    const texts = new Map<string, string>();
    const stored = new Map<string, string>();
    for (const { path, id } of await this.#git.tree(commit)) {
      if (!path.startsWith(folder)) continue;
      const name = path.slice(folder.length);
      const isDifferent = differs.has(path);
      const text = isDifferent ? undefined : current.get(name);
      if (text !== undefined) texts.set(name, text);
      else if (isDifferent && gate(name, "read").ok) stored.set(name, id);
    }
    const blobs = await this.#git.blobs([...stored.values()]);
    for (const [name, id] of stored) texts.set(name, decodeText(blobs.get(id) ?? null) ?? "");
    return texts;
  }

  /** The files whose texts at a commit may not be the current ones. */
  async #findDifferent(commit: string, current: ReadonlyMap<string, string>): Promise<ReadonlySet<string>> {
    if (this.#git.isBare) return new Set([...current.keys()].map((name) => `${this.#folder}${name}`));
    return new Set((await this.#git.changes(commit, "worktree")).map(({ path }) => path));
  }

  /** The patches of a change. `onDisk` reads files that git has no object for. */
  async #readChange(raw: readonly RawChange[], onDisk: ReadBytes): Promise<ChangedPath[]> {
    const folder = this.#folder;
    const own = `${folder}.suture/`;
    const inside = raw.filter(({ path }) => path.startsWith(folder) && !path.startsWith(own));
    const readable = new Set(
      inside.filter(({ path, kind }) => kind === "file" && gate(path.slice(folder.length), "read").ok),
    );
    const ids = [...readable].flatMap(({ before, after }) => [before, after].filter((id) => id !== null));
    const blobs = await this.#git.blobs(ids);
    const texts: TextChange[] = [];
    const hidden: ChangedPath[] = [];
    for (const change of inside) {
      const path = change.path.slice(folder.length);
      const deleted = change.status === "deleted";
      const fromDisk = change.after === null && !deleted;
      const before = decodeText(change.before === null ? null : (blobs.get(change.before) ?? null));
      const after = decodeText(
        fromDisk ? await onDisk(path) : change.after === null ? null : (blobs.get(change.after) ?? null),
      );
      if (readable.has(change) && before !== undefined && after !== undefined && before !== after)
        texts.push({ path, before, after });
      else if (!readable.has(change) || !fromDisk || before !== after)
        hidden.push(hiddenChange(path, change));
    }
    const files = pairMovedFiles(texts).map(toPatch);
    return [...files, ...hidden].sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
  }
}

type ReadBytes = (path: string) => Promise<Uint8Array | null>;

type TextChange = { readonly path: string; readonly before: string | null; readonly after: string | null };

/** A changed file whose content is not shown. */
function hiddenChange(path: string, { status }: RawChange): ChangedPath {
  return {
    path,
    status: status === "deleted" || status === "added" ? status : "changed",
    patch: `(${path}: changed, content not shown)\n`,
  };
}

/** The path of a folder below the top of its repository, with a slash at its end. */
function folderOf(top: string, root: string): string {
  const between = posix.relative(top.replaceAll("\\", "/"), root.replaceAll("\\", "/"));
  return between === "" || between.startsWith("..") ? "" : `${between}/`;
}

const maxCommits = 500;

async function commitsBetween(git: Git, base: string, tip: string): Promise<string[]> {
  if (base === tip) return [];
  const older = new Set((await git.log(base, maxCommits)).map(({ id }) => id));
  const newer = (await git.log(tip, maxCommits)).map(({ id }) => id).filter((id) => !older.has(id));
  return newer.reverse();
}

const largestText = 2 * 1024 * 1024;

/** `undefined`: the bytes are not text, or too many. */
function decodeText(bytes: Uint8Array | null): string | null | undefined {
  if (bytes === null) return null;
  if (bytes.length > largestText) return undefined;
  const decoded = decode(bytes);
  return decoded.ok ? decoded.value.text : undefined;
}

function toPatch(file: TextChange & { readonly from?: string }): ChangedPath {
  const { path, before, after, from } = file;
  const moved = from === undefined ? {} : { from };
  const splices = compareTexts(before ?? "", after ?? "");
  const patch = printDiff({ path, before, after, splices, ...moved }, { context: 5 });
  const status =
    from !== undefined ? "moved" : before === null ? "added" : after === null ? "deleted" : "changed";
  return { path, status, patch, ...moved };
}

import { posix } from "node:path";
import { pairMovedFiles } from "../../drift/change/comparison.ts";
import { compareTexts } from "../../text/diff/compare.ts";
import { printDiff } from "../../text/diff/diff.ts";
import { decode } from "../../text/model/encoding.ts";
import { accept, type Outcome, refuse } from "../../text/model/outcome.ts";
import { type Git, openGit, type RawChange } from "../../workspace/git/git.ts";
import { gate } from "../../workspace/paths/paths.ts";
import type { Reader } from "../../workspace/workspace.ts";
import type { FilePatch } from "../context/diff-excerpt.ts";

/**
 * One file of a change; `from` is its old name where it moved. Binary files, changed modes and files that hold
 * secrets count too, with a patch that does not show them.
 */
export type ChangedPath = FilePatch & { readonly status: "added" | "changed" | "deleted" | "moved" };

/** What happened between two states of a repository; commits oldest first. */
export type RepositoryChange = {
  readonly base: string | null;
  readonly head: string | null;
  readonly commits: readonly string[];
  readonly files: readonly ChangedPath[];
};

export const noChange: RepositoryChange = { base: null, head: null, commits: [], files: [] };

/** The history that stands behind a folder, as far as agents ask. */
export type Repository = {
  head(): Promise<string | null>;
  /** The commit a name stands for; `null` where it stands for none. */
  resolve(name: string): Promise<string | null>;
  /** Whether one commit is the other, or comes before it. */
  isBefore(earlier: string, later: string): Promise<boolean>;
  /** `name`, or the same on the remote; without a name, the branch that work is measured against, or the commit before. */
  findBase(name: string | undefined): Promise<Outcome<string>>;
  /** From where `base` and the head part, to the head. */
  changeSince(base: string): Promise<Outcome<RepositoryChange>>;
  /** Everything not committed yet, staged or not. */
  uncommitted(): Promise<Outcome<RepositoryChange>>;
};

/** `null`: the folder belongs to no repository, or git is not installed. */
export async function openRepository(root: string, reader: Reader): Promise<Repository | null> {
  const git = await openGit(root);
  if (!git) return null;
  const inside = folderOf(git.top, root);

  const head = (): Promise<string | null> => git.resolve("HEAD");
  return {
    head,
    resolve: (name) => git.resolve(name),
    isBefore: async (earlier, later) => (await git.mergeBase(earlier, later)) === earlier,
    findBase: async (name) => {
      // On the main branch itself there is nothing to measure against but the commit before.
      const names = name === undefined ? [await git.mainBranch(), "HEAD^"] : [name, `origin/${name}`];
      for (const candidate of names) {
        const commit = candidate === null ? null : await git.resolve(candidate);
        if (commit !== null) return accept(commit);
      }
      const why =
        name === undefined
          ? "there is no other branch and no earlier commit to compare with"
          : `no revision ${JSON.stringify(name)}`;
      return refuse({ code: "unavailable", detail: `${why}; pass --base` });
    },
    changeSince: async (base) => {
      const tip = await head();
      const from = tip === null ? null : ((await git.mergeBase(base, tip)) ?? (await git.resolve(base)));
      if (tip === null || from === null)
        return refuse({ code: "unavailable", detail: `no revision ${JSON.stringify(base)}` });
      const raw = await git.changes(from, tip);
      const files = await readChange(git, raw, inside, async () => null);
      return accept({ base: from, head: tip, commits: await commitsBetween(git, from, tip), files });
    },
    uncommitted: async () => {
      const tip = await head();
      if (tip === null) return refuse({ code: "unavailable", detail: "the repository has no commit yet" });
      const raw = await git.changes(tip, "worktree");
      const onDisk = async (path: string): Promise<Uint8Array | null> => {
        const read = await reader.read(path);
        return read.ok ? read.value.bytes : null;
      };
      return accept({ base: tip, head: tip, commits: [], files: await readChange(git, raw, inside, onDisk) });
    },
  };
}

/** The part of a path between the repository's top and the folder that is worked on. */
function folderOf(top: string, root: string): string {
  const between = posix.relative(top.replaceAll("\\", "/"), root.replaceAll("\\", "/"));
  return between === "" || between.startsWith("..") ? "" : `${between}/`;
}

const mostCommits = 500;

async function commitsBetween(git: Git, base: string, tip: string): Promise<string[]> {
  if (base === tip) return [];
  const older = new Set((await git.log(base, mostCommits)).map(({ id }) => id));
  const newer = (await git.log(tip, mostCommits)).map(({ id }) => id).filter((id) => !older.has(id));
  return newer.reverse();
}

const largestText = 2 * 1024 * 1024;

async function readChange(
  git: Git,
  raw: readonly RawChange[],
  inside: string,
  onDisk: (path: string) => Promise<Uint8Array | null>,
): Promise<ChangedPath[]> {
  const own = `${inside}.suture/`;
  const near = raw.filter(({ path }) => path.startsWith(inside) && !path.startsWith(own));
  const open = near.filter(({ path, kind }) => kind === "file" && gate(path.slice(inside.length), "read").ok);
  const blobs = await git.blobs(
    open.flatMap(({ before, after }) => [before, after].filter((id) => id !== null)),
  );
  const texts: { path: string; before: string | null; after: string | null }[] = [];
  const closed: ChangedPath[] = [];
  for (const change of near) {
    const path = change.path.slice(inside.length);
    const before = change.before === null ? null : (blobs.get(change.before) ?? null);
    const gone = change.status === "deleted";
    const after = gone
      ? null
      : change.after === null
        ? await onDisk(path)
        : (blobs.get(change.after) ?? null);
    const was = textOf(before);
    const is = textOf(after);
    const shown = open.includes(change) && was !== undefined && is !== undefined && was !== is;
    if (shown) texts.push({ path, before: was, after: is });
    else if (open.includes(change) && change.after === null && !gone && was === is) continue;
    else
      closed.push({
        path,
        status: gone ? "deleted" : change.status === "added" ? "added" : "changed",
        patch: `(${path}: changed, content not shown)\n`,
      });
  }
  const files = pairMovedFiles(texts).map(toPatch);
  return [...files, ...closed].sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
}

/** `undefined`: bytes that are no text, or too many. */
function textOf(bytes: Uint8Array | null): string | null | undefined {
  if (bytes === null) return null;
  if (bytes.length > largestText) return undefined;
  const decoded = decode(bytes);
  return decoded.ok ? decoded.value.text : undefined;
}

function toPatch(file: {
  path: string;
  before: string | null;
  after: string | null;
  from?: string;
}): ChangedPath {
  const { path, before, after, from } = file;
  const moved = from === undefined ? {} : { from };
  const splices = compareTexts(before ?? "", after ?? "");
  const patch = printDiff({ path, before, after, splices, ...moved }, { context: 5 });
  const status =
    from !== undefined ? "moved" : before === null ? "added" : after === null ? "deleted" : "changed";
  return { path, status, patch, ...moved };
}

import { createHash } from "node:crypto";
import { join } from "node:path";
import { type HostKind, hosts, isBinaryPath } from "suture/service";
import { type Git, openGit } from "suture/workspace";
import { drop, isThere } from "../home.ts";
import type { HostedOwner } from "../publish/credentials.ts";
import type { Repository } from "../store/repositories.ts";
import { countPacks, evictClones, markUsed } from "./clone-folders.ts";
import { GitError, runGit } from "./git-process.ts";
import { followMoves, type Remote, remoteSettings, secretSettings } from "./remote.ts";

/** Bare clones that are kept between jobs, so that only new commits are fetched. No files are checked out. */
export type Mirrors = {
  /** Fetches a commit; without one, the newest commit of the main branch. Null if the repository has no commits. */
  fetch(repository: ClonedRepository, wanted: WantedCommit, signal?: AbortSignal): Promise<Mirror | null>;
  /** Deletes the clones that were used longest ago until the rest takes at most so many bytes. Returns the bytes freed. */
  evict(mostBytes: number): Promise<number>;
  /** The clone as it is, without a fetch; null if there is none. */
  open(repository: Pick<Repository, "url">): Promise<Git | null>;
};

/** The repository of a clone. One that is used for something of its own is a clone apart. */
export type ClonedRepository = Pick<Repository, "url" | "host" | "organisation"> & {
  readonly usedFor?: string;
};

export type WantedCommit = { readonly commit: string | null; readonly request?: number | undefined };

export type Mirror = {
  readonly git: Git;
  /** The commit that was wanted. */
  readonly head: string;
  /** Fetches the contents of all files that a comparison of these two commits reads. */
  fill(base: string, head: string): Promise<void>;
  /** Fetches contents by their ids. Undefined if the clone has all of them. */
  readonly fetchContents: ((ids: readonly string[]) => Promise<void>) | undefined;
};

/** What fetching needs to know about a host, by its name. */
export type HostLookup = {
  /** The header that carries the token, or null. */
  header(owner: HostedOwner): Promise<string | null>;
  kindOf(host: string): HostKind | null;
};

const noHosts: HostLookup = { header: async () => null, kindOf: () => null };

const tip = "refs/heads/suture";

export function openMirrors(folder: string, lookup: HostLookup = noHosts): Mirrors {
  const placeOf = (url: string, usedFor?: string): string => {
    const key = usedFor === undefined ? url : `${url} ${usedFor}`;
    const name = createHash("sha256").update(key).digest("hex");
    return join(folder, name.slice(0, 2), `${name.slice(2, 34)}.git`);
  };
  return {
    open: async ({ url }) => ((await isThere(join(placeOf(url), "HEAD"))) ? openGit(placeOf(url)) : null),
    evict: (mostBytes) => evictClones(folder, mostBytes),
    fetch: async (repository, wanted, signal) => {
      const place = placeOf(repository.url, repository.usedFor);
      const kind = lookup.kindOf(repository.host);
      const clone: Clone = {
        place,
        ...repository,
        kind,
        header: await lookup.header(repository),
        signal,
      };
      if (!(await fetchUnlessEmpty(clone, wanted))) return null;
      await repackIfNeeded(clone);
      const git = await openGit(place);
      const head = await git?.resolve(wanted.commit ?? tip);
      if (!git || !head)
        throw new GitError(`the repository has no commit ${wanted.commit ?? ""}`.trim(), ["permanent"]);
      return {
        git,
        head,
        fill: (base, to) => (isPartial(clone) ? fill(clone, git, base, to) : Promise.resolve()),
        fetchContents: isPartial(clone) ? (ids) => fetchContents(clone, ids) : undefined,
      };
    },
  };
}

/** With more packs than this, a clone is repacked: each fetch adds one. */
const mostPacks = 40;

async function repackIfNeeded(clone: Clone): Promise<void> {
  await markUsed(clone.place);
  if ((await countPacks(clone.place)) <= mostPacks) return;
  await runGit(["repack", "-a", "-d", "-q"], { folder: clone.place, signal: clone.signal });
}

type Clone = Remote & { readonly kind: HostKind | null };

/** A remote repository is fetched without file contents. The needed contents follow later. */
function isPartial({ url }: Clone): boolean {
  return !url.startsWith("/");
}

/** False if the remote repository has no commits yet. */
async function fetchUnlessEmpty(clone: Clone, wanted: WantedCommit): Promise<boolean> {
  try {
    await fetchOrReclone(clone, wanted);
    return true;
  } catch (error) {
    if (error instanceof GitError && wanted.commit === null && error.is("empty")) return false;
    throw error;
  }
}

/** If a killed process left the clone broken or locked, it is cloned again. */
async function fetchOrReclone(clone: Clone, wanted: WantedCommit): Promise<void> {
  try {
    await fetchOnce(clone, wanted);
  } catch (error) {
    if (!(error instanceof GitError) || !error.is("broken")) throw error;
    await drop(clone.place);
    await fetchOnce(clone, wanted);
  }
}

async function fetchOnce(clone: Clone, { commit, request }: WantedCommit): Promise<void> {
  const isNew = !(await isThere(join(clone.place, "HEAD")));
  if (isNew)
    await runGit(["init", "--bare", "--quiet", "--template=", "--initial-branch=suture", clone.place], clone);
  else if (commit !== null && (await has(clone, commit))) return;
  await fetchRefs(clone, [`+HEAD:${tip}`, ...requestRefs(clone.kind, request)]);
  if (commit !== null && !(await has(clone, commit)))
    await fetchRefs(clone, [`+${commit}:refs/suture/${commit}`]);
}

async function has({ place, signal }: Clone, commit: string): Promise<boolean> {
  try {
    await runGit(["cat-file", "-e", `${commit}^{commit}`], { folder: place, signal });
    return true;
  } catch (error) {
    if (error instanceof GitError) return false;
    throw error;
  }
}

function requestRefs(kind: HostKind | null, request: number | undefined): string[] {
  if (request === undefined) return [];
  const ref = hosts[kind ?? "github"].pullRequestRef(request);
  return [`+${ref}:refs/suture/request-${request}`];
}

function fetchRefs(clone: Clone, refs: readonly string[]): Promise<string> {
  const filter = isPartial(clone) ? ["--filter=blob:none"] : [];
  return fetchInto(clone, [...filter, "origin", ...refs]);
}

function fetchInto(clone: Clone, args: readonly string[], input?: string): Promise<string> {
  return followMoves(clone, (at) =>
    runGit(
      [
        ...remoteSettings(at),
        "fetch",
        "--quiet",
        "--no-tags",
        "--no-write-fetch-head",
        // A repository may be a clone without its history.
        "--update-shallow",
        "--no-recurse-submodules",
        ...args,
      ],
      {
        folder: at.place,
        signal: at.signal,
        secret: secretSettings(at),
        ...(input === undefined ? {} : { input }),
      },
    ),
  );
}

/** One fetch for all missing contents: the pages, and the sources that names are looked up in. */
async function fill(clone: Clone, git: Git, base: string, head: string): Promise<void> {
  const changes = await git.changes(base, head);
  const files = await git.tree(head);
  const ids = new Set([
    ...files.filter(({ path }) => !isBinaryPath(path)).map(({ id }) => id),
    ...changes.flatMap(({ kind, before, after }) => (kind === "file" ? [before, after] : [])),
  ]);
  ids.delete(null);
  const listed = await runGit(
    ["rev-list", "--objects", "--missing=print", "--no-object-names", "--no-walk", base, head],
    {
      folder: clone.place,
      signal: clone.signal,
    },
  );
  const missing = listed
    .split("\n")
    .flatMap((line) => (line.startsWith("?") && ids.has(line.slice(1)) ? [line.slice(1)] : []));
  if (missing.length > 0) await fetchContents(clone, missing);
}

async function fetchContents(clone: Clone, ids: readonly string[]): Promise<void> {
  await fetchInto(clone, ["--filter=blob:none", "--stdin", "origin"], `${ids.join("\n")}\n`);
}

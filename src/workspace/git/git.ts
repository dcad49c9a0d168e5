import type { Hash } from "node:crypto";
import { blameArguments, parseBlame } from "./blame.ts";
import { createBlobReader, readBlobs } from "./blobs.ts";
import { findIgnored } from "./ignored.ts";
import {
  decode,
  type HeadMove,
  type LogEntry,
  parseLog,
  parseMoves,
  parseRaw,
  parseTree,
  parseWorkTrees,
  type RawChange,
  splitNul,
  type TreeFile,
} from "./parse-output.ts";
import { createRemovals, type Removal } from "./removals.ts";
import { createResolver } from "./resolve.ts";
import { createRunner, createStarter, demand, type RunGit, withoutFilters } from "./run-git.ts";
import { findWorkTree } from "./work-tree.ts";

export type { HeadMove, LogEntry, RawChange, TreeFile } from "./parse-output.ts";

/**
 * Reading access to a repository. Runs only git itself, with everything that a repository could make it run switched
 * off, and never writes: not the index, not refs, not objects. Nothing is fetched.
 */
export type Git = {
  /** The top of the work tree, or the repository itself where there is no work tree. */
  readonly top: string;
  readonly isBare: boolean;
  /** Where the folder that was opened lies below the top: empty, or a path that ends with a slash. */
  readonly prefix: string;
  /** A value that changes with every commit, checkout and change of the index. */
  stamp(): Promise<string>;
  isShallow(): Promise<boolean>;
  /** The commit a revision names; null where there is none. */
  resolve(revision: string): Promise<string | null>;
  mergeBase(a: string, b: string): Promise<string | null>;
  /** The revision to compare with by default: the remote's default branch, else main or master. Null where HEAD is at it;
   *  another branch does not take its place. */
  mainBranch(): Promise<string | null>;
  parents(commit: string): Promise<readonly string[]>;
  /** The addresses of the repository's remotes, without credentials being asked for. */
  remotes(): Promise<readonly string[]>;
  /** The message of a commit; null where there is no such commit. */
  message(commit: string): Promise<string | null>;
  /** The files that differ, without looking for renames. */
  changes(base: string, head: string | "worktree" | "index"): Promise<readonly RawChange[]>;
  tree(revision: string): Promise<readonly TreeFile[]>;
  /** The paths of a revision that are links of the file system or other repositories. */
  detours(revision: string): Promise<readonly string[]>;
  /** The work tree's files: those git tracks, and those it neither tracks nor ignores. */
  workFiles(): Promise<readonly string[]>;
  /** Regular files of the work tree that git neither tracks nor ignores. Links are left out. */
  untracked(): Promise<readonly string[]>;
  /** Of these paths, those that git ignores, whether or not there are such files. */
  ignored(paths: readonly string[]): Promise<ReadonlySet<string>>;
  /** Blobs by id; an id without one is not here (a partial clone). */
  blobs(ids: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>>;
  /** Hands over blobs by id, each once, while git still prints the others. Their bytes are not kept. */
  eachBlob(ids: readonly string[], take: (id: string, bytes: Uint8Array) => void): Promise<void>;
  /** The newest commits reachable from a revision, each with the paths it touched. */
  log(revision: string, most: number): Promise<readonly LogEntry[]>;
  /** The commits from a revision back along first parents, newest first; of some only, as `limits` say. */
  mainline(revision: string, limits?: MainlineLimits): Promise<readonly string[]>;
  /** The day and the first line of a commit's message; null where there is no such commit. */
  summary(commit: string): Promise<CommitSummary | null>;
  /** For each line of a file, the commit that last changed its words, through renames; null where git cannot tell. */
  blame(revision: string, path: string): Promise<readonly string[] | null>;
  /** For paths that a revision does not have: the commit that removed each, and where it went. */
  removals(revision: string, paths: readonly string[]): Promise<ReadonlyMap<string, Removal>>;
  /** The folder that every work tree of the repository shares, absolute. */
  commonFolder(): Promise<string | null>;
  /** How HEAD of this work tree moved, oldest first; empty where git keeps no record of it. */
  headMoves(): Promise<readonly HeadMove[]>;
  /** Whether a file exists, is not tracked, and is ignored. */
  isIgnored(path: string): Promise<boolean>;
  /** The tops of all work trees of the repository. */
  workTrees(): Promise<readonly string[]>;
};

export type MainlineLimits = {
  /** A commit that reaches the commits that are left out, itself included. */
  readonly past?: string;
  /** Only commits that touch one of these paths. */
  readonly paths?: readonly string[];
};

/** Reads trees. The links of the commit that was read last are known, so that asking for them starts no second git. */
function createTreeReader(git: RunGit): Pick<Git, "tree" | "detours"> {
  let last: { readonly revision: string; readonly detours: readonly string[] } | undefined;
  const read = async (revision: string) => {
    const tree = parseTree(await demand(git, ["ls-tree", "-r", "-z", "--full-tree", revision]));
    last = { revision, detours: tree.detours };
    return tree;
  };
  const isLast = (revision: string): boolean =>
    last?.revision === revision && /^[0-9a-f]{40,64}$/.test(revision);
  return {
    tree: async (revision) => (await read(revision)).files,
    detours: async (revision) => (isLast(revision) ? last! : await read(revision)).detours,
  };
}

export type CommitSummary = { readonly commit: string; readonly date: string; readonly subject: string };

/** The repository a folder belongs to; null where it belongs to none, or git is not installed. */
export async function openGit(folder: string): Promise<Git | null> {
  const bare = findBare(folder);
  const place = await findPlace(createRunner(createStarter(folder, bare)));
  if (place === null || !isOwnTree(place, folder)) return null;
  const { top, isBare, prefix, common } = place;
  const start = createStarter(top, bare);
  const git = createRunner(start);
  const eachBlob = createBlobReader(git, start);
  const line = async (args: readonly string[]): Promise<string | null> => {
    const output = await git(args);
    const text = output === null ? "" : decode(output).trim();
    return text === "" ? null : text;
  };
  return {
    top,
    isBare,
    prefix,
    stamp: createStamp(git, top),
    isShallow: async () => (await line(["rev-parse", "--is-shallow-repository"])) === "true",
    resolve: createResolver(git),
    mergeBase: (a, b) => line(["merge-base", a, b]),
    mainBranch: () => findMainBranch(line),
    parents: async (commit) =>
      (await line(["rev-list", "--parents", "-n1", commit]))?.split(" ").slice(1) ?? [],
    remotes: async () =>
      (await line(["config", "--get-regexp", "^remote\\..*\\.url$"]))
        ?.split("\n")
        .map((row) => row.slice(row.indexOf(" ") + 1)) ?? [],
    message: (commit) => line(["log", "-n1", "--format=%B", "--end-of-options", commit, "--"]),
    changes: async (base, head) => {
      const settings = head === "worktree" ? await withoutFilters(git) : [];
      const changes = parseRaw(await demand(git, changeArguments(base, head), { settings }));
      return head === "worktree" ? dropUnchanged(git, top, changes) : changes;
    },
    ...createTreeReader(git),
    workFiles: async () =>
      splitNul(
        await demand(git, ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate"]),
      ),
    untracked: async () => findRegular(top, await demand(git, ["ls-files", "-z", ...others])),
    ignored: async (paths) => (await findIgnored(git, paths)) ?? new Set(),
    blobs: (ids) => readBlobs(eachBlob, ids),
    eachBlob,
    log: async (revision, most) => parseLog(await demand(git, logArguments(revision, most))),
    mainline: async (revision, limits = {}) =>
      (await line(mainlineArguments(revision, limits)))?.split("\n") ?? [],
    summary: async (commit) => parseSummary(await line(summaryArguments(commit))),
    blame: async (revision, path) => parseBlame(await git(blameArguments(revision, path))),
    removals: createRemovals(async (args) => decode((await git(args)) ?? new Uint8Array())),
    commonFolder: async () =>
      common ?? (await line(["rev-parse", "--path-format=absolute", "--git-common-dir"])),
    headMoves: async () => parseMoves(await git(moveArguments)),
    isIgnored: async (path) =>
      (await line(["ls-files", "--others", "--ignored", "--exclude-standard", "--", path])) !== null,
    workTrees: async () => parseWorkTrees(await git(["worktree", "list", "--porcelain", "-z"])),
  };
}

/** The folder itself, where it is a bare repository that does not lie in a work tree. */
function findBare(folder: string): string | undefined {
  const { existsSync } = process.getBuiltinModule("node:fs");
  const { join } = process.getBuiltinModule("node:path");
  const isBare = ["HEAD", "objects", "refs"].every((name) => existsSync(join(folder, name)));
  return isBare && findWorkTree(folder) === null ? folder : undefined;
}

/** Settings of a repository can name a work tree anywhere. It counts only where the repository itself lies. */
function isOwnTree({ top, isBare }: GitPlace, folder: string): boolean {
  const { realpathSync } = process.getBuiltinModule("node:fs");
  const own = isBare ? findBare(folder) : findWorkTree(folder)?.top;
  return own !== undefined && realpathSync.native(own) === realpathSync.native(top);
}

type GitPlace = Pick<Git, "top" | "isBare" | "prefix"> & { readonly common: string | null };

/** Where a folder lies. Hooks open a repository for each call of a tool, so one process answers all three questions. */
async function findPlace(run: RunGit): Promise<GitPlace | null> {
  const ask = async (...args: string[]): Promise<string | null> => {
    const output = await run(["rev-parse", ...args]);
    return output === null ? null : decode(output).replace(/\n$/, "");
  };
  const all = await ask("--show-toplevel", "--show-prefix", "--path-format=absolute", "--git-common-dir");
  const [top = "", prefix = "", common = "", ...more] = all?.split("\n") ?? [];
  if (common !== "" && more.length === 0) return { top, isBare: false, prefix, common };
  // There is no work tree, or a name has a line break in it.
  const work = all === null ? null : await ask("--show-toplevel");
  const found = work ?? (await ask("--absolute-git-dir"));
  if (found === null) return null;
  const below = work === null ? null : await ask("--show-prefix");
  return { top: found, isBare: work === null, prefix: below ?? "", common: null };
}

/** The sizes and times of the files that git writes when something is committed, checked out or staged. */
function createStamp(git: RunGit, top: string): () => Promise<string> {
  const { statSync } = process.getBuiltinModule("node:fs");
  const { resolve } = process.getBuiltinModule("node:path");
  let folders: Promise<readonly string[]> | undefined;
  return async () => {
    folders ??= git(["rev-parse", "--git-dir", "--git-common-dir"]).then((output) =>
      decode(output ?? new Uint8Array()).split("\n"),
    );
    const [own = "", common = ""] = await folders;
    const files = [
      ...["HEAD", "index", "logs/HEAD"].map((name) => resolve(top, own, name)),
      ...["packed-refs", "refs/heads", "config", "info/exclude"].map((name) => resolve(top, common, name)),
    ];
    return files
      .map((file) => statSync(file, { throwIfNoEntry: false }))
      .map((stat) => (stat ? `${stat.mtimeMs} ${stat.size} ${stat.ino}` : ""))
      .join("\n");
  };
}

const others = ["--others", "--exclude-standard"];

function findRegular(top: string, output: Uint8Array): string[] {
  const { lstatSync } = process.getBuiltinModule("node:fs");
  return splitNul(output).filter((path) => lstatSync(`${top}/${path}`, { throwIfNoEntry: false })?.isFile());
}

/**
 * An index that was copied with its files (`cp -a`, a container image, a restored cache) knows none of their times, so
 * git reports every file as modified. This drops the files that have the committed bytes, with one `git hash-object`.
 */
async function dropUnchanged(
  git: RunGit,
  top: string,
  changes: readonly RawChange[],
): Promise<readonly RawChange[]> {
  const doubtful = changes.filter(
    ({ path, before, after, status, isModeChange }) =>
      status === "modified" && after === null && before !== null && !isModeChange && !/[\n"]/.test(path),
  );
  const links = doubtful.filter(
    ({ kind, path, before }) => kind === "link" && before === linkId(top, path, before!),
  );
  const files = doubtful.filter(({ kind }) => kind === "file");
  const ids =
    files.length === 0
      ? []
      : await hashFiles(
          git,
          files.map(({ path }) => path),
        );
  const same = new Set([...links, ...files.filter(({ before }, i) => ids[i] === before)]);
  return same.size === 0 ? changes : changes.filter((change) => !same.has(change));
}

/** The ids that files would have as blobs, without any filter; none where git cannot read one of them. */
async function hashFiles(git: RunGit, paths: readonly string[]): Promise<readonly string[]> {
  const input = `${paths.join("\n")}\n`;
  const output = await git(["hash-object", "--no-filters", "--stdin-paths"], { input });
  const ids = output === null ? [] : decode(output).trimEnd().split("\n");
  return ids.length === paths.length ? ids : [];
}

/** The id that a link has as a blob: what it points to is its content. */
function linkId(top: string, path: string, like: string): string | null {
  const { readlinkSync } = process.getBuiltinModule("node:fs");
  try {
    return blobIdLike(readlinkSync(`${top}/${path}`, { encoding: "buffer" }), like);
  } catch {
    return null;
  }
}

/** The id that bytes have as a blob, by the hash that another id of the repository was made with. */
export function blobIdLike(bytes: Uint8Array, like: string): string {
  return createIdHash(like).update(`blob ${bytes.length}\0`).update(bytes).digest("hex");
}

/** The hash that another id of the repository was made with. */
export function createIdHash(like: string): Hash {
  const { createHash } = process.getBuiltinModule("node:crypto");
  return createHash(like.length === 64 ? "sha256" : "sha1");
}

async function findMainBranch(
  line: (args: readonly string[]) => Promise<string | null>,
): Promise<string | null> {
  const commitOf = (name: string): Promise<string | null> =>
    line(["rev-parse", "--verify", "--quiet", "--end-of-options", `${name}^{commit}`]);
  const head = await commitOf("HEAD");
  for (const name of await mainBranchNames(line)) {
    const commit = await commitOf(name);
    if (commit !== null) return commit === head ? null : name;
  }
  return null;
}

/** The names that may be the main branch, the surest first. On the main branch itself it is the upstream. */
async function mainBranchNames(
  line: (args: readonly string[]) => Promise<string | null>,
): Promise<readonly string[]> {
  const remote = await line(["symbolic-ref", "--quiet", "--short", "refs/remotes/origin/HEAD"]);
  if (remote !== null) return [remote];
  const branch = (await line(["symbolic-ref", "--quiet", "--short", "HEAD"])) ?? "";
  const upstream = await line(["rev-parse", "--abbrev-ref", "--symbolic-full-name", "@{upstream}"]);
  const own = upstream === null ? [] : [upstream];
  if (usualNames.includes(branch)) return [...own, branch];
  // A branch that follows one of another name was begun there; one of its own name is where it was pushed to.
  const isBegun = upstream !== null && !upstream.endsWith(`/${branch}`);
  const usual = [...usualNames.map((name) => `origin/${name}`), ...usualNames];
  return isBegun ? [...own, ...usual] : [...usual, ...own];
}

const usualNames = ["main", "master"];

function changeArguments(base: string, head: string): string[] {
  // To look for changed files inside a submodule, git would run there with the settings of the submodule.
  const common = ["--raw", "-z", "--no-renames", "--no-abbrev", "--ignore-submodules=dirty"];
  if (head === "worktree") return ["diff-index", ...common, base, "--"];
  if (head === "index") return ["diff-index", "--cached", ...common, base, "--"];
  return ["diff-tree", "-r", ...common, base, head, "--"];
}

function logArguments(revision: string, most: number): string[] {
  return [
    "log",
    `-n${most}`,
    "-z",
    "--no-renames",
    "--name-only",
    "--format=%x01%H",
    "--end-of-options",
    revision,
    "--",
  ];
}

function mainlineArguments(revision: string, { past, paths = [] }: MainlineLimits): string[] {
  const end = past === undefined ? [] : [`^${past}`];
  return ["rev-list", "--first-parent", "--end-of-options", revision, ...end, "--", ...paths];
}

function summaryArguments(commit: string): string[] {
  return ["log", "-n1", "--format=%H%x02%cs%x02%s", "--end-of-options", commit, "--"];
}

function parseSummary(text: string | null): CommitSummary | null {
  const [commit, date, subject = ""] = text?.split("\u0002") ?? [];
  return commit && date ? { commit, date, subject } : null;
}

const moveArguments = ["log", "--walk-reflogs", "-n2000", "-z", "--format=%H %gs", "HEAD", "--"];

import { findRemovals, type Removal } from "./removals.ts";

/** A file that differs between two trees. `null` ids: there is no file on that side, or its content is on disk only. */
export type RawChange = {
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
  readonly status: "added" | "deleted" | "modified" | "type";
  /** Links and submodules are named, never read. */
  readonly kind: "file" | "link" | "submodule";
  /** The file's mode differs, whatever its content does. */
  readonly isModeChange?: true;
};

export type TreeFile = { readonly path: string; readonly id: string };

export type LogEntry = { readonly id: string; readonly paths: readonly string[] };

/** One movement of HEAD: the commit it came to, and git's word for the action (`commit`, `checkout: moving …`). */
export type HeadMove = { readonly to: string; readonly action: string };

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
  /** Something that differs once a commit, a checkout or a change of the index has happened. */
  stamp(): Promise<string>;
  isShallow(): Promise<boolean>;
  /** The commit a revision names; null where there is none. */
  resolve(revision: string): Promise<string | null>;
  mergeBase(a: string, b: string): Promise<string | null>;
  /** The revision a branch is measured against, when nobody says: its upstream, or the main branch. */
  mainBranch(): Promise<string | null>;
  parents(commit: string): Promise<readonly string[]>;
  /** The addresses of the repository's remotes, without credentials being asked for. */
  remotes(): Promise<readonly string[]>;
  /** What a commit says of itself; null where there is none. */
  message(commit: string): Promise<string | null>;
  /** What differs, path by path, without looking for renames. */
  changes(base: string, head: string | "worktree" | "index"): Promise<readonly RawChange[]>;
  tree(revision: string): Promise<readonly TreeFile[]>;
  /** The work tree's files: those git tracks, and those it neither tracks nor ignores. */
  workFiles(): Promise<readonly string[]>;
  /** Regular files of the work tree that git neither tracks nor ignores. Links are left out. */
  untracked(): Promise<readonly string[]>;
  /** Of these paths, those that git ignores, whether or not there are such files. */
  ignored(paths: readonly string[]): Promise<ReadonlySet<string>>;
  /** Blobs by id; an id without one is not here (a partial clone). */
  blobs(ids: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>>;
  /** The newest commits reachable from a revision, each with the paths it touched. */
  log(revision: string, most: number): Promise<readonly LogEntry[]>;
  /** For paths that a revision does not have: the commit that removed each, and where it went. */
  removals(revision: string, paths: readonly string[]): Promise<ReadonlyMap<string, Removal>>;
  /** The folder that every work tree of the repository shares, absolute. */
  commonFolder(): Promise<string | null>;
  /** How HEAD of this work tree moved, oldest first; empty where git keeps no record of it. */
  headMoves(): Promise<readonly HeadMove[]>;
  /** Whether a file is there, is not tracked, and the repository's rules leave it out. */
  isIgnored(path: string): Promise<boolean>;
  /** The tops of all work trees of the repository. */
  workTrees(): Promise<readonly string[]>;
};

/** The repository a folder belongs to; null where it belongs to none, or git is not installed. */
export async function openGit(folder: string): Promise<Git | null> {
  const run = runner(folder);
  const work = await run(["rev-parse", "--show-toplevel"]);
  const found = work ?? (await run(["rev-parse", "--absolute-git-dir"]));
  if (found === null) return null;
  const top = decode(found).replace(/\n$/, "");
  const below = work === null ? null : await run(["rev-parse", "--show-prefix"]);
  const git = runner(top);
  const line = async (args: readonly string[]): Promise<string | null> => {
    const output = await git(args);
    const text = output === null ? "" : decode(output).trim();
    return text === "" ? null : text;
  };
  return {
    top,
    isBare: work === null,
    prefix: below === null ? "" : decode(below).replace(/\n$/, ""),
    stamp: createStamp(git, top),
    isShallow: async () => (await line(["rev-parse", "--is-shallow-repository"])) === "true",
    resolve: (revision) =>
      line(["rev-parse", "--verify", "--quiet", "--end-of-options", `${revision}^{commit}`]),
    mergeBase: (a, b) => line(["merge-base", a, b]),
    mainBranch: () => findMainBranch(line),
    parents: async (commit) =>
      (await line(["rev-list", "--parents", "-n1", commit]))?.split(" ").slice(1) ?? [],
    remotes: async () =>
      (await line(["config", "--get-regexp", "^remote\\..*\\.url$"]))
        ?.split("\n")
        .map((row) => row.slice(row.indexOf(" ") + 1)) ?? [],
    message: (commit) =>
      line(["log", "-n1", "--no-show-signature", "--format=%B", "--end-of-options", commit, "--"]),
    changes: async (base, head) => {
      const without = head === "worktree" ? await withoutFilters(git) : [];
      const changes = parseRaw(await demand(git, [...without, ...changeArguments(base, head)]));
      return head === "worktree" ? dropUnchanged(git, top, changes) : changes;
    },
    tree: async (revision) => parseTree(await demand(git, ["ls-tree", "-r", "-z", "--full-tree", revision])),
    workFiles: async () =>
      splitNul(
        await demand(git, ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate"]),
      ),
    untracked: async () => findRegular(top, await demand(git, ["ls-files", "-z", ...others])),
    ignored: (paths) => findIgnored(git, paths),
    blobs: (ids) => readBlobs(git, ids),
    log: async (revision, most) => parseLog(await demand(git, logArguments(revision, most))),
    removals: (revision, paths) =>
      findRemovals(async (args) => decode((await git(args)) ?? new Uint8Array()), revision, paths),
    commonFolder: () => line(["rev-parse", "--path-format=absolute", "--git-common-dir"]),
    headMoves: async () => parseMoves(await git(moveArguments)),
    isIgnored: async (path) =>
      (await line(["ls-files", "--others", "--ignored", "--exclude-standard", "--", path])) !== null,
    workTrees: async () => parseWorkTrees(await git(["worktree", "list", "--porcelain", "-z"])),
  };
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

/** `check-ignore` knows no literal path specifications; a path that begins with `./` is never taken for another kind. */
async function findIgnored(git: RunGit, paths: readonly string[]): Promise<ReadonlySet<string>> {
  const input = paths.map((path) => `./${path}\0`).join("");
  const output = await git(["--no-literal-pathspecs", "check-ignore", "-z", "--stdin"], input);
  return new Set(output === null ? [] : splitNul(output).map((path) => path.slice(2)));
}

const others = ["--others", "--exclude-standard"];

function findRegular(top: string, output: Uint8Array): string[] {
  const { lstatSync } = process.getBuiltinModule("node:fs");
  return splitNul(output).filter((path) => lstatSync(`${top}/${path}`, { throwIfNoEntry: false })?.isFile());
}

/**
 * An index that was copied with its files (`cp -a`, a container image, a restored cache) knows none of their times, so
 * git reports every file as modified. Those whose bytes are the committed ones are not; one process tells.
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
  const output = await git(["hash-object", "--no-filters", "--stdin-paths"], `${paths.join("\n")}\n`);
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
  const { createHash } = process.getBuiltinModule("node:crypto");
  const hash = createHash(like.length === 64 ? "sha256" : "sha1");
  return hash.update(`blob ${bytes.length}\0`).update(bytes).digest("hex");
}

type RunGit = (args: readonly string[], input?: string) => Promise<Uint8Array | null>;

/** Whatever a repository or its owner's settings could have git start on reading. */
const harmless = [
  "-c",
  "core.fsmonitor=false",
  "-c",
  "core.hooksPath=/dev/null",
  "-c",
  "core.quotePath=false",
  "-c",
  "diff.external=",
  "-c",
  "core.pager=cat",
  "--no-optional-locks",
  "--literal-pathspecs",
];

function runner(folder: string): RunGit {
  const { spawn } = process.getBuiltinModule("node:child_process");
  const kept = Object.entries(process.env).filter(([name]) => !name.startsWith("GIT_"));
  const env = { ...Object.fromEntries(kept), LC_ALL: "C", GIT_TERMINAL_PROMPT: "0", GIT_NO_LAZY_FETCH: "1" };
  return (args, input) =>
    new Promise((resolve, reject) => {
      const child = spawn("git", [...harmless, ...args], {
        cwd: folder,
        env,
        stdio: ["pipe", "pipe", "ignore"],
      });
      const chunks: Uint8Array[] = [];
      child.on("error", (error: NodeJS.ErrnoException) =>
        error.code === "ENOENT" ? resolve(null) : reject(error),
      );
      child.stdin.on("error", () => {});
      child.stdout.on("data", (chunk: Uint8Array) => chunks.push(chunk));
      child.on("close", (code) => resolve(code === 0 ? concat(chunks) : null));
      child.stdin.end(input ?? "");
    });
}

async function demand(git: RunGit, args: readonly string[]): Promise<Uint8Array> {
  const output = await git(args);
  if (output === null) throw new Error(`git ${args[0]} failed`);
  return output;
}

async function findMainBranch(
  line: (args: readonly string[]) => Promise<string | null>,
): Promise<string | null> {
  const upstream = await line(["rev-parse", "--abbrev-ref", "--symbolic-full-name", "@{upstream}"]);
  const remote = await line(["symbolic-ref", "--quiet", "--short", "refs/remotes/origin/HEAD"]);
  const head = await line(["rev-parse", "--verify", "--quiet", "HEAD^{commit}"]);
  for (const name of [remote, upstream, "origin/main", "origin/master", "main", "master"]) {
    if (name === null) continue;
    const commit = await line(["rev-parse", "--verify", "--quiet", "--end-of-options", `${name}^{commit}`]);
    if (commit !== null && commit !== head) return name;
  }
  return null;
}

/**
 * Git compares files that changed in the same moment as its index by their content, and to get at that it would run the
 * clean filters that the repository's settings name. They are named here once more, as nothing.
 */
async function withoutFilters(git: RunGit): Promise<string[]> {
  const output = await git([
    "config",
    "-z",
    "--name-only",
    "--get-regexp",
    "^filter\\..*\\.(clean|process|required)$",
  ]);
  return splitNul(output ?? new Uint8Array()).flatMap((name) => ["-c", `${name}=`]);
}

function changeArguments(base: string, head: string): string[] {
  const common = ["--raw", "-z", "--no-renames", "--no-abbrev", "--no-ext-diff", "--ignore-submodules=none"];
  if (head === "worktree") return ["diff-index", ...common, base, "--"];
  if (head === "index") return ["diff-index", "--cached", ...common, base, "--"];
  return ["diff-tree", "-r", ...common, base, head, "--"];
}

function parseRaw(output: Uint8Array): RawChange[] {
  const fields = splitNul(output);
  const changes: RawChange[] = [];
  for (let i = 0; i + 1 < fields.length; i += 2) {
    const [modeBefore, modeAfter, before, after, status] = fields[i]!.replace(/^:/, "").split(" ");
    const mode = status === "D" ? modeBefore! : modeAfter!;
    changes.push({
      path: fields[i + 1]!,
      before: status === "A" ? null : idOf(before!),
      after: status === "D" ? null : idOf(after!),
      status: statuses[status!.charAt(0)] ?? "modified",
      kind: mode === "120000" ? "link" : mode === "160000" ? "submodule" : "file",
      ...(status === "M" && modeBefore !== modeAfter ? { isModeChange: true } : {}),
    });
  }
  return changes;
}

const statuses: Readonly<Record<string, RawChange["status"]>> = {
  A: "added",
  D: "deleted",
  M: "modified",
  T: "type",
};

function idOf(id: string): string | null {
  return /^0+$/.test(id) ? null : id;
}

function parseTree(output: Uint8Array): TreeFile[] {
  return splitNul(output).flatMap((line) => {
    const tab = line.indexOf("\t");
    const [mode, kind, id] = line.slice(0, tab).split(" ");
    return kind === "blob" && mode !== "120000" ? [{ path: line.slice(tab + 1), id: id! }] : [];
  });
}

function logArguments(revision: string, most: number): string[] {
  return [
    "log",
    `-n${most}`,
    "-z",
    "--no-renames",
    "--no-ext-diff",
    "--no-show-signature",
    "--name-only",
    "--format=%x01%H",
    "--end-of-options",
    revision,
    "--",
  ];
}

function parseLog(output: Uint8Array): LogEntry[] {
  return decode(output)
    .split("\u0001")
    .slice(1)
    .map((record) => {
      const [id, ...paths] = record.split("\0").map((field) => field.replace(/^\n/, ""));
      return { id: id!, paths: paths.filter((path) => path !== "") };
    });
}

const moveArguments = ["log", "--walk-reflogs", "-n2000", "-z", "--format=%H %gs", "HEAD", "--"];

function parseMoves(output: Uint8Array | null): HeadMove[] {
  const moves = splitNul(output ?? new Uint8Array()).map((row) => ({
    to: row.slice(0, row.indexOf(" ")),
    action: row.slice(row.indexOf(" ") + 1),
  }));
  return moves.reverse();
}

function parseWorkTrees(output: Uint8Array | null): string[] {
  return splitNul(output ?? new Uint8Array()).flatMap((field) =>
    field.startsWith("worktree ") ? [field.slice("worktree ".length)] : [],
  );
}

/** One `cat-file --batch` for all: starting git for each would cost more than reading. */
async function readBlobs(git: RunGit, ids: readonly string[]): Promise<Map<string, Uint8Array>> {
  const wanted = [...new Set(ids)];
  const blobs = new Map<string, Uint8Array>();
  if (wanted.length === 0) return blobs;
  const output = await git(["cat-file", "--batch", "--buffer"], `${wanted.join("\n")}\n`);
  for (let at = 0; output !== null && at < output.length; ) {
    const end = output.indexOf(10, at);
    if (end < 0) break;
    const [id, kind, size] = decode(output.subarray(at, end)).split(" ");
    at = end + 1;
    if (kind === "missing" || size === undefined) continue;
    if (kind === "blob") blobs.set(id!, output.subarray(at, at + Number(size)));
    at += Number(size) + 1;
  }
  return blobs;
}

function splitNul(output: Uint8Array): string[] {
  const fields = decode(output).split("\0");
  if (fields.at(-1) === "") fields.pop();
  return fields;
}

function concat(chunks: readonly Uint8Array[]): Uint8Array {
  const result = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    result.set(chunk, at);
    at += chunk.length;
  }
  return result;
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

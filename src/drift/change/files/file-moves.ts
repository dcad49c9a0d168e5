import type { ChangedFile, DriftInput, TrackedPath } from "../change.ts";
import { foldersAbove, foldersOf, lastName } from "../folders.ts";
import { splitLines } from "../tokens.ts";

/** The removed paths, and the new path of each. */
export type FileMoves = {
  /** Files that exist at the base and not at the head. */
  readonly gone: ReadonlySet<string>;
  /** Folders that have files at the base and none at the head. */
  readonly goneFolders: ReadonlySet<string>;
  /** The new path of a file or folder that moved. */
  readonly movedTo: (path: string) => string | null;
  /** The old path of a file that moved. */
  readonly movedFrom: (path: string) => string | null;
  /** Files that exist at the head and not at the base. */
  readonly fresh: ReadonlySet<string>;
};

// A line that this many files share does not identify a file.
const CROWD = 8;
const ALIKE = 0.5;
const SAME_NAME = 0.2;

/** The new path of every path that the change removed. The work is linear in the size of the changed files. */
export function findFileMoves(input: DriftInput): FileMoves {
  const { removed, added } = pathsOf(input);
  const pairs = pairPaths(input, removed, added);
  const tree = new Set(input.tree);
  const gone = new Set(removed.map(({ path }) => path).filter((path) => !tree.has(path)));
  const folders = foldersOf(input.tree);
  const goneFolders = new Set([...foldersOf([...gone])].filter((folder) => !folders.has(folder)));
  const movedFolders = pairFolders(pairs, goneFolders, gone);
  const origins = new Map([...pairs].map(([from, to]) => [to, from]));
  return {
    gone,
    goneFolders,
    movedTo: (path) => pairs.get(path) ?? movedFolders.get(path) ?? null,
    movedFrom: (path) => origins.get(path) ?? null,
    fresh: new Set(added.map(({ path }) => path)),
  };
}

function pathsOf({ paths, files, pages = [] }: DriftInput): NonNullable<DriftInput["paths"]> {
  if (paths) return paths;
  const all = [...files, ...pages];
  const renamed = all.filter(({ from, path }) => from !== undefined && from !== path);
  return {
    removed: [
      ...all.filter(({ after }) => after === null).map(({ path }) => ({ path, id: null })),
      ...renamed.map(({ from }) => ({ path: from!, id: null })),
    ],
    added: [
      ...all.filter(({ before }) => before === null).map(({ path }) => ({ path, id: null })),
      ...renamed.map(({ path }) => ({ path, id: null })),
    ],
  };
}

/** The old and the new path of each moved file: by content first, then by name and similarity. */
function pairPaths(
  { files, pages = [] }: DriftInput,
  removed: readonly TrackedPath[],
  added: readonly TrackedPath[],
): Map<string, string> {
  const pairs = new Map<string, string>();
  const taken = new Set<string>();
  const pair = (from: string, to: string): void => {
    pairs.set(from, to);
    taken.add(to);
  };
  for (const { from, path } of [...files, ...pages])
    if (from !== undefined && from !== path) pair(from, path);
  pairEqualContent(removed, added, { pairs, taken, pair });
  const texts = new Map([...files, ...pages].map((file) => [file.path, file.before ?? file.after ?? ""]));
  const open = {
    old: removed.filter(({ path }) => !pairs.has(path)).map(({ path }) => path),
    fresh: added.filter(({ path }) => !taken.has(path)).map(({ path }) => path),
  };
  for (const { from, to } of alikeFiles(open.old, open.fresh, texts))
    if (!pairs.has(from) && !taken.has(to)) pair(from, to);
  return pairs;
}

function pairEqualContent(
  removed: readonly TrackedPath[],
  added: readonly TrackedPath[],
  {
    pairs,
    taken,
    pair,
  }: { pairs: Map<string, string>; taken: Set<string>; pair: (from: string, to: string) => void },
): void {
  const byId = Map.groupBy(
    added.filter(({ id }) => id !== null),
    ({ id }) => id,
  );
  for (const { path, id } of removed) {
    if (id === null || pairs.has(path)) continue;
    const open = (byId.get(id) ?? []).filter((one) => !taken.has(one.path));
    const [best] = open.sort((a, b) => nearness(path, b.path) - nearness(path, a.path));
    if (best) pair(path, best.path);
  }
}

/** How much two paths share: the base name first, then folders from both ends. */
function nearness(a: string, b: string): number {
  const [one, other] = [a.split("/"), b.split("/")];
  let shared = one.at(-1) === other.at(-1) ? 100 : 0;
  for (let at = 0; at < one.length && one[at] === other[at]; at++) shared++;
  return shared;
}

/** Pairs of files that share most lines, the most similar first. Rare lines and equal names give the candidates. */
function* alikeFiles(
  old: readonly string[],
  fresh: readonly string[],
  texts: ReadonlyMap<string, string>,
): Iterable<{ from: string; to: string }> {
  if (!old.length || !fresh.length) return;
  const lines = new Map([...old, ...fresh].map((path) => [path, tellingLines(texts.get(path) ?? "")]));
  const holders = new Map<string, string[]>();
  for (const path of fresh)
    for (const line of lines.get(path)!) {
      const known = holders.get(line);
      if (known) known.push(path);
      else holders.set(line, [path]);
    }
  const byName = Map.groupBy(fresh, lastName);
  const scored: { from: string; to: string; likeness: number }[] = [];
  for (const from of old) {
    const candidates = new Set((byName.get(lastName(from)) ?? []).slice(0, CROWD));
    for (const line of lines.get(from)!) {
      const paths = holders.get(line) ?? [];
      if (paths.length <= CROWD) for (const path of paths) candidates.add(path);
    }
    for (const to of candidates) {
      const bonus = lastName(from) === lastName(to) ? SAME_NAME : 0;
      const likeness = likenessOf(lines.get(from)!, lines.get(to)!) + bonus;
      if (likeness >= ALIKE) scored.push({ from, to, likeness });
    }
  }
  yield* scored.sort((a, b) => b.likeness - a.likeness || nearness(b.from, b.to) - nearness(a.from, a.to));
}

function likenessOf(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (!a.size || !b.size) return 0;
  let shared = 0;
  for (const line of a) if (b.has(line)) shared++;
  return (2 * shared) / (a.size + b.size);
}

function tellingLines(text: string): Set<string> {
  return new Set(
    splitLines(text)
      .map((line) => line.trim())
      .filter((line) => line.length > 3),
  );
}

/** Where a whole folder went: all of its files that moved went to one other folder, and most of them moved. */
function pairFolders(
  pairs: ReadonlyMap<string, string>,
  goneFolders: ReadonlySet<string>,
  gone: ReadonlySet<string>,
): Map<string, string> {
  const targets = new Map<string, Map<string, number>>();
  const sizes = new Map<string, number>();
  for (const path of gone)
    for (const folder of foldersAbove(path)) {
      if (!goneFolders.has(folder)) continue;
      sizes.set(folder, (sizes.get(folder) ?? 0) + 1);
      const to = pairs.get(path);
      const rest = path.slice(folder.length);
      if (!to?.endsWith(rest)) continue;
      const target = to.slice(0, to.length - rest.length);
      const counts = targets.get(folder) ?? new Map<string, number>();
      counts.set(target, (counts.get(target) ?? 0) + 1);
      targets.set(folder, counts);
    }
  const moved = new Map<string, string>();
  for (const [folder, counts] of targets) {
    const [best, second] = [...counts].sort((a, b) => b[1] - a[1]);
    if (best && !second && best[0] !== "" && best[1] * 2 > sizes.get(folder)!) moved.set(folder, best[0]);
  }
  return moved;
}

/** The changed files. A deletion and a creation that are one moved file are joined. */
export function joinMovedFiles(files: readonly ChangedFile[], movedTo: FileMoves["movedTo"]): ChangedFile[] {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const joined = new Map<string, ChangedFile>();
  for (const old of files) {
    const to = old.after === null ? movedTo(old.path) : null;
    const next = to === null ? undefined : byPath.get(to);
    if (next && next.before === null && next.after !== null)
      joined.set(next.path, { path: next.path, before: old.before, after: next.after, from: old.path });
  }
  const taken = new Set([...joined.values()].map(({ from }) => from));
  return files.filter(({ path }) => !taken.has(path)).map((file) => joined.get(file.path) ?? file);
}

/** The same, where only the changed files themselves are known. */
export function pairMovedFiles(files: readonly ChangedFile[]): ChangedFile[] {
  const tree = files.flatMap(({ path, after }) => (after === null ? [] : [path]));
  const input = { base: "", head: "", files, tree, documents: [], occurrences: async () => new Map() };
  return joinMovedFiles(files, findFileMoves(input).movedTo);
}

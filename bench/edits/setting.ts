import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Clone, openClone, openClones } from "./clone.ts";

/** What a run measures, and on which clones. */
export type Setting = {
  /** The folder of bare clones. */
  readonly mirror: string;
  /** The folder with the lists of changes. */
  readonly lists: string;
  readonly contexts: readonly number[];
  /** How many changes, or commits, of each clone. */
  readonly cases: number;
  /** Which choice among the changes of a clone. */
  readonly round: number;
  readonly hasPeers: boolean;
  /** A folder where further peers are installed. */
  readonly peers: string | undefined;
  /** The clones of projects that are on no list. */
  unlisted(): Clone[];
  clones(): Clone[];
};

export function openSetting(options: Omit<Setting, "unlisted" | "clones">): Setting {
  return {
    ...options,
    clones: () => openClones(options.mirror),
    unlisted: () => openClones(options.mirror, listedProjects(options.lists)),
  };
}

/** The entries of a list with the clone of their project. Names the projects that are not cloned. */
export function* openListed<T extends { readonly repo: string }>(
  file: string,
  { lists, mirror }: Setting,
): Generator<{ readonly entry: T; readonly clone: Clone }> {
  const clones = new Map<string, Clone | null>();
  for (const entry of readList<T>(join(lists, file))) {
    if (!clones.has(entry.repo)) clones.set(entry.repo, openClone(mirror, entry.repo));
    const clone = clones.get(entry.repo);
    if (clone) yield { entry, clone };
  }
  const absent = [...clones].filter(([, clone]) => clone === null).map(([repo]) => repo);
  if (absent.length > 0) console.log(`Not cloned, so left out: ${absent.join(", ")}`);
  if (clones.size === 0)
    console.log(`Nothing measured: there is no ${file} in the folder of lists (--lists).`);
}

function readList<T>(path: string): T[] {
  if (!existsSync(path)) return [];
  return readFileSync(path, "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as T);
}

function listedProjects(lists: string): Set<string> {
  const files = ["drifted_dev.jsonl", "replay_dev.jsonl"];
  return new Set(
    files.flatMap((file) => readList<{ repo: string }>(join(lists, file)).map(({ repo }) => repo)),
  );
}

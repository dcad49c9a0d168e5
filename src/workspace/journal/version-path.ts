import { compareTexts } from "../../text/diff/compare.ts";
import { compose, type Splice } from "../../text/model/splice.ts";
import type { Entry } from "./entries.ts";
import type { History } from "./history.ts";
import type { VersionStore } from "./version-store.ts";
import { splicesOf } from "./versions.ts";

/** How a file got from one version to another. `by`: the entries in between, oldest first; empty for outside changes. */
export type VersionPath = { readonly splices: readonly Splice[]; readonly by: readonly Entry[] };

export type VersionPathQuery = {
  readonly path: string;
  readonly from: string;
  readonly to: string;
  /** The number of the next entry, where it is known. */
  readonly next?: number;
};

export type VersionPathSources = { readonly history: History; readonly versions: VersionStore };

const maxWalked = 10_000;

/** The recorded path from one version of a file to another; `null` where the journal has none. */
export async function findVersionPath(
  { history, versions }: VersionPathSources,
  { path, from, to, next }: VersionPathQuery,
): Promise<VersionPath | null> {
  if (from === to) return { splices: [], by: [] };
  if (!(await versions.knows({ path, version: from }))) return null;
  const links: { entry: Entry; splices: Splice[] }[] = [];
  let wanted = to;
  let walked = 0;
  for await (const { entry, log } of history.walk(next)) {
    if (++walked > maxWalked) return null;
    const index = entry.state === "committed" ? entry.files.findIndex((file) => file.path === path) : -1;
    const record = entry.files[index];
    if (!record) continue;
    const { before, after } = record;
    const splices = splicesOf(log, index);
    if (after?.version !== wanted || !before || !splices) return null;
    links.unshift({ entry, splices });
    wanted = before.version;
    if (wanted === from) break;
  }
  if (wanted !== from) return null;
  const splices = links.map((link) => link.splices).reduce<Splice[]>((all, later) => compose(all, later), []);
  return { splices, by: links.map(({ entry }) => entry) };
}

/** A version of a file and its text. */
export type TextVersion = { readonly version: string; readonly text: string };

/** The recorded path if there is one, otherwise the difference of the two texts. */
export async function versionPathBetween(
  sources: VersionPathSources,
  path: string,
  { from, to }: { readonly from: TextVersion; readonly to: TextVersion },
): Promise<VersionPath> {
  const recorded = await findVersionPath(sources, { path, from: from.version, to: to.version });
  return recorded ?? { splices: compareTexts(from.text, to.text), by: [] };
}

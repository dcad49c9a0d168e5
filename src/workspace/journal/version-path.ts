import { compareTexts } from "../../text/diff/compare.ts";
import { compose, type Splice } from "../../text/model/splice.ts";
import type { Entry } from "./entries.ts";
import type { History } from "./history.ts";
import { splicesOf } from "./versions.ts";

/** How a file came from one version to another. `by`: the entries that did it, oldest first; none for outside changes. */
export type Way = { readonly splices: readonly Splice[]; readonly by: readonly Entry[] };

const longest = 10_000;

/** The recorded way from one version of a file to another; `null` where the journal does not know one. */
export async function findWay(
  history: History,
  path: string,
  from: string,
  to: string,
  next?: number,
): Promise<Way | null> {
  if (from === to) return { splices: [], by: [] };
  const links: { entry: Entry; splices: Splice[] }[] = [];
  let wanted = to;
  let walked = 0;
  for await (const { entry, volume } of history.walk(next)) {
    if (++walked > longest) return null;
    const index = entry.state === "committed" ? entry.files.findIndex((file) => file.path === path) : -1;
    if (index < 0) continue;
    const { before, after } = entry.files[index]!;
    const splices = splicesOf(volume, index);
    if (after?.version !== wanted || !before || !splices) return null;
    links.unshift({ entry, splices });
    wanted = before.version;
    if (wanted === from) break;
  }
  if (wanted !== from) return null;
  const splices = links.map((link) => link.splices).reduce<Splice[]>((all, next) => compose(all, next), []);
  return { splices, by: links.map(({ entry }) => entry) };
}

/** The recorded way where there is one, else what a comparison of the two texts says. */
export async function wayBetween(
  history: History,
  path: string,
  from: { readonly version: string; readonly text: string },
  to: { readonly version: string; readonly text: string },
): Promise<Way> {
  const recorded = await findWay(history, path, from.version, to.version);
  return recorded ?? { splices: compareTexts(from.text, to.text), by: [] };
}

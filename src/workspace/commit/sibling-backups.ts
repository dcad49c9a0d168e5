import { accept, type Outcome, refuse } from "../../text/model/outcome.ts";
import { entryOf } from "../journal/journal.ts";
import type { Books } from "../open-root.ts";
import { parsePath } from "../paths/paths.ts";
import { lookAt, type Site } from "./commit-context.ts";
import { describeWhole } from "./describe.ts";
import type { FileChange } from "./targets.ts";

/**
 * Copies of the files as they were, to stand beside them as `<file>.bak` until the run has succeeded. The first one of
 * a run stays: it is what the run began with. A file of that name that is not ours is not written over.
 */
export async function readySiblings(
  site: Site,
  books: Books,
  changes: readonly FileChange[],
  run: string | undefined,
): Promise<Outcome<FileChange[]>> {
  const siblings: FileChange[] = [];
  for (const { gated, after } of changes) {
    const [original, parsed] = [await lookAt(site, gated.names), parsePath(`${gated.path}.bak`)];
    if (!original.ok) return original;
    if (!parsed.ok) return parsed;
    if (!original.value.content || after === null) continue;
    const standing = await lookAt(site, parsed.value.names);
    if (!standing.ok) return standing;
    const { bytes, stat } = original.value.content;
    if (!standing.value.content) siblings.push(copyOf(parsed.value, bytes, stat.mode));
    else if (!(await isOurs(books, run, parsed.value.path, standing.value.content.version)))
      return refuse({ code: "exists", path: parsed.value.path });
  }
  return accept(siblings);
}

function copyOf(gated: FileChange["gated"], bytes: Uint8Array, mode: number): FileChange {
  const { about, texts } = describeWhole("");
  return {
    gated,
    expected: "absent",
    after: { bytes, mode: mode & 0o777 },
    about: { ...about, sibling: true },
    texts,
  };
}

async function isOurs(
  { history }: Books,
  run: string | undefined,
  path: string,
  version: string,
): Promise<boolean> {
  for await (const { entry } of history.walk())
    if (
      entry.run === run &&
      entry.files.some((file) => file.sibling && file.path === path && file.after?.version === version)
    )
      return true;
  return false;
}

/** What a run has left beside its files and nobody has changed since, as changes that remove it. */
export async function findSiblings(
  site: Site,
  { history, register }: Books,
  run: string,
): Promise<Outcome<FileChange[]>> {
  const found = new Map<string, FileChange>();
  for (const line of (await register.lines()).values()) {
    const volume = line.run === run ? await history.volume(line.number) : null;
    for (const { path, sibling, after } of (volume && entryOf(volume))?.files ?? []) {
      const parsed = parsePath(path);
      if (!sibling || !after || !parsed.ok) continue;
      const standing = await lookAt(site, parsed.value.names);
      if (!standing.ok) return standing;
      if (standing.value.content?.version !== after.version) continue;
      const { about, texts } = describeWhole("");
      const change = { gated: parsed.value, expected: after.version, after: null, texts };
      found.set(path, { ...change, about: { ...about, sibling: true } });
    }
  }
  return accept([...found.values()]);
}

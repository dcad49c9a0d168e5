import type { Git } from "../../workspace/git/git.ts";
import type { Origin } from "../../workspace/journal/entries.ts";
import { type OutsideChange, openWorkspace, type Reader } from "../../workspace/workspace.ts";
import type { IsNamed } from "./named-files.ts";

const mostFiles = 50;
const largestFile = 1_000_000;

/** Where the changes of a session are looked for, and whose they are. */
export type ShellEdits = {
  readonly git: Git;
  readonly reader: Reader;
  /** The revision that the session began from. */
  readonly base: string;
  /** Whether a tool call of the session names a file. What the user changed is the user's. */
  readonly isNamed: IsNamed;
  readonly author: string;
  readonly task: string;
  readonly origin: Origin;
};

/**
 * Records the changes of a session that no witnessed tool made, most of them by shell commands, as one entry of the
 * journal: those of files that a tool call names. Files that the journal knows as they are, ignored files and secrets are left out.
 */
export async function recordShellEdits({
  git,
  reader,
  base,
  isNamed,
  author,
  task,
  origin,
}: ShellEdits): Promise<void> {
  const known = new Map((await git.tree(base)).map(({ path, id }) => [path, id]));
  const changed = (await git.changes(base, "worktree")).filter(({ kind }) => kind === "file");
  const fresh = (await git.untracked()).filter((path) => !known.has(path));
  const paths = [...new Set([...changed.map(({ path }) => path), ...fresh])]
    .filter(isNamed)
    .slice(0, mostFiles);
  const changes: OutsideChange[] = [];
  for (const path of paths) {
    const change = await describeChange(reader, path, () => readBlob(git, known.get(path)));
    if (change) changes.push(change);
  }
  if (changes.length === 0) return;
  const opened = await openWorkspace(reader.root, { patience: 3000, policy: { consent: true } });
  if (!opened.ok) return;
  await using workspace = opened.value;
  await workspace.recordOutside(changes, { author, task, origin, reason: `commands of ${author}` });
}

/** The change of one file since the journal or the base last knew it; `null` where there is none to record. */
async function describeChange(
  reader: Reader,
  path: string,
  readBase: () => Promise<Uint8Array | null>,
): Promise<OutsideChange | null> {
  const read = await reader.read(path, { strayBytes: "keep" });
  if (!read.ok || (read.value.bytes?.length ?? 0) > largestFile) return null;
  const [last] = await reader.history({ path, limit: 1 });
  const state = last?.files.find((file) => file.path === path);
  if (last && (state?.after?.version ?? null) === (read.value.bytes ? read.value.version : null)) return null;
  const recorded = last ? await reader.readImage(last.id, path, "after") : null;
  const bytes = recorded?.ok ? recorded.value : await readBase();
  if (bytes === null && read.value.bytes === null) return null;
  if (bytes && read.value.bytes && Buffer.compare(bytes, read.value.bytes) === 0) return null;
  const mode = state?.after?.mode ?? read.value.mode ?? 0o644;
  return { path, before: bytes === null ? null : { bytes, mode } };
}

async function readBlob(git: Git, id: string | undefined): Promise<Uint8Array | null> {
  return id === undefined ? null : ((await git.blobs([id])).get(id) ?? null);
}

import { checkDrift } from "../docs/check/check.ts";
import { openProject, type Project } from "../docs/project.ts";
import type { Git } from "../workspace/git/git.ts";
import { pinWorkTree } from "../workspace/git/work-tree-pin.ts";
import type { HookCall } from "./clients/client.ts";
import type { AgentSession, SessionStart } from "./session/session.ts";
import { SessionStore } from "./session/store.ts";
import { KeptFiles } from "./witness/kept-file.ts";

/** A project that a hook is called in, and the memory of the session. */
export type HookPlace = {
  readonly project: Project;
  readonly git: Git;
  readonly store: SessionStore;
  readonly kept: KeptFiles;
};

/** The place of a call; `null` where there is no repository with a commit, so that there is nothing to do. */
export async function openPlace(call: HookCall, root?: string): Promise<HookPlace | null> {
  const folder = root ?? call.cwd ?? ".";
  if (folder.includes("\0")) return null;
  const opened = await openProject({ root: folder });
  if (!opened.ok) return null;
  const { git, reader } = opened.value;
  const repository = git && reader ? await git.commonFolder() : null;
  if (!git || repository === null) {
    await opened.value.close();
    return null;
  }
  const store = new SessionStore(repository, call.session);
  return { project: opened.value, git, store, kept: new KeptFiles(repository, call.session) };
}

/** Records head and work tree at the start of a session, so that the hook reports only the changes of the session. */
export async function startSession(call: HookCall, place: HookPlace): Promise<void> {
  const { git, store } = place;
  const session = store.readOrCreate(call.client);
  // The same session goes on after its context was shortened.
  if (call.source === "compact" && session.starts[git.top]) return;
  const start = await describeStart(place);
  if (!start) return;
  const known = start.pin.isWhole ? [] : await findKnown(place, start.pin.commit);
  store.write(withStart(session, git.top, { start, known }));
  store.prune();
}

function withStart(
  session: AgentSession,
  top: string,
  { start, known }: { readonly start: SessionStart; readonly known: readonly string[] },
): AgentSession {
  const shown = { ...session.shown, "": [...new Set([...(session.shown[""] ?? []), ...known])] };
  return { ...session, starts: { ...session.starts, [top]: start }, shown, blocks: 0 };
}

async function describeStart({ git, project }: HookPlace): Promise<SessionStart | null> {
  const commit = await git.resolve("HEAD");
  if (commit === null || !project.reader) return null;
  return {
    pin: await pinWorkTree(git, project.reader, commit),
    moves: (await git.headMoves()).length,
    workTrees: await git.workTrees(),
  };
}

/** The findings in a work tree that is too large to record: they existed before the session. */
async function findKnown({ git, project }: HookPlace, base: string): Promise<string[]> {
  const report = await checkDrift(git, project.reader, { base });
  return report.ok ? report.value.findings.map(({ id }) => id) : [];
}

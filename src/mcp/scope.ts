import { fileURLToPath } from "node:url";
import { accept, type Outcome, refuse } from "../text/model/outcome.ts";
import type { Plan } from "../text/model/plan.ts";
import type { Context } from "../tools/tool.ts";
import { serverText } from "../wording/mcp.ts";
import { parsePath } from "../workspace/paths/paths.ts";
import { pathBetween, realPath } from "../workspace/paths/real-path.ts";
import type { Reader, UndoTarget, Workspace } from "../workspace/workspace.ts";

/** The folders of the root that a client may reach, relative to it. `[""]` is all of it, `[]` nothing. */
export type ClientScope = readonly string[];

export const everything: ClientScope = [""];

/**
 * The intersection of our root and a client's roots. A client can only narrow: a root above ours means all of ours, a
 * root below means itself, any other root means nothing. Without roots, the whole root is open. All are compared as
 * real paths, because a client may name the folder by a link, and we by ".".
 */
export function intersectRoots(root: string, uris: readonly string[]): ClientScope {
  if (uris.length === 0) return everything;
  const own = realPath(root);
  const folders = uris.flatMap((uri) => pathOf(uri) ?? []).map(realPath);
  if (folders.some((folder) => pathBetween(folder, own) !== null)) return everything;
  return [...new Set(folders.flatMap((folder) => pathBetween(own, folder) ?? []))];
}

function pathOf(uri: string): string | undefined {
  try {
    return fileURLToPath(uri);
  } catch {
    return undefined;
  }
}

/** The same context without access to files outside the scope. */
export function narrowContext(context: Context, scope: ClientScope): Context {
  if (scope.includes("")) return context;
  const inside = (path: string): boolean => {
    const parsed = parsePath(path);
    return parsed.ok && scope.some((folder) => `${parsed.value.path}/`.startsWith(`${folder}/`));
  };
  const reader = narrowReader(context.reader, inside);
  if (!context.workspace) return { ...context, reader };
  const workspace = narrowWorkspace(context.workspace, inside);
  return { ...context, reader: workspace, workspace };
}

type Inside = (path: string) => boolean;

function narrowReader(reader: Reader, inside: Inside): Reader {
  return {
    ...reader,
    read: async (path, options) => (inside(path) ? reader.read(path, options) : outside(path)),
    entryOfKey: async (key) => {
      const entry = await reader.entryOfKey(key);
      const stray = entry.ok && entry.value?.files.find(({ path }) => !inside(path));
      return stray ? outside(stray.path) : entry;
    },
    textOfVersion: async (path, version) =>
      inside(path) ? reader.textOfVersion(path, version) : outside(path),
    readImage: async (id, path, side) => (inside(path) ? reader.readImage(id, path, side) : outside(path)),
    entryPlan: async (id) => check(await reader.entryPlan(id), inside),
    planUndo: async (target) => check(await reader.planUndo(target), inside),
    planRedo: async (target) => check(await reader.planRedo(target), inside),
    planRestore: async (path, id, side) => check(await reader.planRestore(path, id, side), inside),
    list: async (options) => {
      const listed = await reader.list(options);
      return listed.ok ? accept({ paths: listed.value.paths.filter(inside), unreadable: [] }) : listed;
    },
    entry: async (id) => {
      const entry = await reader.entry(id);
      const stray = entry.ok && entry.value.files.find(({ path }) => !inside(path));
      return stray ? outside(stray.path) : entry;
    },
    summaries: async () => (await reader.summaries()).filter(({ paths }) => paths.every(inside)),
    history: async (query) =>
      (await reader.history(query)).filter(({ files }) => files.every(({ path }) => inside(path))),
  };
}

function narrowWorkspace(workspace: Workspace, inside: Inside): Workspace {
  const ifInside = async <T>(
    plan: Promise<Outcome<Plan>>,
    act: () => Promise<Outcome<T>>,
  ): Promise<Outcome<T>> => {
    const checked = check(await plan, inside);
    return checked.ok ? act() : checked;
  };
  return {
    ...workspace,
    ...narrowReader(workspace, inside),
    commit: async (plan, options) => {
      const checked = check(accept(plan), inside);
      return checked.ok ? workspace.commit(plan, options) : checked;
    },
    rehearse: async (plan, options) => {
      const checked = check(accept(plan), inside);
      return checked.ok ? workspace.rehearse(plan, options) : checked;
    },
    undo: (target: UndoTarget, options) =>
      ifInside(workspace.planUndo(target), () => workspace.undo(target, options)),
    redo: (target: UndoTarget, options) =>
      ifInside(workspace.planRedo(target), () => workspace.redo(target, options)),
    restore: (path, id, options) =>
      ifInside(workspace.planRestore(path, id, options.side), () => workspace.restore(path, id, options)),
  };
}

function check(plan: Outcome<Plan>, inside: Inside): Outcome<Plan> {
  if (!plan.ok) return plan;
  const stray = plan.value.changes.flatMap(({ path, from }) => [path, ...(from === undefined ? [] : [from])]);
  const path = stray.find((candidate) => !inside(candidate));
  return path === undefined ? plan : outside(path);
}

function outside(path: string): Outcome<never> {
  return refuse({
    code: "not-allowed",
    path,
    detail: serverText.outsideScope(path),
  });
}

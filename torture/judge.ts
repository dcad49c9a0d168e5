import { createHash } from "node:crypto";
import { openWorkspace, type Workspace } from "../src/workspace/workspace.ts";
import { differenceOf, onlyFiles, type Scene, type Tree } from "./scene.ts";
import { commitEdits, create, type Workload } from "./workloads.ts";

/** The state of a workload's files after a failure. `bad` lists violations. */
export type Verdict = { readonly stands: "before" | "after" | "neither"; readonly bad: readonly string[] };

export type JudgeOptions = {
  /** The engine has reported success. */
  readonly acknowledged: boolean;
  /** Also examine the state, and try another commit. */
  readonly thorough: boolean;
};

/**
 * Opens the workspace as the next caller would, which recovers it, and checks everything. All files must be as before or
 * all as after, with their modes and without extra files. The state must have no leftovers, `doctor` must find nothing,
 * every saved copy must be readable, and the next commit must work.
 */
export async function judge(
  scene: Scene,
  workload: Workload,
  { acknowledged, thorough }: JudgeOptions,
): Promise<Verdict> {
  try {
    const opened = await openWorkspace(scene.root, { ...workload.options, files: scene.files() });
    if (!opened.ok)
      return { stands: "neither", bad: [`cannot be opened: ${JSON.stringify(opened.refusal)}`] };
    const { stands, bad } = standing(scene.tree(), workload);
    if (acknowledged && stands === "before" && !isStateOnly(workload)) bad.push("acknowledged work is lost");
    if (bad.length === 0 && thorough) bad.push(...(await examine(scene, opened.value, workload)));
    await opened.value.close();
    return { stands, bad };
  } catch (error) {
    return { stands: "neither", bad: [`threw ${String(error)}`] };
  }
}

/** Whether a tree is what it was before a workload or what it should be after it. */
export function standing(
  tree: Tree,
  { before, after }: Workload,
): { stands: Verdict["stands"]; bad: string[] } {
  const fromAfter = differenceOf(tree, after);
  if (!fromAfter) return { stands: "after", bad: [] };
  const fromBefore = differenceOf(tree, before);
  if (!fromBefore) return { stands: "before", bad: [] };
  return { stands: "neither", bad: [`neither before (${fromBefore}) nor after (${fromAfter})`] };
}

/** The same for files only, ignoring directories. */
export function standingFiles(tree: Tree, { before, after }: Workload): Verdict["stands"] {
  if (!differenceOf(onlyFiles(tree), onlyFiles(after))) return "after";
  return differenceOf(onlyFiles(tree), onlyFiles(before)) ? "neither" : "before";
}

/** Workloads that change no file of the user. */
export function isStateOnly({ before, after }: Workload): boolean {
  return differenceOf(before, after) === null;
}

async function examine(scene: Scene, workspace: Workspace, workload: Workload): Promise<string[]> {
  const bad: string[] = [];
  for (const { what, subject, detail } of await workspace.doctor())
    bad.push(`doctor: ${what} ${subject}: ${detail}`);
  // An incomplete state is created again by the next commit, which then removes leftovers.
  if (isFinished(scene.state())) bad.push(...findLeftovers(scene.state()));
  bad.push(...(await unreadableCopies(scene, workspace)));
  bad.push(...(await tryNextCommit(scene, workspace, workload)));
  bad.push(...findLeftovers(scene.state()));
  return bad;
}

/** Whether the state is complete; a power cut can lose a folder and leave `state.json`. */
function isFinished(state: Tree): boolean {
  const parts = ["state.json", "journal/", "backups/", "stage/", "lock/", "audit/"];
  return parts.every((part) => state[`.suture/${part}`] !== undefined);
}

/** Files that only an unfinished transaction may leave, and saved copies that do not match their hash. */
export function findLeftovers(state: Tree): string[] {
  const bad: string[] = [];
  for (const [path, printed] of Object.entries(state)) {
    if (/^\.suture\/stage\/.|\.pending$|\.draft$|^\.suture\/lock\/draft/.test(path))
      bad.push(`left over: ${path}`);
    const version = /^\.suture\/backups\/blobs\/([0-9a-f]{64})$/.exec(path)?.[1];
    const bytes = Buffer.from(printed.slice(printed.indexOf(" ") + 1), "latin1");
    if (version && createHash("sha256").update(bytes).digest("hex") !== version)
      bad.push(`not its hash: ${path}`);
  }
  const locks = Object.keys(state).filter((path) => /^\.suture\/lock\/lock-[0-9]+\/?$/.test(path));
  if (locks.length > 1) bad.push(`old locks: ${locks.join(", ")}`);
  return bad;
}

/** Saved copies that cannot be read, except those of entries below the gc horizon. */
async function unreadableCopies(scene: Scene, workspace: Workspace): Promise<string[]> {
  const bad: string[] = [];
  const horizon = gcHorizon(scene.state());
  for (const entry of await workspace.history())
    for (const { path, before } of entry.files) {
      const copy = before ? await workspace.readImage(entry.id, path, "before") : null;
      if (copy && !copy.ok && Number(entry.id) >= horizon)
        bad.push(`no saved copy of ${path} before entry ${entry.id}`);
    }
  return bad;
}

/** Entries below this number have lost their saved copies to `gc`. */
function gcHorizon(state: Tree): number {
  return Number(state[".suture/journal/forgotten"]?.split(" ")[1] ?? 0);
}

async function tryNextCommit(scene: Scene, workspace: Workspace, workload: Workload): Promise<string[]> {
  const tree = scene.tree();
  const done = await commitEdits(workspace, [create("probe.md", "probe\n")]);
  if (!done.ok) return [`the next commit is refused: ${JSON.stringify(done.refusal)}`];
  const undone = await workspace.undo({ entry: done.value.id }, { author: "torture" });
  if (!undone.ok) return [`its undo is refused: ${JSON.stringify(undone.refusal)}`];
  const left = differenceOf(scene.tree(), tree);
  return left ? [`the next commit and its undo left ${workload.name} with ${left}`] : [];
}

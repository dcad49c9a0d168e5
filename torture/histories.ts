import type { Edit } from "../src/text/model/edit.ts";
import { createMemoryDisk } from "../src/workspace/files/memory-files.ts";
import { openWorkspace, type Workspace } from "../src/workspace/workspace.ts";
import { createRandom, type Random } from "./random.ts";
import { differenceOf, memoryScene, onlyFiles, printFile, type Scene, type Tree } from "./scene.ts";
import { blame, count, type Tally } from "./tally.ts";
import { commitEdits, create, edit, move, remove, setMode } from "./workloads.ts";

/**
 * Random histories of edits, undos, redos and restores, mixed with outside changes. Every line of every file is unique,
 * so that the expected fate of each line is known:
 *
 * - A refusal changes nothing.
 * - An undo or redo of an entry whose files have not changed since restores bytes and modes exactly, and is not refused.
 * - A rebased undo or redo changes only lines that the entry inserted or removed.
 * - No line from outside is ever removed.
 */
export async function playHistory(
  seed: number,
  tally: Tally,
  { steps, spoil }: HistoryOptions,
): Promise<void> {
  const random = createRandom(seed);
  const disk = createMemoryDisk();
  disk.putDir("root");
  const scene = memoryScene(disk);
  const opened = await openWorkspace(scene.root, { files: scene.files(), durability: "fast" });
  if (!opened.ok) throw new Error(JSON.stringify(opened.refusal));
  const workspace = spoil ? spoil(opened.value, scene) : opened.value;
  const play: Play = { random, scene, workspace, entries: [], lines: 0, owned: new Set() };
  for (const path of paths.slice(0, 3))
    scene.put(path, freshLines(play, "start", 4), random.pick([0o644, 0o755]));
  for (let step = 0; step < steps; step++) {
    const move = random.pick(moves);
    const before = scene.tree();
    play.owned = new Set();
    const bad = await move(play, tally);
    if (move !== fromOutside) bad.push(...outsideLost(before, scene.tree(), play.owned));
    blame(tally, `history ${seed}, step ${step}, ${move.name}`, bad);
    if (bad.length > 0) break;
  }
  await opened.value.close();
  count(tally, "histories");
}

export type HistoryOptions = {
  readonly steps: number;
  /** A broken workspace in place of ours. */
  readonly spoil?: (workspace: Workspace, scene: Scene) => Workspace;
};

/** A naive undo: writes the old file back, even if it has changed since. */
export function overwritingUndo(workspace: Workspace, scene: Scene): Workspace {
  return {
    ...workspace,
    undo: async (target, options) => {
      const id = "entry" in target ? target.entry : "";
      const found = await workspace.entry(id);
      for (const { path, before } of found.ok ? found.value.files : []) {
        const copy = before ? await workspace.readImage(id, path, "before") : null;
        if (copy?.ok && copy.value && before)
          scene.put(path, Buffer.from(copy.value).toString("latin1"), before.mode);
      }
      return workspace.undo(target, options);
    },
  };
}

/** An entry with all files before and after it, and the undo that reversed it, if any. */
type Made = Done & { undone: Done | null };
type Done = { readonly id: string; readonly before: Tree; readonly after: Tree };

type Play = {
  readonly random: Random;
  readonly scene: Scene;
  readonly workspace: Workspace;
  readonly entries: Made[];
  lines: number;
  /** Outside lines that the reversed entry itself restored, and may remove again. */
  owned: ReadonlySet<string>;
};

type Move = (play: Play, tally: Tally) => Promise<string[]>;

const paths = ["a.md", "d/b.md", "d/c.md", "e/f/g.md"];
const author = "torture";

const moves: readonly Move[] = [change, change, change, undo, undo, redo, restore, fromOutside, fromOutside];

async function change(play: Play, tally: Tally): Promise<string[]> {
  const { random, scene, workspace } = play;
  const before = scene.tree();
  const edits = Array.from({ length: 1 + random.below(3) }, () => someEdit(play)).filter(
    (one) => one !== null,
  );
  if (edits.length === 0) return [];
  const done = await commitEdits(workspace, edits);
  count(tally, done.ok ? "edits" : "edits refused");
  if (!done.ok) return unchanged(before, scene.tree());
  play.entries.push({ id: done.value.id, before, after: scene.tree(), undone: null });
  return [];
}

/** An edit of an existing line, or of a whole file. Edits of one commit may contradict each other and be refused. */
function someEdit(play: Play): Edit | null {
  const { random, scene } = play;
  const tree = scene.tree();
  const path = random.pick(paths);
  const text = contentOf(tree, path);
  if (text === null) return create(path, freshLines(play, "made", 1 + random.below(4)));
  const ours = linesOf(text).filter((line) => !isOutside(line));
  if (random.chance(0.08) && ours.length === linesOf(text).length) return remove(path);
  const free = paths.filter((other) => contentOf(tree, other) === null);
  if (random.chance(0.08) && free.length > 0) return move(path, random.pick(free));
  if (random.chance(0.08)) return setMode(path, random.pick(["regular", "executable"]));
  if (ours.length === 0 || random.chance(0.25)) return insertion(play, path, text);
  const line = `${random.pick(ours)}\n`;
  return edit(path, line, random.chance(0.2) ? "" : freshLines(play, "edited", 1 + random.below(2)));
}

function insertion(play: Play, path: string, text: string): Edit {
  const line = play.random.below(linesOf(text).length + 1);
  return { path, target: { line }, text: freshLines(play, "put", 1), reason: "because", evidence: [] };
}

async function undo(play: Play, tally: Tally): Promise<string[]> {
  const live = play.entries.filter(({ undone }) => undone === null);
  const target = live.length > 0 && play.random.chance(0.5) ? live.at(-1) : pickFrom(play, live);
  return target ? reverse(play, tally, target, "undo") : [];
}

async function redo(play: Play, tally: Tally): Promise<string[]> {
  const gone = play.entries.filter(({ undone }) => undone !== null);
  const target = pickFrom(play, gone);
  return target ? reverse(play, tally, target, "redo") : [];
}

async function reverse(play: Play, tally: Tally, made: Made, kind: "undo" | "redo"): Promise<string[]> {
  const { scene, workspace } = play;
  const now = scene.tree();
  // A redo reverses the undo. It restores the files from before the undo, which may have later changes.
  const { after: from, before: to } = kind === "undo" ? made : made.undone!;
  const touched = Object.keys({ ...from, ...to }).filter(
    (path) => !path.endsWith("/") && from[path] !== to[path],
  );
  const intact = touched.every((path) => now[path] === from[path]);
  play.owned = new Set(
    touched.flatMap((path) => linesAt(from, path).filter((line) => !linesAt(to, path).includes(line))),
  );
  const done =
    kind === "undo"
      ? await workspace.undo({ entry: made.id }, { author })
      : await workspace.redo({ entry: made.undone!.id }, { author });
  count(tally, done.ok ? `${kind}s${intact ? "" : " over later changes"}` : `${kind}s refused`);
  if (!done.ok)
    return [...unchanged(now, scene.tree()), ...(intact ? [`refused: ${JSON.stringify(done.refusal)}`] : [])];
  const after = scene.tree();
  made.undone = kind === "undo" ? { id: done.value.id, before: now, after } : null;
  if (!intact) return onlyOwnLines({ now, after, from, to }, touched);
  const wanted = { ...onlyFiles(now), ...pick(to, touched) };
  for (const path of touched) if (to[path] === undefined) delete (wanted as Record<string, string>)[path];
  const difference = differenceOf(onlyFiles(after), wanted);
  return difference ? [`not as it was: ${difference}`] : [];
}

type ReversalTrees = Readonly<Record<"now" | "after" | "from" | "to", Tree>>;

/** A rebased undo may only restore lines that the entry removed and remove lines that it inserted. */
function onlyOwnLines({ now, after, from, to }: ReversalTrees, touched: readonly string[]): string[] {
  const bad: string[] = [];
  for (const path of Object.keys({ ...onlyFiles(now), ...onlyFiles(after) })) {
    if (now[path] === after[path]) continue;
    if (!touched.includes(path)) bad.push(`${path} was touched, which is no file of the entry`);
    const [was, is] = [linesAt(now, path), linesAt(after, path)];
    const [mine, back] = [linesAt(from, path), linesAt(to, path)];
    // Two undos may restore the same line twice; then the lines cannot be told apart.
    if ([was, is, mine, back].some((lines) => new Set(lines).size < lines.length)) continue;
    const lost = was.filter((line) => !is.includes(line) && !(mine.includes(line) && !back.includes(line)));
    const come = is.filter((line) => !was.includes(line) && !back.includes(line));
    if (lost.length > 0) bad.push(`${path} lost ${lost.join(" ")}`);
    if (come.length > 0) bad.push(`${path} got ${come.join(" ")}`);
  }
  return bad;
}

async function restore(play: Play, tally: Tally): Promise<string[]> {
  const { scene, workspace, random } = play;
  const made = pickFrom(play, play.entries);
  if (!made) return [];
  const side = random.pick(["before", "after"] as const);
  const changed = Object.keys({ ...made.before, ...made.after }).filter(
    (path) => !path.endsWith("/") && made.before[path] !== made.after[path],
  );
  const path = random.pick(changed);
  if (path === undefined || linesAt(scene.tree(), path).some(isOutside)) return [];
  const before = scene.tree();
  const done = await workspace.restore(path, made.id, { author, side });
  count(tally, done.ok ? "restores" : "restores refused");
  if (!done.ok) return unchanged(before, scene.tree());
  play.entries.push({ id: done.value.id, before, after: scene.tree(), undone: null });
  const wanted = { ...onlyFiles(before), ...pick(made[side], [path]) } as Record<string, string>;
  if (made[side][path] === undefined) delete wanted[path];
  const difference = differenceOf(withoutModes(onlyFiles(scene.tree())), withoutModes(wanted));
  return difference ? [`not restored: ${difference}`] : [];
}

/** Another program saves, adds, removes or makes executable. Its lines are marked as outside lines. */
async function fromOutside(play: Play, tally: Tally): Promise<string[]> {
  const { random, scene } = play;
  const path = random.pick(paths);
  const tree = scene.tree();
  const text = contentOf(tree, path);
  count(tally, "changes from outside");
  const mode = text === null ? 0o644 : Number.parseInt(tree[path]!, 8);
  if (text === null) scene.put(path, freshLines(play, "outside", 2));
  else if (random.chance(0.1)) scene.remove(path);
  else if (random.chance(0.2)) scene.put(path, text, mode ^ 0o111);
  else {
    const lines = linesOf(text);
    lines.splice(random.below(lines.length + 1), random.below(2), freshLines(play, "outside", 1).trim());
    scene.put(path, `${lines.join("\n")}\n`, mode);
  }
  return [];
}

/** Outside lines that one of our moves has removed. */
function outsideLost(before: Tree, after: Tree, owned: ReadonlySet<string>): string[] {
  const left = new Set(Object.keys(onlyFiles(after)).flatMap((path) => linesAt(after, path)));
  const lost = Object.keys(onlyFiles(before)).flatMap((path) =>
    linesAt(before, path).filter((line) => isOutside(line) && !left.has(line) && !owned.has(line)),
  );
  return lost.length > 0 ? [`overwrote ${lost.join(" ")}`] : [];
}

function unchanged(before: Tree, after: Tree): string[] {
  const difference = differenceOf(after, before);
  return difference ? [`refused, but ${difference}`] : [];
}

function freshLines(play: Play, kind: string, number: number): string {
  return Array.from({ length: number }, () => `${kind}-${String(++play.lines).padStart(4, "0")}\n`).join("");
}

const isOutside = (line: string): boolean => line.startsWith("outside-");
const linesOf = (text: string): string[] => text.split("\n").slice(0, -1);

function contentOf(tree: Tree, path: string): string | null {
  const printed = tree[path];
  return printed === undefined ? null : printed.slice(printed.indexOf(" ") + 1);
}

function linesAt(tree: Tree, path: string): string[] {
  return linesOf(contentOf(tree, path) ?? "");
}

function withoutModes(tree: Tree): Tree {
  return Object.fromEntries(Object.keys(tree).map((path) => [path, printFile(contentOf(tree, path)!, 0)]));
}

function pick(tree: Tree, names: readonly string[]): Tree {
  return Object.fromEntries(
    names.filter((name) => tree[name] !== undefined).map((name) => [name, tree[name]!]),
  );
}

function pickFrom<T>({ random }: Play, items: readonly T[]): T | undefined {
  return items.length > 0 ? random.pick(items) : undefined;
}

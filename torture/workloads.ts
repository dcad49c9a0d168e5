import type { Edit } from "../src/text/model/edit.ts";
import { accept, type Outcome } from "../src/text/model/outcome.ts";
import { pathsOf, planEdits } from "../src/text/model/plan.ts";
import type { MemoryDiskOptions } from "../src/workspace/files/memory-files.ts";
import type { CommitOptions, Committed, Workspace, WorkspaceOptions } from "../src/workspace/workspace.ts";
import { printFile, type Scene, type Tree } from "./scene.ts";

/**
 * A task for the engine while the machine fails. `before` and `after` are the expected files if it has not happened and if
 * it has. They are written by hand, not taken from the engine.
 */
export type Workload = {
  readonly name: string;
  readonly files: Readonly<Record<string, string>>;
  readonly executable?: readonly string[];
  /** Second names of files. */
  readonly links?: Readonly<Record<string, string>>;
  readonly options?: WorkspaceOptions;
  /** The kind of disk it needs; only a memory disk can be of any kind. */
  readonly disk?: MemoryDiskOptions;
  /** Earlier work, without failures. Absent: the root has no state yet. */
  readonly earlier?: (workspace: Workspace) => Promise<unknown>;
  readonly act: (workspace: Workspace) => Promise<Outcome<unknown>>;
  readonly before: Tree;
  readonly after: Tree;
};

const author = "torture";

export const edit = (path: string, quote: string, text: string): Edit => ({
  path,
  target: { quote },
  text,
  reason: "because",
  evidence: [],
});
export const create = (path: string, text: string): Edit => ({
  ...asked(path),
  target: { file: "create" },
  text,
});
export const remove = (path: string): Edit => ({ ...asked(path), target: { file: "delete" } });
export const move = (path: string, to: string): Edit => ({ ...asked(path), target: { file: "move" }, to });
export const setMode = (path: string, mode: "regular" | "executable"): Edit => ({
  ...asked(path),
  target: { file: "mode" },
  mode,
});
const asked = (path: string) => ({ path, reason: "because", evidence: [] });

/** Reads, plans and commits, as every command does. */
export async function commitEdits(
  workspace: Workspace,
  edits: readonly Edit[],
  options: Partial<CommitOptions> = {},
): Promise<Outcome<Committed>> {
  const snapshots = [];
  for (const path of pathsOf(edits)) {
    const read = await workspace.read(path);
    if (!read.ok) return read;
    snapshots.push(read.value);
  }
  const plan = planEdits(edits, snapshots);
  return plan.ok ? workspace.commit(plan.value, { author, ...options }) : plan;
}

/** Creates the files of a workload. */
export function layOut(scene: Scene, { files, executable = [], links = {} }: Workload): void {
  for (const [path, content] of Object.entries(files))
    scene.put(path, content, executable.includes(path) ? 0o755 : 0o644);
  for (const [newPath, path] of Object.entries(links)) scene.link(path, newPath);
}

const manyFiles = (count: number): Record<string, string> =>
  Object.fromEntries(
    Array.from({ length: count }, (_, i) => [`d${i % 7}/page-${i}.md`, `# Page ${i}\n\nold text\n`]),
  );

const editsOfAll = (files: Readonly<Record<string, string>>): Edit[] =>
  Object.keys(files).map((path) => edit(path, "old", "new"));

function editing(count: number): Workload {
  const files = manyFiles(count);
  const after = Object.entries(files).map(([path, text]) => [path, text.replace("old", "new")] as const);
  return {
    name: `edit ${count}`,
    files,
    earlier: warmUp,
    act: (workspace) => commitEdits(workspace, editsOfAll(files)),
    before: treeOf(files),
    after: treeOf(Object.fromEntries(after)),
  };
}

const mixedFiles = {
  "a.md": "alpha old\n",
  "b.sh": "#!/bin/sh\necho old\n",
  "docs/c.md": "gamma old\n",
  "docs/gone.md": "to be removed\n",
  "docs/from.md": "to be moved, old\n",
};
export const mixedEdits: readonly Edit[] = [
  edit("a.md", "old", "new"),
  edit("b.sh", "old", "new"),
  edit("docs/c.md", "old", "new"),
  remove("docs/gone.md"),
  edit("docs/from.md", "old", "new"),
  move("docs/from.md", "guide/start/to.md"),
  create("guide/more.md", "made\n"),
];
const mixedBefore = treeOf(mixedFiles, { "b.sh": 0o755 });
const mixedAfter = treeOf(
  {
    "a.md": "alpha new\n",
    "b.sh": "#!/bin/sh\necho new\n",
    "docs/c.md": "gamma new\n",
    "guide/start/to.md": "to be moved, new\n",
    "guide/more.md": "made\n",
  },
  { "b.sh": 0o755 },
);
const mixed = { files: mixedFiles, executable: ["b.sh"] };
const doMixed = (workspace: Workspace) => commitEdits(workspace, mixedEdits, { run: "one", task: "mixed" });

/** The copies of a page of this size become deltas. */
function largePage(line: string): string {
  return `${line}\n${"A line that stays as it is.\n".repeat(2500)}`;
}

const few = { "a.md": "alpha old\n", "docs/b.md": "beta old\n" };
const fewEdits = editsOfAll(few);
const fewAfter = treeOf({ "a.md": "alpha new\n", "docs/b.md": "beta new\n" });
const doFew = (workspace: Workspace) => commitEdits(workspace, fewEdits);

const small: readonly Workload[] = [
  editing(1),
  editing(2),
  editing(5),
  {
    name: "create in new directories",
    files: { "a.md": "alpha\n" },
    earlier: warmUp,
    act: (workspace) =>
      commitEdits(workspace, [
        create("x/y/one.md", "1\n"),
        create("x/z/two.md", "2\n"),
        create("three.md", "3\n"),
      ]),
    before: treeOf({ "a.md": "alpha\n" }),
    after: treeOf({ "a.md": "alpha\n", "x/y/one.md": "1\n", "x/z/two.md": "2\n", "three.md": "3\n" }),
  },
  {
    name: "delete",
    files: { "a.md": "alpha\n", "docs/b.md": "beta\n", "docs/c.md": "gamma\n" },
    earlier: warmUp,
    act: (workspace) => commitEdits(workspace, [remove("a.md"), remove("docs/c.md")]),
    before: treeOf({ "a.md": "alpha\n", "docs/b.md": "beta\n", "docs/c.md": "gamma\n" }),
    after: treeOf({ "docs/b.md": "beta\n" }),
  },
  {
    name: "move",
    files: { "a.md": "alpha\n", "docs/b.md": "beta\n", "docs/c.md": "gamma\n" },
    earlier: warmUp,
    act: (workspace) => commitEdits(workspace, [move("a.md", "docs/a.md"), move("docs/b.md", "new/b.md")]),
    before: treeOf({ "a.md": "alpha\n", "docs/b.md": "beta\n", "docs/c.md": "gamma\n" }),
    after: treeOf({ "docs/a.md": "alpha\n", "docs/c.md": "gamma\n", "new/b.md": "beta\n" }),
  },
  {
    name: "mode",
    files: { "run.sh": "#!/bin/sh\n", "stop.sh": "#!/bin/sh\necho old\n" },
    executable: ["stop.sh"],
    earlier: warmUp,
    act: (workspace) =>
      commitEdits(workspace, [
        setMode("run.sh", "executable"),
        edit("stop.sh", "old", "new"),
        setMode("stop.sh", "regular"),
      ]),
    before: treeOf({ "run.sh": "#!/bin/sh\n", "stop.sh": "#!/bin/sh\necho old\n" }, { "stop.sh": 0o755 }),
    after: treeOf({ "run.sh": "#!/bin/sh\n", "stop.sh": "#!/bin/sh\necho new\n" }, { "run.sh": 0o755 }),
  },
  {
    name: "equal files",
    files: {
      "a.md": "same old\n",
      "b.sh": "same old\n",
      "docs/c.md": "same old\n",
      "docs/d.md": "same old\n",
    },
    executable: ["b.sh"],
    earlier: warmUp,
    act: (workspace) =>
      commitEdits(workspace, [
        edit("a.md", "old", "new"),
        edit("b.sh", "old", "newer"),
        remove("docs/c.md"),
        edit("docs/d.md", "old", "new"),
      ]),
    before: treeOf(
      { "a.md": "same old\n", "b.sh": "same old\n", "docs/c.md": "same old\n", "docs/d.md": "same old\n" },
      { "b.sh": 0o755 },
    ),
    after: treeOf(
      { "a.md": "same new\n", "b.sh": "same newer\n", "docs/d.md": "same new\n" },
      { "b.sh": 0o755 },
    ),
  },
  { name: "mixed", ...mixed, earlier: warmUp, act: doMixed, before: mixedBefore, after: mixedAfter },
  {
    name: "edit a large file again",
    files: { "a.md": largePage("count 0") },
    earlier: async (workspace) => {
      for (const i of [1, 2, 3]) await commitEdits(workspace, [edit("a.md", `count ${i - 1}`, `count ${i}`)]);
    },
    act: (workspace) => commitEdits(workspace, [edit("a.md", "count 3", "count 4")]),
    before: treeOf({ "a.md": largePage("count 3") }),
    after: treeOf({ "a.md": largePage("count 4") }),
  },
  {
    name: "undo",
    ...mixed,
    earlier: doMixed,
    act: (workspace) => workspace.undo({ last: true }, { author }),
    before: mixedAfter,
    after: mixedBefore,
  },
  {
    name: "redo",
    ...mixed,
    earlier: async (workspace) => {
      await doMixed(workspace);
      await workspace.undo({ last: true }, { author });
    },
    act: (workspace) => workspace.redo({ last: true }, { author }),
    before: mixedBefore,
    after: mixedAfter,
  },
  {
    name: "restore",
    files: few,
    earlier: async (workspace) => {
      await doFew(workspace);
      await commitEdits(workspace, [edit("a.md", "new", "newer")]);
    },
    act: (workspace) => workspace.restore("a.md", "1", { author, side: "before" }),
    before: treeOf({ "a.md": "alpha newer\n", "docs/b.md": "beta new\n" }),
    after: treeOf({ "a.md": "alpha old\n", "docs/b.md": "beta new\n" }),
  },
  {
    name: "gc",
    files: few,
    earlier: async (workspace) => {
      await doFew(workspace);
      await commitEdits(workspace, [edit("a.md", "new", "newer")]);
      await commitEdits(workspace, [edit("a.md", "newer", "newest")]);
    },
    act: (workspace) => workspace.gc({ forget: { before: "3" } }),
    before: treeOf({ "a.md": "alpha newest\n", "docs/b.md": "beta new\n" }),
    after: treeOf({ "a.md": "alpha newest\n", "docs/b.md": "beta new\n" }),
  },
  { name: "first commit", files: few, act: doFew, before: treeOf(few), after: fewAfter },
  {
    name: "in place",
    files: few,
    links: { "second.md": "a.md" },
    options: { inPlace: true },
    earlier: warmUp,
    act: doFew,
    before: treeOf({ ...few, "second.md": "alpha old\n" }),
    after: treeOf({ "a.md": "alpha new\n", "second.md": "alpha new\n", "docs/b.md": "beta new\n" }),
  },
  {
    name: "sibling backup",
    files: few,
    options: { backup: "sibling" },
    earlier: warmUp,
    act: (workspace) => commitEdits(workspace, fewEdits, { run: "one" }),
    before: treeOf(few),
    after: { ...fewAfter, ...treeOf({ "a.md.bak": "alpha old\n", "docs/b.md.bak": "beta old\n" }) },
  },
  {
    name: "finish a run",
    files: few,
    options: { backup: "sibling" },
    earlier: (workspace) => commitEdits(workspace, fewEdits, { run: "one" }),
    act: (workspace) => workspace.finishRun("one", { succeeded: true }),
    before: { ...fewAfter, ...treeOf({ "a.md.bak": "alpha old\n", "docs/b.md.bak": "beta old\n" }) },
    after: fewAfter,
  },
  {
    name: "strict",
    ...mixed,
    options: { strict: true },
    earlier: warmUp,
    act: doMixed,
    before: mixedBefore,
    after: mixedAfter,
  },
  {
    name: "state file",
    files: few,
    earlier: (workspace) => workspace.writeState("lineage.json", new TextEncoder().encode("{}\n")),
    act: (workspace) => workspace.writeState("lineage.json", new TextEncoder().encode('{"a":1}\n')),
    before: treeOf(few),
    after: treeOf(few),
  },
];

const memoryOnly: readonly Workload[] = [
  { ...editing(2), name: "edit 2, without hard links", disk: { links: false } },
  {
    name: "mixed, without hard links",
    ...mixed,
    disk: { links: false },
    earlier: warmUp,
    act: doMixed,
    before: mixedBefore,
    after: mixedAfter,
  },
  {
    name: "change of case, names folded",
    files: { "docs/readme.md": "text\n" },
    disk: { foldsNames: true },
    earlier: warmUp,
    act: (workspace) => commitEdits(workspace, [move("docs/readme.md", "docs/README.md")]),
    before: treeOf({ "docs/readme.md": "text\n" }),
    after: treeOf({ "docs/README.md": "text\n" }),
  },
];

const large: readonly Workload[] = [editing(50), editing(500)];

/** Workloads for any disk: one to five hundred files, and every operation that writes. */
export const workloads: readonly Workload[] = [...small, ...large];
/** Workloads whose crash states can be enumerated, including those for special disks. */
export const memoryWorkloads: readonly Workload[] = [...small, ...memoryOnly];

export function locateWorkload(name: string): Workload {
  const found = [...workloads, ...memoryOnly].find((workload) => workload.name === name);
  if (!found) throw new Error(`there is no workload ${JSON.stringify(name)}`);
  return found;
}

async function warmUp(workspace: Workspace): Promise<Outcome<unknown>> {
  // Creates the state and one entry, so that the workload is not the first commit.
  const made = await commitEdits(workspace, [create("first.md", "first\n")]);
  return made.ok ? workspace.undo({ last: true }, { author }) : accept(null);
}

/** The tree of these files, with their directories. */
function treeOf(files: Readonly<Record<string, string>>, modes: Readonly<Record<string, number>> = {}): Tree {
  const tree: Record<string, string> = {};
  for (const [path, content] of Object.entries(files)) {
    tree[path] = printFile(content, modes[path] ?? 0o644);
    for (let at = path.indexOf("/"); at >= 0; at = path.indexOf("/", at + 1))
      tree[path.slice(0, at + 1)] = "directory";
  }
  return tree;
}

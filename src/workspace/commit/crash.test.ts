import { expect, test } from "vitest";
import { type Outcome, refuse } from "../../text/model/outcome.ts";
import { versionOf } from "../files/content.ts";
import { Crash, crashAt, failAt, faultFiles, shortWrites } from "../files/faulty-files.ts";
import type { Files } from "../files/files.ts";
import { type Choose, keepAll, loseAll } from "../files/inodes.ts";
import { createMemoryDisk, type MemoryDisk, type MemoryDiskOptions } from "../files/memory-files.ts";
import { parsePath } from "../paths/paths.ts";
import { probeRoot } from "../state/open-state.ts";
import { commitTransaction, type TransactionAttempt } from "./commit.ts";
import type { OpenState } from "./commit-context.ts";
import { inSession } from "./session.ts";
import type { FileChange } from "./targets.ts";

/** A tree: text and mode by path. */
type FileTree = Readonly<Record<string, readonly [text: string, mode?: number]>>;
type Work = {
  readonly before: FileTree;
  readonly after: FileTree;
  readonly strict?: true;
  /** Two names of one file. */
  readonly alias?: readonly [string, string];
  readonly disk?: MemoryDiskOptions;
};

const works: Record<string, Work> = {
  "edit one file": { before: { "a.md": ["one"] }, after: { "a.md": ["two"] } },
  "edit three files in two directories": {
    before: { "a.md": ["a"], "d/b.md": ["b", 0o755], "d/c.md": ["c"] },
    after: { "a.md": ["A"], "d/b.md": ["B", 0o755], "d/c.md": ["C"] },
  },
  "edit two files with one content": {
    before: { "a.md": ["same"], "b.md": ["same"] },
    after: { "a.md": ["A"], "b.md": ["B"] },
  },
  "create a file in new directories": {
    before: { "a.md": ["a"] },
    after: { "a.md": ["a"], "x/y/new.md": ["new"] },
  },
  "delete a file": { before: { "a.md": ["a"], "b.md": ["b"] }, after: { "b.md": ["b"] } },
  "edit, create, delete and make executable at once": {
    before: { "a.md": ["a"], "b.md": ["b"], "run.sh": ["#!"] },
    after: { "a.md": ["A"], "n/c.md": ["c"], "run.sh": ["#!", 0o755] },
  },
  "edit strictly": {
    before: { "a.md": ["a"], "b.md": ["b"] },
    after: { "a.md": ["A"], "b.md": ["B"] },
    strict: true,
  },
  "edit a file with two names in place": {
    before: { "a.md": ["a long text"], "also.md": ["a long text"], "b.md": ["b"] },
    after: { "a.md": ["A"], "also.md": ["A"], "b.md": ["B"] },
    alias: ["a.md", "also.md"],
  },
  "edit and create without hard links": {
    before: { "a.md": ["a"], "c.md": ["c"] },
    after: { "a.md": ["A"], "b.md": ["B"] },
    disk: { links: false },
  },
  "edit, create and delete on another file system": {
    before: { "a.md": ["a"], "d/b.md": ["b", 0o755], "d/c.md": ["c"] },
    after: { "a.md": ["A"], "d/b.md": ["B", 0o755], "d/e/new.md": ["new"] },
    disk: { mounts: ["d"] },
  },
  "change only the case of a name": {
    before: { "readme.md": ["x"] },
    after: { "README.md": ["x"] },
    disk: { foldsNames: true },
  },
};

const powerCuts: [string, Choose][] = [
  ["nothing unflushed survives", loseAll],
  ["everything survives", keepAll],
  ["names survive, contents do not", (lost) => (lost.what === "name" ? "kept" : lost.outcomes.at(-1)!)],
  ["contents survive, names do not", ({ what }) => (what === "data" ? "kept" : "lost")],
  ...[1, 2, 3, 4].map((seed): [string, Choose] => [`some of it survives (${seed})`, someOf(seed)]),
];

test.each(Object.entries(works))(
  "recovery works after a kill before any operation, and after a kill during recovery: %s",
  async (_name, work) => {
    const total = await countOperations(work);
    expect(total).toBeGreaterThan(20);
    for (let k = 0; k < total; k++) {
      const disk = await crashed(work, k);
      const { trace } = await recovered(work, disk.copy(), `kill at ${k}`);
      for (let j = 0; j < trace; j += Math.max(1, Math.floor(trace / 7))) {
        const again = disk.copy();
        const process = again.process();
        await openAndRecover(faultFiles(process, crashAt(j)).files).catch(onlyCrash);
        again.kill(process);
        await recovered(work, again, `kill at ${k}, then at ${j} of recovery`);
      }
    }
  },
);

test.each(Object.entries(works))(
  "recovery works after a power cut before any operation: %s",
  async (_name, work) => {
    const total = await countOperations(work);
    for (let k = 0; k <= total; k++) {
      const disk = await crashed(work, k);
      for (const [name, choose] of powerCuts) {
        const dark = disk.copy();
        dark.cutPower(choose);
        const { result } = await recovered(work, dark, `${name}, power cut at ${k}`);
        if (k === total) expect(result, `${name}: acknowledged work is there`).toBe("after");
      }
    }
  },
);

test.each(Object.entries(works))("each operation may fail, once or forever: %s", async (_name, work) => {
  const total = await countOperations(work);
  for (const code of ["EIO", "ENOSPC", "EACCES", "EROFS"])
    for (const forever of [false, true])
      for (let k = 0; k < total; k++) {
        const disk = prepared(work);
        const spoiled = faultFiles(disk.process(), failAt(k, code, { forever })).files;
        const outcome = await run(spoiled, work);
        disk.kill(spoiled);
        const label = `${code} ${forever ? "from" : "at"} ${k}`;
        const { result } = await recovered(work, disk, label);
        if (outcome.ok) expect(result, label).toBe("after");
      }
});

test("short writes are completed", async () => {
  const work = works["edit three files in two directories"]!;
  const disk = prepared(work);
  const outcome = await run(faultFiles(disk.process(), shortWrites(3)).files, work);
  expect(outcome.ok).toBe(true);
  expect(stateOf(work, disk)).toBe("after");
});

async function crashed(work: Work, k: number): Promise<MemoryDisk> {
  const disk = prepared(work);
  const process = disk.process();
  await run(faultFiles(process, crashAt(k)).files, work).catch(onlyCrash);
  disk.kill(process);
  return disk;
}

/** Opens the workspace as the next caller would, and checks its files. */
async function recovered(
  work: Work,
  disk: MemoryDisk,
  label: string,
): Promise<{ result: string; trace: number }> {
  const { files, trace } = faultFiles(disk.process());
  await openAndRecover(files);
  const result = stateOf(work, disk);
  expect(["before", "after"], label).toContain(result);
  const waiting = disk
    .tree()
    .filter((path) => /^\.suture\/(stage\/.|journal\/.*pending)|draft|^(?!\.suture).*\.suture-/.test(path));
  expect(waiting, label).toEqual([]);
  return { result, trace: trace.length };
}

function stateOf({ before, after }: Work, disk: MemoryDisk): string {
  const tree = disk.tree().filter((path) => !path.startsWith(".suture") && !path.endsWith("/"));
  const dirs = disk.tree().filter((path) => !path.startsWith(".suture") && path.endsWith("/"));
  const shown = JSON.stringify(tree.map((path) => [path, ...show(disk, path)]));
  const of = (wanted: FileTree) =>
    JSON.stringify(
      Object.entries(wanted)
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([path, [text, mode = 0o644]]) => [path, text, mode]),
    );
  const dirsOf = (wanted: FileTree) =>
    new Set(
      Object.keys(wanted).flatMap((path) =>
        path
          .split("/")
          .slice(0, -1)
          .map((_, i, names) => `${names.slice(0, i + 1).join("/")}/`),
      ),
    );
  if (shown === of(after) && dirs.every((dir) => dirsOf(after).has(dir))) return "after";
  if (shown === of(before) && dirs.every((dir) => dirsOf(before).has(dir))) return "before";
  return `${shown} ${dirs}`;
}

function show(disk: MemoryDisk, path: string): [string, number] {
  const { bytes, mode } = disk.read(path)!;
  return [new TextDecoder().decode(bytes), mode];
}

function prepared({ before, alias, disk: options = {} }: Work): MemoryDisk {
  const disk = createMemoryDisk(options);
  for (const [path, [text, mode]] of Object.entries(before)) disk.put(path, text, mode ?? 0o644);
  if (alias) disk.putName(...alias);
  return disk;
}

async function countOperations(work: Work): Promise<number> {
  const disk = prepared(work);
  const { files, trace } = faultFiles(disk.process());
  expect((await run(files, work)).ok).toBe(true);
  expect(stateOf(work, disk)).toBe("after");
  return trace.length;
}

async function run(files: Files, work: Work): Promise<Outcome<unknown>> {
  const openState = await open(files);
  if (!openState) return refuse({ code: "unavailable", detail: "not opened" });
  try {
    const attempt = await inSession(openState, { patience: 100 }, async ({ context, lock, checkpoint }) => {
      const metadata = { time: "", kind: "edit", author: "me", reason: "", edits: [] } as const;
      const options = { mounts: true, strict: work.strict === true, inPlace: work.alias !== undefined };
      const request = {
        number: checkpoint.next,
        previous: checkpoint.head,
        metadata,
        changes: changesOf(work),
        removes: [],
        ...options,
      };
      const value: TransactionAttempt = await commitTransaction(context, lock, request);
      const head = value.outcome.ok ? value.outcome.value.head : checkpoint.head;
      const next = checkpoint.next + (value.outcome.ok ? 1 : 0);
      return { value, checkpoint: value.needsRecovery ? null : { ...checkpoint, next, head } };
    });
    return attempt.ok ? attempt.value.outcome : attempt;
  } catch (error) {
    if (error instanceof Crash || (error as { code?: string }).code === undefined) throw error;
    return refuse({ code: "unavailable", detail: String(error) });
  }
}

function changesOf({ before, after, alias }: Work): FileChange[] {
  const paths = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...paths].flatMap((path) => {
    const gated = parsePath(path);
    if (!gated.ok) throw new Error(path);
    const [old, fresh] = [before[path], after[path]];
    if (JSON.stringify(old) === JSON.stringify(fresh) || path === alias?.[1]) return [];
    const bytes = new TextEncoder().encode(fresh?.[0] ?? "");
    return {
      gated: gated.value,
      expected: old ? versionOf(new TextEncoder().encode(old[0])) : "absent",
      after: fresh ? { bytes, mode: fresh[1] ?? 0o644 } : null,
      details: { splices: [], hunks: [], lines: [] },
      texts: { inserted: [], removed: [] },
    };
  });
}

async function openAndRecover(files: Files): Promise<void> {
  const openState = await open(files);
  if (!openState) throw new Error("cannot be opened");
  const outcome = await inSession(openState, { patience: 100 }, async ({ checkpoint }) => ({
    value: checkpoint,
    checkpoint,
  }));
  expect(outcome).toMatchObject({ ok: true, value: { unresolved: [] } });
}

async function open(files: Files): Promise<OpenState | null> {
  const root = await files.openRoot("/");
  const opened = await probeRoot(files, root, { create: true, durability: "full", sizeLimit: 1e6 });
  return opened.ok && opened.value.state ? { ...opened.value, state: opened.value.state } : null;
}

function onlyCrash(error: unknown): void {
  if (!(error instanceof Crash)) throw error;
}

function someOf(seed: number): Choose {
  let state = seed * 7919;
  return ({ outcomes }) => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return outcomes[(state >>> 16) % outcomes.length]!;
  };
}

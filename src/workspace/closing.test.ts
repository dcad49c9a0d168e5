import { closeSync, fstatSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { RefusalError } from "../text/model/outcome.ts";
import type { Plan } from "../text/model/plan.ts";
import { diskFiles } from "./files/disk-files.ts";
import type { Files } from "./files/files.ts";
import { codeFrom, commitEdits, create, openTestBench, quote, value } from "./testing.ts";
import { openReader, openWorkspace, type Reader, type Workspace } from "./workspace.ts";

const made: string[] = [];
afterAll(() => {
  for (const path of made) rmSync(path, { recursive: true });
});

const emptyPlan: Plan = { edits: [], landings: [], changes: [] };
const me = { author: "me" };

/** Every method of a reader, and of a workspace, called in an ordinary way. */
const looking: Record<string, (reader: Reader) => Promise<unknown>> = {
  read: (reader) => reader.read("a.md"),
  list: (reader) => reader.list(),
  history: (reader) => reader.history(),
  summaries: (reader) => reader.summaries(),
  entry: (reader) => reader.entry("1"),
  entryOfKey: (reader) => reader.entryOfKey("k"),
  textOfVersion: (reader) => reader.textOfVersion("a.md", "1"),
  lineOwners: (reader) => reader.lineOwners("a.md"),
  readImage: (reader) => reader.readImage("1", "a.md", "before"),
  entryPlan: (reader) => reader.entryPlan("1"),
  findConflicts: (reader) => reader.findConflicts("a.md", [{ startLine: 1, endLine: 1 }], { task: "t" }),
  planUndo: (reader) => reader.planUndo({ entry: "1" }),
  planRedo: (reader) => reader.planRedo({ entry: "1" }),
  planRestore: (reader) => reader.planRestore("a.md", "1"),
  readState: (reader) => reader.readState("lineage.json"),
  listState: (reader) => reader.listState("audit"),
};
const working: Record<string, (workspace: Workspace) => Promise<unknown>> = {
  ...looking,
  commit: (workspace) => workspace.commit(emptyPlan, me),
  rehearse: (workspace) => workspace.rehearse(emptyPlan, me),
  undo: (workspace) => workspace.undo({ entry: "1" }, me),
  redo: (workspace) => workspace.redo({ entry: "1" }, me),
  restore: (workspace) => workspace.restore("a.md", "1", me),
  finishRun: (workspace) => workspace.finishRun("r", { succeeded: true }),
  writeState: (workspace) => workspace.writeState("lineage.json", new Uint8Array()),
  recordOutside: (workspace) => workspace.recordOutside([], me),
  gc: (workspace) => workspace.gc(),
  doctor: (workspace) => workspace.doctor(),
};

describe("after closing", () => {
  test.each(Object.keys(working))("the workspace refuses %s as closed", async (name) => {
    const { root, workspace } = await openTenant("a");
    value(await commitEdits(workspace, [quote("a.md", "old", "new")]));
    await workspace.close();
    const other = value(await openWorkspace(root));
    expect(await answerOf(() => working[name]!(workspace))).toBe("closed");
    await other.close();
  });

  test.each(Object.keys(looking))("the reader refuses %s as closed", async (name) => {
    const { root, workspace } = await openTenant("a");
    value(await commitEdits(workspace, [quote("a.md", "old", "new")]));
    const reader = value(await openReader(root));
    await reader.close();
    expect(await answerOf(() => looking[name]!(reader))).toBe("closed");
    await workspace.close();
  });

  test("no method is left out of the two lists above", async () => {
    const { root, workspace } = await openTenant("a");
    const reader = value(await openReader(root));
    expect(methodsOf(workspace)).toEqual([...Object.keys(working), "close", "isClosed"].sort());
    expect(methodsOf(reader)).toEqual([...Object.keys(looking), "close", "isClosed"].sort());
    await workspace[Symbol.asyncDispose]();
    await reader[Symbol.asyncDispose]();
    expect(codeFrom(await workspace.read("a.md"))).toBe("closed");
    expect(codeFrom(await reader.read("a.md"))).toBe("closed");
  });

  test("a closed workspace neither reads nor edits the one that was opened after it", async () => {
    const [a, b] = [await openTenant("a"), newRoot("b")];
    const plan = await planOf(a.workspace);
    await a.workspace.close();
    const opened = await Promise.all(Array.from({ length: 4 }, () => openWorkspace(b)));
    expect(codeFrom(await a.workspace.read("a.md"))).toBe("closed");
    expect(codeFrom(await a.workspace.commit(plan, me))).toBe("closed");
    expect(readFileSync(join(b, "a.md"), "utf8")).toBe("old, owner b\n");
    for (const each of opened) await value(each).close();
  });

  test("closing twice leaves other roots and the host program's descriptors open", async () => {
    const [a, b] = [await openTenant("a"), newRoot("b")];
    await a.workspace.close();
    const mine = Array.from({ length: 4 }, () => openSync(join(b, "a.md"), "r"));
    const other = value(await openWorkspace(b));
    await a.workspace.close();
    await a.workspace[Symbol.asyncDispose]();
    for (const fd of mine) expect(() => fstatSync(fd)).not.toThrow();
    expect(value(await other.read("a.md")).text).toBe("old, owner b\n");
    for (const fd of mine) closeSync(fd);
    await other.close();
  });

  test("every close answers when the first has ended", async () => {
    const { workspace } = await openTenant("a");
    const ended: string[] = [];
    const commit = commitEdits(workspace, [quote("a.md", "old", "new")]).then((done) => {
      ended.push("commit");
      return done;
    });
    await new Promise((resolve) => setImmediate(resolve));
    const first = workspace.close().then(() => ended.push("close"));
    const second = workspace.close().then(() => ended.push("close"));
    await Promise.all([first, second, commit]);
    expect(ended).toEqual(["commit", "close", "close"]);
  });
});

describe("closing during a commit", () => {
  test("the commit is whole or refused at every operation, and nothing goes into another root", async () => {
    const most = await countOperations();
    expect(most).toBeGreaterThan(20);
    for (let at = 0; at < most; at += 3) await closeAt(at);
  });

  test("a commit that was asked for before is done, one that is asked for after is refused", async () => {
    const bench = await openTestBench({ "a.md": "old\n" });
    const plan = await planOf(bench.workspace);
    const commit = bench.workspace.commit(plan, me);
    const closing = bench.workspace.close();
    const late = bench.workspace.commit(plan, me);
    expect(codeFrom(await late)).toBe("closed");
    expect(codeFrom(await commit)).toBe("ok");
    await closing;
    expect(bench.text("a.md")).toBe("new\n");
  });
});

/** Closes a workspace before its operation `at` while it commits, and opens other roots and files at once. */
async function closeAt(at: number): Promise<void> {
  const [a, b] = [newRoot("x"), newRoot("x")];
  const unrelated = join(newRoot("host"), "a.md");
  const mine: number[] = [];
  const others: Promise<unknown>[] = [];
  let workspace: Workspace | null = null;
  let closing: Promise<void> | null = null;
  const files = counting(async (index) => {
    if (index !== at || !workspace) return;
    closing = workspace.close();
    for (let i = 0; i < 3; i++) {
      others.push(openWorkspace(b));
      mine.push(openSync(unrelated, "r+"));
      await new Promise((resolve) => setImmediate(resolve));
    }
  });
  workspace = value(await openWorkspace(a, { files, durability: "fast" }));
  const outcome = await commitEdits(workspace, [quote("a.md", "old", "new"), create("d/b.md", "b\n")]);
  await (closing ?? workspace.close());
  expect(["ok", "closed"], `at ${at}`).toContain(codeFrom(outcome));
  expect(readFileSync(join(a, "a.md"), "utf8")).toBe(`${outcome.ok ? "new" : "old"}, owner x\n`);
  expect(readFileSync(join(b, "a.md"), "utf8"), `at ${at}`).toBe("old, owner x\n");
  expect(readFileSync(unrelated, "utf8")).toBe("old, owner host\n");
  for (const fd of mine) expect(() => fstatSync(fd)).not.toThrow();
  for (const fd of mine) closeSync(fd);
  for (const other of others) await value((await other) as Awaited<ReturnType<typeof openWorkspace>>).close();
}

async function countOperations(): Promise<number> {
  let operations = 0;
  const files = counting(async (index) => {
    operations = index;
  });
  const workspace = value(await openWorkspace(newRoot("x"), { files, durability: "fast" }));
  value(await commitEdits(workspace, [quote("a.md", "old", "new"), create("d/b.md", "b\n")]));
  await workspace.close();
  return operations;
}

/** The disk, with a callback before every operation. */
function counting(before: (index: number) => Promise<void>): Files {
  const inner = diskFiles();
  const immediate = new Set<keyof Files>(["user", "umask", "self", "isDead", "randomId", "now", "close"]);
  let index = 0;
  const wrap = (name: keyof Files) => {
    const act = inner[name] as (...args: unknown[]) => Promise<unknown>;
    if (immediate.has(name)) return act;
    return async (...args: unknown[]) => {
      await before(index++);
      return act(...args);
    };
  };
  return Object.fromEntries(
    (Object.keys(inner) as (keyof Files)[]).map((name) => [name, wrap(name)]),
  ) as unknown as Files;
}

async function planOf(workspace: Workspace): Promise<Plan> {
  const { planEdits } = await import("../text/model/plan.ts");
  return value(planEdits([quote("a.md", "old", "new")], [value(await workspace.read("a.md"))]));
}

/** The code of a refusal, returned or thrown. */
async function answerOf(call: () => Promise<unknown>): Promise<string> {
  try {
    const answer = (await call()) as { ok?: boolean; refusal?: { code: string } };
    return answer.refusal?.code ?? JSON.stringify(answer);
  } catch (error) {
    return error instanceof RefusalError ? error.refusal.code : String(error);
  }
}

function methodsOf(open: object): string[] {
  return Object.entries(open)
    .flatMap(([name, method]) => (typeof method === "function" ? [name] : []))
    .sort();
}

async function openTenant(owner: string): Promise<{ root: string; workspace: Workspace }> {
  const root = newRoot(owner);
  return { root, workspace: value(await openWorkspace(root)) };
}

function newRoot(owner: string): string {
  const root = mkdtempSync(join(tmpdir(), "suture-closing-"));
  made.push(root);
  writeFileSync(join(root, "a.md"), `old, owner ${owner}\n`);
  return root;
}

describe("a root that cannot be opened", () => {
  test("leaves no directory open, whichever operation fails", async () => {
    const bench = await openTestBench({ "a.md": "one\n" });
    value(await bench.commit([quote("a.md", "one", "two")]));
    await bench.workspace.close();
    const leaks: number[] = [];
    for (let failing = 1; ; failing++) {
      const { files, open, calls } = countHandles(bench.disk.process(), failing);
      const opened = await openWorkspace("/", { files });
      if (opened.ok) await opened.value.close();
      if (open() > 0) leaks.push(failing);
      if (calls() < failing) break;
    }
    expect(leaks).toEqual([]);
  });
});

/** Counts open handles, and fails one call: the first, the second and so on. */
function countHandles(inner: Files, failing: number): { files: Files; open(): number; calls(): number } {
  const open = new Set<unknown>();
  let calls = 0;
  const opening = new Set(["openRoot", "openDir", "open", "create"]);
  const immediate = new Set(["user", "umask", "self", "isDead", "randomId", "now", "close"]);
  const call = async (name: string, args: unknown[]): Promise<unknown> => {
    if (++calls === failing) throw Object.assign(new Error(`EIO: ${name}`), { code: "EIO" });
    const result = await (inner[name as keyof Files] as (...args: unknown[]) => unknown)(...args);
    if (opening.has(name) && result !== null) open.add(result);
    return result;
  };
  const files = Object.fromEntries(
    Object.entries(inner).map(([name, method]) => [
      name,
      immediate.has(name) ? method : (...args: unknown[]) => call(name, args),
    ]),
  ) as unknown as Files;
  const close: Files["close"] = (handle) => {
    open.delete(handle);
    return inner.close(handle);
  };
  return { files: { ...files, close }, open: () => open.size, calls: () => calls };
}

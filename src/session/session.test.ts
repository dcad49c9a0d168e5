import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { catalog } from "../docs/catalog.ts";
import { RefusalError } from "../text/model/outcome.ts";
import { createMemoryDisk, type MemoryDisk } from "../workspace/files/memory-files.ts";
import { openSession, type Session, type SessionOptions } from "./session.ts";
import { unwrap } from "./unwrap.ts";

const made: string[] = [];
afterAll(() => {
  for (const path of made) rmSync(path, { recursive: true });
});

function diskWith(files: Readonly<Record<string, string>>): MemoryDisk {
  const disk = createMemoryDisk();
  for (const [path, text] of Object.entries(files)) disk.put(path, text);
  return disk;
}

async function open(
  files: Readonly<Record<string, string>> | MemoryDisk,
  options: Partial<SessionOptions> = {},
): Promise<{ session: Session; text: (path: string) => string | null }> {
  const disk =
    "process" in files && typeof files.process === "function"
      ? (files as MemoryDisk)
      : diskWith(files as Record<string, string>);
  const session = unwrap(
    await openSession({ root: "/", files: disk.process(), ...options }),
  ) as unknown as Session;
  const text = (path: string): string | null => {
    const read = disk.read(path);
    return read && new TextDecoder().decode(read.bytes);
  };
  return { session, text };
}

describe("a session", () => {
  test("calls, plans, commits and takes back", async () => {
    const { session, text } = await open({ "a.md": "one\n", "b.md": "one\n" });
    const edited = await session.call("edit_file", { path: "a.md", old_content: "one", new_content: "two" });
    expect(edited).toMatchObject({ success: true, entry: "1" });
    const plan = unwrap(
      await session.plan(
        ["a.md", "b.md"].map((path) => ({
          path,
          target: { quote: path === "a.md" ? "two" : "one" },
          text: "three",
        })),
      ),
    );
    const steps: string[] = [];
    const entry = unwrap(
      await session.commit(plan, {
        reason: "both",
        onProgress: ({ path, done, total }) => steps.push(`${path} ${done}/${total}`),
      }),
    );
    expect(entry).toMatchObject({ id: "2", author: "program", reason: "both" });
    expect(steps).toEqual(["a.md 1/2", "b.md 2/2"]);
    unwrap(await session.undo());
    expect([text("a.md"), text("b.md")]).toEqual(["two\n", "one\n"]);
    unwrap(await session.redo());
    unwrap(await session.undo({ entry: "2" }));
    unwrap(await session.undo());
    expect(text("a.md")).toBe("one\n");
    expect(await session.undo()).toMatchObject({ ok: false, refusal: { code: "no-change" } });
    await session.close();
    expect(await session.call("read_file", { path: "a.md" })).toMatchObject({
      success: false,
      code: "closed",
    });
  });

  test("an error in the caller's progress function does not stop the commit", async () => {
    const { session, text } = await open({ "a.md": "one\n" });
    const plan = unwrap(await session.plan([{ path: "a.md", target: { quote: "one" }, text: "two" }]));
    const onProgress = (): never => {
      throw new Error("of the caller");
    };
    expect((await session.commit(plan, { onProgress })).ok).toBe(true);
    expect(text("a.md")).toBe("two\n");
  });

  test("needs one match unless the first is asked for", async () => {
    const edit = { path: "a.md", old_content: "x", new_content: "y" };
    const strict = await open({ "a.md": "x x\n" });
    expect(await strict.session.call("edit_file", edit)).toMatchObject({ success: false, code: "ambiguous" });
    const first = await open({ "a.md": "x x\n" }, { matches: "first" });
    expect(await first.session.call("edit_file", edit)).toMatchObject({ success: true, remaining: 1 });
    const odd = await openSession({ root: "/", matches: "all" as never });
    expect(odd).toMatchObject({ ok: false, refusal: { code: "malformed" } });
  });

  test("a misspelt option is refused, so that no approval is left out", async () => {
    const aprove = () => false;
    const opened = await openSession({ root: "/", aprove } as never);
    expect(opened).toMatchObject({ ok: false, refusal: { code: "malformed" } });
    expect(JSON.stringify(opened)).toContain("approve");
  });

  test("two sessions without a task take back only their own edits, and do not conflict later", async () => {
    const disk = diskWith({ "a.md": "1\n", "b.md": "1\n" });
    const [one, two] = [await open(disk), await open(disk)];
    await one.session.call("edit_file", { path: "a.md", old_content: "1", new_content: "2" });
    await two.session.call("edit_file", { path: "b.md", old_content: "1", new_content: "2" });
    expect(await one.session.call("undo", {})).toMatchObject({ success: true, undoes: ["1"] });
    const again = await two.session.call("edit_file", { path: "a.md", old_content: "1", new_content: "3" });
    expect(again.success).toBe(true);
  });

  test("a plan is approved before it is committed, and only for the versions that were shown", async () => {
    const disk = diskWith({ "a.md": "1\n2\n3\n4\n5\n6\nold\n" });
    const other = await open(disk);
    const { session, text } = await open(disk, {
      approve: async () => {
        await other.session.call("edit_file", { path: "a.md", old_content: "1\n", new_content: "one\n" });
        return true;
      },
    });
    const plan = unwrap(await session.plan([{ path: "a.md", target: { quote: "old" }, text: "new" }]));
    expect(await session.commit(plan)).toMatchObject({ ok: false, refusal: { code: "stale" } });
    expect(text("a.md")).toBe("one\n2\n3\n4\n5\n6\nold\n");
  });

  test("a signal of the session and one of a call both abort", async () => {
    const all = new AbortController();
    const { session } = await open({ "a.md": "1\n" }, { signal: all.signal });
    const read = { path: "a.md" };
    expect(await session.call("read_file", read, { signal: AbortSignal.abort() })).toMatchObject({
      code: "aborted",
    });
    expect(await session.call("read_file", read)).toMatchObject({ success: true });
    all.abort();
    expect(await session.call("read_file", read)).toMatchObject({ code: "aborted" });
  });

  test("all failed edits of a plan are in the refusal, and unwrap says them", async () => {
    const { session } = await open({ "a.md": "one\n" });
    const planned = await session.plan([
      { path: "a.md", target: { quote: "none" }, text: "" },
      { path: "b.md", target: { quote: "one" }, text: "" },
    ]);
    expect(planned).toMatchObject({ ok: false, refusal: { edit: 0, others: [{ edit: 1, path: "b.md" }] } });
    expect(() => unwrap(planned)).toThrow(RefusalError);
    expect(() => unwrap(planned)).toThrow(/Content not found in a\.md\.[\s\S]*File not found: b\.md/);
  });
});

test("every tool has typed input, and the names of a profile and mode are those of the catalog", async () => {
  const root = mkdtempSync(join(tmpdir(), "suture-session-"));
  made.push(root);
  writeFileSync(join(root, "a.md"), "old\n");
  await using session = unwrap(await openSession({ root, mode: "modify", author: "ann" }));
  const edited = await session.call("edit_file", { path: "a.md", old_content: "old", new_content: "new" });
  if (!edited.success) throw new Error(edited.code);
  expect(edited.replacements).toBe(1);
  expect(readFileSync(join(root, "a.md"), "utf8")).toBe("new\n");
  expect(session.tools.list().map(({ name }) => name)).not.toContain("write_file");
  expect(catalog).toHaveLength(15);
});

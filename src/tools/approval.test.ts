import { describe, expect, test } from "vitest";
import type { Approve, ProposedChange } from "./approval.ts";
import { openDesk } from "./testing.ts";

const edit = { path: "a.md", old_content: "old", new_content: "new" };

describe("approval", () => {
  test("sees the exact change before it is written", async () => {
    const seen: (ProposedChange & { text: string | null })[] = [];
    const desk = await openDesk(
      { "a.md": "old\n", "package.json": "{}\n" },
      {
        policy: { consent: true },
        approve: async (proposal) => {
          seen.push({ ...proposal, text: desk.text("a.md") });
          return true;
        },
      },
    );
    expect(await desk.call("edit_file", edit)).toMatchObject({ success: true, entry: "1" });
    expect(seen[0]).toMatchObject({
      tool: "edit_file",
      input: edit,
      paths: ["a.md"],
      concerns: [],
      text: "old\n",
      diff: expect.stringContaining("+new"),
    });
    const patch = JSON.stringify([{ path: "package.json", old_string: "{}", new_string: "[]" }]);
    await desk.call("apply_patch", { patch });
    expect(seen[1]?.concerns).toEqual([{ path: "package.json", concern: "package manifest" }]);
    expect(desk.text("a.md")).toBe("new\n");
  });

  test.each<[string, unknown, string | undefined]>([
    ["false", false, undefined],
    ["a promise of false", Promise.resolve(false), undefined],
    ["no answer", undefined, undefined],
    ["an object", { approved: true }, undefined],
    ["a reason", "Keep the old name.", "Keep the old name."],
  ])("%s declines", async (_, answer, reason) => {
    const approve = (() => answer) as unknown as Approve;
    const desk = await openDesk({ "a.md": "old\n" }, { approve });
    const result = await desk.call("edit_file", edit);
    expect(result).toMatchObject({ success: false, code: "declined" });
    if (reason !== undefined) expect(result.error).toContain(reason);
    expect(desk.text("a.md")).toBe("old\n");
  });

  test("is for the bytes that were shown: a change of another program in between asks again", async () => {
    const shown: string[] = [];
    const desk = await openDesk(
      { "a.md": "one\ntwo\nold\n" },
      {
        approve: ({ diff }) => {
          shown.push(diff);
          if (shown.length === 1) desk.disk.put("a.md", "old\ntwo\nold, too\n");
          return shown.length === 1 || "Not that line.";
        },
      },
    );
    expect(await desk.call("edit_file", edit)).toMatchObject({ success: false, code: "declined" });
    expect(shown).toHaveLength(2);
    expect(desk.text("a.md")).toBe("old\ntwo\nold, too\n");
  });

  test("a commit of another task in between is not merged under an approval", async () => {
    let rounds = 0;
    const desk = await openDesk({ "a.md": "1\n2\n3\n4\n5\n6\n7\nold\n" });
    const approve: Approve = async ({ versions }) => {
      if (rounds++ === 0)
        await desk.call("edit_file", { path: "a.md", old_content: "1\n", new_content: "one\n" });
      const read = await desk.context.reader.read("a.md");
      return rounds > 1 && read.ok && versions["a.md"] === read.value.version ? true : rounds === 1;
    };
    const asking = await openDesk({}, { approve, task: "other" }, desk.disk);
    expect(await asking.call("edit_file", edit)).toMatchObject({ success: true });
    expect(rounds).toBe(2);
    expect(desk.text("a.md")).toBe("one\n2\n3\n4\n5\n6\n7\nnew\n");
  });

  test("holds for undo too", async () => {
    const tools: (string | undefined)[] = [];
    const desk = await openDesk(
      { "a.md": "old\n" },
      {
        approve: ({ tool }) => {
          tools.push(tool);
          return tool !== "undo";
        },
      },
    );
    await desk.call("edit_file", edit);
    expect(await desk.call("undo", {})).toMatchObject({ success: false, code: "declined" });
    expect(tools).toEqual(["edit_file", "undo"]);
    expect(desk.text("a.md")).toBe("new\n");
  });

  test("is not asked about a dry run or about an edit that is refused", async () => {
    const desk = await openDesk({ "a.md": "old\n" }, { approve: () => "never" });
    expect(await desk.call("edit_file", { ...edit, dry_run: true })).toMatchObject({ success: true });
    expect(await desk.call("edit_file", { ...edit, old_content: "none" })).toMatchObject({
      code: "not-found",
    });
  });
});

test.each([
  ["a quotation", "edit_file", edit, "1\n2\n3\nnew\n"],
  ["the end of a file", "insert_at", { path: "a.md", line: -1, content: "last" }, "1\n2\n3\nold\nlast\n"],
  ["the start of a file", "insert_at", { path: "a.md", line: 0, content: "first" }, "first\n1\n2\n3\nold\n"],
] as const)(
  "%s is planned again when another program writes before the commit",
  async (_, tool, input, after) => {
    let writes = 0;
    const approve = (): boolean => {
      if (writes++ < 3) desk.disk.put("a.md", desk.text("a.md")!.replace("old", `${writes}\nold`));
      return true;
    };
    const desk = await openDesk({ "a.md": "old\n" }, { approve });
    expect(await desk.call(tool, input)).toMatchObject({ success: true });
    expect(desk.text("a.md")).toBe(after);
  },
);

test("a dry run gives the version that it was made from, and the same call can name it", async () => {
  const desk = await openDesk({ "a.md": "old\n", "b.md": "old\n" });
  const dry = await desk.call("edit_file", { ...edit, dry_run: true });
  const read = await desk.call("read_file", { path: "a.md" });
  expect(dry.version).toBe(read.version);
  const patch = JSON.stringify(
    ["a.md", "b.md"].map((path) => ({ path, old_string: "old", new_string: "new" })),
  );
  const many = await desk.call("apply_patch", { patch, dry_run: true });
  expect(many.versions).toEqual({ "a.md": read.version, "b.md": expect.any(String) });
  desk.disk.put("a.md", "changed by another program, old\n");
  const late = await desk.call("edit_file", { ...edit, base_version: dry.version });
  expect(late).toMatchObject({ success: false, code: "stale" });
});

describe("undo of an agent", () => {
  test("takes back its own newest edit, not that of others", async () => {
    const disk = (await openDesk({ "a.md": "1\n", "b.md": "1\n" })).disk;
    const agent = (name: string) => openDesk({}, { author: name, task: name, undoes: "own" }, disk);
    const [ann, bob] = [await agent("ann"), await agent("bob")];
    await bob.call("edit_file", { path: "b.md", old_content: "1", new_content: "2" });
    await ann.call("edit_file", { path: "a.md", old_content: "1", new_content: "2" });
    expect(await bob.call("undo", {})).toMatchObject({ success: true, undoes: ["1"] });
    expect([ann.text("a.md"), ann.text("b.md")]).toEqual(["2\n", "1\n"]);
    expect(await bob.call("undo", {})).toMatchObject({ success: false, code: "no-change" });
    expect(await bob.call("undo", { entry: "2" })).toMatchObject({ success: true, undoes: ["2"] });
  });
});

test("every edit that fails is reported at once", async () => {
  const desk = await openDesk({ "a.md": "one\ntwo two\n", "b.md": "three\n" });
  const patch = JSON.stringify([
    { path: "a.md", old_string: "one", new_string: "1" },
    { path: "a.md", old_string: "none", new_string: "0" },
    { path: "a.md", old_string: "two", new_string: "2" },
    { path: "b.md", old_string: "threee", new_string: "3" },
    { path: "b.md", old_string: "three", new_string: "3" },
  ]);
  const result = await desk.call("apply_patch", { patch });
  expect(result).toMatchObject({ success: false, code: "not-found", path: "a.md" });
  expect(result.failures?.map(({ edit, path, code }) => [edit, path, code])).toEqual([
    [1, "a.md", "not-found"],
    [2, "a.md", "ambiguous"],
    [3, "b.md", "not-found"],
  ]);
  expect(result.hint).toContain("2 more edits of this call also fail");
  expect(desk.text("b.md")).toBe("three\n");
});

test("an aborted call says so and writes nothing", async () => {
  const desk = await openDesk({ "a.md": "old\n" }, { signal: AbortSignal.abort() });
  expect(await desk.call("edit_file", edit)).toMatchObject({ success: false, code: "aborted" });
  const controller = new AbortController();
  const approve: Approve = () => {
    controller.abort();
    return true;
  };
  const during = await openDesk({ "a.md": "old\n" }, { signal: controller.signal, approve });
  expect(await during.call("edit_file", edit)).toMatchObject({ success: false, code: "aborted" });
  expect(during.text("a.md")).toBe("old\n");
});

test.each([
  ["mode", { mode: "writer" as never }],
  ["profile", { profile: "code" as never }],
])("an unknown %s is refused when the context is opened", async (option, options) => {
  await expect(openDesk({}, options)).rejects.toThrow(`unknown ${option}`);
});

test("no hint of a tool names the option by which a person forces an edit", async () => {
  const desk = await openDesk({ "package.json": "{}\n" });
  const result = await desk.call("edit_file", { path: "package.json", old_content: "{}", new_content: "[]" });
  expect(result.code).toBe("needs-consent");
  expect(result.hint).not.toContain("--force");
  const unknown = await desk.call("edit_fiel", {});
  expect(unknown.error).toBe('There is no tool "edit_fiel".');
  expect(unknown.hint).toContain("edit_file");
});

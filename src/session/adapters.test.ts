import { describe, expect, test } from "vitest";
import { createMemoryDisk } from "../workspace/files/memory-files.ts";
import { openSession, type Session, type SessionOptions } from "./session.ts";
import { strictSchema, withoutNulls } from "./strict-schema.ts";
import { unwrap } from "./unwrap.ts";

async function open(
  files: Readonly<Record<string, string>>,
  options: Partial<SessionOptions> = {},
): Promise<{ session: Session; text: (path: string) => string | null }> {
  const disk = createMemoryDisk();
  for (const [path, text] of Object.entries(files)) disk.put(path, text);
  const opened = await openSession({ root: "/", files: disk.process(), ...options });
  const text = (path: string): string | null => {
    const read = disk.read(path);
    return read && new TextDecoder().decode(read.bytes);
  };
  return { session: unwrap(opened) as unknown as Session, text };
}

describe("Anthropic's text editor", () => {
  const use = (input: unknown) =>
    ({ type: "tool_use", id: "u1", name: "str_replace_based_edit_tool", input }) as const;

  test("views, replaces, creates, inserts and undoes, with absolute paths below the root too", async () => {
    const { session, text } = await open({ "src/a.ts": "one\ntwo\n", "src/b.ts": "b\n" });
    const { definitions, run } = session.tools.textEditor();
    expect(definitions).toMatchObject([
      { type: "text_editor_20250728", name: "str_replace_based_edit_tool" },
    ]);
    const view = await run(use({ command: "view", path: "/src/a.ts", view_range: [2, -1] }));
    expect(view).toEqual({ type: "tool_result", tool_use_id: "u1", content: "     2\ttwo" });
    const folder = await run(use({ command: "view", path: "/src" }));
    expect(folder.content).toBe("src/a.ts\nsrc/b.ts");
    await run(use({ command: "str_replace", path: "src/a.ts", old_str: "two", new_str: "2" }));
    await run(use({ command: "insert", path: "src/a.ts", insert_line: 1, insert_text: "1.5" }));
    expect(text("src/a.ts")).toBe("one\n1.5\n2\n");
    await run(use({ command: "undo_edit", path: "src/a.ts" }));
    expect(text("src/a.ts")).toBe("one\n2\n");
    await run(use({ command: "create", path: "/new.md", file_text: "new\n" }));
    expect(text("new.md")).toBe("new\n");
  });

  test.each<[string, unknown, RegExp]>([
    [
      "no match",
      { command: "str_replace", path: "a.md", old_str: "none", new_str: "" },
      /^Error: No match found/,
    ],
    [
      "many matches",
      { command: "str_replace", path: "a.md", old_str: "x", new_str: "" },
      /^Error: Found 2 matches/,
    ],
    ["a path outside", { command: "view", path: "/../etc/passwd" }, /^Error: /],
    ["nothing to undo", { command: "undo_edit", path: "a.md" }, /^Error: Nothing to undo\./],
    [
      "an existing file",
      { command: "create", path: "a.md", file_text: "" },
      /already exists.*\n\nUse str_replace/s,
    ],
    ["an unknown command", { command: "delete", path: "a.md" }, /unknown command.*view, str_replace/is],
    ["no path", { command: "view" }, /path is missing/],
    ["a missing field", { command: "str_replace", path: "a.md" }, /old_str/],
  ])("%s is an error in the words of this tool", async (_, input, wanted) => {
    const { session, text } = await open({ "a.md": "x x\n" });
    const answer = await session.tools.textEditor().run(use(input));
    expect(answer.is_error).toBe(true);
    expect(answer.content).toMatch(wanted);
    expect(text("a.md")).toBe("x x\n");
  });
});

describe("OpenAI's apply_patch", () => {
  test("creates, updates and deletes", async () => {
    const { session, text } = await open({ "a.md": "one\ntwo\n", "old.md": "x\n" });
    const { definitions, runAll } = session.tools.applyPatch();
    expect(definitions).toEqual([{ type: "apply_patch" }]);
    const call = (call_id: string, operation: unknown) => ({ type: "apply_patch_call", call_id, operation });
    const answers = await runAll([
      { type: "reasoning" },
      call("1", { type: "create_file", path: "new.md", diff: "+hello\n+\n+world\n" }),
      call("2", { type: "update_file", path: "a.md", diff: "@@\n one\n-two\n+2\n" }),
      call("3", { type: "delete_file", path: "old.md" }),
      call("4", { type: "update_file", path: "a.md", diff: "@@\n-none\n+2\n" }),
      call("5", { type: "create_file", path: "bad.md", diff: "hello\n" }),
      call("6", { type: "rename_file", path: "a.md" }),
      call("7", {
        type: "update_file",
        path: "a.md",
        diff: "--- a/b.md\n+++ b/b.md\n@@ -1 +1 @@\n-one\n+1\n",
      }),
    ]);
    expect(answers.map((answer) => "status" in answer && [answer.call_id, answer.status])).toEqual([
      ["1", "completed"],
      ["2", "completed"],
      ["3", "completed"],
      ["4", "failed"],
      ["5", "failed"],
      ["6", "failed"],
      ["7", "failed"],
    ]);
    expect([text("new.md"), text("a.md"), text("old.md"), text("bad.md")]).toEqual([
      "hello\n\nworld\n",
      "one\n2\n",
      null,
      null,
    ]);
  });

  test("keeps to the mode and to the approval", async () => {
    const reading = await open({ "a.md": "x\n" }, { mode: "analyze" });
    const deleting = {
      type: "apply_patch_call",
      call_id: "1",
      operation: { type: "delete_file", path: "a.md" },
    } as const;
    expect(await reading.session.tools.applyPatch().run(deleting)).toMatchObject({ status: "failed" });
    const asking = await open({ "a.md": "x\n" }, { approve: () => "Keep it." });
    const answer = await asking.session.tools.applyPatch().run(deleting);
    expect(answer).toMatchObject({ status: "failed", output: expect.stringContaining("Keep it.") });
    expect(asking.text("a.md")).toBe("x\n");
  });
});

describe("OpenAI functions", () => {
  test("strict schemas require every field, and null means that a field is not given", async () => {
    const { session, text } = await open({ "a.md": "old\n" });
    const { definitions, run } = session.tools.openai({ strict: true });
    for (const each of definitions) {
      if (each.type !== "function") throw new Error(each.type);
      expect(findLoose(each.parameters), each.name).toEqual([]);
    }
    const input = { path: "a.md", old_content: "old", new_content: "new", occurrence: null, within: null };
    const call = {
      type: "function_call",
      call_id: "c",
      name: "edit_file",
      arguments: JSON.stringify(input),
    } as const;
    expect(await run(call)).toMatchObject({ type: "function_call_output", call_id: "c" });
    expect(text("a.md")).toBe("new\n");
  });

  test("a chat call is answered by a message, and arguments that are no JSON by an error", async () => {
    const { session } = await open({ "a.md": "old\n" });
    const kit = session.tools.openai();
    const call = (text: string) =>
      ({ type: "function", id: "c", function: { name: "read_file", arguments: text } }) as const;
    expect(await kit.run(call('{"path":"a.md"}'))).toEqual({
      role: "tool",
      tool_call_id: "c",
      content: expect.stringMatching(/^ {5}1\told\n\(version \w{16}\)$/),
    });
    expect((await kit.run(call("{path"))).content).toMatch(/^Error: /);
    expect(kit.chatDefinitions[0]).toMatchObject({ type: "function", function: { name: "read_file" } });
  });

  test("the schema says that the first match counts only where it does", async () => {
    const occurrenceIn = async (matches: "only" | "first"): Promise<string> => {
      const { session } = await open({}, { matches });
      const edit = session.tools.list().find(({ name }) => name === "edit_file");
      return JSON.stringify((edit!.inputSchema.properties as Record<string, unknown>).occurrence);
    };
    expect(await occurrenceIn("only")).not.toContain("Default: 1");
    expect(await occurrenceIn("first")).toContain("Default: 1");
  });

  test("no schema states the range of safe integers", async () => {
    const { session } = await open({});
    expect(JSON.stringify(session.tools.list())).not.toContain("9007199254740991");
  });
});

/** The places where a schema breaks the rules of strict mode. */
function findLoose(schema: unknown, at = ""): string[] {
  if (typeof schema !== "object" || schema === null) return [];
  const {
    type,
    properties = {},
    required = [],
    additionalProperties,
    items,
  } = schema as {
    readonly type?: unknown;
    readonly properties?: Readonly<Record<string, unknown>>;
    readonly required?: readonly string[];
    readonly additionalProperties?: unknown;
    readonly items?: unknown;
  };
  const kinds: unknown[] = [type].flat();
  const inner = Object.entries(properties).flatMap(([name, each]) => findLoose(each, `${at}.${name}`));
  const nested = [...inner, ...findLoose(items, `${at}[]`)];
  if ("default" in schema) nested.push(`${at}: default`);
  if (!kinds.includes("object")) return nested;
  const missing = Object.keys(properties).filter((name) => !required.includes(name));
  return [
    ...nested,
    ...missing.map((name) => `${at}.${name}`),
    ...(additionalProperties === false ? [] : [at]),
  ];
}

test("a strict schema keeps choices and lists, and nulls are dropped at every depth", () => {
  const schema = {
    type: "object",
    properties: {
      kind: { type: "string", enum: ["a", "b"] },
      list: { type: "array", items: { type: "object", properties: { x: { type: "integer", default: 1 } } } },
    },
  };
  expect(strictSchema(schema)).toEqual({
    type: "object",
    properties: {
      kind: { type: ["string", "null"], enum: ["a", "b", null] },
      list: {
        type: ["array", "null"],
        items: {
          type: "object",
          properties: { x: { type: ["integer", "null"] } },
          required: ["x"],
          additionalProperties: false,
        },
      },
    },
    required: ["kind", "list"],
    additionalProperties: false,
  });
  expect(withoutNulls({ a: null, b: [{ c: null, d: 0 }] })).toEqual({ b: [{ d: 0 }] });
});

describe("MCP as a function", () => {
  const ask = (body: unknown, headers: Record<string, string> = {}, method = "POST"): Request =>
    new Request("https://example.test/mcp", {
      method,
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        ...headers,
      },
      ...(method === "POST" ? { body: JSON.stringify(body) } : {}),
    });
  const call = (name: string, input: unknown) => ({
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name, arguments: input },
  });

  test("edits in the name of the user", async () => {
    const { session, text } = await open({ "a.md": "old\n" });
    const mcp = session.tools.mcp();
    const edit = call("edit_file", { path: "a.md", old_content: "old", new_content: "new" });
    const response = await mcp.fetch(ask(edit), { user: "ann" });
    expect(response.status).toBe(200);
    expect(await response.text()).toContain("Edited a.md");
    expect(text("a.md")).toBe("new\n");
    const [entry] = await session.context.reader.history();
    expect(entry?.author).toBe("ann");
    await session.close();
    expect((await mcp.fetch(ask(edit), { user: "ann" })).status).toBe(503);
  });

  test("two users are two authors: the lines of one are not overwritten by the other", async () => {
    const { session, text } = await open({ "a.md": "one\ntwo\nthree\n" });
    const mcp = session.tools.mcp();
    const edit = async (user: string, old_content: string, new_content: string) =>
      (await mcp.fetch(ask(call("edit_file", { path: "a.md", old_content, new_content })), { user })).text();
    await edit("ann", "two", "2");
    expect(await edit("bob", "2", "zwei")).toContain("Conflict in a.md");
    expect(await edit("bob", "three", "3")).toContain("Edited a.md");
    const undone = await mcp.fetch(ask(call("undo", {})), { user: "ann" });
    expect(await undone.text()).toContain("Undid entry 1");
    expect(text("a.md")).toBe("one\ntwo\n3\n");
  });

  test.each<[string, Request, number]>([
    ["another method", ask({}, {}, "GET"), 405],
    ["another content type", ask({}, { "content-type": "text/plain" }), 415],
    ["the page of another origin", ask({}, { origin: "https://evil.test" }), 403],
    ["the session of another server", ask({}, { "mcp-session-id": "1" }), 404],
    ["a large body", ask({}, { "content-length": String(17 << 20) }), 413],
  ])("%s is denied", async (_, request, status) => {
    const { session } = await open({});
    expect((await session.tools.mcp().fetch(request)).status).toBe(status);
  });

  test("a user has a limited number of unread answers", async () => {
    const { session } = await open({ "a.md": "old\n" });
    const mcp = session.tools.mcp();
    const read = call("read_file", { path: "a.md" });
    const open8 = await Promise.all(Array.from({ length: 8 }, () => mcp.fetch(ask(read), { user: "ann" })));
    expect((await mcp.fetch(ask(read), { user: "ann" })).status).toBe(429);
    expect((await mcp.fetch(ask(read), { user: "bob" })).status).toBe(200);
    for (const response of open8) await response.text();
    expect((await mcp.fetch(ask(read), { user: "ann" })).status).toBe(200);
  });
});

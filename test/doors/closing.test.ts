import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { Client } from "@modelcontextprotocol/client";
import { InMemoryTransport } from "@modelcontextprotocol/server";
import { isStepCount, type ModelMessage, streamText } from "ai";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTools } from "../../src/ai.ts";
import { callTool, catalog } from "../../src/docs/catalog.ts";
import { openMcp } from "../../src/mcp/index.ts";
import { openDesk } from "../../src/tools/testing.ts";
import type { Result } from "../../src/tools/tool.ts";
import { openReview } from "../../src/web/review/open-review.ts";
import { serveReview } from "../../src/web/server.ts";
import { createMemoryDisk } from "../../src/workspace/files/memory-files.ts";
import { openServer, type ScriptedServer } from "../agents/scripted-server.ts";

const made: string[] = [];
let server: ScriptedServer;
beforeAll(async () => {
  server = await openServer((request) =>
    request.model === "failing"
      ? { status: 400 }
      : request.messages.some(({ role }) => role === "tool")
        ? { text: "Done." }
        : { calls: [{ name: "edit_file", input: edit }] },
  );
});
afterAll(async () => {
  await server.close();
  for (const path of made) rmSync(path, { recursive: true });
});

const edit = { path: "a.md", old_content: "old", new_content: "new" };

describe("every tool after closing", () => {
  const inputs: Record<string, unknown> = {
    read_file: { path: "a.md" },
    list_files: {},
    search_files: { query: "old" },
    edit_file: edit,
    patch_file: { path: "a.md", patch: "@@ -1 +1 @@\n-old\n+new\n" },
    insert_at: { path: "a.md", line: 0, content: "x" },
    write_file: { path: "b.md", content: "x" },
    edit_symbol: { path: "a.ts", symbol: "a", action: "replace", content: "const a = 2;" },
    apply_patch: { patch: "--- a/a.md\n+++ b/a.md\n@@ -1 +1 @@\n-old\n+new\n" },
    edit_article: { path: "a.md", edits: [{ old_string: "old", new_string: "new", reason: "why" }] },
    find_drift: {},
    undo: {},
    redo: {},
    history: {},
  };

  test.each(catalog.map(({ name }) => name))("%s says that the workspace is closed", async (name) => {
    const profile = catalog.find((tool) => tool.name === name)!.profiles[0]!;
    const desk = await openDesk({ "a.md": "old\n", "a.ts": "const a = 1;\n" }, { profile });
    await desk.context[Symbol.asyncDispose]();
    const result = await callTool(desk.context, name, inputs[name]);
    expect(result).toMatchObject({ success: false, code: "closed", tool: name });
    expect(result.error).toBe("The workspace was closed before this call. Nothing was read or written.");
    expect(desk.files()).toEqual(["a.md", "a.ts"]);
  });
});

describe("two tenants whose handlers stream", () => {
  test("a stream that continues after its tools were disposed changes no file", async () => {
    const [ann, bob] = [newRoot("ann"), newRoot("bob")];
    const handle = async (root: string) => {
      await using tools = await createTools({ root, mode: "modify" });
      return stream(tools);
    };
    const late = await handle(ann);
    await using tools = await createTools({ root: bob, mode: "modify" });
    const outputs = await toolOutputs(late);
    expect(outputs).toMatchObject([{ success: false, code: "closed" }]);
    expect([textIn(ann), textIn(bob)]).toEqual(["old, owner ann\n", "old, owner bob\n"]);
    expect(Object.keys(tools)).toContain("edit_file");
  });

  test("a handler that closes at the end of its stream edits its own tenant's files", async () => {
    const [ann, bob] = [newRoot("ann"), newRoot("bob")];
    const handle = async function* (root: string): AsyncGenerator<string> {
      const tools = await createTools({ root, mode: "modify" });
      try {
        yield* stream(tools).textStream;
      } finally {
        await tools[Symbol.asyncDispose]();
      }
    };
    const collect = async (texts: AsyncGenerator<string>): Promise<string> => {
      let all = "";
      for await (const text of texts) all += text;
      return all;
    };
    expect(await Promise.all([collect(handle(ann)), collect(handle(bob))])).toEqual(["Done.", "Done."]);
    expect([textIn(ann), textIn(bob)]).toEqual(["new, owner ann\n", "new, owner bob\n"]);
  });

  test("the callbacks for the end of a stream close the tools after the last call", async () => {
    const root = newRoot("ann");
    for (const [model, after] of [
      ["scripted", "new, owner ann\n"],
      ["failing", "new, owner ann\n"],
    ] as const) {
      const tools = await createTools({ root, mode: "modify" });
      const closed: string[] = [];
      const close = async (): Promise<void> => {
        await tools[Symbol.asyncDispose]();
        closed.push(model);
      };
      await stream(tools, model, { onEnd: close, onError: close, onAbort: close }).consumeStream();
      expect(closed).toContain(model);
      expect(textIn(root)).toBe(after);
    }
  });

  test("disposal answers the calls that were made before it, and refuses later ones", async () => {
    const root = newRoot("ann");
    const tools = await createTools({ root, mode: "modify" });
    const call = (input: unknown) =>
      tools.edit_file!.execute!(input, {
        toolCallId: "1",
        messages: [] as ModelMessage[],
        context: {},
      }) as Promise<Result>;
    const early = [call(edit), call({ ...edit, old_content: "new", new_content: "newer" })];
    const closing = tools[Symbol.asyncDispose]();
    expect(await call(edit)).toMatchObject({ success: false, code: "closed" });
    await closing;
    expect((await Promise.all(early)).map(({ success }) => success)).toEqual([true, true]);
    expect(textIn(root)).toBe("newer, owner ann\n");
    await tools[Symbol.asyncDispose]();
  });
});

test("a copy of the tools can be closed", async () => {
  const root = newRoot("ann");
  const tools = await createTools({ root, mode: "modify" });
  const copy: typeof tools = { ...tools };
  await copy[Symbol.asyncDispose]();
  const options = { toolCallId: "1", messages: [] as ModelMessage[], context: {} };
  expect(await copy.edit_file!.execute!(edit, options)).toMatchObject({ success: false, code: "closed" });
});

describe("servers after closing", () => {
  test("MCP answers that the workspace is closed, for tools and for entries", async () => {
    const disk = createMemoryDisk();
    disk.put("a.md", "old\n");
    const opened = await openMcp({ root: "/", files: disk.process(), version: "0.0.0" });
    if (!opened.ok) throw new Error(JSON.stringify(opened.refusal));
    const [here, there] = InMemoryTransport.createLinkedPair();
    await opened.value.createServer().connect(there);
    const client = new Client({ name: "tests", version: "1.0.0" });
    await client.connect(here);
    await client.callTool({ name: "edit_file", arguments: edit });
    await opened.value[Symbol.asyncDispose]();
    await opened.value.close();
    const answer = await client.callTool({ name: "read_file", arguments: { path: "a.md" } });
    expect(answer.structuredContent).toMatchObject({ success: false, code: "closed" });
    await expect(client.readResource({ uri: "suture://entry/1" })).rejects.toThrow("closed");
    await expect(client.readResource({ uri: "suture://entry/1/diff" })).rejects.toThrow("closed");
    await expect(client.listResources()).rejects.toThrow("closed");
  });

  test("a review that is closed refuses, and its server can be closed twice", async () => {
    const root = newRoot("ann");
    const check = async () => nothingFound;
    const review = await openReview({ root, fresh: true, check });
    if (!review.ok) throw new Error(JSON.stringify(review.refusal));
    const { session, context } = review.value;
    const served = await serveReview({ assets: new Map(), reader: context.reader, session });
    if (!served.ok) throw new Error(JSON.stringify(served.refusal));
    await session;
    await review.value[Symbol.asyncDispose]();
    const { url, token, port } = served.value;
    const headers = { Authorization: `Bearer ${token}`, Host: `127.0.0.1:${port}` };
    const answer = await fetch(new URL("/api/history", url), { headers });
    expect(answer.status).toBe(422);
    expect(await answer.text()).toContain("closed");
    await served.value.close();
    await served.value[Symbol.asyncDispose]();
  });

  test("a review that is closed while its session opens gets a refusal", async () => {
    const root = newRoot("ann");
    const closed = Promise.withResolvers<void>();
    const review = await openReview({
      root,
      fresh: true,
      check: async () => {
        await closed.promise;
        return nothingFound;
      },
    });
    if (!review.ok) throw new Error(JSON.stringify(review.refusal));
    await review.value.close();
    closed.resolve();
    expect(await review.value.session).toMatchObject({ ok: false, refusal: { code: "closed" } });
  });
});

const nothingFound = {
  ok: true,
  value: { base: "a".repeat(40), head: "b".repeat(40), findings: [], unknown: [] },
} as const;

type Callbacks = Pick<Parameters<typeof streamText>[0], "onEnd" | "onError" | "onAbort">;

function stream(
  tools: Awaited<ReturnType<typeof createTools>>,
  name = "scripted",
  callbacks: Callbacks = {},
) {
  const provider = createOpenAICompatible({ name: "scripted", baseURL: `${server.url}/v1`, apiKey: "none" });
  const stopWhen = isStepCount(3);
  return streamText({
    ...callbacks,
    model: provider(name),
    prompt: "Go on.",
    tools,
    stopWhen,
    maxRetries: 0,
  });
}

async function toolOutputs(streamed: ReturnType<typeof stream>): Promise<Result[]> {
  await streamed.consumeStream();
  return (await streamed.steps).flatMap(({ toolResults }) =>
    toolResults.map(({ output }) => output as Result),
  );
}

function newRoot(owner: string): string {
  const root = mkdtempSync(join(tmpdir(), "suture-tenant-"));
  made.push(root);
  writeFileSync(join(root, "a.md"), `old, owner ${owner}\n`);
  return root;
}

function textIn(root: string): string {
  return readFileSync(join(root, "a.md"), "utf8");
}

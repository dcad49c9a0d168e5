import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { asSchema, generateText, isStepCount, type ToolSet } from "ai";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createPatchFileTool, createTools } from "../../src/ai.ts";
import { openSession, unwrap } from "../../src/index.ts";
import type { Result } from "../../src/tools/tool.ts";
import { createMemoryDisk } from "../../src/workspace/files/memory-files.ts";
import { openServer, type ScriptedServer, type Turn } from "../agents/scripted-server.ts";

let server: ScriptedServer;
let script: Turn[] = [];
beforeAll(async () => {
  server = await openServer(() => script.shift() ?? { text: "Done." });
});
afterAll(() => server.close());

function run(tools: ToolSet, turns: Turn[]) {
  script = [...turns];
  const provider = createOpenAICompatible({ name: "scripted", baseURL: `${server.url}/v1`, apiKey: "none" });
  return generateText({ model: provider("scripted"), prompt: "Go on.", tools, stopWhen: isStepCount(5) });
}

describe("createPatchFileTool", () => {
  const patch = (original_text_snippet: string, new_text_snippet: string, reason = "why") => ({
    name: "patch_file",
    input: { original_text_snippet, new_text_snippet, reason },
  });

  test("three required strings with the agreed descriptions", async () => {
    const { inputSchema } = createPatchFileTool({ content: "", path: "docs/a.md" });
    expect(await asSchema(inputSchema).jsonSchema).toEqual({
      type: "object",
      properties: {
        original_text_snippet: {
          type: "string",
          description:
            "The exact literal text snippet to replace (including newlines/indentation). Must uniquely identify the section.",
        },
        new_text_snippet: {
          type: "string",
          description: "The new text content to replace the old snippet with.",
        },
        reason: { type: "string", description: "The reason for this change." },
      },
      required: ["original_text_snippet", "new_text_snippet", "reason"],
      additionalProperties: false,
    });
  });

  test("a model patches, sees a miss, and corrects it in the same run", async () => {
    const page = { content: "Requests wait 30 seconds.\n", path: "docs/a.md" };
    const { text } = await run({ patch_file: createPatchFileTool(page) }, [
      { calls: [patch("wait 31 seconds", "wait 60 seconds")] },
      { calls: [patch("wait 30 seconds", "wait 60 seconds")] },
      { text: "Changed the timeout." },
    ]);
    expect(page.content).toBe("Requests wait 60 seconds.\n");
    expect(text).toBe("Changed the timeout.");
    const heard = server.requests
      .at(-1)!
      .messages.filter(({ role }) => role === "tool")
      .map(({ text }) => text);
    expect(heard).toEqual([
      "Error: Could not find the exact snippet in docs/a.md. Ensure you are quoting the existing text exactly.",
      'Success: Applied patch for "why".',
    ]);
  });

  test("several calls of one step are applied in order", async () => {
    const page = { content: "a\n", path: "docs/a.md" };
    await run({ patch_file: createPatchFileTool(page) }, [
      { calls: [patch("a", "b"), patch("b", "c d"), patch("d", "e"), patch("a", "x")] },
    ]);
    expect(page.content).toBe("c e\n");
  });

  test("malformed calls change nothing and return a sentence", async () => {
    const page = { content: "a\n", path: "docs/a.md" };
    await run({ patch_file: createPatchFileTool(page) }, [
      { calls: [{ name: "patch_file", input: { original_text_snippet: "a", new_text_snippet: "b" } }] },
      {
        calls: [
          { name: "patch_file", input: { original_text_snippet: 1, new_text_snippet: "b", reason: "c" } },
        ],
      },
    ]);
    expect(page.content).toBe("a\n");
  });
});

describe("createTools", () => {
  const withRoot = async (work: (root: string) => Promise<void>): Promise<void> => {
    const root = mkdtempSync(join(tmpdir(), "suture-ai-"));
    try {
      await work(root);
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  };

  test("calls of one step on one file are applied in order", () =>
    withRoot(async (root) => {
      writeFileSync(join(root, "a.md"), "0\n");
      await using tools = await createTools({ root });
      const step = (from: number) => ({
        name: "edit_file",
        input: { path: "a.md", old_content: `${from}\n`, new_content: `${from + 1}\n` },
      });
      const { steps } = await run(tools, [{ calls: Array.from({ length: 8 }, (_, i) => step(i)) }]);
      expect(steps[0]!.toolResults.map(({ output }) => (output as Result).success)).toEqual(
        Array(8).fill(true),
      );
      expect(readFileSync(join(root, "a.md"), "utf8")).toBe("8\n");
    }));

  test("a refused edit is retried by its handle, and lines that another program changed are not overwritten", () =>
    withRoot(async (root) => {
      const path = join(root, "a.py");
      writeFileSync(path, "def f():\n    a = 1\n    return a\n");
      await using tools = await createTools({ root });
      const edit = (old_content: string, new_content: string) => ({
        calls: [{ name: "edit_file", input: { path: "a.py", old_content, new_content } }],
      });
      await run(tools, [
        edit("  a = 1\n  return a", "  a = 2\n  return a"),
        { calls: [{ name: "retry_edit", input: { handle: "r1" } }] },
      ]);
      expect(readFileSync(path, "utf8")).toBe("def f():\n    a = 2\n    return a\n");
      const changed = "def f():\n    a = 2  # two\n    return a\n";
      writeFileSync(path, changed);
      const { steps } = await run(tools, [edit("a = 2", "a = 3")]);
      expect(steps[0]!.toolResults[0]!.output).toMatchObject({ success: false, code: "stale" });
      expect(readFileSync(path, "utf8")).toBe(changed);
    }));

  test("the mode decides which tools are offered", () =>
    withRoot(async (root) => {
      await using reading = await createTools({ root, mode: "analyze" });
      expect(Object.keys(reading)).not.toContain("edit_file");
      expect(Object.keys(reading)).toContain("read_file");
      await using docs = await createTools({ root, profile: "docs" });
      expect(Object.keys(docs)).toContain("edit_article");
      expect(Object.keys(docs)).not.toContain("edit_file");
    }));

  test("the model gets error and hint, the program gets the whole result", () =>
    withRoot(async (root) => {
      writeFileSync(join(root, "a.md"), "x x\n");
      await using tools = await createTools({ root, profile: "docs" });
      const edits = [{ old_string: "x", new_string: "y", reason: "because" }];
      const { steps } = await run(tools, [
        { calls: [{ name: "edit_article", input: { path: "a.md", edits } }] },
      ]);
      const output = steps[0]!.toolResults[0]!.output as Result;
      expect(output).toMatchObject({ success: false, code: "ambiguous", hint: expect.any(String) });
      const heard = server.requests.at(-1)!.messages.findLast(({ role }) => role === "tool")!.text;
      expect(heard).toBe(`${output.error}\n\n${output.hint}`);
    }));

  test("a folder that is not there is an error at once", async () => {
    await expect(createTools({ root: join(tmpdir(), "suture-nowhere") })).rejects.toThrow();
  });
});

test("the AI SDK runs the tools of a session, and their types go together", async () => {
  const disk = createMemoryDisk();
  disk.put("a.md", "old\n");
  await using session = unwrap(await openSession({ root: "/", files: disk.process(), mode: "modify" }));
  const tools: ToolSet = session.tools.ai();
  const edit = { path: "a.md", old_content: "old", new_content: "new" };
  const { steps } = await run(tools, [
    { calls: [{ name: "edit_file", input: edit }] },
    { calls: [{ name: "undo", input: {} }] },
  ]);
  expect(
    steps.flatMap(({ toolResults }) => toolResults.map(({ output }) => (output as Result).success)),
  ).toEqual([true, true]);
  expect(new TextDecoder().decode(disk.read("a.md")?.bytes)).toBe("old\n");
});

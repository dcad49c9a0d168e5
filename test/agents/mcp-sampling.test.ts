import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { InMemoryTransport } from "@modelcontextprotocol/server";
import { afterEach, describe, expect, test } from "vitest";
import { auditSchema } from "../../src/docs/record/audit-schema.ts";
import { openMcp } from "../../src/mcp/index.ts";
import type { Mode, Result } from "../../src/tools/tool.ts";
import { openProject, type Project } from "./project.ts";
import { answerSection, isSearch, readSection } from "./section-model.ts";

let project: Project;
const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
  await project.close();
});

const main = join(import.meta.dirname, "../../src/cli/main.ts");
// A name that went without a successor: the rules point at the passages, and the model writes them.
const page = "# CLI\n\nPass a path.\n\nCall `removeCache()` to start afresh.\n";

async function begin(): Promise<void> {
  project = await openProject({
    "src/cli.ts": "export function removeCache() {}\nexport function clear() {}\n",
    "docs/cli.md": page,
    "docs/cache.md": "# Cache\n\nIt is emptied by `removeCache()`.\n",
    "docs/other.md": "# Other\n\naaa\n",
  });
  project.put("src/cli.ts", "export function clear() {}\n");
  project.commit("change");
}

type Asked = { system: string; text: string; path: string };
type Answer = string | null;

/** The official client, whose person lets the server ask their model. */
async function connect(
  wire: "memory" | "process",
  answer?: (asked: Asked) => Answer,
  { search = "NONE", ...more }: { mode?: Mode; search?: string } = {},
): Promise<{ client: Client; asked: Asked[] }> {
  const asked: Asked[] = [];
  const client = new Client(
    { name: "tests", version: "1.0.0" },
    { versionNegotiation: { mode: "auto" }, ...(answer ? { capabilities: { sampling: {} } } : {}) },
  );
  if (answer)
    client.setRequestHandler("sampling/createMessage", async ({ params }) => {
      const text = params.messages
        .flatMap(({ content }) => (Array.isArray(content) ? content : [content]))
        .map((block) => (block.type === "text" ? block.text : ""))
        .join("\n");
      const { path } = readSection(text);
      const question = { system: params.systemPrompt ?? "", text, path };
      if (!isSearch(question)) asked.push(question);
      const said = isSearch(question) ? search : answer(question);
      if (said === null) throw new Error("the person said no");
      return { role: "assistant", model: "theirs", content: { type: "text", text: said } };
    });
  if (wire === "process") {
    const args = [main, "mcp", "--profile", "docs", "--root", project.root];
    await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: "ignore" }));
    closing.push(() => client.close());
    return { client, asked };
  }
  const opened = await openMcp({ root: project.root, profile: "docs", version: "0.0.0", ...more });
  if (!opened.ok) throw new Error(JSON.stringify(opened.refusal));
  const [here, there] = InMemoryTransport.createLinkedPair();
  await opened.value.createServer().connect(there);
  await client.connect(here);
  closing.push(
    () => client.close(),
    () => opened.value.close(),
  );
  return { client, asked };
}

const fixed = ({ text }: Asked): string =>
  answerSection(text, (section) => section.replaceAll("removeCache()", "clear()"));

async function fixDocs(client: Client, input: Record<string, unknown> = {}): Promise<Result> {
  const result = await client.callTool({ name: "fix_docs", arguments: { base: "HEAD~1", ...input } });
  return result.structuredContent as Result;
}

describe("a client that lets the server ask its model", () => {
  // The newest protocol has the client ask again; before it, the server asked in between.
  test.each([
    ["2026-07-28", "process"],
    ["2025-11-25", "memory"],
  ] as const)(
    "has its documentation made true by its own model, without a key, in one run that undo takes back (%s)",
    async (version, wire) => {
      await begin();
      const before = project.snapshot();
      const { client, asked } = await connect(wire, fixed);
      expect(client.getNegotiatedProtocolVersion()).toBe(version);
      const result = await fixDocs(client);
      expect(result).toMatchObject({ success: true, left: [] });
      expect(project.text("docs/cli.md")).toBe(page.replace("removeCache", "clear"));
      expect(project.text("docs/cache.md")).toContain("`clear()`");
      expect(asked).toHaveLength(2);
      const record = auditSchema.parse(JSON.parse(project.text(`.suture/audit/${String(result.run)}.json`)));
      expect(record).toMatchObject({ model: "client:tests", usage: { costUsd: null } });
      const { run } = await project.open();
      await run.context.workspace!.undo({ run: String(result.run) }, { author: "test" });
      expect(project.snapshot()).toEqual(before);
    },
  );

  test.each([
    ["FIX", "doubles"],
    ["KEEP", "grows by a second"],
  ] as const)(
    "its model is asked where the rules are silent, and judges what it quotes: %s",
    async (word, after) => {
      const retry = "# Retries\n\nThe delay of `waitBeforeRetry` grows by a second with each attempt.\n";
      const code = (delay: string): string =>
        `export function waitBeforeRetry(attempt) {\n  return ${delay};\n}\n`;
      project = await openProject({ "src/retry.ts": code("attempt * 1000"), "docs/retry.md": retry });
      project.put("src/retry.ts", code("2 ** attempt * 1000"));
      project.commit("delays of waitBeforeRetry double");
      const rewrite = (section: string): string => section.replace("grows by a second", "doubles");
      const search =
        "FALSE\npage: The delay of `waitBeforeRetry` grows by a second\ncode: return 2 ** attempt * 1000;\nnow: The delay doubles.";
      const answer = ({ text }: Asked): string =>
        answerSection(text, rewrite, word, "src/retry.ts doubles it.");
      const { client } = await connect("memory", answer, { search });
      expect(await fixDocs(client)).toMatchObject({ success: true, left: [] });
      expect(project.text("docs/retry.md")).toBe(retry.replace("grows by a second", after));
    },
  );

  test("is told which edits a rule made and which its model, also where its model answers with the rule's own edit", async () => {
    const code = (count: number): string =>
      `function normalize(url, opts) {\n\topts = Object.assign(\n\t\t{\n\t\t\tpath: '',\n\t\t\tretries: ${count}\n\t\t},\n\t\turl\n\t);\n\treturn opts;\n}\n`;
    const options =
      "# Options\n\n###### retries\n\nType: `number`, `function`<br>\nDefault: `5`\n\nNumber of retries.\n";
    project = await openProject({
      "src/cli.ts": "export function removeCache() {}\nexport function clear() {}\n",
      "src/options.js": code(5),
      "src/old-place.ts": "export function start() {}\n",
      "docs/cli.md": page,
      "docs/options.md": options,
      "docs/place.md": "# Place\n\nIt starts in [the source](../src/old-place.ts).\n",
    });
    project.put("src/cli.ts", "export function clear() {}\n");
    project.put("src/options.js", code(2));
    project.git("mv", "src/old-place.ts", "src/new-place.ts");
    project.commit("change");
    const { client, asked } = await connect("memory", ({ text }) =>
      answerSection(text, (section) => section.replace("removeCache()", "clear()").replace("`5`", "`2`")),
    );
    const result = await fixDocs(client);
    const makers = (result.fixed as { path: string; by: string }[]).map(({ path, by }) => [path, by]);
    expect(Object.fromEntries(makers)).toEqual({
      "docs/place.md": "rule",
      "docs/options.md": "rule",
      "docs/cli.md": "client:tests",
    });
    expect(asked.map(({ path }) => path).sort()).toEqual(["docs/cli.md", "docs/options.md"]);
    expect(project.text("docs/place.md")).toContain("../src/new-place.ts");
    expect(project.text("docs/options.md")).toBe(options.replace("5", "2"));
    const record = auditSchema.parse(JSON.parse(project.text(`.suture/audit/${String(result.run)}.json`)));
    const signed = record.articles.filter(({ edits = [] }) => edits.some(({ by }) => by !== undefined));
    expect(signed.map(({ path }) => path)).toEqual(["docs/cli.md"]);
  });

  test("a refused edit goes back with the reason, and an edit that is refused twice is left", async () => {
    await begin();
    const { client, asked } = await connect("memory", ({ text, path }) =>
      path === "docs/cache.md"
        ? answerSection(text, (section) => section.replace("removeCache()", "inventedCall()"))
        : answerSection(text, String, "KEEP"),
    );
    const result = await fixDocs(client);
    expect(
      asked.some(({ text }) => text.includes("must be corrected") && text.includes("inventedCall")),
    ).toBe(true);
    expect(project.text("docs/cache.md")).toContain("removeCache");
    expect(result.left).toHaveLength(2);
  });

  test("a run that needs more rounds than a client allows ends by itself, and keeps the finished edits", async () => {
    await begin();
    // Two such sections do not fit one question.
    const filler = "Words fill this part. ".repeat(200);
    project.put(
      "docs/long.md",
      `# Long\n\n${Array.from({ length: 9 }, (_, i) => `## Part ${i}\n\nCall \`removeCache()\`.\n\n${filler}\n`).join("\n")}`,
    );
    const { client } = await connect("memory", ({ text }) =>
      answerSection(text, (section) => section.replaceAll("removeCache()", "clear()")),
    );
    const result = await fixDocs(client, { path: "docs/long.md", limit: 20 });
    expect(result.success).toBe(true);
    expect((result.fixed as unknown[]).length).toBeGreaterThan(1);
    expect((result.left as unknown[]).length).toBeGreaterThan(1);
    expect(project.text("docs/long.md").match(/clear\(\)/g)).toHaveLength((result.fixed as unknown[]).length);
  });

  test("a model that obeys hostile text writes only to its passage", async () => {
    await begin();
    const before = project.snapshot();
    const { client } = await connect("memory", ({ text }) => answerSection(text, () => "# Other\n\nbbb"));
    await fixDocs(client);
    expect(project.snapshot()).toEqual(before);
  });
});

test("a person who says no ends the call, and nothing is written", async () => {
  await begin();
  const before = project.snapshot();
  const { client } = await connect("memory", () => null);
  const result = await client.callTool({ name: "fix_docs", arguments: { base: "HEAD~1" } });
  expect(result.isError).toBe(true);
  expect(project.snapshot()).toEqual(before);
});

test("clients without sampling, and servers that only read, are not offered it", async () => {
  await begin();
  const names = async ({ client }: { client: Client }) =>
    (await client.listTools()).tools.map(({ name }) => name);
  expect(await names(await connect("memory", fixed))).toContain("fix_docs");
  const without = await connect("memory");
  expect(await names(without)).not.toContain("fix_docs");
  await expect(without.client.callTool({ name: "fix_docs", arguments: {} })).rejects.toThrow("Unknown tool");
  expect(await names(await connect("memory", fixed, { mode: "analyze" }))).not.toContain("fix_docs");
});

test("prompts offer the same work to the client's own agent, with the articles that a change concerns", async () => {
  await begin();
  project.put("docs/watch.md", "---\nattention:\n  - src/*.ts\n---\n# Watch\n");
  project.commit("an article");
  const { client } = await connect("memory");
  const textOf = async (name: string, values: Record<string, string>): Promise<string> => {
    const { messages } = await client.getPrompt({ name, arguments: values });
    return (messages[0]!.content as { text: string }).text;
  };
  expect(await textOf("update-articles", { base: "HEAD~2" })).toMatch(
    /- docs\/watch\.md \(watches src\/cli\.ts\)[\s\S]*edit_article/,
  );
  expect(await textOf("update-articles", { base: "HEAD~1" })).toContain("No article watches");
  expect(await textOf("update-articles", { base: "nowhere" })).toContain("no revision");
  expect(await textOf("fix-docs", { base: "HEAD~1" })).toContain('find_drift with {"base":"HEAD~1"}');
  expect(await textOf("update-page", { path: "docs/cli.md" })).toMatch(/docs\/cli\.md[\s\S]*edit_article/);
  await expect(client.getPrompt({ name: "update-page", arguments: {} })).rejects.toThrow("path");
});

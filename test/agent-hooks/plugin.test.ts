import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { pluginFiles } from "../../src/agent-hooks/plugin/plugin-files.ts";
import { Trial } from "./trial.ts";

const files = pluginFiles(manifest);
const skillPaths = Object.keys(files).filter((path) => path.endsWith("SKILL.md"));

test.each(skillPaths)("%s has the form that clients want", (path) => {
  const text = files[path]!;
  const [, front = "", body = ""] = text.split("---\n");
  const field = (name: string): string => new RegExp(`^${name}: (.*)$`, "m").exec(front)?.[1] ?? "";
  expect(field("name")).toBe(path.split("/").at(-2));
  expect(field("name").length).toBeLessThanOrEqual(64);
  expect(field("description").length).toBeGreaterThan(40);
  expect(field("description").length).toBeLessThanOrEqual(1024);
  expect(field("compatibility").length).toBeLessThanOrEqual(500);
  expect(body.split("\n").length).toBeLessThan(500);
});

test("the registry's entry has the name of the package, and a short description", () => {
  const entry = JSON.parse(files["server.json"]!) as { name: string; description: string; version: string };
  expect(entry).toMatchObject({ name: manifest.mcpName, version: manifest.version });
  expect(entry.description.length).toBeLessThanOrEqual(100);
});

test("a manifest of Agent Plugins has only the keys that its closed schema knows", () => {
  const known = ["$schema", "name", "version", "description", "license", "keywords"];
  expect(Object.keys(JSON.parse(files["plugin/plugin.json"]!))).toEqual(known);
  const { mcpServers } = JSON.parse(files["plugin/mcp.json"]!);
  expect(mcpServers.suture).toEqual({
    type: "stdio",
    command: "npx",
    args: [
      "-y",
      "--prefix",
      "~/",
      "--package",
      `${manifest.repository.url}#v${manifest.version}`,
      "--",
      "suture",
      "mcp",
    ],
  });
});

describe("tools that replace the edit tool of a client", () => {
  const folder = mkdtempSync(join(tmpdir(), "suture-tools-"));
  beforeAll(() => {
    process.env.SUTURE_COMMAND = `${process.execPath} ${resolve("src/cli/main.ts")}`;
  });
  afterAll(() => {
    delete process.env.SUTURE_COMMAND;
    rmSync(folder, { recursive: true });
  });

  /** The tool of a source, as its client would load it. */
  async function load(path: string): Promise<(root: string, old: string, fresh: string) => Promise<unknown>> {
    const plain =
      "const schema: any = new Proxy(() => schema, { get: () => schema }); const tool: any = (it: any) => it; tool.schema = schema;";
    const source = files[path]!.replace('import { tool } from "@opencode-ai/plugin";', plain);
    const file = join(folder, path.replaceAll("/", "-"));
    writeFileSync(file, source);
    const { default: value } = (await import(pathToFileURL(file).href)) as { default: unknown };
    if (typeof value !== "function") {
      const { execute } = value as { execute(input: unknown, context: unknown): Promise<unknown> };
      return (root, oldString, newString) =>
        execute({ filePath: join(root, "docs/guide.md"), oldString, newString }, { directory: root });
    }
    let execute: (...words: unknown[]) => Promise<unknown> = async () => undefined;
    value({ registerTool: (one: { execute: typeof execute }) => (execute = one.execute) });
    return (root, oldText, newText) =>
      execute("1", { path: "docs/guide.md", edits: [{ oldText, newText }] }, undefined, undefined, {
        cwd: root,
      });
  }

  test("several edits of one call are made all or none", async () => {
    using trial = new Trial();
    let execute: (...words: unknown[]) => Promise<unknown> = async () => undefined;
    const file = join(folder, "pi-all.ts");
    writeFileSync(file, files["plugin/pi/suture.ts"]!);
    const { default: extend } = (await import(pathToFileURL(file).href)) as { default(pi: unknown): void };
    extend({ registerTool: (one: { execute: typeof execute }) => (execute = one.execute) });
    const edits = [
      { oldText: "# Guide", newText: "# Manual" },
      { oldText: "nowhere", newText: "x" },
    ];
    const call = execute("1", { path: "docs/guide.md", edits }, undefined, undefined, { cwd: trial.root });
    await expect(call).rejects.toThrow(/not/i);
    expect(trial.read("docs/guide.md")).toContain("# Guide");
  });

  test.each(["plugin/opencode/tools/edit.ts", "plugin/pi/suture.ts"])(
    "%s edits through Suture, and refuses what is not in the file",
    async (path) => {
      using trial = new Trial();
      const edit = await load(path);
      await edit(trial.root, "# Guide", "# Manual");
      expect(trial.read("docs/guide.md")).toContain("# Manual");
      await expect(edit(trial.root, "nowhere", "x")).rejects.toThrow(/not/i);
      trial.write("docs/guide.md", "one\ntwo\none\n");
      await expect(edit(trial.root, "one", "1")).rejects.toThrow(/2 places|twice|two/i);
      expect(trial.read("docs/guide.md")).toBe("one\ntwo\none\n");
      expect(readFileSync(trial.path(".suture/journal/000001.journal"), "utf8")).toContain("docs/guide.md");
    },
  );
});

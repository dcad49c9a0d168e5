import { Client } from "@modelcontextprotocol/client";
import { InMemoryTransport } from "@modelcontextprotocol/server";
import { describe, expect, test, vi } from "vitest";
import { openMcp } from "../../src/mcp/index.ts";
import type { Result } from "../../src/tools/tool.ts";
import type { Files } from "../../src/workspace/files/files.ts";
import { createMemoryDisk } from "../../src/workspace/files/memory-files.ts";

/** A client over a server in this process, whose disk can be spoiled. */
async function connect(spoil: (files: Files) => Files = (files) => files): Promise<Client> {
  const disk = createMemoryDisk();
  disk.put("a.md", "one\n");
  const opened = await openMcp({ root: "/", files: spoil(disk.process()), version: "0.0.0" });
  if (!opened.ok) throw new Error(JSON.stringify(opened.refusal));
  const [here, there] = InMemoryTransport.createLinkedPair();
  await opened.value.createServer().connect(there);
  const client = new Client({ name: "tests", version: "1.0.0" });
  await client.connect(here);
  return client;
}

describe("a server in trouble", () => {
  test("an internal error shows no stack and no path, and the server keeps running", async () => {
    const log = vi.spyOn(process.stderr, "write").mockReturnValue(true);
    let spoiled = true;
    const client = await connect((files) => ({
      ...files,
      openRead: (dir, name) => {
        if (spoiled && name === "a.md") throw new TypeError("broken at /home/somebody/secret.ts:12:3");
        return files.openRead(dir, name);
      },
    }));
    const failed = await client.callTool({ name: "read_file", arguments: { path: "a.md" } });
    expect(failed.isError).toBe(true);
    expect(JSON.stringify(failed)).not.toMatch(/somebody|secret|TypeError|at .*:\d+:\d+/);
    expect(log.mock.calls.join("")).toContain("secret.ts");
    log.mockRestore();
    spoiled = false;
    const next = await client.callTool({ name: "read_file", arguments: { path: "a.md" } });
    expect(next.structuredContent as Result).toMatchObject({ success: true });
  });

  test("a client that asks for progress gets a message every second", async () => {
    const client = await connect((files) => ({
      ...files,
      openRead: async (dir, name) => {
        if (name === "a.md") await new Promise((resolve) => setTimeout(resolve, 2300));
        return files.openRead(dir, name);
      },
    }));
    const heard: number[] = [];
    const slow = await client.callTool(
      { name: "read_file", arguments: { path: "a.md" } },
      { onprogress: ({ progress }) => heard.push(progress) },
    );
    expect(slow.structuredContent as Result).toMatchObject({ success: true });
    expect(heard).toEqual([1, 2]);
  });

  test("a cancelled call writes nothing", async () => {
    const stop = new AbortController();
    const client = await connect((files) => ({
      ...files,
      openRead: async (dir, name) => {
        if (name === "a.md") {
          stop.abort();
          await new Promise((resolve) => setTimeout(resolve, 50));
        }
        return files.openRead(dir, name);
      },
    }));
    const edit = { path: "a.md", old_content: "one", new_content: "two" };
    await expect(
      client.callTool({ name: "edit_file", arguments: edit }, { signal: stop.signal }),
    ).rejects.toThrow();
    await new Promise((resolve) => setTimeout(resolve, 200));
    const read = await client.callTool({ name: "read_file", arguments: { path: "a.md" } });
    expect((read.structuredContent as Result).output).toContain("one\n");
  });
});

test("an answer holds the lines that were asked for, once in its text and once in its data", async () => {
  const disk = createMemoryDisk();
  disk.put("long.md", Array.from({ length: 2000 }, (_, i) => `Line ${i} of a long page.\n`).join(""));
  const opened = await openMcp({ root: "/", files: disk.process(), version: "0.0.0" });
  if (!opened.ok) throw new Error(JSON.stringify(opened.refusal));
  const [here, there] = InMemoryTransport.createLinkedPair();
  await opened.value.createServer().connect(there);
  const client = new Client({ name: "tests", version: "1.0.0" });
  await client.connect(here);
  const lines = { path: "long.md", start_line: 10, end_line: 14 };
  const read = await client.callTool({ name: "read_file", arguments: lines });
  expect(JSON.stringify(read).match(/Line 9 of a long page/g)).toHaveLength(2);
  expect(JSON.stringify(read).length).toBeLessThan(1000);
  const edit = { path: "long.md", old_content: "Line 9 of", new_content: "Line nine of" };
  const edited = await client.callTool({ name: "edit_file", arguments: edit });
  expect(JSON.stringify(edited).length).toBeLessThan(800);
});

describe("a client that can be asked", () => {
  async function connect(allow: "file" | "kind" | "no", { silences = 0 } = {}) {
    const disk = createMemoryDisk();
    for (const path of ["package.json", "lib/package.json", "Makefile"]) disk.put(path, "{}\n");
    const opened = await openMcp({ root: "/", files: disk.process(), version: "0.0.0" });
    if (!opened.ok) throw new Error(JSON.stringify(opened.refusal));
    const [here, there] = InMemoryTransport.createLinkedPair();
    await opened.value.createServer().connect(there);
    const client = new Client({ name: "tests", version: "1.0.0" }, { capabilities: { elicitation: {} } });
    const asked: string[] = [];
    client.setRequestHandler("elicitation/create", async ({ params }) => {
      asked.push(params.message);
      if (asked.length <= silences) throw new Error("the dialog was lost");
      return { action: "accept", content: { allow } };
    });
    await client.connect(here);
    const edit = async (path: string, now: string, more = {}): Promise<boolean> => {
      const input = { path, old_content: "{", new_content: `{${now}`, ...more };
      return (await client.callTool({ name: "edit_file", arguments: input })).isError !== true;
    };
    return { asked, edit };
  }

  test.each([
    ["file", [true, true, true], 2],
    ["kind", [true, true, true], 1],
    ["no", [false, false, false], 2],
  ] as const)("asks once for each file or kind: %s", async (allow, wanted, count) => {
    const { asked, edit } = await connect(allow);
    const paths = ["package.json", "package.json", "lib/package.json"];
    const done: boolean[] = [];
    for (const [i, path] of paths.entries()) done.push(await edit(path, `"a${i}": 1, `));
    expect(done).toEqual(wanted);
    expect(asked).toHaveLength(count);
    expect(asked[0]).toContain("package.json");
  });

  test("a question that nobody has answered is asked again", async () => {
    const { asked, edit } = await connect("file", { silences: 1 });
    expect([await edit("Makefile", "a"), await edit("Makefile", "b")]).toEqual([false, true]);
    expect(asked).toHaveLength(2);
  });

  test("a dry run asks nobody, and knows what was answered", async () => {
    const { asked, edit } = await connect("no");
    expect(await edit("Makefile", "x", { dry_run: true })).toBe(true);
    expect(asked).toEqual([]);
    await edit("Makefile", "x");
    expect(await edit("Makefile", "x", { dry_run: true })).toBe(false);
    expect(asked).toHaveLength(1);
  });
});

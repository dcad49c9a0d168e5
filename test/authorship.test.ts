import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { printGitAiNote } from "../src/docs/record/authorship.ts";
import { openSession } from "../src/session/session.ts";

let home: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "suture-authors-"));
  git("init", "-q", "-b", "main");
  git("config", "user.name", "ada");
  git("config", "user.email", "ada@example.org");
  write("one\ntwo\nthree\nfour\n");
  commit("begin");
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const claude = { client: "claude", session: "conv-1", model: "claude-opus-4" };

test("a blame shows the entry, its author and its reason for each line", async () => {
  await edit("two\nthree", "2\nthree", claude);
  write(`zero\n${read()}`);
  expect(suture("blame", "a.md").stdout.replaceAll(/\d{4}-\S+/g, "TIME")).toBe(
    [
      "unknown: no entry has these lines",
      "  1  zero",
      "  2  one",
      "1 TIME agent (claude-opus-4): because",
      "  3  2",
      "unknown: no entry has these lines",
      "  4  three",
      "  5  four",
      "",
    ].join("\n"),
  );
  expect(JSON.parse(suture("blame", "a.md", "--json").stdout).lines).toMatchObject([
    { startLine: 1, endLine: 2 },
    { startLine: 3, endLine: 3, entry: "1", author: "agent", reason: "because", ...claude },
    { startLine: 4, endLine: 5 },
  ]);
  expect(suture("blame", "gone.md").status).toBe(1);
});

test("with the hooks, a commit gets a note of what agents wrote in it, and a trailer for each of them", async () => {
  const kept = "#!/bin/sh\necho kept >> hooked\n";
  writeFileSync(join(home, ".git/hooks/post-commit"), kept, { mode: 0o755 });
  expect(suture("blame", "--install", "--trailer").status).toBe(0);
  await edit("two", "2", claude);
  await edit("four", "4\n5", { client: "codex", session: "s" });
  write(`by hand\n${read()}`);
  commit("numbers", "-a");
  const [attested, data] = note("HEAD").split("---\n");
  expect(attested).toMatch(/^a\.md\n {2}s_\w{14}::t_\w{14} 3\n {2}s_\w{14}::t_\w{14} 5-6\n$/);
  expect(JSON.parse(data!)).toEqual({
    schema_version: "authorship/3.0.0",
    base_commit_sha: git("rev-parse", "HEAD").trim(),
    prompts: {},
    sessions: {
      [attested!.slice(7, 23)]: {
        agent_id: { tool: "claude", id: "conv-1", model: "claude-opus-4" },
      },
      [attested!.split("\n")[2]!.slice(2, 18)]: { agent_id: { tool: "codex", id: "s", model: "unknown" } },
    },
  });
  expect(git("log", "-1", "--format=%B").trim()).toBe(
    "numbers\n\nAssisted-by: claude:claude-opus-4\nAssisted-by: codex",
  );
  expect(readFileSync(join(home, "hooked"), "utf8")).toBe("kept\n");

  write(`${read()}by hand, too\n`);
  commit("by hand", "-a");
  expect(note("HEAD")).toBe("");
  expect(git("log", "-1", "--format=%B").trim()).toBe("by hand");

  expect(suture("blame", "--uninstall").status).toBe(0);
  expect(readFileSync(join(home, ".git/hooks/post-commit"), "utf8")).toBe(kept);
});

test("a commit that git makes again on another base has the note again, with its new lines", async () => {
  suture("blame", "--install");
  git("checkout", "-qb", "side");
  await edit("three", "3", claude);
  commit("side", "-a");
  git("checkout", "-q", "main");
  write(`zero\n${read()}`);
  commit("main", "-a");
  git("rebase", "-q", "main", "side");
  expect(note("HEAD")).toMatch(/^a\.md\n\S* {2}s_\w{14}::t_\w{14} 4\n/);
  git("reset", "-q", "--soft", "main");
  commit("squashed");
  expect(note("HEAD")).toMatch(/::t_\w{14} 4\n---\n/);
});

test("a note can be read whatever a file is called", () => {
  const owner = { id: "1", time: "t", author: "agent", reason: "because", origin: claude } as never;
  const ranges = [{ startLine: 1, endLine: 2, owner }];
  const files = ["a b.md", "---", "c\nd.md", "e.md"].map((path) => ({ path, ranges }));
  const [attested] = printGitAiNote(files, "abc").split("\n---\n");
  expect(attested!.split("\n").filter((line) => !line.startsWith("  "))).toEqual([
    '"a b.md"',
    '"---"',
    "e.md",
  ]);
});

test("where a project keeps its hooks in a folder of its own, it is told what to add", () => {
  git("config", "core.hooksPath", ".hooks");
  const { status, stderr } = suture("blame", "--install");
  expect(status).toBe(2);
  expect(stderr).toContain("blame --note");
});

test("the log speaks Agent Trace: the lines that each entry left", async () => {
  await edit("two", "2\n2½", claude);
  await edit("one\n", "", claude);
  const traces = suture("log", "--format", "agent-trace")
    .stdout.trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const contributor = { type: "ai", model_id: "claude-opus-4" };
  expect(traces).toMatchObject([
    { files: [{ path: "a.md", conversations: [{ contributor, ranges: [] }] }] },
    {
      version: "0.1.0",
      id: expect.stringMatching(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
      tool: { name: "claude" },
      files: [{ path: "a.md", conversations: [{ contributor, ranges: [{ start_line: 2, end_line: 3 }] }] }],
      metadata: { "dev.suture": { entry: "1", reason: "because", session: "conv-1" } },
    },
  ]);
  const [entry] = suture("log", "--format", "json", "-n", "1").stdout.split("\n");
  expect(JSON.parse(entry!)).toMatchObject({ id: "2", origin: claude });
  expect(suture("log", "--format", "xml").status).toBe(2);
});

async function edit(old: string, fresh: string, origin: Readonly<Record<string, string>>): Promise<void> {
  const opened = await openSession({ root: home, author: "agent", origin });
  if (!opened.ok) throw new Error(opened.refusal.code);
  await using session = opened.value;
  const done = await session.tools.call("edit_file", {
    path: "a.md",
    old_content: old,
    new_content: fresh,
    reason: "because",
  });
  expect(done.success).toBe(true);
}

function write(text: string): void {
  writeFileSync(join(home, "a.md"), text);
}

function read(): string {
  return readFileSync(join(home, "a.md"), "utf8");
}

function commit(message: string, ...words: readonly string[]): void {
  if (words.length === 0) git("add", "a.md");
  git("commit", "-qm", message, ...words);
}

function note(commit: string): string {
  return spawnSync("git", ["notes", "--ref=ai", "show", commit], { cwd: home, encoding: "utf8" }).stdout;
}

function git(...words: readonly string[]): string {
  const run = spawnSync("git", words, { cwd: home, encoding: "utf8" });
  if (run.status !== 0) throw new Error(`git ${words.join(" ")}: ${run.stderr}`);
  return run.stdout;
}

function suture(...words: readonly string[]) {
  // Under npx the hooks would be called by npx too.
  const { npm_command: _, ...env } = process.env;
  return spawnSync(process.execPath, [resolve("src/cli/main.ts"), ...words], {
    cwd: home,
    encoding: "utf8",
    env,
  });
}

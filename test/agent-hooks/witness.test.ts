import {
  chmodSync,
  globSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readHookInput } from "../../src/agent-hooks/payload.ts";
import { witnessAfter, witnessBefore } from "../../src/agent-hooks/witness/witness.ts";
import { openWorkspace } from "../../src/workspace/workspace.ts";
import { Trial } from "./trial.ts";

type Input = Readonly<Record<string, unknown>>;

/** Calls both hooks around a tool that does `act`, and returns the message to the model. */
async function witness(
  trial: Trial,
  { tool, input, act }: { readonly tool: string; readonly input: Input; readonly act: () => void },
  session = "one",
  more: Input = {},
): Promise<string> {
  const fields = {
    session_id: session,
    prompt_id: "p",
    turn_id: undefined,
    tool_name: tool,
    tool_input: input,
    ...more,
  };
  const bytes = new TextEncoder().encode(JSON.stringify(trial.payload(fields)));
  const { client, call } = readHookInput(bytes);
  await witnessBefore(call!);
  act();
  const answer = await witnessAfter(call!, client, "suture");
  const output = answer.hookSpecificOutput as { additionalContext?: string } | undefined;
  return output?.additionalContext ?? "";
}

const edit = (trial: Trial, path: string, old: string, fresh: string) => ({
  tool: "Edit",
  input: { file_path: trial.path(path), old_string: old, new_string: fresh },
});

async function undo(trial: Trial, entry: string): Promise<void> {
  const opened = await openWorkspace(trial.root, { policy: { consent: true } });
  if (!opened.ok) throw new Error("no workspace");
  const done = await opened.value.undo({ entry }, { author: "person" });
  expect(done.ok).toBe(true);
  await opened.value.close();
}

async function log(trial: Trial) {
  const opened = await openWorkspace(trial.root);
  if (!opened.ok) throw new Error("no workspace");
  const history = await opened.value.history();
  await opened.value.close();
  return history;
}

describe("the witness of built-in edit tools", () => {
  test("an honest edit is in the journal, with agent and tool, and the model gets no message", async () => {
    using trial = new Trial();
    const act = (): void => trial.replace("docs/guide.md", "Guide", "Manual");
    expect(await witness(trial, { ...edit(trial, "docs/guide.md", "Guide", "Manual"), act })).toBe("");
    expect(await log(trial)).toMatchObject([
      { author: "claude", task: expect.stringMatching(/^claude-[0-9a-f]{8}$/), reason: "Edit of claude" },
    ]);
    await undo(trial, "1");
    expect(trial.read("docs/guide.md")).toContain("# Guide");
  });

  test.each([
    [
      "mixed line endings that were flattened",
      "a\r\nb\nc\r\n",
      "b",
      "B",
      "a\nB\nc\n",
      "line endings of 2 lines",
    ],
    ["a Latin-1 byte that was destroyed", "caf\xe9\nb\n", "b", "B", "caf?\nB\n", "not UTF-8 were destroyed"],
    [
      "a guessed place",
      "x := 1\ny := 2\n",
      "y = 2",
      "y = 3",
      "x := 1\ny = 3\n",
      "line 2 was changed by a guess",
    ],
  ])("%s is told at once and undone to the byte", async (_name, before, old, fresh, after, told) => {
    using trial = new Trial();
    trial.write("a.txt", Buffer.from(before, "latin1"));
    trial.commit("a");
    const act = (): void => trial.write("a.txt", Buffer.from(after, "latin1"));
    const said = await witness(trial, { ...edit(trial, "a.txt", old, fresh), act });
    expect(said).toContain(told);
    expect(said).toContain("To take the edit back: suture undo 1");
    await undo(trial, "1");
    expect(trial.bytes("a.txt").toString("latin1")).toBe(before);
  });

  test("an outside change after the agent read the file is reported", async () => {
    using trial = new Trial();
    const read = { tool: "Read", input: { file_path: trial.path("docs/guide.md") }, act: () => {} };
    await witness(trial, read);
    trial.replace("docs/guide.md", "with an id", "with a name");
    const act = (): void => trial.replace("docs/guide.md", "Guide", "Manual");
    const said = await witness(trial, { ...edit(trial, "docs/guide.md", "Guide", "Manual"), act });
    expect(said).toContain("another program had changed the file after you read it");
    await undo(trial, "1");
    expect(trial.read("docs/guide.md")).toBe("# Guide\n\nCall `fetchUser` with a name.\n");
  });

  test("an edit of a file that another agent has edited is reported", async () => {
    using trial = new Trial();
    const first = (): void => trial.replace("docs/guide.md", "Guide", "Manual");
    await witness(trial, { ...edit(trial, "docs/guide.md", "Guide", "Manual"), act: first });
    const second = (): void => trial.replace("docs/guide.md", "Manual", "Handbook");
    const call = { ...edit(trial, "docs/guide.md", "Manual", "Handbook"), act: second };
    expect(await witness(trial, call, "two")).toContain("claude (entry 1) has edited this file before you");
  });

  test("a new file and a patch of several files are recorded", async () => {
    using trial = new Trial();
    const input = { file_path: trial.path("docs/new.md"), content: "new\n" };
    await witness(trial, { tool: "Write", input, act: () => trial.write("docs/new.md", "new\n") });
    const patch = "*** Begin Patch\n*** Update File: docs/guide.md\n@@\n-# Guide\n+# Manual\n*** End Patch";
    await witness(trial, {
      tool: "apply_patch",
      input: { command: patch },
      act: () => trial.replace("docs/guide.md", "# Guide", "# Manual"),
    });
    const paths = (await log(trial)).map(({ files }) => files[0]?.path);
    expect(paths).toEqual(["docs/guide.md", "docs/new.md"]);
    await undo(trial, "1");
    expect(trial.git("status", "--short")).toBe("M docs/guide.md");
  });

  test("a tool that changed nothing leaves no entry", async () => {
    using trial = new Trial();
    await witness(trial, { ...edit(trial, "docs/guide.md", "x", "y"), act: () => {} });
    expect(await log(trial)).toEqual([]);
  });

  test.each([
    ["an ignored file", "build/out.txt"],
    ["a file with secrets", ".env"],
    ["git's own files", ".git/config"],
    ["a file outside", "../outside.txt"],
    ["a name with a null character", "a\0b"],
    ["a link", "link.txt"],
  ])("nothing is kept of %s", async (_name, path) => {
    using trial = new Trial();
    trial.write(".gitignore", "build/\n");
    trial.write("build/out.txt", "a\n");
    trial.write(".env", "TOKEN=a\n");
    trial.write("../outside.txt", "a\n");
    symlinkSync("../outside.txt", trial.path("link.txt"));
    const act = (): void => {
      if (!path.includes("\0") && path !== ".git/config") trial.write(path, "b\n");
    };
    expect(await witness(trial, { ...edit(trial, path, "a", "b"), act })).toBe("");
    expect(await log(trial)).toEqual([]);
  });

  test("a changed file mode is reported", async () => {
    using trial = new Trial();
    trial.write("run.sh", "echo a\n");
    chmodSync(trial.path("run.sh"), 0o755);
    const act = (): void => {
      trial.write("run.sh", "echo b\n");
      chmodSync(trial.path("run.sh"), 0o644);
    };
    expect(await witness(trial, { ...edit(trial, "run.sh", "a", "b"), act })).toContain("from 755 to 644");
  });

  test.each([
    ["an empty input", {}],
    ["a list instead of a name", { file_path: ["a"] }],
    [
      "a patch of names outside",
      { input: "*** Begin Patch\n*** Update File: ../../etc/passwd\n*** End Patch" },
    ],
    ["a very long name", { file_path: "a/".repeat(5000), old_string: "a", new_string: "b" }],
  ])("%s does no harm", async (_name, input) => {
    using trial = new Trial();
    expect(await witness(trial, { tool: "Edit", input, act: () => {} })).toBe("");
    expect(await log(trial)).toEqual([]);
  });

  test("changes by commands are recorded once at the end of the turn, and undone to the byte", async () => {
    using trial = new Trial();
    trial.write("notes.txt", "uncommitted\n");
    await trial.start();
    const act = (): void => trial.replace("docs/guide.md", "Guide", "Manual");
    await witness(trial, { ...edit(trial, "docs/guide.md", "Guide", "Manual"), act });
    trial.replace("docs/guide.md", "with an id", "with a name");
    trial.write("notes.txt", "changed\n");
    trial.write("made.txt", "made\n");
    trial.write("typed.txt", "by the user\n");
    const commands = [
      "sed -i 's/an id/a name/' docs/guide.md && echo changed > notes.txt",
      "cat typed.txt",
      "touch made.txt",
    ];
    const transcript_path = trial.transcript(commands);
    await trial.stop({ transcript_path }, { record: true });
    await trial.stop({ transcript_path }, { record: true });
    const [last, ...others] = await log(trial);
    expect(others).toHaveLength(1);
    expect(last).toMatchObject({ author: "codex", reason: "commands of codex" });
    expect(last?.files.map(({ path }) => path).sort()).toEqual(["docs/guide.md", "made.txt", "notes.txt"]);
    await undo(trial, "2");
    expect(trial.read("docs/guide.md")).toContain("# Manual\n\nCall `fetchUser` with an id.");
    expect(trial.read("notes.txt")).toBe("uncommitted\n");
    expect(trial.git("status", "--short")).not.toContain("made.txt");
  });

  test("without a recorded start nothing is recorded, and undo has nothing of the user's to take", async () => {
    using trial = new Trial();
    trial.write("notes.md", "of the user\n");
    trial.replace("docs/guide.md", "Guide", "Manual");
    const transcript_path = trial.transcript(["touch notes.md docs/guide.md"]);
    await trial.stop({ transcript_path }, { record: true });
    await trial.stop({ transcript_path }, { record: true });
    expect(await log(trial)).toEqual([]);
  });

  test("what was kept for a call that never ended is forgotten at the end of a later turn", async () => {
    using trial = new Trial();
    const input = { file_path: trial.path("docs/guide.md"), old_string: "Guide", new_string: "Manual" };
    const fields = { prompt_id: "p", turn_id: undefined, tool_name: "Edit", tool_input: input };
    await witnessBefore(readHookInput(new TextEncoder().encode(JSON.stringify(trial.payload(fields)))).call!);
    const cache = process.env.SUTURE_CACHE!;
    const kept = (): string[] => globSync("agents/*/*/call-*", { cwd: cache });
    expect(kept()).toHaveLength(1);
    await trial.stop({}, { record: true });
    expect(kept()).toHaveLength(1);
    const yesterday = new Date("2026-11-14T10:00:00.000Z");
    utimesSync(join(cache, kept()[0]!), yesterday, yesterday);
    await trial.stop({}, { record: true });
    expect(kept()).toEqual([]);
  });

  test.each(["beside", "shop/.worktrees/inside"])(
    "an edit that landed in another work tree (%s) is reported at once, with the way back",
    async (name) => {
      using trial = new Trial();
      const other = trial.path(`../${name}`);
      trial.git("worktree", "add", "-q", other);
      const file = join(other, "docs/guide.md");
      const before = readFileSync(file, "utf8");
      const told = await witness(trial, {
        tool: "Edit",
        input: { file_path: file, old_string: "Guide", new_string: "Manual" },
        act: () => writeFileSync(file, before.replace("Guide", "Manual")),
      });
      const tree = realpathSync(other);
      expect(told).toBe(
        `Suture looked at your edit of docs/guide.md: it landed in the work tree ${tree}, and this session works in ${trial.root}. To take the edit back: suture undo 1 --root "${tree}"`,
      );
      expect(await log(trial)).toEqual([]);
      const opened = await openWorkspace(tree);
      if (!opened.ok) throw new Error("no workspace");
      await opened.value.undo({ entry: "1" }, { author: "person" });
      await opened.value.close();
      expect(readFileSync(file, "utf8")).toBe(before);
      const act = (): void => trial.replace("docs/guide.md", "Guide", "Manual");
      expect(await witness(trial, { ...edit(trial, "docs/guide.md", "Guide", "Manual"), act })).toBe("");
    },
  );

  test("an entry says the client, the session, the tool, and the model that the record of the session names last", async () => {
    using trial = new Trial();
    trial.write(
      "record.jsonl",
      '{"model": "old"}\n{"message":{"model":"claude-opus-4"}}\n{"model":"<synthetic>"}\n',
    );
    const act = (): void => trial.replace("docs/guide.md", "Guide", "Manual");
    const record = { transcript_path: trial.path("record.jsonl") };
    await witness(trial, { ...edit(trial, "docs/guide.md", "Guide", "Manual"), act }, "one", record);
    const origin = { client: "claude", session: "one", model: "claude-opus-4", tool: "Edit" };
    expect(await log(trial)).toMatchObject([{ origin }]);
    const again = (): void => trial.replace("docs/guide.md", "Manual", "Book");
    const named = { model: "sonnet" };
    await witness(trial, { ...edit(trial, "docs/guide.md", "Manual", "Book"), act: again }, "two", named);
    const [last] = await log(trial);
    expect(last?.origin).toEqual({ ...origin, session: "two", model: "sonnet" });
  });

  test("a project can switch the witness off", async () => {
    using trial = new Trial();
    trial.write("suture.config.json", '{ "agents": { "witness": false } }');
    await trial.start();
    const act = (): void => trial.replace("docs/guide.md", "Guide", "Manual");
    await witness(trial, { ...edit(trial, "docs/guide.md", "Guide", "Manual"), act });
    await trial.stop({}, { record: true });
    expect(await log(trial)).toEqual([]);
  });
});

import { describe, expect, test } from "vitest";
import { findClient } from "../../src/agent-hooks/clients/registry.ts";
import type { Step } from "./scripted-model.ts";
import { ClientTrial, type RealClientName, reasonToSkip } from "./session.ts";

const done = { say: "Done." };

/** How each client reads a file and replaces a text in it. */
const tools = {
  claude: {
    read: (file_path: string): Step => ({ tool: "Read", input: { file_path } }),
    edit: (file_path: string, old_string: string, new_string: string): Step => ({
      tool: "Edit",
      input: { file_path, old_string, new_string },
    }),
  },
  gemini: {
    read: (file_path: string): Step => ({ tool: "read_file", input: { file_path } }),
    edit: (file_path: string, old_string: string, new_string: string): Step => ({
      tool: "replace",
      input: { file_path, instruction: "replace it", old_string, new_string },
    }),
  },
} as const;

/** Damage that a client's own tool does beside the edit, and the message to the model about it. */
const cases = [
  ["claude", "mixed line endings", "a\r\nbeta\nc\r\nd\n", "beta", "BETA", "line endings of"],
  ["gemini", "a Latin-1 byte", "caf\xe9\nbeta\n", "beta", "BETA", "not UTF-8 were destroyed"],
  ["gemini", "a guessed place", "x := 1\n  y := 2\nz := 3\n", "y  :=  2", "y := 4", "by a guess"],
] as const;

function open(name: RealClientName): ClientTrial {
  const trial = new ClientTrial(name);
  trial.suture("agent", "install", "--target", name, "--command", "suture");
  trial.waitLonger(findClient(name)!.file.project);
  return trial;
}

for (const name of ["claude", "gemini"] as const) {
  const why = reasonToSkip(name);
  if (why !== null) console.log(`skipped: ${name}: ${why}`);
  describe.skipIf(why !== null)(`the witness with real ${name}`, () => {
    const { read, edit } = tools[name];

    test("an honest edit is recorded without a message", () => {
      using trial = open(name);
      const file = trial.path("docs/guide.md");
      const requests = trial.run([read(file), edit(file, "# Guide", "# Manual"), done]);
      expect(requests.at(-1)?.body).not.toContain("Suture looked");
      expect(trial.suture("log")).toContain(`of ${name}`);
      trial.suture("undo");
      expect(trial.read("docs/guide.md")).toContain("# Guide");
    });

    test.each(cases.filter(([client]) => client === name))(
      "%s: %s is reported at once, and undone to the byte",
      (_client, _what, before, old, fresh, message) => {
        using trial = open(name);
        trial.write("a.txt", Buffer.from(before, "latin1"));
        trial.commit("a");
        const file = trial.path("a.txt");
        const requests = trial.run([read(file), edit(file, old, fresh), done]);
        expect(trial.bytes("a.txt").toString("latin1")).not.toBe(before);
        expect(requests.at(-1)?.body).toContain(message);
        trial.suture("undo");
        expect(trial.bytes("a.txt").toString("latin1")).toBe(before);
      },
    );

    test("an outside change between reading and editing is reported", () => {
      using trial = open(name);
      const file = trial.path("docs/guide.md");
      const outside = trial.shell("sed -i s/an.id/a\\ name/ docs/guide.md");
      const requests = trial.run([read(file), outside, edit(file, "# Guide", "# Manual"), done]);
      const text = trial.read("docs/guide.md");
      // A client may refuse the edit itself. Then the file is as the other program left it.
      if (text.includes("# Manual"))
        expect(requests.at(-1)?.body).toContain("another program had changed the file after you read it");
      else expect(text).toContain("a name");
    });
  });
}

/** Clients whose tools did no damage in these cases: their honest edits are recorded all the same. */
const honest = {
  codex: (): Step[] => [
    {
      tool: "apply_patch",
      input: "*** Begin Patch\n*** Update File: docs/guide.md\n@@\n-# Guide\n+# Manual\n*** End Patch\n",
    },
  ],
  copilot: (path: string): Step[] => [
    { tool: "view", input: { path } },
    { tool: "edit", input: { path, old_str: "# Guide", new_str: "# Manual" } },
  ],
} as const;

for (const name of ["codex", "copilot"] as const) {
  const why = reasonToSkip(name);
  if (why !== null) console.log(`skipped: ${name}: ${why}`);
  test.skipIf(why !== null)(`an honest edit of real ${name} is recorded, and undone to the byte`, () => {
    using trial = open(name);
    const before = trial.read("docs/guide.md");
    const requests = trial.run([...honest[name](trial.path("docs/guide.md")), done]);
    expect(requests.at(-1)?.body).not.toContain("Suture looked");
    expect(trial.read("docs/guide.md")).toContain("# Manual");
    expect(trial.suture("log")).toMatch(/(apply_patch|edit|Edit) of/);
    trial.suture("undo");
    expect(trial.read("docs/guide.md")).toBe(before);
  });
}

import { expect, test } from "vitest";
import type { ChangeSource } from "../context/change-context.ts";
import { judgeSection, type SectionQuestion } from "../prompts/fix-section.ts";
import { findExcerpts, type OpenFinding } from "./excerpts.ts";
import { buildQuestion } from "./section-question.ts";

/** The question about one notice on the third line of a page. */
async function ask(
  text: string,
  more: Partial<OpenFinding> & Pick<OpenFinding, "message">,
  change: Partial<ChangeSource> | null = null,
): Promise<SectionQuestion> {
  const finding: OpenFinding = {
    ...{ id: "removal-0", path: "docs/a.md", startLine: 3, endLine: 3, kind: "removal", tier: "likely" },
    ...{ evidence: [], edits: [] },
    ...more,
  };
  const [excerpt] = findExcerpts("docs/a.md", text, [finding]);
  const source = change && { messages: [], files: [], read: async () => null, ...change };
  return buildQuestion([excerpt!], { path: "docs/a.md", text }, { change: source, redact: String });
}

test("the code that has a lost flag under the spelling of a field is shown", async () => {
  const patch = "@@ -0,0 +1,2 @@\n+    #[arg(long)]\n+    pub show_errors: bool,\n";
  const { code } = await ask(
    "# Options\n\n`--show-errors` shows errors.\n",
    { message: "`show-errors` no longer exists (src/app.rs:4)." },
    { files: [{ path: "src/cli.rs", patch }] },
  );
  expect(code.map((part) => part.text).join("\n")).toContain("pub show_errors: bool");
});

test("a notice about the place between two sections quotes no line that the question does not show", async () => {
  const { section, notices } = await ask(
    "# Options\n\n## timeout\n\nIn seconds.\n\n## hooks\n\nThey run.\n",
    { kind: "sibling", endLine: 7, message: "`total` is new and missing here." },
  );
  expect(section).toBe("## timeout\n\nIn seconds.\n\n");
  expect(notices[0]).toMatchObject({ lines: "lines 1 to 4", words: "## timeout\n\nIn seconds." });
});

test("a notice that something is gone names the lines of the changed code that still have it", async () => {
  const evidence = [{ path: "src/a.ts", revision: "HEAD~1", startLine: 1, endLine: 1, before: "sendAll();" }];
  const standingIn = async (files: Readonly<Record<string, string>>) => {
    const { notices } = await ask(
      "# Options\n\nUse `sendAll`.\n",
      { message: "`sendAll` no longer exists (src/a.ts:1).", evidence },
      {
        files: Object.keys(files).map((path) => ({ path, patch: "@@ -1 +0,0 @@\n-sendAll();\n" })),
        read: async (path: string) => files[path] ?? null,
      },
    );
    return notices[0]!.standing;
  };
  const code = "function sendAllNow() {}\n  sendAll(1);\nresendAll();\nx.sendAll\nsendAll\nsendAll\n";
  expect(
    await standingIn({ "src/a.ts": code, "docs/b.md": "sendAll", "test/a.test.ts": "sendAll()" }),
  ).toEqual({
    name: "sendAll",
    lines: ["src/a.ts:2: sendAll(1);", "src/a.ts:4: x.sendAll", "src/a.ts:5: sendAll"],
    more: 1,
  });
  expect(await standingIn({ "src/a.ts": "sendOne();" })).toEqual({ name: "sendAll", lines: [], more: 0 });
});

test("a line that the change leaves is not said to be removed", async () => {
  const proof = (startLine: number, before: string) => ({
    ...{ path: "help.go", revision: "r", startLine, endLine: startLine },
    before,
  });
  const patch =
    '@@ -1,1 +1,1 @@\n-const helpVariable = "COBRA_HELP"\n+const helpVariable = prefix + "_HELP"\n';
  const after =
    'const helpVariable = prefix + "_HELP"\n\nfunc get() {\n  cfg := os.Getenv(helpVariable)\n}\n';
  const question = await ask(
    "# Help\n\nSet `COBRA_HELP` to 0.\n",
    {
      message: "`COBRA_HELP` no longer exists (help.go:4).",
      evidence: [proof(4, "  cfg := os.Getenv(helpVariable)"), proof(1, 'const helpVariable = "COBRA_HELP"')],
    },
    { files: [{ path: "help.go", patch }], read: async () => after },
  );
  const { prompt } = judgeSection(question);
  expect(prompt).toContain("at help.go:4:\n    cfg := os.Getenv(helpVariable)\n(this line stays");
  expect(prompt).toContain('at help.go:1:\n- const helpVariable = "COBRA_HELP"\n(removed)');
});

test("a notice about the whole section does not repeat it", async () => {
  const question = await ask("# Options\n\n## timeout\n\nIn seconds.\n", {
    ...{ kind: "sibling", endLine: 5, message: "`total` is new and missing here." },
  });
  expect(judgeSection(question).prompt).toContain("Words of the section: all of it");
});

test("a proof that shows the same change again is left out", async () => {
  const proof = (startLine: number, indent: string) => ({
    ...{ path: "src/a.ts", revision: "r", startLine, endLine: startLine },
    ...{ before: `${indent}In seconds.`, after: `${indent}In minutes.` },
  });
  const { notices } = await ask("# Options\n\nIn seconds.\n", {
    ...{ kind: "description", message: "m", evidence: [proof(4, "  "), proof(6, "")] },
  });
  expect(notices[0]!.evidence.map(({ place: at }) => at)).toEqual(["src/a.ts:4"]);
});

test("a notice about a bracket shows the lines around it", async () => {
  const { notices } = await ask("# A\n\n}\n\nEnd of the `sample`.\n", { message: "`a` changed." });
  expect(notices[0]!.words).toContain("End of the `sample`.");
});

test("a long changed line that the code above shows is not printed again in its notice", async () => {
  const line = `const list = [${"'name', ".repeat(60)}];`;
  const patch = `@@ -1 +1 @@\n-${line}\n+${line.replace("const", "let")}\n`;
  const evidence = [
    {
      path: "src/a.ts",
      revision: "HEAD",
      startLine: 1,
      endLine: 1,
      before: line,
      after: line.replace("const", "let"),
    },
  ];
  const question = await ask(
    "# A\n\nThe `list`.\n",
    { message: "`list` changed.", evidence },
    { files: [{ path: "src/a.ts", patch }] },
  );
  const { prompt } = judgeSection(question);
  expect(prompt.split(line)).toHaveLength(2);
  expect(prompt).toContain("In the code, at src/a.ts:1, as shown above");
});

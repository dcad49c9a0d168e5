import { expect, test } from "vitest";
import { judgeSection } from "../prompts/fix-section.ts";
import { findExcerpts } from "./excerpts.ts";
import { buildQuestion } from "./section-question.ts";

test("the code that has a lost flag under the spelling of a field is shown", async () => {
  const text = "# Options\n\n`--show-errors` shows errors.\n";
  const finding = {
    id: "removal-0",
    path: "docs/a.md",
    startLine: 3,
    endLine: 3,
    kind: "removal",
    tier: "likely",
    message: "`show-errors` no longer exists (src/app.rs:4).",
    evidence: [],
    edits: [],
  } as const;
  const patch = "@@ -0,0 +1,2 @@\n+    #[arg(long)]\n+    pub show_errors: bool,\n";
  const change = { messages: [], files: [{ path: "src/cli.rs", patch }], read: async () => null };
  const [excerpt] = findExcerpts("docs/a.md", text, [finding]);
  const place = { path: "docs/a.md", text, region: excerpt!.region };
  const { code } = await buildQuestion(excerpt!, place, { change, redact: String });
  expect(code.map((part) => part.text).join("\n")).toContain("pub show_errors: bool");
});

test("a notice about the place between two sections quotes no line that the question does not show", async () => {
  const text = "# Options\n\n## timeout\n\nIn seconds.\n\n## hooks\n\nThey run.\n";
  const finding = {
    id: "sibling-0",
    path: "docs/a.md",
    startLine: 3,
    endLine: 7,
    kind: "sibling",
    tier: "likely",
    message: "`total` is new and missing here.",
    evidence: [],
    edits: [],
  } as const;
  const [excerpt] = findExcerpts("docs/a.md", text, [finding]);
  const place = { path: "docs/a.md", text, region: excerpt!.region };
  const { section, notices } = await buildQuestion(excerpt!, place, { change: null, redact: String });
  expect(section).toBe("## timeout\n\nIn seconds.\n\n");
  expect(notices[0]).toMatchObject({ lines: "lines 1 to 4", words: "## timeout\n\nIn seconds." });
});

test("a notice that something is gone names the lines of the changed code that still have it", async () => {
  const text = "# Options\n\nUse `sendAll`.\n";
  const evidence = [{ path: "src/a.ts", revision: "HEAD~1", startLine: 1, endLine: 1, before: "sendAll();" }];
  const finding = {
    id: "removal-0",
    path: "docs/a.md",
    startLine: 3,
    endLine: 3,
    kind: "removal",
    tier: "likely",
    message: "`sendAll` no longer exists (src/a.ts:1).",
    evidence,
    edits: [],
  } as const;
  const ask = async (files: Readonly<Record<string, string>>) => {
    const change = {
      messages: [],
      files: Object.keys(files).map((path) => ({ path, patch: "@@ -1 +0,0 @@\n-sendAll();\n" })),
      read: async (path: string) => files[path] ?? null,
    };
    const [excerpt] = findExcerpts("docs/a.md", text, [finding]);
    const place = { path: "docs/a.md", text, region: excerpt!.region };
    const { notices } = await buildQuestion(excerpt!, place, { change, redact: String });
    return notices[0]!.standing;
  };
  const code = "function sendAllNow() {}\n  sendAll(1);\nresendAll();\nx.sendAll\nsendAll\nsendAll\n";
  expect(await ask({ "src/a.ts": code, "docs/b.md": "sendAll", "test/a.test.ts": "sendAll()" })).toEqual({
    name: "sendAll",
    lines: ["src/a.ts:2: sendAll(1);", "src/a.ts:4: x.sendAll", "src/a.ts:5: sendAll"],
    more: 1,
  });
  expect(await ask({ "src/a.ts": "sendOne();" })).toEqual({ name: "sendAll", lines: [], more: 0 });
});

test("a line that the change leaves is not said to be removed", async () => {
  const text = "# Help\n\nSet `COBRA_HELP` to 0.\n";
  const proof = (startLine: number, before: string) => ({
    ...{ path: "help.go", revision: "r", startLine, endLine: startLine },
    before,
  });
  const finding = {
    ...{
      id: "removal-0",
      path: "docs/a.md",
      startLine: 3,
      endLine: 3,
      kind: "removal",
      tier: "possible" as const,
    },
    message: "`COBRA_HELP` no longer exists (help.go:4).",
    evidence: [proof(4, "  cfg := os.Getenv(helpVariable)"), proof(1, 'const helpVariable = "COBRA_HELP"')],
    edits: [],
  } as const;
  const patch =
    '@@ -1,1 +1,1 @@\n-const helpVariable = "COBRA_HELP"\n+const helpVariable = prefix + "_HELP"\n';
  const after =
    'const helpVariable = prefix + "_HELP"\n\nfunc get() {\n  cfg := os.Getenv(helpVariable)\n}\n';
  const change = { messages: [], files: [{ path: "help.go", patch }], read: async () => after };
  const [excerpt] = findExcerpts("docs/a.md", text, [finding]);
  const place = { path: "docs/a.md", text, region: excerpt!.region };
  const question = await buildQuestion(excerpt!, place, { change, redact: String });
  const { prompt } = judgeSection(question);
  expect(prompt).toContain("at help.go:4:\n    cfg := os.Getenv(helpVariable)\n(this line stays");
  expect(prompt).toContain('at help.go:1:\n- const helpVariable = "COBRA_HELP"\n(removed)');
});

test("a notice about the whole section does not repeat it", async () => {
  const text = "# Options\n\n## timeout\n\nIn seconds.\n";
  const finding = {
    ...{
      id: "sibling-0",
      path: "docs/a.md",
      startLine: 3,
      endLine: 5,
      kind: "sibling",
      tier: "likely" as const,
    },
    ...{ message: "`total` is new and missing here.", evidence: [], edits: [] },
  } as const;
  const [excerpt] = findExcerpts("docs/a.md", text, [finding]);
  const place = { path: "docs/a.md", text, region: excerpt!.region };
  const question = await buildQuestion(excerpt!, place, { change: null, redact: String });
  expect(judgeSection(question).prompt).toContain("Words of the section: all of it");
});

test("a proof that shows the same change again is left out", async () => {
  const text = "# Options\n\nIn seconds.\n";
  const proof = (startLine: number, indent: string) => ({
    ...{ path: "src/a.ts", revision: "r", startLine, endLine: startLine },
    ...{ before: `${indent}In seconds.`, after: `${indent}In minutes.` },
  });
  const finding = {
    ...{ id: "description-0", path: "docs/a.md", startLine: 3, endLine: 3, kind: "description" },
    ...{ tier: "likely" as const, message: "m", edits: [], evidence: [proof(4, "  "), proof(6, "")] },
  };
  const [excerpt] = findExcerpts("docs/a.md", text, [finding]);
  const place = { path: "docs/a.md", text, region: excerpt!.region };
  const { notices } = await buildQuestion(excerpt!, place, { change: null, redact: String });
  expect(notices[0]!.evidence.map(({ place: at }) => at)).toEqual(["src/a.ts:4"]);
});

import { expect, test } from "vitest";
import type { ReportedFinding } from "../../docs/check/report.ts";
import { countEdits } from "../../docs/fix/choose.ts";
import { fixAdvice } from "../../wording/findings.ts";
import { paintFindings } from "./paint-findings.ts";

const finding = (path: string, more: Partial<ReportedFinding> = {}): ReportedFinding => ({
  id: `deprecation-${path.length}`,
  path,
  startLine: 3,
  endLine: 3,
  tier: "likely",
  kind: "deprecation",
  message: "`route_layer` is deprecated now (src/lib.rs:6).",
  evidence: [],
  edits: [],
  ...more,
});
const edit = { path: "a.md", old_string: "call old()", new_string: "call fresh()", reason: "why" };
const plain = { colour: false, columns: 60 };
const page = "# A\n\nHere, call old() first.\n";
const shown = (found: ReportedFinding, text = page) =>
  paintFindings([found], { ...plain, pages: () => text })[0]!.split("\n");

test("a finding shows its line, the false words, what to write, and where the code shows it", () => {
  const evidence = [
    { path: "src/lib.rs", revision: "r", startLine: 6, endLine: 6, before: "fn old()", after: "fn fresh()" },
  ];
  expect(shown(finding("a.md", { edits: [edit], evidence }))).toEqual([
    "a.md:3  likely  `route_layer` is deprecated now",
    "  3 │ Here, call old() first.",
    "    │            ^^^ write `fresh`",
    "    = changed in src/lib.rs:6: fn fresh()",
  ]);
});

test("a finding without an edit marks the name that its message quotes", () => {
  expect(shown(finding("a.md"), "# A\n\nUse\troute_layer() here.\n")).toEqual([
    "a.md:3  likely  `route_layer` is deprecated now (src/lib.rs:6)",
    "  3 │ Use  route_layer() here.",
    "    │      ^^^^^^^^^^^",
  ]);
});

test("a passage of several lines shows the line that has the name, also beside wide characters", () => {
  const text = "# A\n\nFirst line,\n関数 route_layer を使う\n";
  expect(shown(finding("a.md", { endLine: 4 }), text).slice(1)).toEqual([
    "  4 │ 関数 route_layer を使う",
    "    │      ^^^^^^^^^^^",
  ]);
});

test("a long line is cut around the false words, at a word", () => {
  const text = `# A\n\n${"many words ".repeat(20)}call old() ${"and more ".repeat(20)}\n`;
  const lines = shown(finding("a.md", { edits: [edit] }), text);
  expect(lines[1]).toBe("  3 │ … many words many words call old() and more and more …");
  expect(lines[2]!.indexOf("^")).toBe(lines[1]!.indexOf("old"));
});

const rewrites: [string, string, string, string[]][] = [
  ["a line that goes", "one\ntwo\n", "one\n", ["  4 - two"]],
  ["a line that comes", "one\n", "one\ntwo\n", ["   + two"]],
  ["a line that comes at the end", "one", "one\ntwo", ["   + two"]],
  ["two different words", "a b c\n", "x b z\n", ["  3 - a b c", "    + x b z"]],
  [
    "words that only go",
    "take the old one\n",
    "take the one\n",
    ["  3 │ take the old one", "    │          ^^^^ leave this out"],
  ],
];
test.each(rewrites)("an edit: %s", (_, old_string, new_string, lines) => {
  const found = finding("a.md", { edits: [{ ...edit, old_string, new_string }] });
  expect(shown(found, `# A\n\n${old_string}`).slice(1)).toEqual(lines);
});

test("findings of one cause are one entry that names the other places, and ids show only on request", () => {
  const found = [
    finding("a.md"),
    finding("docs/b.md"),
    finding("docs/b.md", { startLine: 9 }),
    finding("c.md", { message: "`x` no longer exists." }),
  ];
  expect(paintFindings(found, plain)).toEqual([
    "a.md:3  likely  `route_layer` is deprecated now (src/lib.rs:6)\n  also docs/b.md:3 and docs/b.md:9",
    "c.md:3  likely  `x` no longer exists",
  ]);
  const [first] = paintFindings(found, { ...plain, verbose: true });
  expect(first!.split("\n").filter((line) => line.includes("id deprecation-"))).toHaveLength(3);
});

test("the surest findings come first", () => {
  const found = [
    finding("a.md", { tier: "possible", cause: "p" }),
    finding("b.md", { tier: "certain", cause: "c" }),
  ];
  expect(paintFindings(found, plain).map((text) => text.split(":")[0])).toEqual(["b.md", "a.md"]);
});

test("a cause that the rules name joins findings whose words differ", () => {
  const found = [finding("a.md", { cause: "c1" }), finding("b.md", { cause: "c1", message: "Another." })];
  expect(paintFindings(found, plain)).toHaveLength(1);
});

test("the advice counts the edits that fix makes, and those it asks about", () => {
  const report = (...findings: ReportedFinding[]) => ({ base: "a", head: "b", findings, unknown: [] });
  const [certain, likely] = [
    finding("a.md", { tier: "certain", edits: [edit] }),
    finding("b.md", { edits: [edit] }),
  ];
  const instructions = finding("AGENTS.md", { tier: "certain", edits: [edit] });
  expect(fixAdvice(countEdits(report(finding("a.md"))))).toBe("No rule can fix it; a person has to.");
  const model = "ollama:small";
  expect(fixAdvice(countEdits(report(finding("a.md"))), "suture fix", { model })).toBe(
    "No rule can fix it; `suture fix --model ollama:small` asks the model for the edits.",
  );
  expect(fixAdvice(countEdits(report(certain, finding("a.md"))), "suture fix", { model })).toBe(
    "Rules can fix 1 of these 2; `suture fix --model ollama:small` asks the model for the other edits.",
  );
  expect(fixAdvice(countEdits(report(certain, finding("a.md"))))).toBe(
    "`suture fix` makes 1 edit. 1 passage needs a person.",
  );
  expect(fixAdvice(countEdits(report(certain, likely, finding("a.md"))))).toBe(
    "`suture fix` makes 1 edit and asks about 1 more (likely, not certain); `suture fix --yes` makes all 2. 1 passage needs a person.",
  );
  expect(fixAdvice(countEdits(report(certain)))).toBe("`suture fix` makes 1 edit.");
  expect(fixAdvice(countEdits(report(certain, likely, instructions)))).toBe(
    "`suture fix` makes 1 edit and asks about 2 more (likely, not certain; in a file that needs your consent); `suture fix --yes` makes all 3.",
  );
  expect(fixAdvice(countEdits(report(likely)))).toBe(
    "`suture fix --yes` makes 1 edit (likely, not certain); `suture fix` asks about each.",
  );
  const unwritable = finding("caf\uFFFD.md", { tier: "certain", edits: [edit] });
  expect(fixAdvice(countEdits(report(certain, unwritable)))).toBe(
    "`suture fix` makes 1 edit. 1 passage needs a person.",
  );
  expect(fixAdvice(countEdits(report(finding("a.md", { tier: "possible", edits: [edit] }))))).toBe(null);
});

test("a line feed in a file name cannot forge a finding", () => {
  const name = "a\nREADME.md:1 certain forged\t.md";
  const [painted] = paintFindings([finding(name, { message: `\`x\` no longer exists (${name}:1).` })], plain);
  expect(painted!.split("\n")).toHaveLength(1);
  expect(painted).not.toMatch(/^README/m);
});

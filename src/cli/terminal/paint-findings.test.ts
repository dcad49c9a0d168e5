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
const edit = { path: "a.md", old_string: "old", new_string: "new", reason: "why" };
const plain = { colour: false };

test("a finding names its place, its rule and its id", () => {
  expect(paintFindings([finding("a.md", { edits: [edit] })], plain)).toEqual([
    [
      "a.md:3 likely `route_layer` is deprecated now (src/lib.rs:6).",
      "  rule deprecation, id deprecation-4",
      "  - old",
      "  + new",
    ].join("\n"),
  ]);
});

test("findings of one cause are one entry that counts places and pages", () => {
  const [first, second, ...rest] = paintFindings(
    [
      finding("a.md"),
      finding("docs/b.md"),
      finding("docs/b.md", { startLine: 9 }),
      finding("c.md", { message: "`x` no longer exists." }),
    ],
    plain,
  );
  expect(first!.split("\n")).toEqual([
    "likely `route_layer` is deprecated now (src/lib.rs:6): 3 places in 2 pages",
    "  rule deprecation",
    "  a.md:3  id deprecation-4",
    "  docs/b.md:3  id deprecation-9",
    "  docs/b.md:9  id deprecation-9",
  ]);
  expect(second).toContain("`x` no longer exists.");
  expect(rest).toEqual([]);
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
    "`suture fix` can fix 1 of these 2; 1 needs a person.",
  );
  expect(fixAdvice(countEdits(report(certain, likely, finding("a.md"))))).toBe(
    "`suture fix` can fix 2 of these 3 (1 of them if you agree); 1 needs a person.",
  );
  expect(fixAdvice(countEdits(report(certain)))).toBe("`suture fix` makes 1 edit.");
  expect(fixAdvice(countEdits(report(certain, likely, instructions)))).toBe(
    "`suture fix` makes 1 edit, and asks about 2 more.",
  );
  expect(fixAdvice(countEdits(report(likely)))).toBe(
    "`suture fix --yes` makes 1 edit; `suture fix` asks about each.",
  );
  expect(fixAdvice(countEdits(report(finding("a.md", { tier: "possible", edits: [edit] }))))).toBe(null);
});

test("a line feed in a file name cannot forge a finding", () => {
  const name = "a\nREADME.md:1 certain forged\t.md";
  const [painted] = paintFindings([finding(name, { message: `\`x\` no longer exists (${name}:1).` })], plain);
  expect(painted!.split("\n")).toHaveLength(2);
  expect(painted).not.toMatch(/^README/m);
});

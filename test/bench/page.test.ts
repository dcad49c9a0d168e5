import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readSections } from "../../bench/page.ts";
import { lostTargets, readTargets } from "../../bench/report.ts";

test("a section ends at the next title, not at a printed line that looks like one", () => {
  const sections = readSections(
    "# Page\n\n## A\n\n```text\n## Row\n\n1 ×\n```\n\n- a note\n\n## B\n\n```text\n2 ×\n```\n",
  );
  expect([...sections.keys()]).toEqual(["A", "B"]);
  expect(sections.get("A")).toEqual({
    text: "## A\n\n```text\n## Row\n\n1 ×\n```\n\n- a note\n",
    notes: "- a note",
  });
  expect(sections.get("B")?.notes).toBe("");
});

test("the sections of the page are the whole page below its head", () => {
  const page = readFileSync("docs/benchmarks.md", "utf8");
  const texts = [...readSections(page).values()].map(({ text }) => text);
  expect(page.slice(page.indexOf("\n## ") + 1)).toBe(texts.join("\n"));
});

test("each benchmark of the nightly gate has a target on the page that it can lose", () => {
  const [, names = ""] =
    /bench -- --gate --only (\S+)/.exec(readFileSync(".github/workflows/nightly.yml", "utf8")) ?? [];
  const sections = readSections(readFileSync("docs/benchmarks.md", "utf8"));
  const targets = names.split(",").map((name) => {
    const title = `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;
    return lostTargets(readTargets(sections.get(title)?.text ?? ""), []).length;
  });
  expect(targets.length).toBeGreaterThan(3);
  expect(Math.min(...targets)).toBeGreaterThan(0);
});

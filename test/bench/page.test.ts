import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readSections } from "../../bench/page.ts";

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

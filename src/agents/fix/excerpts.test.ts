import { expect, test } from "vitest";
import { findExcerpts, type OpenFinding } from "./excerpts.ts";

const finding = (startLine: number): OpenFinding => ({
  id: "default-0",
  path: "docs/a.md",
  startLine,
  endLine: startLine,
  kind: "default",
  tier: "likely",
  message: "",
  evidence: [],
  edits: [],
});

test("a short section is one excerpt, whole", () => {
  const text = "# A\n\nOne.\n\n# B\n\nTwo.\n";
  const [excerpt] = findExcerpts("docs/a.md", text, [finding(7)]);
  expect(text.slice(excerpt!.region.start, excerpt!.region.end)).toBe("# B\n\nTwo.\n");
});

test("an excerpt of a long section cuts no sample in two", () => {
  const words = "Some words that fill the page.\n\n".repeat(200);
  const sample = `\`\`\`sh\n${"run this\n".repeat(30)}\`\`\`\n`;
  const text = `# A\n\n${words}${sample}\nThe passage.\n\n${words}`;
  const line = text.split("\n").indexOf("The passage.") + 1;
  const [excerpt] = findExcerpts("docs/a.md", text, [finding(line)]);
  const shown = text.slice(excerpt!.region.start, excerpt!.region.end);
  expect(shown.startsWith("```sh\n")).toBe(true);
  expect(shown).toContain("The passage.");
  expect(shown.length).toBeLessThan(1500);
});

test("the path of headings has their words, without badges and addresses", () => {
  const text =
    "# Acme [![Build](https://ci.example/b.svg)](https://ci.example) [docs](https://d.example)\n\n## B\n\nTwo.\n";
  const [excerpt] = findExcerpts("docs/a.md", text, [finding(5)]);
  expect(excerpt!.headings).toEqual(["Acme docs", "B"]);
});

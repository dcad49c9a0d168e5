import { expect, test } from "vitest";
import { outlinePage } from "./page-outline.ts";

const names = new Set(["json", "timeout"]);

test("a short page shows its headings and the lines that hold a changed name", () => {
  const text = "# A\n\nUse `json`.\n\nNothing.\n\n## B\n\nThe `timeout` is 3.\n";
  expect(outlinePage("a.md", text, names).lines).toBe("# A\nUse `json`.\n## B\nThe `timeout` is 3.");
});

test("on a long page the line with a rare name is shown, with its heading, and the rest is counted", () => {
  const common = Array.from({ length: 100 }, (_, i) => `Line ${i} tells of \`json\` and of more.`).join("\n");
  const text = `# A\n\n${common}\n\n## B\n\nThe \`timeout\` is 3.\n`;
  const { lines } = outlinePage("a.md", text, names);
  expect(lines).toContain("## B\nThe `timeout` is 3.");
  expect(lines).toMatch(/\(\d+ more lines with changed names not shown\)$/);
  expect(lines.length).toBeLessThan(1600);
});

test("a very long line is cut and does not displace the others", () => {
  const text = `# A\n\n\`timeout\` ${"word ".repeat(1000)}\n\nThe \`json\` is 3.\n`;
  const { lines } = outlinePage("a.md", text, names);
  expect(lines).toContain(" …\nThe `json` is 3.");
});

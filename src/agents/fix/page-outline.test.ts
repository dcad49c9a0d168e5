import { expect, test } from "vitest";
import { outlinePage } from "./page-outline.ts";

const names = new Map([
  ["json", 1],
  ["timeout", 1],
  ["otherwise", 1],
]);

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

test("a plain word in prose comes after a name that the page writes as code", () => {
  const prose = Array.from({ length: 60 }, (_, i) => `Line ${i} is so, and otherwise it is not so.`).join(
    "\n",
  );
  const text = `# A\n\n${prose}\n\n${"Set `timeout` to a number.\n".repeat(40)}`;
  const { lines } = outlinePage("a.md", text, new Map([...names, ["otherwise", 5]]));
  expect(lines).toContain("Set `timeout`");
});

test("a very long line is cut and does not displace the others", () => {
  const text = `# A\n\n\`timeout\` ${"word ".repeat(1000)}\n\nThe \`json\` is 3.\n`;
  const { lines } = outlinePage("a.md", text, names);
  expect(lines).toContain(" …\nThe `json` is 3.");
});

test("a comment in a sample is no heading, and headings of other formats are", () => {
  const sample = "# A\n\n```sh\n# Send it.\nsend\n```\n\nUse `json`.\n";
  expect(outlinePage("a.md", sample, names).lines).toBe("# A\nUse `json`.");
  expect(outlinePage("a.rst", "Sending\n=======\n\nUse ``json``.\n", names).lines).toBe(
    "Sending\nUse ``json``.",
  );
});

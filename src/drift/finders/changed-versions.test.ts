import { expect, test } from "vitest";
import { reported } from "../test-case.ts";

const demand = (page: string) =>
  reported({
    files: { "go.mod": ["module harbour\n\ngo 1.17\n", "module harbour\n\ngo 1.20\n"] },
    docs: { "README.md": page },
  });

test("a page that demands the old version is reported", async () => {
  expect(await demand("# Harbour\n\nYou need Go 1.17 or newer.\n")).toMatchObject([
    { kind: "version", startLine: 3 },
  ]);
});

test.each(["go < 1.17", "Go before 1.17", "Go older than 1.17"])(
  "a page that tells newer versions and %s apart stays true",
  async (older) => {
    const page = `# Harbour\n\n\`\`\`shell\n# go >= 1.17\ngo install harbour@latest\n# ${older}\ngo get harbour\n\`\`\`\n`;
    expect(await demand(page)).toEqual([]);
  },
);

import { describe, expect, test } from "vitest";
import { type Case, fixed, reported } from "../test-case.ts";

const guide = (title: string): string =>
  `# Guide\n\n## ${title}\n\nWords enough to know this page again.\n\nMore of them.\n`;
const change = (docs: Case["docs"], was: Case["was"]): Case => ({ files: {}, docs, was: was! });

describe("links to moved headings and pages", () => {
  const rows: [name: string, one: Case, page: string, after: string][] = [
    [
      "a heading with new words",
      change(
        { "docs/guide.md": guide("Set up"), "README.md": "See [it](docs/guide.md#getting-started).\n" },
        { "docs/guide.md": guide("Getting started") },
      ),
      "README.md",
      "See [it](docs/guide.md#set-up).\n",
    ],
    [
      "a heading of the same page",
      change(
        { "docs/guide.md": `${guide("Set up")}[up](#getting-started)\n` },
        { "docs/guide.md": `${guide("Getting started")}[up](#getting-started)\n` },
      ),
      "docs/guide.md",
      `${guide("Set up")}[up](#set-up)\n`,
    ],
    [
      "a page in another folder, by a reference",
      change(
        { "docs/start/guide.md": guide("A"), "docs/index.md": "See [it][g].\n\n[g]: ./guide.md#a\n" },
        { "docs/guide.md": guide("A"), "docs/start/guide.md": null },
      ),
      "docs/index.md",
      "See [it][g].\n\n[g]: ./start/guide.md#a\n",
    ],
    [
      "a page named without its ending",
      change(
        { "docs/start/guide.md": guide("A"), "docs/index.md": "See [it](guide).\n" },
        { "docs/guide.md": guide("A"), "docs/start/guide.md": null },
      ),
      "docs/index.md",
      "See [it](start/guide).\n",
    ],
    [
      "links of the moved page itself",
      change(
        { "docs/start/guide.md": `${guide("A")}[b](b.md)\n`, "docs/b.md": "# B\n" },
        { "docs/guide.md": `${guide("A")}[b](b.md)\n`, "docs/start/guide.md": null },
      ),
      "docs/start/guide.md",
      `${guide("A")}[b](../b.md)\n`,
    ],
  ];
  test.each(rows)("%s", async (_, one, page, after) => {
    expect((await reported(one)).map(({ tier }) => tier)).toEqual(["certain"]);
    expect(await fixed(one, page)).toBe(after);
  });
});

describe("headings without a successor", () => {
  const rows: [name: string, one: Case, found: number][] = [
    [
      "a link to a removed page is reported",
      change({ "README.md": "See [it](docs/guide.md).\n" }, { "docs/guide.md": guide("A") }),
      1,
    ],
    [
      "a link to a removed heading is reported",
      change(
        { "docs/guide.md": "# Guide\n", "README.md": "See [it](docs/guide.md#getting-started).\n" },
        { "docs/guide.md": guide("Getting started") },
      ),
      1,
    ],
    [
      "an anchor that the page keeps by name is fine",
      change(
        {
          "docs/guide.md": `<a id="getting-started"></a>\n${guide("Set up")}`,
          "README.md": "See [it](docs/guide.md#getting-started).\n",
        },
        { "docs/guide.md": guide("Getting started") },
      ),
      0,
    ],
    [
      "a link that was broken before is not reported",
      change(
        { "docs/guide.md": guide("Set up"), "README.md": "See [it](docs/guide.md#never).\n[x](gone.md)\n" },
        { "docs/guide.md": guide("Getting started") },
      ),
      0,
    ],
    [
      "an address of a site is left alone",
      change(
        {
          "docs/guide.md": "# Guide\n",
          "README.md": "See [it](https://example.org/docs/guide.md#getting-started).\n",
        },
        { "docs/guide.md": guide("Getting started") },
      ),
      0,
    ],
  ];
  test.each(rows)("%s", async (_, one, found) => {
    const findings = await reported(one);
    expect(findings.length).toBe(found);
    expect(findings.flatMap(({ edits }) => edits)).toEqual([]);
  });
});

import { describe, expect, test } from "vitest";
import { type ChangedFiles, reported } from "../test-case.ts";

const PAGE = "docs/page.md";
const OPTIONS = "export type Options<Data, Param> = {\n";
const inlined: ChangedFiles = {
  "src/options.ts": [
    `export type NextPage<Data, Param> = (page: Data, all: Array<Data>) => Param;\n${OPTIONS}  getNext: NextPage<Data, Param>;\n  getPrevious: NextPage<Data, Param>;\n};\n`,
    `${OPTIONS}  getNext: (\n    page: Data,\n    all: Array<Data>,\n  ) => Param;\n  getPrevious: (\n    page: Data,\n    all: Array<Data>,\n  ) => Param;\n};\n`,
  ],
};
const renamed: ChangedFiles = {
  "src/options.ts": [
    `export type NextPage<Data, Param> = (page: Data) => Param;\n`,
    `export type FollowingPage<Data, Param> = (page: Data) => Param;\n`,
  ],
};

describe("parts of rewritten lines on a page", () => {
  const rows: [name: string, files: ChangedFiles, line: string, told: string[]][] = [
    [
      "a declaration is not rewritten by a use of something else",
      inlined,
      "export type NextPage<Data, Param> = (",
      [],
    ],
    [
      "a declaration is rewritten by the declaration",
      renamed,
      "export type NextPage<Data, Param> = (",
      ["FollowingPage"],
    ],
  ];
  test.each(rows)("%s", async (_, files, line, told) => {
    const found = await reported({ files, docs: { [PAGE]: `# Pages\n\n\`\`\`ts\n${line}\n\`\`\`\n` } });
    const successors = found.map(({ message }) => message.new).filter(Boolean);
    expect(successors).toEqual(told);
  });
});

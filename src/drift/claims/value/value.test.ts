import { expect, test } from "vitest";
import { type Case, fixed, reported } from "../../test-case.ts";

const PAGE = "README.md";
const go = (value: string): string =>
  `package main\n\nimport "flag"\n\nfunc main() {\n\tflag.String("listen", ${value}, "listen address")\n}\n`;

test.each<[title: string, files: Case["files"], page: string, after: string]>([
  [
    "a default in prose",
    {
      "src/a.py": [
        "def connect(host, wait_time=30):\n    pass\n",
        "def connect(host, wait_time=60):\n    pass\n",
      ],
    },
    "`connect` waits for `wait_time` seconds, 30 by default.\n",
    "`connect` waits for `wait_time` seconds, 60 by default.\n",
  ],
  [
    "a default of a flag in a capture of help",
    { "main.go": [go('":8000"'), go('":9000"')] },
    '```\n  --listen string   listen address (default ":8000")\n```\n',
    '```\n  --listen string   listen address (default ":9000")\n```\n',
  ],
])("%s follows the code", async (_, files, page, after) => {
  expect(await fixed({ files, docs: { [PAGE]: page } }, PAGE)).toBe(after);
});

test.each<[title: string, files: Case["files"], page: string]>([
  [
    "a default that the program works out now",
    { "main.go": [go('":8000"'), go("server.Listen")] },
    '```\n  --listen string   listen address (default ":8000")\n```\n',
  ],
  [
    "a value that the page tells to set",
    {
      "src/a.ts": [
        "export const options = { isOpen: true };\n",
        "export const options = { isOpen: false };\n",
      ],
    },
    "Set `isOpen: true` to see all.\n",
  ],
])("%s is not reported", async (_, files, page) => {
  expect((await reported({ files, docs: { [PAGE]: page } })).filter(({ kind }) => kind === "value")).toEqual(
    [],
  );
});

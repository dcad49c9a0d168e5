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
  [
    "a quoted text with signs in a cell, in the section of its module,",
    {
      "src/configs/cmake.rs": [
        "pub struct CMakeConfig<'a> {\n    pub format: &'a str,\n}\n\nimpl<'a> Default for CMakeConfig<'a> {\n    fn default() -> Self {\n        CMakeConfig {\n            format: \"via [$version]($style) \",\n        }\n    }\n}\n",
        "pub struct CMakeConfig<'a> {\n    pub format: &'a str,\n}\n\nimpl<'a> Default for CMakeConfig<'a> {\n    fn default() -> Self {\n        CMakeConfig {\n            format: \"via [$symbol]($style) \",\n        }\n    }\n}\n",
      ],
      "src/configs/buf.rs": [
        "pub struct BufConfig<'a> {\n    pub format: &'a str,\n}\n\nimpl<'a> Default for BufConfig<'a> {\n    fn default() -> Self {\n        BufConfig {\n            format: \"with [$version]($style) \",\n        }\n    }\n}\n",
        "pub struct BufConfig<'a> {\n    pub format: &'a str,\n}\n\nimpl<'a> Default for BufConfig<'a> {\n    fn default() -> Self {\n        BufConfig {\n            format: \"with [$version]($style) \",\n        }\n    }\n}\n// end\n",
      ],
    },
    '# Configuration\n\n## CMake\n\n| Option | Default | Description |\n| --- | --- | --- |\n| `format` | `"via [$version]($style) "` | The format. |\n\n## Buf\n\n| Option | Default | Description |\n| --- | --- | --- |\n| `format` | `"with [$version]($style) "` | The format. |\n',
    '# Configuration\n\n## CMake\n\n| Option | Default | Description |\n| --- | --- | --- |\n| `format` | `"via [$symbol]($style) "` | The format. |\n\n## Buf\n\n| Option | Default | Description |\n| --- | --- | --- |\n| `format` | `"with [$version]($style) "` | The format. |\n',
  ],
  [
    "a list of texts in a cell",
    {
      "src/a.py": [
        'def detect(suffixes=["sln", "csproj"]):\n    pass\n',
        'def detect(suffixes=["csproj"]):\n    pass\n',
      ],
    },
    "| Option | Default |\n| --- | --- |\n| `suffixes` | `['sln', 'csproj']` |\n",
    "| Option | Default |\n| --- | --- |\n| `suffixes` | `['csproj']` |\n",
  ],
  [
    "a default between dashes, behind the name that opens an item,",
    {
      "src/a.py": [
        "def connect(host, wait_time=30):\n    pass\n",
        "def connect(host, wait_time=60):\n    pass\n",
      ],
    },
    "* `wait_time` — `30` — How long it waits.\n",
    "* `wait_time` — `60` — How long it waits.\n",
  ],
  [
    "a default that one function gives to all options, below the heading of the option,",
    {
      "src/diff.ts": [
        "function getDefaultOptions(): DiffOptions {\n  return {\n    expand: true,\n    printPrototype: true,\n  };\n}\n\nexport const diff = (options = getDefaultOptions()) => options;\n",
        "function getDefaultOptions(): DiffOptions {\n  return {\n    expand: true,\n    printPrototype: false,\n  };\n}\n\nexport const diff = (options = getDefaultOptions()) => options;\n",
      ],
    },
    "#### diff.printPrototype\n\n- **Type**: `boolean`\n- **Default**: `true`\n\nPrints it.\n",
    "#### diff.printPrototype\n\n- **Type**: `boolean`\n- **Default**: `false`\n\nPrints it.\n",
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

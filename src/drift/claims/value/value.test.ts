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
    "a default that a sentence states of the name in the sentence before",
    {
      "src/a.py": [
        'def shell(continuation_prompt="[>](bold)"):\n    pass\n',
        'def shell(continuation_prompt="[.](black) "):\n    pass\n',
      ],
    },
    'Set it by the `continuation_prompt` option. The default prompt is `"[>](bold)"`.\n',
    'Set it by the `continuation_prompt` option. The default prompt is `"[.](black) "`.\n',
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
  [
    "a default of an item of a list",
    { "main.go": [go('":8000"'), go('":9000"')] },
    "Options\n\n- `--listen`: address that the server has; `:8000` by default\n",
    "Options\n\n- `--listen`: address that the server has; `:9000` by default\n",
  ],
  [
    "a default behind the words that mark it",
    { "main.go": [go('"80"'), go('"90"')] },
    "- `--listen`: where the server listens, by default 80\n",
    "- `--listen`: where the server listens, by default 90\n",
  ],
  [
    "a default that a limit stands before",
    {
      "src/a.ts": [
        "export function open({ size = 16 }: { size?: number }) {}\n",
        "export function open({ size = 32 }: { size?: number }) {}\n",
      ],
    },
    "- `size`: connections at most, 16 by default\n",
    "- `size`: connections at most, 32 by default\n",
  ],
  [
    "a variable that is a prefix and a field",
    {
      "app/settings.py": [
        'class S(BaseSettings):\n    model_config = {"env_prefix": "APP_"}\n    page_size: int = 60\n',
        'class S(BaseSettings):\n    model_config = {"env_prefix": "APP_"}\n    page_size: int = 30\n',
      ],
    },
    "`APP_PAGE_SIZE`: rows of a page, 60 by default.\n",
    "`APP_PAGE_SIZE`: rows of a page, 30 by default.\n",
  ],
  [
    "a quoted text in a cell without marks around the name",
    {
      "variables.tf": [
        'variable "kind" {\n  type    = string\n  default = "small"\n}\n',
        'variable "kind" {\n  type    = string\n  default = "large"\n}\n',
      ],
    },
    '| Name | Default |\n| --- | --- |\n| kind | `"small"` |\n',
    '| Name | Default |\n| --- | --- |\n| kind | `"large"` |\n',
  ],
  [
    "a parameter that the page writes with its sign",
    {
      "src/A.php": [
        "<?php\nclass A\n{\n    public function page(int $perPage = 25): array { return []; }\n}\n",
        "<?php\nclass A\n{\n    public function page(int $perPage = 50): array { return []; }\n}\n",
      ],
    },
    "`A::page($perPage)` returns a page; `$perPage` is 25 by default.\n",
    "`A::page($perPage)` returns a page; `$perPage` is 50 by default.\n",
  ],
  [
    "a number with a point",
    {
      "src/a.py": ["def heat(target=21.5):\n    pass\n", "def heat(target=20.0):\n    pass\n"],
    },
    "`heat` has a `target`, 21.5 by default.\n",
    "`heat` has a `target`, 20.0 by default.\n",
  ],
  [
    "a setting of a table of convict",
    {
      "config.js": [
        'const convict = require("convict");\nmodule.exports = convict({ mail: { retries: { doc: "x", default: 4, env: "MAIL_RETRIES" } } });\n',
        'const convict = require("convict");\nmodule.exports = convict({ mail: { retries: { doc: "x", default: 6, env: "MAIL_RETRIES" } } });\n',
      ],
    },
    "`MAIL_RETRIES` (default: 4)\n",
    "`MAIL_RETRIES` (default: 6)\n",
  ],
  [
    "an option of getopt with the variable that it sets",
    {
      "src/main.c": [4, 8].map(
        (n) =>
          `int main(int argc, char **argv) {\n  int lines = ${n};\n  static struct option all[] = {{"lines", required_argument, NULL, 'n'}};\n  switch (c) {\n  case 'n': lines = atoi(optarg); break;\n  }\n}\n`,
      ) as [string, string],
    },
    "`-n`, `--lines`: lines to show; 4 by default\n",
    "`-n`, `--lines`: lines to show; 8 by default\n",
  ],
  [
    "a default of a table, told below the item of its setting,",
    {
      "internal/config/settings.go": ["false", "true"].map(
        (value) =>
          `package config\n\nvar defaultSettings = map[string]interface{}{\n\t"autosave": ${value},\n\t"tabsize":  4,\n}\n`,
      ) as [string, string],
    },
    "* `autosave`: saves when the focus is lost.\n\n    default value: `false`\n\n* `tabsize`: how wide a tab is.\n\n    default value: `4`\n",
    "* `autosave`: saves when the focus is lost.\n\n    default value: `true`\n\n* `tabsize`: how wide a tab is.\n\n    default value: `4`\n",
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

test("a default that moved from the schema to where the option is read is told", async () => {
  const rule = (schema: string, read: string): string =>
    `module.exports = { meta: { schema: [{ properties: { checkLoops: ${schema} } }] }, create(context) { const options = context.options[0]; return ${read}; } };\n`;
  const files = {
    "lib/rules/loops.js": [
      rule('{ type: "boolean", default: true }', "options.checkLoops !== false"),
      rule('{ enum: ["all", "none"] }', 'options.checkLoops ?? "all"'),
    ],
  } satisfies Case["files"];
  const found = await reported({ files, docs: { [PAGE]: "### checkLoops\n\nSet to `true` by default.\n" } });
  expect(found.map(({ kind }) => kind)).toEqual(["value"]);
});

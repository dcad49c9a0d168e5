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
    "a letter of getopt with the variable that it sets",
    {
      "src/main.c": [4, 8].map(
        (n) =>
          `int main(int argc, char **argv) {\n  int lines = ${n};\n  while ((c = getopt(argc, argv, "n:h")) != -1)\n  switch (c) {\n  case 'n': lines = atoi(optarg); break;\n  }\n}\n`,
      ) as [string, string],
    },
    "`-n`: lines to show; 4 by default\n",
    "`-n`: lines to show; 8 by default\n",
  ],
  [
    "an input of a workflow that others call",
    {
      ".github/workflows/release.yml": [18, 22].map(
        (n) => `on:\n  workflow_call:\n    inputs:\n      node-version:\n        default: "${n}"\n`,
      ) as [string, string],
    },
    "| Input | Default |\n| --- | --- |\n| `node-version` | `18` |\n",
    "| Input | Default |\n| --- | --- |\n| `node-version` | `22` |\n",
  ],
  [
    "a constant table of PHP",
    {
      "src/Client.php": [30, 10].map(
        (n) =>
          `<?php\n\nclass Client\n{\n    private const DEFAULTS = [\n        'timeout' => ${n},\n    ];\n}\n`,
      ) as [string, string],
    },
    "- `timeout` (int, default `30`): seconds to wait\n",
    "- `timeout` (int, default `10`): seconds to wait\n",
  ],
  [
    "a field of Rust that a method sets",
    {
      "src/lib.rs": [4, 8].map(
        (n) =>
          `pub struct Builder {\n    workers: usize,\n}\n\nimpl Builder {\n    pub fn new() -> Self {\n        Builder { workers: ${n} }\n    }\n\n    pub fn workers(mut self, workers: usize) -> Self {\n        self.workers = workers;\n        self\n    }\n}\n`,
      ) as [string, string],
    },
    "`Builder::workers` sets the number of workers; it defaults to 4.\n",
    "`Builder::workers` sets the number of workers; it defaults to 8.\n",
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

const FIRST: readonly [
  title: string,
  path: string,
  code: (value: string) => string,
  page: (value: string) => string,
][] = [
  [
    "in prose",
    "a.ts",
    (n) => `export function open({ wait = ${n} }: { wait?: number }) {}\n`,
    (n) => `\`wait\` defaults to ${n}.`,
  ],
  [
    "in a signature",
    "a.py",
    (n) => `def connect(host, port=${n}):\n    pass\n`,
    (n) => `Call \`connect(host, port=${n})\`.`,
  ],
  [
    "of argparse",
    "a.py",
    (n) =>
      `import argparse\n\np = argparse.ArgumentParser("run")\np.add_argument("--jobs", type=int, default=${n}, help="jobs")\n`,
    (n) => `- \`--jobs N\`: processes (default: ${n})`,
  ],
  [
    "of clap",
    "src/main.rs",
    (n) =>
      `#[derive(Parser)]\nstruct Args {\n    /// Depth\n    #[arg(long, default_value_t = ${n})]\n    depth: usize,\n}\n`,
    (n) => `    --depth <DEPTH>  Depth [default: ${n}]`,
  ],
  [
    "of a flag of Go",
    "main.go",
    (n) => `package main\n\nimport "flag"\n\nvar port = flag.Int("port", ${n}, "port")\n`,
    (n) => `\`-port\` is the port, ${n} by default.`,
  ],
  [
    "of a variable",
    "a.js",
    (n) => `const size = process.env.BATCH_SIZE ?? ${n};\n`,
    (n) => `Set \`BATCH_SIZE\` (default ${n}).`,
  ],
  [
    "of OpenAPI",
    "openapi.yaml",
    (n) =>
      `openapi: 3.0.0\npaths:\n  /a:\n    get:\n      parameters:\n        - {name: per_page, in: query, schema: {type: integer, default: ${n}}}\n`,
    (n) => `\`per_page\`: ${n} by default`,
  ],
];

test.each(FIRST)(
  "the first thing that people change, a default %s, is repaired",
  async (_, path, code, page) => {
    const files: Case["files"] = { [path]: [code("30"), code("45")] };
    expect(await fixed({ files, docs: { [PAGE]: `# A\n\n${page("30")}\n` } }, PAGE)).toBe(
      `# A\n\n${page("45")}\n`,
    );
  },
);

const FETCH: Case["files"] = {
  "fetch.py": [30, 60].map((wait) => `def fetch(url, wait=${wait}):\n    pass\n`) as [string, string],
};

test.each([
  "By default, `fetch` waits 30 seconds; pass `wait` for another time.",
  "Unless you pass `wait`, it gives up on try 30.",
  "`wait` is in seconds, 30 if you leave it out.",
  "`wait` is in seconds, 30 unless set.",
  "`wait` is the time to wait. If it is not given, 30 seconds are enough.",
  "wait\n: Seconds to wait. Defaults to 30.",
  "- **wait** (`int`, optional): seconds to wait. Defaults to `30`.",
  "It gives up after 30 seconds (`fetch.wait`) unless told otherwise.",
  "It waits as long as `wait` (30) says.",
])("a default is read in: %s", async (page) => {
  expect(await fixed({ files: FETCH, docs: { [PAGE]: `${page}\n` } }, PAGE)).toBe(
    `${page.replace("30", "60")}\n`,
  );
});

const depth = (most: number): string =>
  `{ "type": "object", "properties": { "depth": { "type": "integer", "minimum": 1, "maximum": ${most} } } }\n`;

test.each([
  "`depth`: between 1 and 8",
  "`depth` must not exceed 8.",
  "`depth` is limited to 8.",
  "`depth`: no more than 8",
])("a limit is read in: %s", async (page) => {
  const files = { "schema/config.schema.json": [depth(8), depth(16)] } satisfies Case["files"];
  expect(await fixed({ files, docs: { [PAGE]: `${page}\n` } }, PAGE)).toBe(`${page.replace("8", "16")}\n`);
});

test.each([
  ["`wait`: milliseconds to wait (default: `3600000`, one hour)", "(default: `7200000`, two hours)"],
  ["`wait`: 3600000 (60 minutes) by default", "7200000 (120 minutes) by default"],
])("a value that a page tells twice is repaired twice: %s", async (page, expected) => {
  const files: Case["files"] = {
    "fetch.py": [3_600_000, 7_200_000].map((wait) => `def fetch(url, wait=${wait}):\n    pass\n`) as [
      string,
      string,
    ],
  };
  expect(await fixed({ files, docs: { [PAGE]: `${page}\n` } }, PAGE)).toContain(expected);
});

test("a default that is a constant of another file follows it", async () => {
  const files: Case["files"] = { "a/defaults.py": ["DEFAULT_WAIT = 30\n", "DEFAULT_WAIT = 60\n"] };
  const rest = {
    "a/fetch.py": "from a.defaults import DEFAULT_WAIT\n\n\ndef fetch(url, wait=DEFAULT_WAIT):\n    pass\n",
  };
  const page = "`wait`: seconds to wait, 30 by default\n";
  expect(await fixed({ files, rest, docs: { [PAGE]: page } }, PAGE)).toBe(page.replace("30", "60"));
});

test("a constant whose name says so is a limit", async () => {
  const files: Case["files"] = { "a.py": ["MAX_NAME = 64\n", "MAX_NAME = 128\n"] };
  const page = "A name may have up to 64 letters (`MAX_NAME`).\n";
  expect(await fixed({ files, docs: { [PAGE]: page } }, PAGE)).toBe(page.replace("64", "128"));
});

test.each([["--wait", '@click.option("--wait", default=30)', '@click.option("--wait", default=60)']])(
  "%s of another program says nothing about ours",
  async (_, was, is) => {
    const code = (option: string): string =>
      `import click\n\n@click.command()\n${option}\ndef fetch(wait):\n    pass\n`;
    const page = "`curl --wait` takes 30 by default; so does nothing of ours.\n";
    expect(await reported({ files: { "cli.py": [code(was), code(is)] }, docs: { [PAGE]: page } })).toEqual(
      [],
    );
  },
);

test("a cell of a drawn table keeps its width, and a longer value that it cannot hold is left to a person", async () => {
  const table = (cell: string): string =>
    `Fetch\n=====\n\n+----------+--------+\n| Name     | Default |\n+==========+========+\n| \`\`wait\`\` |${cell}|\n+----------+--------+\n`.replaceAll(
      "Default |",
      "Default|",
    );
  const files = (is: number): Case["files"] => ({
    "fetch.py": [`def fetch(url, wait=5):\n    pass\n`, `def fetch(url, wait=${is}):\n    pass\n`],
  });
  const told = (is: number, cell: string) =>
    fixed({ files: files(is), docs: { "a.rst": table(cell) } }, "a.rst");
  expect(await told(120, " 5      ")).toBe(table(" 120    "));
  expect(await told(1_000_000, " 5      ")).toBe(table(" 5      "));
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

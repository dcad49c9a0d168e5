import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { measureAsyncWork } from "../../test/work.ts";
import { findDrift } from "./find-drift.ts";
import { type Case, type ChangedFiles, fixed, reported, toInput } from "./test-case.ts";

const RENAMED: ChangedFiles = {
  "src/client.ts": [
    "export function fetchUser(id: string) {\n  return id;\n}\nfetchUser('1');\n",
    "export function loadUser(id: string) {\n  return id;\n}\nloadUser('1');\n",
  ],
};

describe("the text of a page after the edits", () => {
  const rows: [name: string, one: Case, after: string][] = [
    [
      "a renamed function in inline code",
      { files: RENAMED, docs: { "README.md": "Call `fetchUser(id)`.\n" } },
      "Call `loadUser(id)`.\n",
    ],
    [
      "a renamed function in a sample and a heading",
      { files: RENAMED, docs: { "README.md": "## fetchUser\n\n```ts\nawait fetchUser('7');\n```\n" } },
      "## loadUser\n\n```ts\nawait loadUser('7');\n```\n",
    ],
    [
      "dollar signs beside the name stay as they are",
      { files: RENAMED, docs: { "README.md": "$& `fetchUser` $1 `$$`\n" } },
      "$& `loadUser` $1 `$$`\n",
    ],
    [
      "CRLF pages keep their endings",
      { files: RENAMED, docs: { "README.md": "a\r\n`fetchUser`\r\nb\r\n" } },
      "a\r\n`loadUser`\r\nb\r\n",
    ],
    [
      "a default in a table",
      {
        files: {
          "src/options.ts": [
            "export const options = {\n  retryDelay: 1000,\n};\n",
            "export const options = {\n  retryDelay: 2500,\n};\n",
          ],
        },
        docs: {
          "docs/options.md":
            "| Option | Default |\n| --- | --- |\n| `retryDelay` | `1000` |\n| `other` | `1000` |\n",
        },
      },
      "| Option | Default |\n| --- | --- |\n| `retryDelay` | `2500` |\n| `other` | `1000` |\n",
    ],
    [
      "a default under the option's heading",
      {
        files: {
          "src/options.ts": [
            "export const options = {\n  clearMocks: false,\n};\n",
            "export const options = {\n  clearMocks: true,\n};\n",
          ],
        },
        docs: {
          "docs/config.md": "## clearMocks\n\n- **Default:** `false`\n\n## other\n\n- **Default:** `false`\n",
        },
      },
      "## clearMocks\n\n- **Default:** `true`\n\n## other\n\n- **Default:** `false`\n",
    ],
    [
      "a moved module by its dotted name",
      {
        files: {
          "pkg/contrib/closer.py": ["import os\nimport sys\n\nclass Closer:\n    pass\n", null],
          "pkg/extensions/closer.py": [null, "import os\nimport sys\n\nclass Closer:\n    pass\n"],
        },
        docs: { "docs/ext.rst": ".. module:: pkg.contrib.closer\n" },
      },
      ".. module:: pkg.extensions.closer\n",
    ],
    [
      "the row of a removed option is removed",
      {
        files: {
          "src/o.ts": [
            "export interface Options {\n  watchExclude?: string[];\n  keepThis?: number;\n  dryRun?: boolean;\n  quiet?: boolean;\n}\n",
            "export interface Options {\n  keepThis?: number;\n  dryRun?: boolean;\n  quiet?: boolean;\n}\n",
          ],
        },
        docs: {
          "docs/o.md":
            "| Option | Use |\n| --- | --- |\n| `watchExclude` | a |\n| `keepThis` | b |\n| `dryRun` | c |\n| `quiet` | d |\n",
        },
      },
      "| Option | Use |\n| --- | --- |\n| `keepThis` | b |\n| `dryRun` | c |\n| `quiet` | d |\n",
    ],
    [
      "a variable of the reader beside a renamed class keeps its name",
      {
        files: {
          "pkg/client.py": [
            "class WebDispatch:\n    pass\n\ndef connect(dispatch):\n    use(WebDispatch(dispatch))\n",
            "class WebTransport:\n    pass\n\ndef connect(transport):\n    use(WebTransport(transport))\n",
          ],
        },
        docs: {
          "docs/a.md": "```py\ndispatch = WebDispatch(app)\nconnect(dispatch)\n```\n\nWe dispatch mail.\n",
        },
        rest: { "pkg/other.py": "dispatch = 1\n" },
      },
      "```py\ndispatch = WebTransport(app)\nconnect(dispatch)\n```\n\nWe dispatch mail.\n",
    ],
    [
      "an option of another type beside it is not its successor",
      {
        files: {
          "src/o.ts": [
            "export type O = {\n  /** Log in. */\n  legacyAuth?: boolean;\n};\nconst o = { legacyAuth: false };\n",
            "export type O = {\n  /** How often. */\n  maxRedirects?: number;\n};\nconst o = { maxRedirects: 5 };\n",
          ],
        },
        docs: { "docs/o.md": "| Option | Default |\n| --- | --- |\n| `legacyAuth` | `false` |\n" },
      },
      "| Option | Default |\n| --- | --- |\n| `legacyAuth` | `false` |\n",
    ],
    [
      "an option with another comment is not its successor",
      {
        files: {
          "src/o.ts": [
            "export type O = {\n  /** Log in as before. */\n  legacyAuth?: boolean;\n};\n",
            "export type O = {\n  /** Go where the server sends us. */\n  followMoves?: boolean;\n};\n",
          ],
        },
        docs: { "docs/o.md": "| Option | Use |\n| --- | --- |\n| `legacyAuth` | a |\n" },
      },
      "| Option | Use |\n| --- | --- |\n| `legacyAuth` | a |\n",
    ],
    [
      "the least version of a toolchain",
      {
        files: {
          "package.json": [
            '{\n  "engines": {\n    "node": ">=14.0.0"\n  }\n}\n',
            '{\n  "engines": {\n    "node": ">=18.0.0"\n  }\n}\n',
          ],
        },
        docs: { "README.md": "Requires Node.js >= 14.0.0; Python 14.0.0 is another matter.\n" },
      },
      "Requires Node.js >= 18.0.0; Python 14.0.0 is another matter.\n",
    ],
    [
      "a member whose place alone says what it is now keeps its name",
      {
        files: {
          "pkg/request.py": [
            "class Request:\n    def __init__(self, kwargs):\n        self.kwargs = kwargs\n",
            "class Request:\n    def __init__(self, kwargs):\n        self.cb_kwargs = kwargs\n",
          ],
        },
        docs: { "docs/request.rst": "The :attr:`Request.kwargs` attribute.\n" },
        rest: { "pkg/other.py": "def f(kwargs): pass\n" },
      },
      "The :attr:`Request.kwargs` attribute.\n",
    ],
  ];
  test.each(rows)("%s", async (_, one, after) => {
    const page = Object.keys(one.docs)[0]!;
    expect(await fixed(one, page)).toBe(after);
    const again = await reported({ ...one, docs: { [page]: after } });
    expect(again.flatMap(({ edits }) => edits)).toEqual([]);
  });
});

describe("findings without an edit", () => {
  test("a name that two others replaced is not edited", async () => {
    const files: ChangedFiles = {
      "src/a.ts": [
        "export const oldName = 1;\nexport const keepThis = 2;\n",
        "export const firstName = 1;\nexport const secondName = 1;\nexport const keepThis = 2;\n",
      ],
    };
    const findings = await reported({ files, docs: { "README.md": "Set `oldName`.\n" } });
    expect(findings).toHaveLength(1);
    expect(findings[0]!.edits).toEqual([]);
  });

  test.each([
    ["with its owner", "Set `options.colour` to paint.\n", ["certain"]],
    ["with another owner", "Set `theme.colour` to paint.\n", ["possible"]],
  ])("a member that a page names %s", async (_, page, tiers) => {
    const files: ChangedFiles = {
      "src/options.ts": [
        'export const options = { colour: "red", fast: true };\n',
        'export const options = { color: "red", fast: true };\n',
      ],
    };
    const { findings } = await findDrift(toInput({ files, docs: { "README.md": page } }));
    expect(findings.map(({ tier }) => tier)).toEqual(tiers);
  });

  test("two names that gave way to one are not edited", async () => {
    const files: ChangedFiles = {
      "src/a.ts": [
        "export const openFile = 1;\nexport const openFolder = 2;\n",
        "export const openPath = 1;\nexport const openPath = 2;\n",
      ],
    };
    const findings = await reported({ files, docs: { "README.md": "`openFile`\n\n`openFolder`\n" } });
    expect(findings.map(({ tier, edits }) => [tier, edits.length])).toEqual([
      ["likely", 0],
      ["likely", 0],
    ]);
  });

  test("a rename that turns a yes into a no is not edited", async () => {
    const files: ChangedFiles = {
      "src/a.rs": [
        "pub struct Fonts {\n    pub no_copy_fonts: bool,\n}\n",
        "pub struct Fonts {\n    pub copy_fonts: bool,\n}\n",
      ],
    };
    const findings = await reported({ files, docs: { "README.md": "`no_copy_fonts = false`\n" } });
    expect(findings).toHaveLength(1);
    expect(findings[0]!.edits).toEqual([]);
  });

  test("a removed name without a successor has no edit", async () => {
    const files: ChangedFiles = {
      "src/a.ts": ["export const watchExclude = [];\nexport const keep = 1;\n", "export const keep = 1;\n"],
    };
    const [finding] = await reported({ files, docs: { "README.md": "Not excluded by `watchExclude`.\n" } });
    expect(finding).toMatchObject({ kind: "exists", rule: "removal", tier: "likely", edits: [] });
  });

  test("a addition missing from the table of its siblings", async () => {
    const fields = ["first_mode", "second_mode", "third_mode", "fourth_mode"];
    const struct = (names: string[]): string =>
      `pub struct ViewConfig {\n${names.map((name) => `    pub ${name}: bool,\n`).join("")}}\n`;
    const table = `# View\n\n| Key | Default |\n| --- | --- |\n${fields.map((name) => `| \`${name}\` | \`false\` |\n`).join("")}`;
    const findings = await reported({
      files: { "src/view.rs": [struct(fields), struct([...fields, "fifth_mode"])] },
      docs: { "docs/view.md": table },
    });
    expect(findings).toMatchObject([{ kind: "list", message: { new: "fifth_mode" } }]);
  });
});

describe("passages that are not reported", () => {
  const rows: [name: string, one: Case][] = [
    [
      "a name that other code still has",
      {
        files: RENAMED,
        docs: { "README.md": "`fetchUser`\n" },
        rest: {
          "src/other.ts": "fetchUser();\n",
          "src/third.ts": "fetchUser()",
          "src/fourth.ts": "fetchUser()",
          "src/fifth.ts": "fetchUser()",
        },
      },
    ],
    ["a changelog", { files: RENAMED, docs: { "CHANGELOG.md": "Added `fetchUser`.\n" } }],
    ["a decision record", { files: RENAMED, docs: { "docs/adr/0001-users.md": "`fetchUser`\n" } }],
    [
      "a migration guide",
      { files: RENAMED, docs: { "docs/migration-v2.md": "`fetchUser` is now `loadUser`.\n" } },
    ],
    [
      "docs of an old version",
      { files: RENAMED, docs: { "versioned_docs/version-1.0/a.md": "`fetchUser`\n" } },
    ],
    [
      "a generated page",
      { files: RENAMED, docs: { "docs/api.md": "<!-- Do not edit: generated. -->\n`fetchUser`\n" } },
    ],
    [
      "a line the page asks to leave alone",
      { files: RENAMED, docs: { "README.md": "<!-- suture-ignore -->\n`fetchUser`\n" } },
    ],
    [
      "part of a longer name",
      { files: RENAMED, docs: { "README.md": "`fetchUserGroup` and `re-fetchUser-all`\n" } },
    ],
    [
      "an everyday word in prose",
      {
        files: { "src/a.ts": ["export const window = 1;\n", "export const pane = 1;\n"] },
        docs: { "README.md": "Open the window.\n" },
      },
    ],
    [
      "a word of a comment",
      {
        files: {
          "src/a.ts": ["// see HTTP2 for low-level parts\nlet a = 1;\n", "// see elsewhere\nlet a = 1;\n"],
        },
        docs: { "README.md": "HTTP2 is low-level.\n" },
      },
    ],
    [
      "a value of another option",
      {
        files: {
          "src/o.ts": [
            "export const o = {\n  retryDelay: 1000,\n};\n",
            "export const o = {\n  retryDelay: 2500,\n};\n",
          ],
        },
        docs: { "docs/o.md": "| Option | Default |\n| --- | --- |\n| `timeout` | `1000` |\n" },
      },
    ],
    [
      "a value that is given to another name on the option's line",
      {
        files: {
          "src/o.ts": [
            "export const o = {\n  retryDelay: 1000,\n};\n",
            "export const o = {\n  retryDelay: 2500,\n};\n",
          ],
        },
        docs: { "docs/o.md": "- `wait(retryDelay, slowAfter = 1000)` by default\n" },
      },
    ],
    [
      "a value that is one of several to choose from",
      {
        files: {
          "src/o.ts": [
            'export const o = {\n  provider: "remote",\n};\n',
            'export const o = {\n  provider: "local",\n};\n',
          ],
        },
        docs: { "docs/o.md": "The `provider` is not set by default. Use `near` or `remote`.\n" },
        rest: { "src/names.ts": 'export const names = ["near", "remote", "local"];\n' },
      },
    ],
    [
      "a change that only touches tests",
      {
        files: { "test/a.test.ts": ["t.strictEqual(a, b);\n", "t.deepEqual(a, b);\n"] },
        docs: { "docs/testing.md": "```js\nt.strictEqual(a, b)\n```\n" },
      },
    ],
    [
      "a function that does something else, where another one was",
      {
        files: {
          "src/a.ts": [
            "export function save(path: string, data: string) {\n  return path + data;\n}\n",
            "export function load(path: string) {\n  return path;\n}\n",
          ],
        },
        docs: { "README.md": "Call `save(path, data)` to save.\n" },
      },
    ],
    ["no documents at all", { files: RENAMED, docs: {} }],
  ];
  test.each(rows)("%s", async (_, one) => {
    expect(await reported(one)).toEqual([]);
  });
});

describe("laws", () => {
  test("every finding has evidence from the change or names the removed thing", async () => {
    const [finding] = await reported({ files: RENAMED, docs: { "README.md": "`fetchUser`\n" } });
    expect(finding!.evidence[0]).toEqual({
      path: "src/client.ts",
      revision: "head",
      startLine: 1,
      endLine: 1,
      before: "export function fetchUser(id: string) {",
      after: "export function loadUser(id: string) {",
    });
  });

  test("a declaration proves a rename, not a comment of a file that comes first", async () => {
    const comment = (name: string): string => `/** Uses {@linkcode ${name}}. */\nexport const kept = 1;\n`;
    const files: Case["files"] = { ...RENAMED, "lib/a.ts": [comment("fetchUser"), comment("loadUser")] };
    const [finding] = await reported({ files, docs: { "README.md": "`fetchUser`\n" } });
    expect(finding!.evidence.map(({ path }) => path)).toEqual(["src/client.ts"]);
  });

  test("equal findings of one page have ids of their own", async () => {
    const files: Case["files"] = {
      "src/a.ts": ["export function customType() {}\nexport const b = 1;\n", "export const b = 1;\n"],
    };
    const text = "# A\n\nUse `customType()` here.\n\n## B\n\nUse `customType()` here.\n";
    const { findings } = await findDrift(toInput({ files, docs: { "README.md": text } }));
    expect(new Set(findings.map(({ id }) => id)).size).toBe(2);
    expect(findings).toHaveLength(2);
  });

  test("a second run on the edited page proposes nothing", async () => {
    const docs = { "README.md": "`fetchUser` then\n\n```ts\nfetchUser('1')\n```\n" };
    const after = await fixed({ files: RENAMED, docs }, "README.md");
    expect(await reported({ files: RENAMED, docs: { "README.md": after } })).toEqual([]);
  });

  test("a file that could not be read is unknown, not clean", async () => {
    const { unknown } = await findDrift({
      ...toInput({ files: {}, docs: {} }),
      unreadable: [{ path: "src/big.bin", why: "not text" }],
    });
    expect(unknown).toEqual([{ path: "src/big.bin", why: "not text" }]);
  });

  const line = fc.constantFrom(
    "fn a(b, c)",
    "`fetchUser`",
    "| a | b |",
    "```",
    "---",
    "# x_y",
    "  key: 'v_1',",
    "\t- --some-flag",
    "",
    "export const a_b = 12",
    "..",
    "class A:",
    "<!--",
    "x".repeat(300),
    "𝒳 é ١",
    "\\\"'`",
  );
  const text = fc.array(line, { maxLength: 12 }).map((lines) => lines.join("\n"));
  test("any texts give an answer, twice the same", async () => {
    await fc.assert(
      fc.asyncProperty(fc.option(text), fc.option(text), text, text, async (before, after, readme, guide) => {
        const one: Case = {
          files: { "src/a.ts": [before, after] },
          docs: { "README.md": readme, "docs/g.rst": guide },
        };
        const first = JSON.stringify(await findDrift(toInput(one)));
        expect(JSON.stringify(await findDrift(toInput(one)))).toBe(first);
      }),
      { numRuns: 150 },
    );
  });

  test("a thousand rewritten lines and pages of rules take bounded work", async () => {
    const lines = (suffix: string): string =>
      Array.from({ length: 1000 }, (_, i) => `export const value_${i}${suffix} = ${i};`).join("\n");
    const docs = {
      "README.md": `| ${"-".repeat(5000)}\n${"`value_1_a` ".repeat(2000)}\n# ${"a.".repeat(3000)}\n`,
    };
    const input = toInput({ files: { "src/a.ts": [lines("_a"), lines("_b")] }, docs });
    expect(await measureAsyncWork(() => findDrift(input))).toBeLessThan(800);
  });
});

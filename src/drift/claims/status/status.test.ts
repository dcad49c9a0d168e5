import { expect, test } from "vitest";
import { driftBetween } from "../../drift-between.ts";
import type { Finding } from "../../findings.ts";
import { type ChangedFiles, fixed, reported } from "../../test-case.ts";

const PAGE = "docs/page.md";
const python = (before: string, after: string): ChangedFiles => ({ "src/config.py": [before, after] });
const typescript = (before: string, after: string): ChangedFiles => ({ "src/api.ts": [before, after] });
const USE = "theme_dir = load('theme_dir')\n";
/** The findings about the standing of things that a check shows. */
async function find(files: ChangedFiles, page: string): Promise<Finding[]> {
  const side = (at: 0 | 1) =>
    new Map([
      ...Object.entries(files).map(([path, texts]) => [path, texts[at]!] as const),
      [PAGE, `# Boat\n\n${page}`] as const,
    ]);
  const { findings } = await driftBetween(side(0), side(1));
  return findings.filter(({ kind, tier }) => kind === "status" && tier !== "possible");
}

const OPEN = "export function openAll() {}\n";

test.each<[title: string, files: ChangedFiles, page: string, instead: string | undefined]>([
  [
    "a tag above a function",
    typescript(OPEN, `/** @deprecated */\n${OPEN}`),
    "Call `openAll()`.\n",
    undefined,
  ],
  [
    "a tag that says what to use",
    typescript(OPEN, `/** @deprecated Use \`openSome\` instead. */\n${OPEN}`),
    "## `openAll`\n\nOpens all.\n",
    "openSome",
  ],
  [
    "a message with a replacement",
    python(USE, `${USE}warn("The 'theme_dir' setting is deprecated, use 'custom_dir' instead.")\n`),
    "Set `theme_dir` to a folder.\n",
    "custom_dir",
  ],
  [
    "a message over two lines",
    python(USE, `${USE}warn("The 'theme_dir' setting is "\n     "deprecated.")\n`),
    "Set `theme_dir` to a folder.\n",
    undefined,
  ],
  [
    "a comment behind a declaration",
    python(
      "theme_file = 1  # deprecated\ntheme_dir = 2\n",
      "theme_file = 1  # deprecated\ntheme_dir = 2  # deprecated\n",
    ),
    "Set `theme_dir` to a folder.\n",
    undefined,
  ],
  [
    "a message that begins with the name of the class",
    python(
      "class OldPanel:\n    def __init__(self):\n        self.a = 1\n",
      "class OldPanel:\n    def __init__(self):\n        warn('OldPanel is deprecated.', BoatDeprecationWarning)\n",
    ),
    "Use `OldPanel` for panels.\n",
    undefined,
  ],
  [
    "a warning that a function always gives",
    python(
      "def load_all(path):\n    return path\n",
      "def load_all(path):\n    warnings.warn('use `read`', DeprecationWarning)\n    return path\n",
    ),
    "Call `load_all(path)`.\n",
    "read",
  ],
  [
    "a paragraph of Go",
    {
      "open.go": [
        "package boat\n\n// OpenAll opens.\nfunc OpenAll() {}\n",
        "package boat\n\n// OpenAll opens.\n//\n// Deprecated: use OpenSome.\nfunc OpenAll() {}\n",
      ],
    },
    "Call `OpenAll()`.\n",
    "OpenSome",
  ],
  [
    "an attribute of Rust",
    {
      "src/lib.rs": [
        "pub fn open_all() {}\n",
        '#[deprecated(note = "use `open_some`")]\npub fn open_all() {}\n',
      ],
    },
    "Call `open_all()`.\n",
    "open_some",
  ],
  [
    "an attribute of C#",
    {
      "src/Boat.cs": [
        "public class Boat { public void OpenAll() {} }\n",
        'public class Boat { [Obsolete("Use OpenSome")] public void OpenAll() {} }\n',
      ],
    },
    "Call `Boat.OpenAll()`.\n",
    "OpenSome",
  ],
  [
    "an annotation of Java",
    {
      "src/Boat.java": [
        "public class Boat {\n  public void openAll() {}\n}\n",
        "public class Boat {\n  @Deprecated\n  public void openAll() {}\n}\n",
      ],
    },
    "Call `Boat.openAll()`.\n",
    undefined,
  ],
  [
    "the help of a flag",
    {
      "cli.py": [
        'import argparse\nparser = argparse.ArgumentParser()\nparser.add_argument("--fast-mode", help="run fast")\n',
        'import argparse\nparser = argparse.ArgumentParser()\nparser.add_argument("--fast-mode", help="deprecated: use --speed")\n',
      ],
    },
    "Pass `--fast-mode`.\n",
    "--speed",
  ],
])("a page that uses a thing is told of %s", async (_title, files, page, instead) => {
  const said = await find(files, page);
  expect(said.map(({ message, edits }) => [message.what, message.new, edits.length])).toEqual([
    ["deprecated", instead, 0],
  ]);
});

test.each<[title: string, files: ChangedFiles, page: string]>([
  [
    "calls a plain name on a variable of the reader's",
    python(
      "class Session:\n    def execute(self, query):\n        return query\n",
      "class Session:\n    @deprecated('use exec')\n    def execute(self, query):\n        return query\n",
    ),
    "```python\nresults = database.execute(query)\n```\n",
  ],
  [
    "gives it a value as an option",
    typescript(OPEN, `/** @deprecated */\n${OPEN}`),
    "Set `openAll` or not.\n\n```js\nnew Tool({ openAll: true });\n```\n",
  ],
  ["says so already", typescript(OPEN, `/** @deprecated */\n${OPEN}`), "`openAll` (deprecated) opens all.\n"],
  [
    "warns at the beginning of the section",
    typescript(OPEN, `/** @deprecated */\n${OPEN}`),
    "> **Warning:** this way is deprecated.\n\nSome words.\n\nMore.\n\nAnd more.\n\nCall `openAll()`.\n",
  ],
  [
    "warns below its title",
    typescript(OPEN, `/** @deprecated */\n${OPEN}`),
    "This module is deprecated.\n\n## Use\n\nSome words.\n\nMore.\n\nAnd more.\n\nThen.\n\nCall `openAll()`.\n",
  ],
  [
    "uses a class of which a parameter is deprecated",
    python(
      'class LogBook:\n    """Keeps logs.\n\n    :param old: gone.\n    """\n',
      'class LogBook:\n    """Keeps logs.\n\n    :param old: gone.\n\n        .. deprecated:: 2.0\n    """\n',
    ),
    "Make a `LogBook`.\n",
  ],
  [
    "uses a class of which a method is deprecated",
    python(
      "class LogBook:\n    size = 1\n\n    def load(self):\n        return 1\n",
      'class LogBook:\n    size = 1\n\n    @deprecated("3.0", alternative="open")\n    def load(self):\n        return 1\n',
    ),
    "Make a `LogBook`.\n",
  ],
  [
    "uses a name that was deprecated before",
    python(`${USE}warn("'theme_dir' is deprecated")\n`, `${USE}warn("The 'theme_dir' is deprecated now")\n`),
    "Set `theme_dir` to a folder.\n",
  ],
  [
    "uses a function of which one argument is deprecated",
    python(
      "def load_all(path, mode=None):\n    return path\n",
      "def load_all(path, mode=None):\n    if mode:\n        warnings.warn('no mode', DeprecationWarning)\n    return path\n",
    ),
    "Call `load_all(path)`.\n",
  ],
  [
    "uses the setting of that name in the table of another owner",
    {
      "src/settings.rs": [
        "pub struct Ai {\n    pub send_cwd: bool,\n    pub opening: AiOpening,\n}\npub struct AiOpening {\n    pub send_cwd: bool,\n}\n",
        "pub struct Ai {\n    /// Deprecated: use opening.send_cwd instead.\n    pub send_cwd: bool,\n    pub opening: AiOpening,\n}\npub struct AiOpening {\n    pub send_cwd: bool,\n}\n",
      ],
    },
    "## AI\n\n```toml\n[ai.opening]\nsend_cwd = true\n```\n",
  ],
  [
    "has an everyday word",
    python("theme = load('theme')\n", "theme = load('theme')\nwarn(\"'theme' is deprecated\")\n"),
    "Set `theme` to a folder.\n",
  ],
])("a page that %s stays as it is", async (_title, files, page) => {
  expect(await find(files, page)).toEqual([]);
});

const contract = (mark: string): string =>
  `openapi: 3.0.3\ninfo: {title: Boats, version: "1"}\npaths:\n  /v1/boats:\n    get:\n      summary: All boats\n${mark}      responses: {"200": {description: ok}}\n`;

test("the cell that says how a route stands is changed", async () => {
  const page = "# API\n\n| Path | Status |\n| --- | --- |\n| `/v1/boats` | Supported |\n";
  const files: ChangedFiles = { "openapi.yaml": [contract(""), contract("      deprecated: true\n")] };
  expect(await fixed({ files, docs: { [PAGE]: page } }, PAGE)).toContain("| `/v1/boats` | Deprecated |");
  const same: ChangedFiles = { "openapi.yaml": [contract(""), contract("      deprecated: false\n")] };
  expect(await fixed({ files: same, docs: { [PAGE]: page } }, PAGE)).toBe(page);
});

test("a page that calls a thing deprecated is told when the mark is gone", async () => {
  const files = typescript(`/** @deprecated */\n${OPEN}`, OPEN);
  const [finding] = await reported({ files, docs: { [PAGE]: "# Boat\n\n`openAll()` is deprecated.\n" } });
  expect(finding).toMatchObject({
    kind: "status",
    message: { what: "not deprecated", old: "openAll" },
    edits: [],
  });
});

test("a directive that prints the docstring says what the docstring says", async () => {
  const [before, after] = [
    "def open_all():\n    pass\n",
    'def open_all():\n    """Opens.\n\n    .. deprecated:: 2\n    """\n',
  ];
  const page = "Boat\n====\n\n.. autofunction:: open_all\n";
  const { findings } = await driftBetween(
    new Map([
      ["boat.py", before],
      ["docs/api.rst", page],
    ]),
    new Map([
      ["boat.py", after],
      ["docs/api.rst", page],
    ]),
  );
  expect(findings).toEqual([]);
});

test("a deprecated flag is not the flag of another program", async () => {
  const parser = (help: string): string =>
    `import argparse\np = argparse.ArgumentParser(prog="boat")\np.add_argument("--load-url", help="${help}")\n`;
  const files = python(parser("The address."), parser("Deprecated: use --load."));
  expect(await find(files, "```sh\nother build --load-url x\n```\n")).toEqual([]);
  expect(await find(files, "Give `--load-url`.\n")).toHaveLength(1);
});

test("a warning where the section around it begins is one of the sections within", async () => {
  const page =
    "## `theme_dir`\n\n> Deprecated.\n\nA.\n\nB.\n\n### Form\n\nA.\n\nB.\n\nC.\n\nSet `theme_dir`.\n";
  const files = python(
    USE,
    `${USE}warn("The 'theme_dir' setting is deprecated, use 'custom_dir' instead.")\n`,
  );
  expect(await find(files, page)).toEqual([]);
});

import { describe, expect, test } from "vitest";
import { applySplices } from "../text/model/splice.ts";
import { auditDocuments } from "./audit.ts";
import { RUNNERS } from "./change/runners.ts";
import { toInput } from "./test-case.ts";

const PACKAGE = JSON.stringify({ name: "tool", bin: { tool: "a.js" }, scripts: { build: "x" } });
const whole = async (docs: Record<string, string>, rest: Record<string, string> = {}) => {
  const files = { "package.json": PACKAGE, "src/a.ts": "const dryRun = 1;\n", ...rest };
  const { tree, documents, occurrences } = toInput({ files: {}, docs, rest: files });
  const { findings } = await auditDocuments({
    tree,
    documents,
    occurrences,
    read: async (path) => files[path as "src/a.ts"] ?? null,
  });
  return findings;
};

describe("false passages that need no history", () => {
  const guide = {
    "docs/guide.md":
      "# Guide\n\n## Set up\n\n### On Linux\n\n### Options\n\n## Options\n\n<a name='kept'></a>\n",
    "docs/10-intro.md": "# Intro\n",
    "CHANGELOG.md": "# Changelog\n",
    "docs/first.md": "---\nslug: /docs/welcome\n---\n\n# First\n",
  };
  const rows: [name: string, page: string, path: string, found: string[]][] = [
    ["a link to a file that is not there", "[a](docs/gone.md)", "README.md", ["link certain docs/gone.md"]],
    ["a link to a page that a site may make", "[a](docs/gone)", "README.md", []],
    [
      "a link to a file that never was, on a page of a site",
      "[a](gone.md)",
      "docs/other.md",
      ["link likely gone.md"],
    ],
    ["a page whose name begins with a number", "[a](intro) [b](./10-intro.md)", "docs/other.md", []],
    ["a page that names its own address", "[a](welcome)", "docs/other.md", []],
    ["a heading with the heading above it", "[a](docs/guide.md#Set-up-On-Linux)", "README.md", []],
    ["the second heading of the same text", "[a](docs/guide.md#options-1)", "README.md", []],
    [
      "a third heading of the same text",
      "[a](docs/guide.md#options-2)",
      "README.md",
      ["link likely options-2"],
    ],
    ["a heading of the changelog, which comes and goes", "[a](CHANGELOG.md#unreleased)", "README.md", []],
    ["a name of a type", "[a](tower::Service)", "README.md", []],
    ["links with a target", "[a](docs/guide.md) [b](docs/guide) [c](src/) [d](src/a.ts#L3)", "README.md", []],
    ["a heading that is not there", "[a](docs/guide.md#start)", "README.md", ["link likely start"]],
    [
      "anchors that are there",
      "[a](docs/guide.md#set-up) [b](docs/guide.md#kept) [c](#top)\n# Top",
      "README.md",
      [],
    ],
    ["a path in inline code that never was", "See `src/b.ts` and `src/a.ts`.", "README.md", []],
    ["a word after a runner in a sentence", "You can `make sure` it works.", "CONTRIBUTING.md", []],
    ["a path in the reader's folders", "See `app/b.ts`.", "README.md", []],
    ["a task, for contributors", "Run `npm run bild`.", "CONTRIBUTING.md", ["exists likely bild"]],
    ["a task of a submodule", "Run `npm run bild` in the `docs` submodule.", "CONTRIBUTING.md", []],
    [
      "a task of the reader's own file",
      "```make\nbild: a b\n\tx\n```\n\nRun `npm run bild`.",
      "CONTRIBUTING.md",
      [],
    ],
    ["a program of the project, run by another one", "Run `yarn tool`.", "CONTRIBUTING.md", []],
    ["a task that is there", "Run `npm run build`.", "CONTRIBUTING.md", []],
    ["a flag in no style", "```sh\ntool go --dry-run --fast-mode\n```", "README.md", []],
    ["flags for another program", "```sh\ntool go -- --fast-mode\nother --fast-mode\n```", "README.md", []],
    ["addresses elsewhere", "[a](https://example.org/x.md) [b](/x.md) [c](mailto:a@b)", "README.md", []],
    ["a line that asks to be left alone", "<!-- suture-ignore -->\n[a](docs/gone.md)", "README.md", []],
    ["history is left alone", "[a](docs/gone.md)", "CHANGELOG.md", []],
  ];
  test.each(rows)("%s", async (_, page, path, found) => {
    const findings = await whole({ ...guide, [path]: `${page}\n` });
    expect(findings.map(({ kind, tier, message }) => `${kind} ${tier} ${message.old}`)).toEqual(found);
    expect(findings.flatMap(({ edits }) => edits)).toEqual([]);
  });
});

test("any text is answered", async () => {
  for (const page of [
    "[a](%zz)",
    "[a](<b",
    "[a]: \n[b](#)",
    "\u0000[a](\u0000)",
    "```\n[a](b.md",
    "[a](../../../x.md)",
    "| Name | About |\n| --- | --- |\n| `a` and `b` | x |\n| `c` and `d` | y |",
  ])
    expect(Array.isArray(await whole({ "README.md": page }, { "package.json": "{" }))).toBe(true);
});

test("a link follows a heading that gained a word", async () => {
  const page = "# Reply\n\n- [send](#sendpayload)\n\n## send(payload, type)\n";
  const [finding] = await whole({ "docs/reply.md": page });
  expect(finding).toMatchObject({ tier: "likely", edits: [{ text: "#sendpayload-type" }] });
});

test("a link that was written for another folder means the one file whose path ends with it", async () => {
  const pages = {
    "README.md": "[a](tutorial/install.md#on-linux) [b](../guide/setup.md)\n\n[c](setup.md)\n",
    "docs/tutorial/install.md": "# Install\n\n## On Linux\n",
    "docs/guide/setup.md": "# Set up\n",
    "old/guide/setup.md": "# Set up\n",
  };
  const findings = await whole(pages);
  expect(findings.map(({ edits }) => edits.map((edit) => ("text" in edit ? edit.text : null)))).toEqual([
    ["docs/tutorial/install.md#on-linux"],
    [],
  ]);
  expect(findings.map(({ message }) => message.old)).toEqual(["tutorial/install.md", "setup.md"]);
});

test("a link whose words are a heading of its page means that heading", async () => {
  const page = "# Use\n\n- [Modifying the model](#modifyModel)\n- [other](#gone)\n\n## Modifying the Model\n";
  const findings = await whole({ "docs/use.md": page });
  expect(findings.map(({ edits }) => edits.map((edit) => ("text" in edit ? edit.text : null)))).toEqual([
    ["#modifying-the-model"],
    [],
  ]);
});

describe("a sample that is not closed", () => {
  const fenced = (...lines: string[]): string => `# Page\n\n${lines.join("\n")}\n`;
  const open = ["```go", "{{ range }}", "{{ end }}", "", "## Next", "", "Words.", ""];
  const rows: [name: string, page: string, fixed: string | null][] = [
    [
      "a later sample closes it",
      fenced(...open, "```go", "{{ x }}", "```", "", "More."),
      fenced(
        "```go",
        "{{ range }}",
        "{{ end }}",
        "```",
        "",
        "## Next",
        "",
        "Words.",
        "",
        "```go",
        "{{ x }}",
        "```",
        "",
        "More.",
      ),
    ],
    [
      "the page ends in it",
      fenced(...open),
      fenced("```go", "{{ range }}", "{{ end }}", "```", "", "## Next", "", "Words.", ""),
    ],
    [
      "a sample of a page may have headings and samples",
      fenced("```md", "a", "", "## Next", "", "```js", "x", "```"),
      null,
    ],
    ["comments look like headings", fenced("```sh", "a", "", "## part", "", "b", "```"), null],
    [
      "a longer fence holds other samples",
      fenced("````go", "a", "", "## Next", "", "```go", "x", "```", "````"),
      null,
    ],
    ["a sample at the end that swallows nothing", fenced("```go", "x", ""), null],
  ];
  test.each(rows)("%s", async (_, page, fixed) => {
    const findings = await whole({ "docs/page.md": page });
    expect(findings.map(({ kind }) => kind)).toEqual(fixed === null ? [] : ["form"]);
    const splices = findings.flatMap(({ edits }) =>
      edits.flatMap((edit) =>
        "region" in edit.target && "text" in edit ? [{ region: edit.target.region, text: edit.text }] : [],
      ),
    );
    expect(applySplices(page, splices)).toBe(fixed ?? page);
  });
});

test("a line of a Makefile may declare several targets, and a recipe may have parameters", async () => {
  const page = { "CONTRIBUTING.md": "Run `make build`, `make lint` and `just test`.\n" };
  const files = { Makefile: "b build: x\n\tgo build\n", justfile: '@test *args="":\n  pytest {{args}}\n' };
  expect((await whole(page, files)).map(({ message }) => message.old)).toEqual(["lint"]);
});

test("the environments of tox are listed in each of its files", async () => {
  const lists = {
    "tox.ini": "[tox]\nenvlist =\n    fix\n    type\n\n[testenv:dev]\nx = 1\n",
    "tox.toml": 'env_list = ["fix", "type"]\n[env.dev]\nx = 1\n',
    "pyproject.toml": '[tool.tox]\nenv_list = [\n  "fix",\n  "type",\n]\n[tool.tox.env.dev]\nx = 1\n',
  };
  const tox = RUNNERS.find(({ file }) => file.test("tox.ini"))!;
  for (const [path, text] of Object.entries(lists)) {
    expect(tox.file.test(path)).toBe(true);
    expect([...tox.tasks(text).keys()]).toEqual(["fix", "type", "dev"]);
  }
});

test("a Makefile that is made from another file may have any target", async () => {
  const page = { "CONTRIBUTING.md": "Run `make check`.\n" };
  const made = { "tools/Makefile": "build: x\n\tcc\n", "Makefile.am": "check:\n\trun\n" };
  expect(await whole(page, made)).toEqual([]);
});

import { describe, expect, test } from "vitest";
import { applySplices } from "../../../text/model/splice.ts";
import { findDrift } from "../../find-drift.ts";
import type { Finding } from "../../findings.ts";
import { type Case, toInput } from "../../test-case.ts";

const code = "export const answer = 42;\nexport function ask() {\n  return answer;\n}\n";
const guide = (title: string): string =>
  `# Guide\n\n## ${title}\n\nWords enough to know this page again.\n\nMore of them.\n`;

async function findLinksOf(one: Case, repository: readonly string[] = []): Promise<Finding[]> {
  const { findings } = await findDrift({ ...toInput(one), repository });
  return findings.filter(({ kind }) => kind === "link");
}

function repaired(text: string, findings: readonly Finding[]): string {
  const splices = findings
    .flatMap(({ edits }) => edits)
    .flatMap((edit) =>
      "region" in edit.target && "text" in edit ? [{ region: edit.target.region, text: edit.text! }] : [],
    );
  return applySplices(
    text,
    splices.sort((a, b) => a.region.start - b.region.start),
  );
}

/** What is said about a case: the tier, the line, the old path, and the line after the repair. */
async function said(one: Case, repository: readonly string[] = []): Promise<string[]> {
  const findings = await findLinksOf(one, repository);
  return findings.map((finding) => {
    const { path, startLine, tier, message, edits } = finding;
    const after = repaired(one.docs[path]!, [finding]).split("\n")[startLine - 1];
    return `${tier} ${path}:${startLine} ${message.old}${edits.length > 0 ? ` → ${after}` : ""}`;
  });
}

const removed = (path: string, page: string, text: string): Case => ({
  files: { [path]: [code, null] },
  docs: { [page]: text },
});
const moved = (from: string, to: string, page: string, text: string): Case => ({
  files: { [from]: [code, null], [to]: [null, code] },
  docs: { [page]: text },
});

describe("a path that is gone", () => {
  test.each<[name: string, one: Case, expected: string[]]>([
    [
      "a relative link",
      removed("src/run.ts", "README.md", "See [it](src/run.ts).\n"),
      ["certain README.md:1 src/run.ts"],
    ],
    [
      "a link of a page in another folder",
      removed("src/run.ts", "docs/a.md", "\nSee [it](../src/run.ts).\n"),
      ["certain docs/a.md:2 ../src/run.ts"],
    ],
    [
      "no page of a site for a removed folder of sources",
      removed("website/src/api/client.js", "website/docs/a.md", "See [the API](/api).\n"),
      [],
    ],
    [
      "a picture in HTML",
      removed("docs/logo.svg", "README.md", '<img src="docs/logo.svg">\n'),
      ["certain README.md:1 docs/logo.svg"],
    ],
    [
      "a definition of a reference",
      removed("docs/b.txt", "README.md", "See [it][b].\n\n[b]: docs/b.txt\n"),
      ["certain README.md:3 docs/b.txt"],
    ],
    [
      "inline code",
      removed("scripts/format.sh", "README.md", "Run `scripts/format.sh` first.\n"),
      ["certain README.md:1 scripts/format.sh"],
    ],
    [
      "a role that names a file, from the root",
      removed("requirements/extra.txt", "docs/a.rst", "See :file:`requirements/extra.txt`.\n"),
      ["certain docs/a.rst:1 requirements/extra.txt"],
    ],
    [
      "a command",
      removed("scripts/format.sh", "README.md", "```sh\nbash scripts/format.sh\n```\n"),
      ["likely README.md:2 scripts/format.sh"],
    ],
    [
      "a folder",
      removed("examples/a/run.ts", "README.md", "See [the examples](examples/).\n"),
      ["certain README.md:1 examples/"],
    ],
    [
      "a link from the root of the site",
      removed("site/guide/nightly.ts", "site/index.md", "See [it](/guide/nightly.ts).\n"),
      ["certain site/index.md:1 /guide/nightly.ts"],
    ],
    [
      "a path that leaves out its first folder, where one file ends so",
      removed("packages/core/src/deep/run.ts", "README.md", "Open `deep/run.ts`.\n"),
      ["likely README.md:1 deep/run.ts"],
    ],
    [
      "an include",
      removed("examples/tide.py", "docs/a.rst", ".. literalinclude:: ../examples/tide.py\n"),
      ["certain docs/a.rst:1 ../examples/tide.py"],
    ],
  ])("%s is reported", async (_, one, expected) => {
    expect(await said(one)).toEqual(expected);
  });

  const served = (rest: Record<string, string>, text: string, path = "docs/ref/cli.md"): Case => ({
    files: {},
    docs: { "docs/index.md": text },
    was: { [path]: guide("A") },
    rest,
  });
  test.each<[name: string, one: Case]>([
    ["git ignores it", served({ ".gitignore": "/docs/ref/\n" }, "[a](ref/cli.md)\n")],
    ["a folder's own file ignores it", served({ "docs/.gitignore": "ref/cli.md\n" }, "[a](ref/cli.md)\n")],
    [
      "a build writes its folder",
      served({ "book.toml": '[build]\nbuild-dir = "docs/ref"\n' }, "[a](ref/cli.md)\n"),
    ],
    [
      "a redirect of the site serves it",
      served({ "docs/_redirects": "/ref/cli /auth/cli 301\n" }, "[a](/ref/cli)\n"),
    ],
    [
      "a redirect of the site serves all of its folder",
      served({ "vercel.json": '{"redirects": [{"source": "/ref/:path*"}]}' }, "[a](/ref/cli)\n"),
    ],
    [
      "the settings of the documentation redirect it",
      served({ "docs/.config/docs.yaml": "redirects:\n  /ref/cli: /auth/cli\n" }, "[a](/ref/cli)\n"),
    ],
    [
      "a page claims its address",
      {
        ...served({}, "[a](/ref/cli)\n"),
        docs: { "docs/index.md": "[a](/ref/cli)\n", "docs/b.md": "---\nslug: /ref/cli\n---\n\n# B\n" },
      },
    ],
  ])("nothing is said where %s", async (_, one) => {
    expect(await said(one)).toEqual([]);
  });

  test("an address of a site, whose folders are numbered, is reported without an edit", async () => {
    const one: Case = {
      files: {},
      docs: { "docs/a.md": "See [it](/deploy/node).\n", "docs/2.deploy/10.kinds/1.node.md": guide("A") },
      was: { "docs/2.deploy/node.md": guide("A"), "docs/2.deploy/10.kinds/1.node.md": null },
    };
    expect(await said(one)).toEqual(["likely docs/a.md:1 /deploy/node"]);
  });

  test("a redirect to a page below its address does not serve it", async () => {
    const rest = { "mkdocs.yml": 'redirect_maps:\n  "old.md": ref/cli/index.md\n' };
    expect(await said(served(rest, "[a](ref/cli.md)\n"))).toEqual(["certain docs/index.md:1 ref/cli.md"]);
  });

  test("the other page of the same name is no successor", async () => {
    const one: Case = {
      files: {},
      docs: { "docs/index.md": "[a](ref/cli.md)\n", "docs/auth/cli.md": "# Signing in\n\nOther words.\n" },
      was: { "docs/ref/cli.md": guide("Commands") },
    };
    expect(await said(one)).toEqual(["certain docs/index.md:1 ref/cli.md"]);
  });

  test("a link to a folder that still has files is true", async () => {
    const one = {
      ...removed("p/basic/README.txt", "README.md", "See [x](./p/basic/).\n"),
      rest: { "p/basic/package.json": "{}" },
    };
    expect(await said(one)).toEqual([]);
  });

  test.each<[name: string, expected: string, page: string, path: string]>([
    ["the file that a sample is for", "possible", "```ts\n// file: src/run.ts\nrun();\n```\n", "src/run.ts"],
    [
      "an argument of the program that the project installs",
      "possible",
      "```sh\ntool src/run.ts\n```\n",
      "src/run.ts",
    ],
    [
      "a file in a folder that the program makes",
      "possible",
      "Change `.tide/pre.json` then.\n",
      ".tide/pre.json",
    ],
    ["a usual path on a page for users", "possible", "It is in `src/config.js`.\n", "src/config.js"],
    [
      "a file that the reader makes",
      "possible",
      "To test yours, make `.github/workflows/ci.yml` in\nyour repository.\n",
      ".github/workflows/ci.yml",
    ],
    [
      "a hidden folder of the reader's project",
      "possible",
      "The settings can be in `docs/.gull/config/all.ts` too.\n",
      "docs/.gull/config/all.ts",
    ],
    [
      "a path in settings of the reader",
      "possible",
      "```yaml\ntasks: ./docs/Tasks.yml\n```\n",
      "docs/Tasks.yml",
    ],
    [
      "a file of the project",
      "certain",
      "Tested by `.github/workflows/ci.yml`.\n",
      ".github/workflows/ci.yml",
    ],
  ])("%s is %s", async (_, expected, page, path) => {
    const rest = {
      "package.json": '{ "name": "tool", "bin": { "tool": "run.js" } }',
      "run.js": 'read(".tide")',
    };
    const findings = await findLinksOf({ ...removed(path, "README.md", page), rest });
    expect(findings.map(({ tier }) => tier)).toEqual([expected]);
  });
});

describe("a path that moved", () => {
  test.each<[name: string, one: Case, expected: string[]]>([
    [
      "a link whose text is the path, with a dot before it",
      moved("try_it", "test_it", "README.md", "Run [`./try_it`](try_it).\n"),
      ["certain README.md:1 try_it → Run [`./test_it`](test_it)."],
    ],
    [
      "a link whose text is the path from the root",
      moved("src/run.ts", "lib/run.ts", "docs/a.md", "See [src/run.ts](../src/run.ts).\n"),
      ["certain docs/a.md:1 ../src/run.ts → See [lib/run.ts](../lib/run.ts)."],
    ],
    [
      "a link whose text is the name of the file",
      moved("src/run.ts", "src/walk.ts", "README.md", "See [run.ts](src/run.ts).\n"),
      ["certain README.md:1 src/run.ts → See [walk.ts](src/walk.ts)."],
    ],
    [
      "a link whose text is the path with a slash before it",
      moved("src/run.ts", "lib/run.ts", "docs/a.md", "See [`/src/run.ts`](../src/run.ts).\n"),
      ["certain docs/a.md:1 ../src/run.ts → See [`/lib/run.ts`](../lib/run.ts)."],
    ],
    [
      "a link whose text leaves out the first folder",
      moved("src/core/run.ts", "src/core/run/main.ts", "README.md", "See [core/run.ts](src/core/run.ts).\n"),
      ["certain README.md:1 src/core/run.ts → See [core/run/main.ts](src/core/run/main.ts)."],
    ],
    [
      "a link whose text is a word",
      moved("src/run.ts", "lib/walk.ts", "README.md", "See [run](src/run.ts).\n"),
      ["certain README.md:1 src/run.ts → See [run](lib/walk.ts)."],
    ],
    [
      "a path in code",
      moved("src/run.ts", "lib/run.ts", "README.md", "Open `src/run.ts`.\n"),
      ["certain README.md:1 src/run.ts → Open `lib/run.ts`."],
    ],
    [
      "a path with another ending",
      moved("config/default.cfg", "config/default.conf", "docs/a.md", "See `config/default.cfg`.\n"),
      ["certain docs/a.md:1 config/default.cfg → See `config/default.conf`."],
    ],
    [
      "lines that a book takes in",
      moved("src/run.ts", "lib/run.ts", "docs/a.md", "```ts\n{{#include ../src/run.ts:2:3}}\n```\n"),
      ["certain docs/a.md:2 ../src/run.ts → {{#include ../lib/run.ts:2:3}}"],
    ],
    [
      "a snippet, from the root",
      moved("src/run.ts", "lib/run.ts", "docs/a.md", '--8<-- "src/run.ts"\n'),
      ['certain docs/a.md:1 src/run.ts → --8<-- "lib/run.ts"'],
    ],
    [
      "a path in a command",
      moved("scripts/go.sh", "tools/go.sh", "README.md", "```sh\nbash scripts/go.sh\n```\n"),
      ["certain README.md:2 scripts/go.sh → bash tools/go.sh"],
    ],
    [
      "a path that a sample gives to a name of the reader's",
      moved("scripts/go.sh", "tools/go.sh", "README.md", "```sh\nscript=scripts/go.sh\n```\n"),
      ["likely README.md:2 scripts/go.sh → script=tools/go.sh"],
    ],
    [
      "a folder whose files moved together",
      moved("src/core/run.ts", "lib/core/run.ts", "README.md", "See [it](src/core).\n"),
      ["certain README.md:1 src/core → See [it](lib/core)."],
    ],
  ])("%s follows the file", async (_, one, expected) => {
    expect(await said(one)).toEqual(expected);
  });

  test("all paths of a folder that moved have one cause, and all are repaired", async () => {
    const files: Case["files"] = {};
    for (const name of ["a", "b", "c"]) {
      files[`old/${name}.ts`] = [`${code}// ${name}\n`, null];
      files[`new/deep/${name}.ts`] = [null, `${code}// ${name}\n`];
    }
    // This one was written anew, so only its folder says where it went.
    files["old/d.ts"] = ["export const one = 1;\n", null];
    files["new/deep/d.ts"] = [null, "class Other {\n  run() {}\n}\n"];
    const page = "[a](old/a.ts) [b](old/b.ts) [d](old/d.ts) [all](old/)\n\nSee `old/c.ts`.\n";
    const one: Case = { files, docs: { "README.md": page } };
    const findings = await findLinksOf(one);
    expect(new Set(findings.map(({ cause }) => cause))).toEqual(new Set(["path:old"]));
    expect(repaired(page, findings)).toBe(page.replaceAll("old/", "new/deep/"));
  });

  test("a heading that the new page lacks forbids the edit", async () => {
    const body = `${guide("A")}${"Some line that stays.\n".repeat(3)}`;
    const one: Case = {
      files: {},
      docs: {
        "docs/new.md": body.replace("## A", "## Z"),
        "README.md": "[a](docs/old.md#a) [b](docs/old.md)\n",
      },
      was: { "docs/old.md": body, "docs/new.md": null },
    };
    const findings = await findLinksOf(one);
    expect(repaired(one.docs["README.md"]!, findings)).toBe("[a](docs/old.md#a) [b](docs/new.md)\n");
  });

  const url = "See https://github.com/acme/tool/blob/main/src/run.ts#L3 for more.\n";
  test("an address of the own repository on a branch follows the file", async () => {
    expect(await said(moved("src/run.ts", "lib/run.ts", "README.md", url), ["acme/tool"])).toEqual([
      "certain README.md:1 src/run.ts → See https://github.com/acme/tool/blob/main/lib/run.ts#L3 for more.",
    ]);
  });

  test.each([
    ["a.md", "[`src/run.ts`](https://github.com/acme/tool/blob/main/src/run.ts)\n"],
    ["a.rst", "- `src/run.ts <https://github.com/acme/tool/blob/main/src/run.ts>`_\n"],
  ])("the words of an address that repeat the path follow too: %s", async (page, text) => {
    const one = moved("src/run.ts", "lib/run.ts", page, text);
    expect(repaired(text, await findLinksOf(one, ["acme/tool"]))).toBe(text.replaceAll("src/", "lib/"));
  });

  test("the badge of a workflow follows its file", async () => {
    const page = "# Tool\n\n![CI](https://github.com/acme/tool/actions/workflows/ci.yml/badge.svg)\n";
    const one = moved(".github/workflows/ci.yml", ".github/workflows/test.yml", "README.md", page);
    expect(repaired(page, await findLinksOf(one))).toBe(page.replace("ci.yml", "test.yml"));
    expect(await said(one, ["acme/other"])).toEqual([]);
  });

  test.each<[name: string, text: string, repository: string[]]>([
    ["an address of another repository", url, ["acme/other"]],
    ["an address of a commit, which stays true", url.replace("main", "1a2b3c4d5e"), ["acme/tool"]],
    ["an address of a release, which stays true", url.replace("main", "v1.2.0"), ["acme/tool"]],
    ["a path that is a longer one's end", "Open `my/src/run.ts.bak`.\n", []],
    ["a word that only looks like the path", "Either src/run.ts or not.\n", []],
  ])("%s is left alone", async (_, text, repository) => {
    expect(await said(removed("src/run.ts", "README.md", text), repository)).toEqual([]);
  });

  test("two hundred moved files are all paired", async () => {
    const files: Case["files"] = {};
    for (let at = 0; at < 200; at++) {
      files[`old/file${at}.ts`] = [`${code}// number ${at}\n`, null];
      files[`new/file${at}.ts`] = [null, `${code}// number ${at}\n`];
    }
    expect(await said({ files, docs: { "README.md": "See [it](old/file117.ts).\n" } })).toEqual([
      "certain README.md:1 old/file117.ts → See [it](new/file117.ts).",
    ]);
  });

  test("files of next to no content are equal by chance", async () => {
    const one: Case = {
      files: { "a/__init__.py": ["", null], "b/__init__.py": [null, ""] },
      docs: { "README.md": "See [it](a/__init__.py).\n" },
    };
    expect(await said(one)).toEqual(["certain README.md:1 a/__init__.py"]);
  });
});

const change = (docs: Case["docs"], was: Case["was"]): Case => ({ files: {}, docs, was: was! });

describe("headings and pages", () => {
  test("a new link with a backslash leads where browsers go", async () => {
    const docs = { "README.md": "See [it](docs\\guide.md).\n", "docs/guide.md": guide("Set up") };
    expect(await said(change(docs, { "README.md": "See it.\n" }))).toEqual([]);
  });

  test("a page that takes parts from elsewhere loses a heading of its own", async () => {
    const page = (title: string, include: string): string =>
      `${guide(title)}${include}[up](#getting-started)\n`;
    const told = (was: string, is: string): Promise<string[]> =>
      said(
        change({ "docs/guide.md": page("Set up", is) }, { "docs/guide.md": page("Getting started", was) }),
      );
    expect(await told("{{ table }}\n", "{{ table }}\n")).toEqual([
      "likely docs/guide.md:9 #getting-started → [up](#set-up)",
    ]);
    expect(await told("", "{{ start }}\n")).toEqual([]);
  });

  test("a heading with marks between its words, where nothing shows how the site spells it", async () => {
    const docs = { "docs/guide.md": guide("up / u"), "docs/a.md": "See [it](guide.md#up).\n" };
    expect(await said(change(docs, { "docs/guide.md": guide("up") }))).toEqual(["certain docs/a.md:1 #up"]);
  });

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
      "a heading as the anchor of the page spells it: marks together are one hyphen",
      change(
        { "docs/guide.md": guide("up / u / upgrade"), "README.md": "See [it](docs/guide.md#up-u).\n" },
        { "docs/guide.md": guide("up / u") },
      ),
      "README.md",
      "See [it](docs/guide.md#up-u-upgrade).\n",
    ],
    [
      "a heading that says more, below a new one",
      change(
        {
          "docs/guide.md":
            "# Guide\n\n#### takeOptions.ref\n\n_Type_: `one`\n\nKeep.\n\nMore.\n\n### takeEach(takeEachOptions?)\n\n_Type_: `each`\n\nTake.\n\n#### takeEachOptions\n\n_Type_: `object`\n",
          "README.md": "See [it](docs/guide.md#takeeach).\n",
        },
        { "docs/guide.md": "# Guide\n\n### takeEach()\n\n_Type_: `each`\n\nTake.\n" },
      ),
      "README.md",
      "See [it](docs/guide.md#takeeachtakeeachoptions).\n",
    ],
    [
      "a heading of an index page, by its folder",
      change(
        { "docs/guide/index.md": guide("Set up"), "docs/a.md": "See [it](guide/#getting-started).\n" },
        { "docs/guide/index.md": guide("Getting started") },
      ),
      "docs/a.md",
      "See [it](guide/#set-up).\n",
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
  test.each(rows)("%s is repaired", async (_, one, page, after) => {
    const findings = await findLinksOf(one);
    expect(findings.map(({ tier }) => tier)).toEqual(["certain"]);
    expect(repaired(one.docs[page]!, findings)).toBe(after);
  });

  const silent: [name: string, one: Case, found: number][] = [
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
      "a page that takes in others may have any heading",
      change(
        {
          "docs/guide.md": '# Guide\n\n--8<-- "parts/start.md"\n',
          "README.md": "See [it](docs/guide.md#getting-started).\n",
        },
        { "docs/guide.md": guide("Getting started") },
      ),
      0,
    ],
    [
      "a link that the change wrote and that leads nowhere is reported",
      change(
        {
          "docs/guide.md": guide("A"),
          "README.md": "See [it](docs/guides.md) and [that](docs/guide.md#b).\n",
        },
        { "README.md": "# Tool\n" },
      ),
      1,
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
  test.each(silent)("%s, without an edit", async (_, one, found) => {
    const findings = await findLinksOf(one);
    expect(findings.length).toBe(found);
    expect(findings.flatMap(({ edits }) => edits)).toEqual([]);
  });
});

import { describe, expect, test } from "vitest";
import { auditDocuments } from "../../audit.ts";
import type { PastPath } from "../../change/change.ts";
import type { Finding } from "../../findings.ts";
import { toInput } from "../../test-case.ts";

type Texts = Record<string, string>;
type Past = Record<string, string | null>;

const since = { commit: "b".repeat(40), date: "2026-01-02", subject: "it goes" };

async function findDead(page: string, text: string, rest: Texts, past: Past): Promise<readonly Finding[]> {
  const docs = { [page]: `${text}\n` };
  for (const [path, words] of Object.entries(rest)) if (/\.(?:md|rst)$/.test(path)) docs[path] = words;
  const { tree, documents, occurrences } = toInput({ files: {}, docs, rest });
  const removals = async (paths: readonly string[]): Promise<ReadonlyMap<string, PastPath>> =>
    new Map(
      paths.flatMap((path) =>
        past[path] === undefined ? [] : [[path, { ...since, movedTo: past[path] }] as const],
      ),
    );
  const { findings } = await auditDocuments({
    tree: [...new Set(tree)],
    documents,
    occurrences,
    removals,
    repository: ["acme/tool"],
    detours: async () => ["docs/linked.md", "vendored"],
    read: async (path) => rest[path] ?? null,
    history: {
      blame: async () => null,
      stateAt: async () => null,
      touching: async () => [],
      summary: async () => null,
      pathsAt: async (revision) => (revision === "v1" ? new Set(["src", "src/a.ts"]) : null),
    },
  });
  return findings.filter(({ kind }) => kind === "link");
}

/** What is said of a page without a change: the tier, what is wrong, and the new words of the link. */
async function said(page: string, text: string, rest: Texts = {}, past: Past = {}): Promise<string[]> {
  const findings = await findDead(page, text, rest, past);
  return findings.map(({ tier, message, edits }) =>
    [tier, message.old, ...edits.map((edit) => `→ ${"text" in edit ? edit.text : ""}`)].join(" "),
  );
}

describe("links of the present pages", () => {
  test.each<[name: string, page: string, text: string, rest: Texts, past: Past, expected: string[]]>([
    [
      "a file that moved",
      "docs/a.md",
      "[x](old.md) [old.md](old.md)",
      { "docs/new.md": "# N\n" },
      { "docs/old.md": "docs/new.md" },
      ["certain old.md → new.md → new.md](new.md"],
    ],
    [
      "a file that went",
      "docs/a.md",
      "[x](old.md)",
      { "docs/new.md": "# N\n" },
      { "docs/old.md": null },
      ["certain old.md"],
    ],
    [
      "a page that a build writes, beside another of its name",
      "docs/a.md",
      "[x](ref/cli.md)",
      { ".gitignore": "docs/ref/cli.md\n", "docs/auth/cli.md": "# C\n" },
      { "docs/ref/cli.md": null },
      [],
    ],
    [
      "a page that went, beside another of its name",
      "docs/a.md",
      "[x](ref/cli.md)",
      { "docs/auth/cli.md": "# C\n" },
      { "docs/ref/cli.md": null },
      ["certain ref/cli.md"],
    ],
    [
      "a file whose name has other letters",
      "docs/a.md",
      "[x](./scripts.md)",
      { "docs/Scripts.md": "# S\n" },
      {},
      ["certain ./scripts.md → ./Scripts.md"],
    ],
    [
      "a new page that lacks the heading",
      "docs/a.md",
      "[x](old.md#start)",
      { "docs/new.md": "# N\n" },
      { "docs/old.md": "docs/new.md" },
      ["certain old.md"],
    ],
    [
      "an address of another site behind a blank",
      "README.md",
      '<img src=" https://a.b/board.webp">',
      {},
      {},
      [],
    ],
    [
      "a picture of a catalogue, which DocC finds by its name",
      "Sources/Boat.docc/Guides/Start.md",
      "![x](repeat.png)",
      { "Sources/Boat.docc/Images/repeat.png": "" },
      {},
      [],
    ],
    ["a heading that is not there", "docs/a.md", "# A\n\n[parallel](#parallel)", {}, {}, ["likely parallel"]],
    [
      "a heading with pictures by reference",
      "README.md",
      "# Faker [![Gem][badge]][url] tool\n\n[x](#faker--tool)\n\n[badge]: https://a.b\n[url]: https://c.d",
      {},
      {},
      [],
    ],
    [
      "a label that a site of Sphinx may have on another page",
      "docs/a.md",
      "# A\n\n[API](#rest-api)",
      { "docs/conf.py": 'extensions = ["myst_parser"]\n' },
      {},
      [],
    ],
    [
      "a page of another repository, in a catalogue",
      "docs/themes/a/index.md",
      '+++\ntitle = "A"\n[extra]\nrepository = "https://github.com/else/a"\n+++\n\n[x](./CONTRIBUTING.md)',
      { "docs/themes/a/b.md": "# B\n" },
      {},
      [],
    ],
    [
      "a picture that a sample of the page shows",
      "docs/a.md",
      '```html\n<img src="photo.jpg">\n```',
      { "docs/b.md": "# B\n" },
      {},
      [],
    ],
    [
      "the navigation and the pictures of a module of Antora",
      "docs/modules/theme/nav.adoc",
      "* xref:index.adoc[]\n* xref:gone.adoc[]\n\nimage::a.png[]\n\n|===\n|[source]\npage:\n  background: image:b.png[]\n|===",
      { "docs/modules/theme/pages/index.adoc": "= T\n", "docs/modules/theme/images/a.png": "" },
      {},
      ["likely gone.adoc"],
    ],
    [
      "a page that ExDoc finds by its name",
      "guides/start/install.md",
      "[x](testing.md) [y](gone.md)",
      { "mix.exs": 'extras: ["guides/test/testing.md"]\n', "guides/test/testing.md": "# T\n" },
      {},
      ["likely gone.md"],
    ],
    ["an anchor that a program makes", "docs/a.md", "[x](#fn:1) [y](#option.color)", {}, {}, []],
    ["a path of a role, from the root", "docs/a.rst", "See :file:`conf/default.txt`.", {}, {}, []],
    [
      "an address without the number of its folder",
      "docs/a.md",
      "[x](/start/setup)",
      { "docs/1.start/2.setup.md": "# S\n" },
      {},
      [],
    ],
    [
      "a picture of a site's own folder",
      "docs/a.md",
      "![x](/images/x.png)",
      { "docs/.docs/public/images/x.png": "" },
      {},
      [],
    ],
    [
      "a heading of a file that a directive takes in",
      "docs/a.md",
      "[x](b.md#sign)",
      { "docs/b.md": '# B\n\n::include{file="../help.snap"}\n' },
      {},
      [],
    ],
    [
      "a page that shows how to write links",
      "docs/syntax.adoc",
      "xref:document.adoc[A] image:reload.svg[B] link:../../path/to/file.txt[C] xref:other.adoc[D] image:sunset.jpg[E] link:report.pdf[F]",
      { "docs/b.md": "# B\n" },
      {},
      [],
    ],
    [
      "the only two links of a page",
      "docs/a.md",
      "[x](gone.md)\n\n[y](lost.md)",
      { "docs/b.md": "# B\n" },
      {},
      ["likely gone.md", "likely lost.md"],
    ],
    [
      "two dead links beside one that leads somewhere",
      "docs/a.md",
      "[x](gone.md)\n\n[y](lost.md)\n\n[z](b.md)",
      { "docs/b.md": "# B\n" },
      {},
      ["likely gone.md", "likely lost.md"],
    ],
    [
      "an address before its words in brackets",
      "docs/a.adoc",
      "https://github.com/acme/tool/blob/main/b.yml[b.yml]\n\nhttps://github.com/acme/tool/blob/main/c.yml[c.yml]",
      { "b.yml": "", "d.yml": "" },
      {},
      ["likely c.yml"],
    ],
    [
      "a heading with an element of HTML",
      "docs/a.md",
      "# A\n\n## stability <span>([root](b.md))</span>\n\n[x](#stability)",
      { "docs/b.md": "# B\n" },
      {},
      [],
    ],
    ["a page that others take in", "docs/includes/a.md", "[x](old.md)", {}, {}, []],
    [
      "a heading of another page that is joined with it",
      "questions/a.question.md",
      "See [it](#how-can-i-help).",
      { "questions/b.question.md": "# How can I help\n" },
      {},
      [],
    ],
    ["a link of the file system", "README.md", "[x](docs/linked.md)", { "docs/b.md": "# B\n" }, {}, []],
    [
      "a link of the file system on the code host",
      "docs/a.md",
      "https://github.com/acme/tool/blob/main/docs/linked.md",
      {},
      {},
      [],
    ],
    ["a label that looks like a file", "docs/a.rst", "See :ref:`conftest.py <conftest.py>`.", {}, {}, []],
    ["a file of a submodule", "README.md", "[x](vendored/a.md)", {}, {}, []],
    [
      "a permalink to a file that the release lacks",
      "README.md",
      "https://github.com/acme/tool/blob/v1/src/b.ts https://github.com/acme/tool/blob/v1/src/a.ts",
      {},
      {},
      ["certain src/b.ts"],
    ],
    [
      "a permalink to a release that is not here",
      "README.md",
      "https://github.com/acme/tool/blob/v2/src/b.ts",
      {},
      {},
      [],
    ],
  ])("%s", async (_, page, text, rest, past, expected) => {
    expect(await said(page, text, rest, past)).toEqual(expected);
  });

  test("files that went from one folder to one other have one cause, and those of another folder have their own", async () => {
    const rest = { "docs/new/a.md": "# A\n", "docs/new/b.md": "# B\n", "docs/elsewhere/c.md": "# C\n" };
    const past = {
      "docs/old/a.md": "docs/new/a.md",
      "docs/old/b.md": "docs/new/b.md",
      "docs/old/c.md": "docs/elsewhere/c.md",
      "docs/old/d.md": null,
    };
    const text = "[a](old/a.md)\n\n[b](old/b.md)\n\n[c](old/c.md)\n\n[d](old/d.md)";
    const [a, b, ...others] = (await findDead("docs/index.md", text, rest, past)).map(({ cause }) => cause);
    expect(a).toBe(b);
    expect(new Set([a, ...others]).size).toBe(3);
  });
});

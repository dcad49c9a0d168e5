import { describe, expect, test } from "vitest";
import { analyzeChange } from "../change/change-model.ts";
import { findCandidates } from "../find-drift.ts";
import { type Case, toInput } from "../test-case.ts";
import { findPaths } from "./lost-paths.ts";

const code = "export const answer = 42;\nexport function ask() {\n  return answer;\n}\n";

/** What is said about a case: the line, the old path, and the text that takes its place. */
async function said(one: Case, repository: readonly string[] = []): Promise<string[]> {
  const notices = await findPaths(analyzeChange({ ...toInput(one), repository }));
  return notices.map(
    ({ page, line, message, splice }) =>
      `${page.path}:${line + 1} ${message.old}${splice ? ` → ${splice.text}` : ""}`,
  );
}

const removed = (path: string, page: string, text: string): Case => ({
  files: { [path]: [code, null] },
  docs: { [page]: text },
});
const moved = (from: string, to: string, page: string, text: string): Case => ({
  files: { [from]: [code, null], [to]: [null, code] },
  docs: { [page]: text },
});

describe("references to a removed path", () => {
  test.each<[name: string, one: Case, expected: string[]]>([
    [
      "a relative link",
      removed("src/run.ts", "README.md", "See [it](src/run.ts).\n"),
      ["README.md:1 src/run.ts"],
    ],
    [
      "a link of a page in another folder",
      removed("src/run.ts", "docs/a.md", "\nSee [it](../src/run.ts).\n"),
      ["docs/a.md:2 ../src/run.ts"],
    ],
    [
      "no page of a site for a removed folder of sources",
      removed("website/src/api/client.js", "website/docs/a.md", "See [the API](/api).\n"),
      [],
    ],
    [
      "a picture in HTML",
      removed("docs/logo.svg", "README.md", '<img src="docs/logo.svg">\n'),
      ["README.md:1 docs/logo.svg"],
    ],
    [
      "a definition of a reference",
      removed("docs/b.txt", "README.md", "See [it][b].\n\n[b]: docs/b.txt\n"),
      ["README.md:3 docs/b.txt"],
    ],
    [
      "inline code",
      removed("scripts/format.sh", "README.md", "Run `scripts/format.sh` first.\n"),
      ["README.md:1 scripts/format.sh"],
    ],
    [
      "a command",
      removed("scripts/format.sh", "README.md", "```sh\nbash scripts/format.sh\n```\n"),
      ["README.md:2 scripts/format.sh"],
    ],
    [
      "a folder",
      removed("examples/a/run.ts", "README.md", "See [the examples](examples/).\n"),
      ["README.md:1 examples/"],
    ],
    [
      "a link from the root of the site",
      removed("site/guide/nightly.ts", "site/index.md", "See [it](/guide/nightly.ts).\n"),
      ["site/index.md:1 /guide/nightly.ts"],
    ],
  ])("%s is reported", async (_, one, expected) => {
    expect(await said(one)).toEqual(expected);
  });

  test.each<[name: string, one: Case, expected: string[]]>([
    [
      "a link whose text is the path, with a dot before it",
      moved("try_it", "test_it", "README.md", "Run [`./try_it`](try_it).\n"),
      ["README.md:1 try_it → test_it", "README.md:1 try_it → ./test_it"],
    ],
    [
      "a relative link",
      moved("src/run.ts", "lib/run.ts", "docs/a.md", "See [it](../src/run.ts).\n"),
      ["docs/a.md:1 ../src/run.ts → ../lib/run.ts"],
    ],
    [
      "a path in code",
      moved("src/run.ts", "lib/run.ts", "README.md", "Open `src/run.ts`.\n"),
      ["README.md:1 src/run.ts → lib/run.ts"],
    ],
    [
      "a folder whose files moved together",
      moved("src/core/run.ts", "lib/core/run.ts", "README.md", "See [it](src/core).\n"),
      ["README.md:1 src/core → lib/core"],
    ],
  ])("%s follows the file to its new place", async (_, one, expected) => {
    expect(await said(one)).toEqual(expected);
  });

  const url = "See https://github.com/acme/tool/blob/main/src/run.ts#L3 for more.\n";
  test("an address of the own repository on a branch is reported and follows the file", async () => {
    expect(await said(moved("src/run.ts", "lib/run.ts", "README.md", url), ["acme/tool"])).toEqual([
      "README.md:1 src/run.ts → lib/run.ts",
    ]);
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

  test("the name of the file that a sample is for is the reader's", async () => {
    const page = "```ts\n// file: src/run.ts\nrun();\n```\n\n```sh\nnode src/run.ts\n```\n";
    const candidates = await findCandidates(toInput(removed("src/run.ts", "README.md", page)));
    expect(candidates.map(({ notice, suppressedBy }) => [notice.line + 1, suppressedBy])).toEqual([
      [2, "readers may have a file of that path in their own project"],
      [7, null],
    ]);
  });

  test("a link to a folder that still has files is left alone", async () => {
    const one = {
      ...removed("p/basic/README.txt", "README.md", "See [x](./p/basic/).\n"),
      rest: { "p/basic/package.json": "{}" },
    };
    expect(await said(one)).toEqual([]);
  });

  test("two hundred moved files are all paired", async () => {
    const files: Case["files"] = {};
    for (let at = 0; at < 200; at++) {
      files[`old/file${at}.ts`] = [`${code}// number ${at}\n`, null];
      files[`new/file${at}.ts`] = [null, `${code}// number ${at}\n`];
    }
    expect(await said({ files, docs: { "README.md": "See [it](old/file117.ts).\n" } })).toEqual([
      "README.md:1 old/file117.ts → new/file117.ts",
    ]);
  });
});

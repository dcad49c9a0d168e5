import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { checkDraft } from "../../src/agents/gates/check-draft.ts";
import { collectFacts, createGrowingFacts } from "../../src/agents/gates/known-facts.ts";
import { openPage } from "../../src/drift/change/change-model.ts";
import { anchorsOf } from "../../src/drift/claims/link/headings.ts";
import { readLinks } from "../../src/drift/claims/link/read.ts";
import { readArticle } from "../../src/drift/pages/attention.ts";
import { readPage } from "../../src/drift/pages/page.ts";
import { readSurface } from "../../src/drift/surface/read-surface.ts";
import { scanIni } from "../../src/syntax/data/ini.ts";
import { scanJson } from "../../src/syntax/data/json.ts";
import { parseToml } from "../../src/syntax/data/toml.ts";
import { scanToml } from "../../src/syntax/data/toml-scan.ts";
import { parseYaml, scanYaml } from "../../src/syntax/data/yaml.ts";
import { FORMATS } from "../../src/syntax/formats/registry.ts";
import { LANGUAGES } from "../../src/syntax/languages/registry.ts";
import { MANIFESTS } from "../../src/syntax/manifests/registry.ts";
import { outlineSource } from "../../src/syntax/source/source.ts";
import { parseEdits } from "../../src/text/patch/detect.ts";
import { parseRecords } from "../../src/workspace/journal/records.ts";

/** The marks of every format, alone and escaped, and what programs put beside them. */
const PIECES = [
  ..."ab \n\n\t\\`*_[]()<>{}#|!:=-+~^.'\"&;@$%/0",
  ...[
    "\\`",
    "``",
    "```",
    "~~~",
    "\\\\",
    "\\\n",
    "\\[",
    "\\]",
    "\\<",
    "](",
    "![",
    "[^a]:",
    "[a]:",
    "<!--",
    "-->",
    "<a href=",
    "</",
  ],
  ...["\r\n", "\r", "\u2028", "\0", "\ufeff", "😀", "\ud800", "ı", "İ", "ß"],
  ...[
    "---\n",
    "+++\n",
    "===\n",
    "***\n",
    "- ",
    "* ",
    "1. ",
    "  ",
    "    ",
    "> ",
    "| a |\n|--|\n",
    "# ",
    "&#x",
    "&amp;",
  ],
  ...[
    ".. code::",
    ".. |a| image::",
    "::\n",
    ":ref:`",
    "``x``_",
    "`a <b>`__",
    "|===\n",
    "----\n",
    "[source]\n",
    "<<a,b>>",
    "include::",
    "ifdef::",
  ],
  ...[".TH ", ".SH ", ".B ", "\\fB", "\\(em", '{"cells":[', '"source":', "}]}"],
  ...[
    "function ",
    "class ",
    "def ",
    "fn ",
    "func ",
    "type ",
    "import ",
    "=>",
    "${",
    "#{",
    "<<EOF\n",
    "/*",
    "*/",
    "//",
    "/**",
    '"""',
    "@",
    "?>",
    "<?php ",
  ],
  ...["key: ", "? ", "&a ", "*a", "!!", "|\n", ">-\n", "[x]\n", "[[x]]\n", 'a = "', "'''"],
  ...[
    "@@ -1 +1 @@\n",
    "--- a/x\n",
    "+++ b/x\n",
    "<<<<<<< SEARCH\n",
    "=======\n",
    ">>>>>>> REPLACE\n",
    "*** Begin Patch\n",
    "*** Update File: x\n",
  ],
];

const shards: fc.Arbitrary<string> = fc
  .array(fc.constantFrom(...PIECES), { maxLength: 60, size: "max" })
  .map((pieces) => pieces.join(""));

/** Documents and sources of this repository, with shards put into them and stretches cut out. */
const roots = ["docs", "src/syntax", "src/drift/surface/library"];
const real = roots.flatMap((root) =>
  readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(md|ts|json|html)$/.test(entry.name))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8").slice(0, 4000)),
);
const mutated: fc.Arbitrary<string> = fc
  .tuple(fc.constantFrom(...real), fc.nat(4000), fc.nat(200), shards)
  .map(([text, at, cut, shard]) => text.slice(0, at) + shard + text.slice(at + cut));

const pages = fc.oneof(shards, mutated);

const RUNS = 250;
const FEW = 30;

const readers: readonly (readonly [string, (text: string) => unknown])[] = [
  ...FORMATS.flatMap(({ name, extensions, sharedExtensions = [] }) =>
    [...extensions, ...sharedExtensions].slice(0, 1).map((extension) => {
      const path = `page.${extension}`;
      return [
        `a page in ${name}`,
        (text: string) => [
          readPage(path, text),
          readLinks(openPage(path, text)),
          anchorsOf(path, text),
          readArticle(path, text),
        ],
      ] as const;
    }),
  ),
  ["JSON", (text) => [scanJson(text), scanJson(text, { comments: true })]],
  ["YAML", (text) => [scanYaml(text), parseYaml(text)]],
  ["TOML", (text) => [scanToml(text), parseToml(text)]],
  ["INI", (text) => scanIni(text)],
  ["the journal", (text) => parseRecords(Buffer.from(text))],
  ["a patch", (text) => parseEdits(text)],
  ...MANIFESTS.map(({ name, read }) => [`manifest ${name}`, (text: string) => read(text, name)] as const),
];

test.each(readers)("no text makes the reader of %s throw", (_, read) => {
  fc.assert(
    fc.property(pages, (text) => {
      read(text);
    }),
    { numRuns: RUNS },
  );
});

const languages = LANGUAGES.map(({ extensions }) => extensions[0]).filter(
  (extension) => extension !== undefined,
);

test.each(languages)("no text makes the readers of .%s sources throw", async (extension) => {
  const path = `src/file.${extension}`;
  await fc.assert(
    fc.asyncProperty(pages, async (text) => {
      await outlineSource(path, text);
      await readSurface(path, text);
    }),
    { numRuns: FEW },
  );
});

test("no page makes the gates on a model's text throw", async () => {
  const facts = createGrowingFacts(collectFacts([{ path: "src/a.ts", text: "export const a = 1" }]));
  await fc.assert(
    fc.asyncProperty(pages, pages, async (before, after) => {
      const verdict = await checkDraft(
        { path: "a.md", before, after, reasons: ["r"] },
        { facts, secrets: [], commits: [] },
      );
      expect(verdict.objections).toBeInstanceOf(Array);
    }),
    { numRuns: FEW },
  );
});

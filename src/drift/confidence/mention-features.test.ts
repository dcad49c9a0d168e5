import { expect, test } from "vitest";
import { analyzeChange } from "../change/change-model.ts";
import type { Notice } from "../findings.ts";
import { mentionFeatures } from "./mention-features.ts";

function featuresOf(line: string, repository: readonly string[], evidence: Notice["evidence"] = []) {
  const change = analyzeChange({
    base: "base",
    head: "head",
    files: [],
    tree: [],
    documents: [{ path: "docs/a.md", text: `${line}\n` }],
    occurrences: async () => new Map(),
  });
  const notice: Notice = {
    page: change.pages[0]!,
    line: 0,
    endLine: 0,
    tier: "likely",
    kind: "rename",
    message: { what: "renamed", old: "AnchorOptions", new: "DropOptions" },
    evidence,
  };
  return mentionFeatures(notice, repository);
}

test.each<[string, string, readonly string[], boolean]>([
  [
    "another repository of the same owner",
    "See [`AnchorOptions`](https://github.com/acme/chain/blob/main/api.md).",
    ["acme/buoy"],
    true,
  ],
  [
    "the repository itself",
    "See [`AnchorOptions`](https://github.com/acme/buoy/blob/main/api.md).",
    ["acme/buoy"],
    false,
  ],
  ["its site", "See [`AnchorOptions`](https://buoy.example.org/api).", ["acme/buoy"], false],
  ["a page beside it", "See [`AnchorOptions`](./api.md).", ["acme/buoy"], false],
  ["no link", "See `AnchorOptions`, or [here](https://example.org/api).", ["acme/buoy"], false],
  ["a repository whose name is unknown", "See [`AnchorOptions`](https://example.org/api).", [], false],
])("a name is another project's by its link: %s", (_, line, repository, expected) => {
  expect((featuresOf(line, repository)["mention links elsewhere"] ?? 0) > 0).toBe(expected);
});

test.each<[string, string, boolean]>([
  ["a package that npm installs", "$ npm install harbour AnchorOptions", true],
  ["a package that pip installs", "pip3 install --upgrade AnchorOptions", true],
  ["what runs after the installation", "npm install harbour && harbour AnchorOptions", false],
  ["a sentence about it", "AnchorOptions is no package that you install.", false],
])("%s: a command installs it, or not", (_, line, expected) => {
  expect(featuresOf(line, [])["mention in a command that installs"] === 1).toBe(expected);
});

test("a package of the project itself is told apart from one that readers install", () => {
  const named = { path: "package.json", revision: "head", startLine: 2, endLine: 2 };
  const own = [{ ...named, before: '  "name": "AnchorOptions",' }];
  expect(
    featuresOf("npm install AnchorOptions", [], own)["mention in a command that installs"],
  ).toBeUndefined();
  const needed = [{ ...named, before: '    "AnchorOptions": "^5.0.0",' }];
  expect(featuresOf("npm install AnchorOptions", [], needed)["mention in a command that installs"]).toBe(1);
});

import { existsSync, globSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { describe, expect, test } from "vitest";
import site from "../site/.vitepress/config.ts";
import { siteLink } from "../site/.vitepress/repository-links.ts";

test("every document is in the menu of the site, and every item of the menu is a document", () => {
  const menu = site.themeConfig.sidebar.flatMap(({ items }) => items);
  const documents = globSync("*.md", { cwd: "docs" }).filter((name) => name !== "index.md");
  expect(menu.map(({ link }) => `${link.slice(1)}.md`).sort()).toEqual(documents.sort());
});

describe("a link of a document, on the site", () => {
  const repository = "https://github.com/acme/suture";
  const rows: readonly [string, string, string, string][] = [
    ["to a document", "ci.md", "agents.md#prices", "agents.md#prices"],
    ["to a document above", "clients/codex.md", "../agents.md", "../agents.md"],
    ["to a heading", "ci.md", "#gitlab", "#gitlab"],
    ["to another site", "found.md", "https://example.org/a.ts", "https://example.org/a.ts"],
    ["to a file beside it", "ci.md", "ci/check.yml", `${repository}/blob/HEAD/docs/ci/check.yml`],
    ["out of the documents", "ci.md", "../action.yml", `${repository}/blob/HEAD/action.yml`],
    [
      "to a document of the root",
      "ci.md",
      "../CONTRIBUTING.md#versions",
      `${repository}/blob/HEAD/CONTRIBUTING.md#versions`,
    ],
  ];
  test.each(rows)("%s", (_, page, href, wanted) => {
    expect(siteLink(href, { page, repository })).toBe(wanted);
  });
});

test("every link of the front page leads to a document or a picture", () => {
  const links = Array.from(
    readFileSync("site/index.md", "utf8").matchAll(/\]\(([^)#\s]+)[^)]*\)/g),
    ([, link]) => link!,
  );
  expect(links.length).toBeGreaterThan(5);
  expect(links.filter((link) => !existsSync(posix.join("docs", link)))).toEqual([]);
});

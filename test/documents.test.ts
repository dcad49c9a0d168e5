import { spawnSync } from "node:child_process";
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import manifest from "../package.json" with { type: "json" };

const documents = [...globSync("*.md"), ...globSync("docs/**/*.md")];

test.each(documents)("every link of %s that stays in the repository leads somewhere", (document) => {
  const links = Array.from(
    readFileSync(document, "utf8").matchAll(/\]\(([^)#\s]+)[^)]*\)/g),
    (match) => match[1]!,
  );
  const inside = links.filter((link) => !/^[a-z]+:/.test(link));
  expect(inside.filter((link) => !existsSync(join(dirname(document), link)))).toEqual([]);
});

test.each(documents)("every script that %s names exists", (document) => {
  const own = readFileSync(document, "utf8").replace(/^```console$.*?^```$/gms, "");
  const named = Array.from(own.matchAll(/\bnpm (?:run (?:-\S+ )*([\w:-]+)|(start|test))\b/g));
  const scripts = named.map((match) => match[1] ?? match[2]!);
  expect(scripts.filter((script) => !(script in manifest.scripts))).toEqual([]);
});

test("the example of a text in memory does what it says", () => {
  const page = readFileSync("docs/library.md", "utf8");
  const [, example = ""] = /^## A text in memory\n\n```ts\n(.*?)```/ms.exec(page) ?? [];
  const source = example.replace('"suture/text"', JSON.stringify(pathToFileURL("src/text.ts").href));
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ["--input-type=module-typescript", "--eval", source],
    {
      encoding: "utf8",
    },
  );
  expect(stderr.replace(/^\(node:.*\n\(Use .*\n/, "")).toBe("");
  expect(stdout).toContain("\n-30 seconds.\r\n+60 seconds.\r\n");
});

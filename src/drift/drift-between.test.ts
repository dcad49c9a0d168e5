import { expect, test } from "vitest";
import { measureAsyncWork } from "../../test/work.ts";
import { driftBetween } from "./drift-between.ts";

const code = (name: string) => `export function ${name}(count) {\n  return count + 1;\n}\n`;
const page = "# Retry\n\nCall `retryAgain(2)` to try again.\n";

test("a renamed function makes a sentence false, and the edit names the new one", async () => {
  const before = new Map([
    ["src/retry.js", code("retryAgain")],
    ["README.md", page],
  ]);
  const after = new Map([...before, ["src/retry.js", code("retryOnce")]] as [string, string][]);
  const { findings, unknown } = await driftBetween(before, after);
  expect(unknown).toEqual([]);
  expect(findings).toMatchObject([{ path: "README.md", startLine: 3, tier: "certain" }]);
  expect(findings[0]?.edits[0]).toMatchObject({ path: "README.md" });
});

test.each(["docs/retry.njk", "docs/retry.md.gotmpl"])(
  "a page is left to the program that writes it from %s",
  async (template) => {
    const before = new Map([
      ["src/retry.js", code("retryAgain")],
      ["docs/retry.md", page],
      [template, page],
    ]);
    const after = new Map([...before, ["src/retry.js", code("retryOnce")]] as [string, string][]);
    expect((await driftBetween(before, after)).findings).toEqual([]);
  },
);

test("nothing is reported if nothing changed, or if the old name still exists", async () => {
  const tree = new Map([
    ["src/retry.js", code("retryAgain")],
    ["src/old.js", code("retryAgain")],
    ["README.md", page],
  ]);
  expect((await driftBetween(tree, tree)).findings).toEqual([]);
  const moved = new Map([...tree, ["src/retry.js", code("retryOnce")]] as [string, string][]);
  expect((await driftBetween(tree, moved)).findings.filter(({ tier }) => tier === "certain")).toEqual([]);
});

test("an added array of many thousand strings takes work in proportion", async () => {
  const page = "# Words\n\nThe words are `word0`, `word1`, `word2` and `word3`.\n";
  const array = (length: number) =>
    `export const words = [\n${Array.from({ length }, (_, at) => `  "word${at}",\n`).join("")}];\n`;
  const before = new Map([
    ["README.md", page],
    ["src/words.ts", array(4)],
  ]);
  const work = await measureAsyncWork(() =>
    driftBetween(before, new Map([...before, ["src/words.ts", array(15_000)]])),
  );
  expect(work).toBeLessThan(600);
});

test("a task that went to the file that users of a gem take in is still there", async () => {
  const tasks = "namespace :boat do\n  task :work do\n    puts 1\n  end\nend\n";
  const readme: [string, string] = ["README.md", "# Boat\n\n    $ rake boat:work\n"];
  const before = new Map([["tasks/boat.rake", tasks], readme]);
  const after = new Map([["lib/boat/tasks.rb", `require "boat"\n\n${tasks}`], readme]);
  expect((await driftBetween(before, after)).findings).toEqual([]);
});

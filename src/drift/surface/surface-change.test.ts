import { expect, test } from "vitest";
import { measureAsyncWork } from "../../../test/work.ts";
import { driftBetween } from "../drift-between.ts";

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

import { expect, test } from "vitest";
import { boundAnswer, longestText } from "./answer-size.ts";

const long = "x".repeat(400_000);
const result = { success: false, tool: "edit_file", output: "no" } as const;

test.each([
  ["a long text", { ...result, output: long }],
  ["a long field", { ...result, hint: long }],
  ["a long text in a list", { ...result, nearest: [{ lines: long }] }],
  ["a long text deep inside", { ...result, candidates: [{ region: { text: { is: long } } }] }],
  ["many long texts", { ...result, nearest: Array.from({ length: 500 }, () => ({ lines: long })) }],
  [
    "lists in lists",
    { ...result, nearest: Array.from({ length: 90 }, () => Array.from({ length: 90 }, () => long)) },
  ],
])("the data of an answer with %s is cut", (_, given) => {
  const bounded = boundAnswer(given as never);
  expect(JSON.stringify(bounded).length).toBeLessThan(2 * longestText);
  expect(bounded).toMatchObject({ success: false, tool: "edit_file" });
});

test("a short answer stays as it is", () => {
  const short = {
    ...result,
    code: "ambiguous",
    matches: undefined,
    edits: [{ index: 0, reason: "It changed." }],
  };
  expect(boundAnswer(short as never)).toMatchObject({ code: "ambiguous", edits: [{ index: 0 }] });
});

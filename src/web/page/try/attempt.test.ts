import { describe, expect, test } from "vitest";
import { attemptPatch, withEndings } from "./attempt.ts";
import { examples } from "./examples.ts";

describe("the page on which visitors try the text core", () => {
  test.each([
    ["Wrong line numbers, other line endings", "exact"],
    ["An envelope, as some models write it", "exact"],
  ])("%s: the patch is applied, and the rest of the file is kept", (title, fit) => {
    const { file, patch, ending } = examples.find((example) => example.title === title)!;
    const before = withEndings(file, ending);
    const attempt = attemptPatch(before, patch);
    expect(attempt).toMatchObject({ ok: true, fits: [fit] });
    if (!attempt.ok) return;
    expect(attempt.after.split(ending)).toHaveLength(before.split(ending).length);
    expect(attempt.kept).toBeGreaterThan(before.length / 2);
  });

  test.each([
    ["A quotation that is there twice", "ambiguous", /2 places/],
    ["A quotation that is not there", "not-found", /match/],
  ])("%s: the patch is refused in the words of the tools", (title, code, words) => {
    const { file, patch } = examples.find((example) => example.title === title)!;
    const attempt = attemptPatch(file, patch);
    expect(attempt).toMatchObject({ ok: false, code });
    if (!attempt.ok) expect(attempt.message).toMatch(words);
  });
});

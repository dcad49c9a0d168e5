import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { paintDiff } from "./paint.ts";
import { visible, wantsColour } from "./terminal.ts";

describe("text on a terminal", () => {
  test.each([
    ["colours", "a\u001b[31mb", "a␛[31mb"],
    ["the window title", "\u001b]0;owned\u0007", "␛]0;owned␇"],
    ["eight-bit controls", "a\u009b31m", "a<U+009B>31m"],
    ["a carriage return to the start of the line", "safe\rrm -rf", "safe␍rm -rf"],
    ["backspaces", "ab\b\bxy", "ab␈␈xy"],
    ["delete", "a\u007f", "a␡"],
    ["reordering", "a\u202eb", "a<U+202E>b"],
    ["hidden letters", "a\u200bb\u{e0041}", "a<U+200B>b<U+E0041>"],
    ["lines and tabs stay", "a\r\nb\tc\n", "a\nb\tc\n"],
    ["letters of the world stay", "é 漢 😀 👩‍👩‍👧", "é 漢 😀 👩‍👩‍👧"],
  ])("%s", (_, text, shown) => {
    expect(visible(text)).toBe(shown);
  });

  test("no control character is left", () => {
    const text = fc.array(
      fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom("\u001b[2J", "\r", "\u0085", "\n")),
    );
    fc.assert(
      fc.property(text, (parts) => {
        expect(visible(parts.join(""))).not.toMatch(
          /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/,
        );
      }),
    );
  });

  test.each([
    [{}, true, true],
    [{}, false, false],
    [{ NO_COLOR: "1" }, true, false],
    [{ NO_COLOR: "" }, true, true],
    [{ TERM: "dumb" }, true, false],
    [{ FORCE_COLOR: "1" }, false, true],
    [{ FORCE_COLOR: "1", NO_COLOR: "1" }, false, true],
    [{ FORCE_COLOR: "0" }, true, false],
  ])("colour with %j at a terminal: %s is %s", (env, isTerminal, colour) => {
    expect(wantsColour(env, isTerminal)).toBe(colour);
  });
});

describe("a diff in colour", () => {
  const diff = "--- a/f\n+++ b/f\n@@ -1,3 +1,3 @@\n a\n-old word\n+new word\n c\n";
  const strip = (text: string): string => text.replace(/\u001b\[\d+m/g, "");

  test("without colour it is the diff itself", () => {
    expect(paintDiff(diff, { colour: false })).toBe(diff.trimEnd());
  });

  test("with colour it says the same, in colour, and marks the words that differ", () => {
    const painted = paintDiff(diff, { colour: true });
    expect(strip(painted)).toBe(diff.trimEnd());
    expect(painted).toContain("\u001b[31m-\u001b[7mold\u001b[27m word\u001b[39m");
    expect(painted).toContain("\u001b[32m+\u001b[7mnew\u001b[27m word\u001b[39m");
  });

  test("lines of the body that look like headers are part of the body", () => {
    const odd = "@@ -1,2 +1,2 @@\n--- a\n+++ b\n x\n";
    expect(paintDiff(odd, { colour: true })).toContain("\u001b[31m-");
    expect(strip(paintDiff(odd, { colour: true }))).toBe(odd.trimEnd());
  });

  test("escape sequences in the data are removed", () => {
    const hostile = "@@ -1 +1 @@\n-a\n+b\u001b[2Jc\n";
    expect(strip(paintDiff(hostile, { colour: true }))).not.toContain("\u001b");
  });

  test("line endings show only where they differ", () => {
    expect(paintDiff("@@ -1 +1 @@\n-a\r\n+b\r\n", { colour: false })).toBe("@@ -1 +1 @@\n-a\n+b");
    expect(paintDiff("@@ -1 +1 @@\n-a\r\n+a\n", { colour: false })).toBe("@@ -1 +1 @@\n-a␍\n+a");
  });
});

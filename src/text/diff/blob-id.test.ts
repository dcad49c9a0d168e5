import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { hasBlobId } from "./blob-id.ts";

function gitsId(text: string): string {
  const bytes = Buffer.from(text);
  return createHash("sha1").update(`blob ${bytes.length}\0`).update(bytes).digest("hex");
}

test("a text is known by the id git gives it", () => {
  expect(hasBlobId("", "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391")).toBe(true);
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 200 }), (text) => {
      expect(hasBlobId(text, gitsId(text).slice(0, 7))).toBe(true);
      expect(hasBlobId(`${text}!`, gitsId(text))).toBe(false);
    }),
  );
});

test("a text with CRLF is also known by the id it has with LF", () => {
  expect(hasBlobId("a\r\nb\r\n", gitsId("a\nb\n"))).toBe(true);
});

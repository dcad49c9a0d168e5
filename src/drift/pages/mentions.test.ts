import fc from "fast-check";
import { expect, test } from "vitest";
import { openPage } from "../change/change-model.ts";
import { findMentioned, findMentions } from "./mentions.ts";

const word = fc.constantFrom("read", "dry-run", "dry", "`write`", "é", "read_all", ".", "--dry", "ready");
const page = fc
  .array(fc.tuple(fc.array(word, { maxLength: 5 }), fc.constantFrom("\n", "\r\n", "\r", "\n\n")), {
    maxLength: 8,
  })
  .map((lines) => lines.map(([words, end]) => words.join(" ") + end).join(""));
const names = fc.uniqueArray(fc.constantFrom("read", "dry-run", "dry", "write", "read_all", "run", "absent"));

test("the names that pages mention are those of their mentions, in the same order", () => {
  fc.assert(
    fc.property(fc.array(page, { maxLength: 3 }), names, (texts, wanted) => {
      const pages = texts.map((text, at) => openPage(`docs/${at}.md`, text));
      const mentions = findMentions(pages, new Set(wanted));
      expect(findMentioned(pages, new Set(wanted))).toEqual([...mentions.keys()]);
    }),
  );
});

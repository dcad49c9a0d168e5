import fc from "fast-check";
import { expect, test } from "vitest";
import type { Edit } from "../text/edit.ts";
import { quoteEdits } from "./quotation.ts";

const edit = (start: number, end: number, text: string): Edit => ({
  path: "a.md",
  target: { region: { start, end } },
  text,
  reason: "because",
  evidence: [],
});

test("a line that occurs once is quoted alone", () => {
  expect(quoteEdits("one\ntwo old\nthree\n", [edit(8, 11, "new")])).toEqual({
    path: "a.md",
    old_string: "two old",
    new_string: "two new",
    reason: "because",
  });
});

test("equal lines are told apart by the fewest lines around them", () => {
  expect(quoteEdits("# A\nold\n# B\nold\n", [edit(12, 15, "new")])).toMatchObject({
    old_string: "# B\nold",
    new_string: "# B\nnew",
  });
});

test("several edits of one line make one quotation", () => {
  expect(quoteEdits("a b c\n", [edit(0, 1, "x"), edit(4, 5, "z")])).toMatchObject({ new_string: "x b z" });
});

test("the quotation occurs once and replacing it gives the edited page", () => {
  const text = fc
    .array(fc.constantFrom("a", "b", "a b", ""), { minLength: 1, maxLength: 8 })
    .map((l) => `${l.join("\n")}\n`);
  fc.assert(
    fc.property(text, fc.nat(), fc.nat(3), (page, at, length) => {
      const start = at % page.length;
      const end = Math.min(page.length, start + length);
      const quoted = quoteEdits(page, [edit(start, end, "NEW")]);
      if (!quoted) return;
      expect(page.split(quoted.old_string)).toHaveLength(2);
      const found = page.indexOf(quoted.old_string);
      const replaced =
        page.slice(0, found) + quoted.new_string + page.slice(found + quoted.old_string.length);
      expect(replaced).toBe(`${page.slice(0, start)}NEW${page.slice(end)}`);
    }),
  );
});

import fc from "fast-check";
import { expect, test } from "vitest";
import { PatchLines } from "./patch-lines.ts";
import { parseHunkHeader } from "./unified-hunk.ts";

const patchText = fc
  .array(fc.constantFrom("@@", " a", "+", "-b", "\\", "\r", "\n", "\n", "\r\n", "é😀", ""))
  .map((parts) => parts.join(""));

test("the lines of a patch are those between its line feeds, each also by its mark and the rest", () => {
  fc.assert(
    fc.property(patchText, (patch) => {
      const expected = patch.split("\n");
      if (expected.at(-1) === "") expected.pop();
      const lines = new PatchLines(patch, () => false);
      expect([...lines]).toEqual(expected);
      expect(lines.at(lines.length)).toBeUndefined();
      expect(lines.mark(lines.length)).toBe(0);
      for (const [at, line] of expected.entries()) {
        expect(lines.isEmpty(at)).toBe(line === "");
        expect(lines.mark(at)).toBe(line === "" ? 0 : line.charCodeAt(0));
        if (line !== "") expect(lines.behindMark(at)).toBe(line.slice(1));
      }
    }),
  );
});

test("if the patch was sent with CRLF, a CR at the end of a line does not belong to it", () => {
  const patch = "prose\n@@ -1 +1 @@\r\n-a\r\n+\r\r\n\r\n";
  const isHeader = (line: string): boolean => line.startsWith("@@");
  expect([...new PatchLines(patch, isHeader)]).toEqual(["prose", "@@ -1 +1 @@", "-a", "+\r", ""]);
  expect([...new PatchLines(patch, () => false)]).toContain("-a\r");
});

const headerText = fc
  .array(
    fc.constantFrom("-", "+", ",", " ", "  ", "0", "1", "23", "9".repeat(20), "@@", " @@ ", "f()", "\r", "…"),
    { maxLength: 12 },
  )
  .map((parts) => `@@${parts.join("")}`);
const likely = fc
  .tuple(
    fc.nat(20),
    fc.option(fc.nat(9)),
    fc.nat(20),
    fc.option(fc.nat(9)),
    fc.constantFrom("", "@@", "@@ f() "),
  )
  .map(([old, oldCount, now, newCount, end]) => {
    const range = (line: number, count: number | null) => `${line}${count === null ? "" : `,${count}`}`;
    return `@@ -${range(old, oldCount)} +${range(now, newCount)} ${end}`;
  });

test("the numbers of a hunk header are read as a regular expression reads them", () => {
  const pattern = /^@@ *-(\d{1,20})(?:,(\d{1,20}))? +\+(\d{1,20})(?:,(\d{1,20}))? *(?:@@(.*)|$)/;
  fc.assert(
    fc.property(fc.oneof(headerText, likely), (text) => {
      const parsed = parseHunkHeader(text, 1);
      const found = text.startsWith("@@@") ? null : pattern.exec(text);
      if (!found) {
        expect(parsed.ok ? parsed.value.line : undefined).toBeUndefined();
        return;
      }
      const [, old, oldCount, now, newCount, behind = ""] = found;
      const numbers = [old, oldCount ?? 1, now, newCount ?? 1].map(Number);
      if (Math.max(...numbers) > 999_999_999) {
        expect(parsed.ok).toBe(false);
        return;
      }
      const [line, oldLines, newLine, newLines] = numbers;
      const section = behind.trim();
      expect(parsed).toEqual({
        ok: true,
        value: {
          line,
          newLine,
          counts: { old: oldLines, new: newLines },
          inserts: Number(oldCount ?? 0) === 0,
          ...(section === "" ? {} : { section }),
        },
      });
    }),
  );
});

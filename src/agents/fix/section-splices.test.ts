import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { applySplices } from "../../text/model/splice.ts";
import { findSectionSplices } from "./section-splices.ts";

const plain = (text: string): string => text;
const after = (section: string, answer: string, redact = plain): string =>
  applySplices(section, findSectionSplices(section, answer, redact));

describe("a line that the answer leaves as it is keeps its bytes", () => {
  test.each([
    [
      "one of two equal lines has a hard break",
      "Line one  \nLine one\nport 1\n",
      "Line one\nLine one\nport 2\n",
      "Line one  \nLine one\nport 2\n",
    ],
    [
      "both, copied exactly",
      "Line one  \nLine one\nport 1\n",
      "Line one  \nLine one\nport 2\n",
      "Line one  \nLine one\nport 2\n",
    ],
    [
      "a blank line that is indented",
      "- a\n    \n  port 1\n\nend\n",
      "- a\n\n  port 2\n\nend\n",
      "- a\n    \n  port 2\n\nend\n",
    ],
    ["blank lines around the section", "\n\nport 1\n\n\n", "port 2", "\n\nport 2\n\n\n"],
    ["mixed endings", "a\r\nport 1\nb\r\n", "a\nport 2\nb\n", "a\r\nport 2\nb\r\n"],
    ["no newline at the end", "a\r\nport 1", "a\nport 2\nport 3", "a\r\nport 2\r\nport 3"],
    ["a new line at the end", "a\nb", "a\nb\nc", "a\nb\nc"],
    ["a removed line", "a  \nb\na\n", "a\na\n", "a  \na\n"],
    ["nothing changes but blanks at the ends of lines", "a  \n\t\nb\n", "a\n\nb\n\n", "a  \n\t\nb\n"],
  ])("%s", (_, section, answer, expected) => {
    expect(after(section, answer)).toBe(expected);
  });
});

test("a line with a secret that the answer keeps or moves still has its secret", () => {
  const redact = (text: string): string => text.replaceAll("hunter22", "[secret]");
  expect(after("key: hunter22  \nport 1\n", "key: [secret]\nport 2\n", redact)).toBe(
    "key: hunter22  \nport 2\n",
  );
  expect(after("key: hunter22\na\nb\nc\n", "a\nb\nc\nkey: [secret]\n", redact)).toBe(
    "a\nb\nc\nkey: hunter22\n",
  );
});

const lines = fc.array(
  fc
    .tuple(fc.constantFrom("", "", "a", "b", "- item", "`x`"), fc.constantFrom("", "", "  ", "\t", "    "))
    .map((parts) => parts.join("")),
  { minLength: 1, maxLength: 12 },
);

test("one changed line is the only change, however the answer treats the ends of the others", () => {
  fc.assert(
    fc.property(lines, lines, fc.constantFrom("\n", "\r\n"), fc.boolean(), (above, below, ending, trims) => {
      const section = [...above, "port 1", ...below].join(ending);
      const written = [...above, "port 2", ...below].map((line) => (trims ? line.trimEnd() : line));
      expect(after(section, written.join("\n"))).toBe([...above, "port 2", ...below].join(ending));
    }),
  );
});

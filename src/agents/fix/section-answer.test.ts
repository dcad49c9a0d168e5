import { describe, expect, test } from "vitest";
import { withoutThinking } from "../model/answer/thinking.ts";
import { marksFor, parseSectionAnswer } from "./section-answer.ts";

const section = "## Retries\n\nRetries default to 3.";
const wanted = "## Retries\n\nRetries default to 5.";
const read = (text: string, more: Partial<Parameters<typeof parseSectionAnswer>[1]> = {}) => {
  const { verdicts, section: found } = parseSectionAnswer(text, { notices: 1, section, ...more });
  return { word: verdicts.get(0)?.word, section: found?.trim() ?? null };
};
const whole = `1 FIX: src/a.ts sets 5.\nBEGIN SECTION\n${wanted}\nEND SECTION`;

describe("the same section from an answer", () => {
  const example = "1 FIX: an example.\nBEGIN SECTION\n## Options\nEND SECTION";
  test.each([
    ["as it was asked for", whole],
    ["in a fence as a whole", `\`\`\`\n${whole}\n\`\`\``],
    ["with the section in a fence", whole.replace(wanted, `\`\`\`markdown\n${wanted}\n\`\`\``)],
    ["with a fence around the marks", whole.replace("BEGIN", "```markdown\nBEGIN").concat("\n```")],
    ["with a fence instead of marks", `1 FIX: it is 5.\n\n\`\`\`markdown\n${wanted}\n\`\`\`\n`],
    ["with a fence of another format instead of marks", `1 FIX: it is 5.\n\n\`\`\`adoc\n${wanted}\n\`\`\`\n`],
    ["that repeats the question with its example first", `Answer:\n\n${example}\n\n${whole}`],
    ["that changes its mind", `1 KEEP: it may be right.\nNo, wait.\n${whole}`],
    ["with Windows line ends", whole.replaceAll("\n", "\r\n")],
    [
      "with tags as marks",
      whole.replace("BEGIN SECTION", "<BEGIN SECTION>").replace("END SECTION", "</END SECTION>"),
    ],
    ["with marks in small letters", whole.replace(/(BEGIN|END) SECTION/g, (mark) => mark.toLowerCase())],
    ["with marks in bold", whole.replace(/(BEGIN|END) SECTION/g, "**$1 SECTION**")],
    ["with marks as words of tags", whole.replace(/(BEGIN|END) SECTION/g, "<$1_SECTION>")],
    ["with more blanks in its marks", whole.replace(/(BEGIN|END) SECTION/g, "  $1  SECTION :")],
    ["with marks between dashes", whole.replace(/(BEGIN|END) SECTION/g, "--- $1 SECTION ---")],
    ["without the number of its notice", whole.replace("1 FIX:", "FIX:")],
    ["with its number in words", whole.replace("1 FIX:", "Notice 1 - **FIX** -")],
    ["after thinking without its opening tag", withoutThinking(`1 KEEP: hm.\n</think>\n\n${whole}`)],
    ["after thinking that is closed twice", withoutThinking(`<think>\nhm\n</think>\n</think>\n${whole}`)],
    ["with the numbers in brackets", whole.replace("1 FIX:", "[1] FIX:")],
    ["with the verdict in bold", whole.replace("1 FIX:", "**1. FIX**:")],
    [
      "with the verdict in a table",
      whole.replace("1 FIX: src/a.ts sets 5.", "| 1 | FIX | src/a.ts sets 5. |"),
    ],
  ])("%s", (_, text) => {
    expect(read(text)).toEqual({ word: "fix", section: wanted });
  });
});

test("a page that is nothing but a fence keeps it", () => {
  const code = "```\nretries = 3\n```";
  const answer = `1 FIX: it is 5.\nBEGIN SECTION\n${code.replace("3", "5")}\nEND SECTION`;
  expect(read(answer, { section: code }).section).toBe(code.replace("3", "5"));
});

test("a section that holds the marks is asked for between others", () => {
  const held = "Write\n\n```\nBEGIN SECTION\ntext\nEND SECTION\n```\n\nRetries default to 3.";
  const { begin, end } = marksFor(held);
  expect(held).not.toContain(begin);
  const answer = `1 FIX: it is 5.\n${begin}\n${held.replace("3", "5")}\n${end}`;
  expect(read(answer, { section: held }).section).toBe(held.replace("3", "5"));
});

test("an answer with the whole page is cut to the section", () => {
  const [above, below] = ["# Page\n\nFirst.\n\n", "\n\n## Cache\n\nIt is kept for a day.\n"];
  const answer = whole.replace(wanted, `${above}${wanted}${below}`);
  expect(read(answer, { above, below }).section).toBe(wanted);
});

test("a section that repeats words of the page around it is not cut", () => {
  const answer = whole.replace(wanted, `${wanted}\n\nFirst.`);
  expect(read(answer, { above: "# Page\n\nFirst.\n\n", below: "\n\nFirst.\n" }).section).toBe(
    `${wanted}\n\nFirst.`,
  );
});

test("a question that comes back without an answer gives no verdict", () => {
  const echo =
    "Notice 1, line 3 (default):\nFor each notice decide one of three:\n\n- KEEP: a reader is not misled.\n- FIX: words are false.\n- ADD: something is missing.";
  expect(read(echo)).toEqual({ word: undefined, section: null });
});

test.each([
  ["a reason that begins with code", "1 FIX: `retries` is 5."],
  ["a verdict in code", "`1 FIX:` `retries` is 5."],
  ["a bold verdict", "**1 FIX:** `retries` is 5."],
  ["a verdict without its number", "FIX: `retries` is 5."],
])("%s keeps its code", (_, text) => {
  expect(parseSectionAnswer(text, { notices: 1 }).verdicts.get(0)?.reason).toBe("`retries` is 5.");
});

test.each<[string, readonly object[]]>([
  ["ALSO line 6: it repeats the old default.", [{ firstLine: 5, lastLine: 5 }]],
  ["**ALSO** lines 6-8: they repeat it.", [{ firstLine: 5, lastLine: 7 }]],
  ["1 FIX: it is 5; also line 6, because it says 3.", [{ firstLine: 5, lastLine: 5 }]],
  ["ALSO line 6", []],
  ["Lines 6 to 8 are also wrong.", []],
])("lines that an answer names besides its notices: %s", (line, named) => {
  const { also } = parseSectionAnswer(`${line}\n${whole}`, { notices: 1, section });
  expect(also).toMatchObject(named);
  expect(also).toHaveLength(named.length);
});

import { describe, expect, test } from "vitest";
import type { Edit } from "../model/edit.ts";
import type { Outcome } from "../model/outcome.ts";
import { planEdits } from "../model/plan.ts";
import { parseSearchReplace } from "./search-replace.ts";

function replaced(text: string | null, blocks: string, options = {}): string | null {
  const edits = parseSearchReplace(blocks, { path: "f", ...options });
  if (!edits.ok) return `refused: ${edits.refusal.code}`;
  const plan = planEdits(edits.value, [{ path: "f", text, version: "" }]);
  if (!plan.ok) return `refused: ${plan.refusal.code}`;
  return plan.value.changes[0]?.after ?? null;
}

const block = (search: string, replace: string): string =>
  `<<<<<<< SEARCH\n${search}=======\n${replace}>>>>>>> REPLACE\n`;

describe("what a block does", () => {
  test.each<[string, string | null, string, string]>([
    ["replaces whole lines", "a\nb\nc\n", block("b\n", "B\nB2\n"), "a\nB\nB2\nc\n"],
    ["deletes with nothing to put", "a\nb\nc\n", block("b\n", ""), "a\nc\n"],
    ["does not match inside a line", "ab\nb\n", block("b\n", "B\n"), "ab\nB\n"],
    ["refuses several places", "b\nb\n", block("b\n", "B\n"), "refused: ambiguous"],
    ["applies in order", "a\nb\n", block("a\n", "b2\n") + block("b2\n", "c\n"), "c\nb\n"],
    ["applies out of order", "a\nb\n", block("b\n", "B\n") + block("a\n", "A\n"), "A\nB\n"],
    ["keeps CRLF", "a\r\nb\r\n", block("a\nb\n", "a\nB\n"), "a\r\nB\r\n"],
    ["a missing final newline stays missing", "a\nb", block("b\n", "c\nd\n"), "a\nc\nd"],
    ["makes a file from nothing", null, block("", "new\n"), "new\n"],
    ["fills an empty file", "", block("", "new\n"), "new\n"],
    ["does not replace a file by an empty search", "x\n", block("", "new\n"), "refused: not-found"],
    ["text is taken literally", "x\n", block("x\n", "$& \\n &lt;\n"), "$& \\n &lt;\n"],
    ["with dashes and pluses", "a\n", "------- SEARCH\na\n=======\nb\n+++++++ REPLACE", "b\n"],
    ["with shorter markers", "a\n", "----- SEARCH\na\n=====\nb\n+++++ REPLACE", "b\n"],
    ["with the older words", "a\n", "<<<<<<< ORIGINAL\na\n=======\nb\n>>>>>>> UPDATED", "b\n"],
    ["carried with CRLF", "a\n", "<<<<<<< SEARCH\r\na\r\n=======\r\nb\r\n>>>>>>> REPLACE\r\n", "b\n"],
    [
      "with a start line among equal lines",
      "x\ny\nx\n",
      "<<<<<<< SEARCH\n:start_line:3\n-------\nx\n=======\nz\n>>>>>>> REPLACE",
      "x\ny\nz\n",
    ],
    [
      "with the numbers of a listing",
      "a\nb\n",
      "<<<<<<< SEARCH\n1 | a\n2 | b\n=======\nc\n>>>>>>> REPLACE",
      "c\n",
    ],
    ["with one numbered line, which is text", "1 | a\n", block("1 | a\n", "1 | b\n"), "1 | b\n"],
    [
      "with a longer row of signs as content",
      "T\n========\nx\n",
      block("T\n========\nx\n", "U\n========\nx\n"),
      "U\n========\nx\n",
    ],
  ])("%s", (_, before, text, after) => {
    expect(replaced(before, text)).toBe(after);
  });

  test("lines in another layout match if they occur at one place", () => {
    const text = "if (x) {\n    a();\n}\n";
    expect(replaced(text, block("a();\n", "b();\n"))).toBe("if (x) {\n    b();\n}\n");
    expect(replaced(text + text, block("a();\n", "b();\n"))).toBe("refused: ambiguous");
    expect(replaced(text, block("a();\n", "b();\n"), { fit: "layout" })).toBe("if (x) {\n    b();\n}\n");
  });
});

describe("which file a block is for", () => {
  const paths = (outcome: Outcome<readonly Edit[]>): string[] =>
    outcome.ok ? outcome.value.map(({ path }) => path) : [outcome.refusal.code];
  const one = block("a\n", "b\n");
  test.each<[string, string, string[]]>([
    ["above it", `src/a.py\n${one}`, ["src/a.py"]],
    ["above the fence", `src/a.py\n\`\`\`python\n${one}\`\`\`\n`, ["src/a.py"]],
    ["on the fence", `\`\`\`src/a.py\n${one}\`\`\`\n`, ["src/a.py"]],
    ["in a heading", `### src/a.py\n\`\`\`\n${one}\`\`\`\n`, ["src/a.py"]],
    ["in bold code with a colon", `**\`src/a.py\`:**\n${one}`, ["src/a.py"]],
    ["with blanks in it", `my notes.md\n${one}`, ["my notes.md"]],
    ["the one before, when none is given", `src/a.py\n${one}\n${one}`, ["src/a.py", "src/a.py"]],
    ["each its own", `a.py\n${one}\nb.py\n${one}`, ["a.py", "b.py"]],
    ["never a sentence", `Here is the change:\n${one}`, ["malformed"]],
    ["unknown", one, ["malformed"]],
  ])("%s", (_, text, expected) => {
    expect(paths(parseSearchReplace(text))).toEqual(expected);
  });

  test("blocks for several files are refused when one file is expected", () => {
    expect(paths(parseSearchReplace(`a.py\n${one}b.py\n${one}`, { path: "a.py" }))).toEqual(["malformed"]);
  });
});

describe("what is refused", () => {
  test.each<[string, string]>([
    ["no block", "words"],
    ["a block that is not closed", "<<<<<<< SEARCH\na\n=======\nb\n"],
    ["a block that begins in another", "<<<<<<< SEARCH\na\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE"],
    ["no separator", "<<<<<<< SEARCH\na\n>>>>>>> REPLACE"],
    ["two separators", "<<<<<<< SEARCH\na\n=======\n=======\n>>>>>>> REPLACE"],
    ["an end without a beginning", "-------SEARCH\na\n=======\nb\n+++++++ REPLACE"],
    ["a misspelt marker", "<<<<<<< SEARCH>>\na\n=======\nb\n>>>>>>> REPLACE"],
    ["a line number in the new text", "<<<<<<< SEARCH\na\n=======\n:start_line:5\nb\n>>>>>>> REPLACE"],
  ])("%s", (_, text) => {
    expect(parseSearchReplace(text, { path: "f" })).toMatchObject({
      ok: false,
      refusal: { code: "malformed" },
    });
  });
});

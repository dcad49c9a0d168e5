import { describe, expect, test } from "vitest";
import { type FileContext, patchSnippet } from "./snippet.ts";

const page = (content: string): FileContext => ({ content, path: "docs/a.md" });
const ask = (file: FileContext, old: string, text: string, reason = "why"): string =>
  patchSnippet(file, { original_text_snippet: old, new_text_snippet: text, reason });
const notFound =
  "Error: Could not find the exact snippet in docs/a.md. Ensure you are quoting the existing text exactly.";

describe("the in-memory patch_file", () => {
  const rows: [string, string, string, string, string, string][] = [
    ["one match is replaced", "p OLD q", "OLD", "new", "p new q", 'Success: Applied patch for "why".'],
    ["a snippet that is not found", "p q", "OLD", "new", "p q", notFound],
    [
      "LF snippet, CRLF page",
      "a\r\nb\r\nc",
      "a\nb",
      "x\ny",
      "x\r\ny\r\nc",
      'Success: Applied patch for "why" (normalized line endings).',
    ],
    [
      "CRLF snippet, LF page",
      "a\nb\nc",
      "a\r\nb",
      "x\r\ny",
      "x\ny\nc",
      'Success: Applied patch for "why" (normalized line endings).',
    ],
    ["an exact match has no suffix", "a\r\nb", "a\r\nb", "c", "c", 'Success: Applied patch for "why".'],
    [
      "an ambiguous snippet, with overlaps counted",
      "aaa",
      "aa",
      "b",
      "aaa",
      "Error: The snippet provided matches 2 locations in docs/a.md. Please provide more surrounding context to ensure uniqueness.",
    ],
    [
      "a snippet that is ambiguous only after normalization",
      "a\r\nb a\r\nb",
      "a\nb",
      "c",
      "a\r\nb a\r\nb",
      "Error: The snippet provided matches 2 locations in docs/a.md (after normalizing line endings). Please provide more surrounding context to ensure uniqueness.",
    ],
    [
      "a snippet that is unique by bytes and occurs twice after normalization",
      "a\nb a\r\nb",
      "a\nb",
      "c",
      "a\nb a\r\nb",
      "Error: The snippet provided matches 2 locations in docs/a.md (after normalizing line endings). Please provide more surrounding context to ensure uniqueness.",
    ],
    ["nothing but line endings is normalized", "a  b", "a b", "c", "a  b", notFound],
    ["a lone CR is not a line ending", "a\rb", "a\nb", "c", "a\rb", notFound],
    [
      "other line endings stay",
      "x\r\na\r\nb\ny\r\n",
      "a\nb",
      "c",
      "x\r\nc\ny\r\n",
      'Success: Applied patch for "why" (normalized line endings).',
    ],
    [
      "dollar signs are literal",
      "a",
      "a",
      "$& $$ $1 $' $`",
      "$& $$ $1 $' $`",
      'Success: Applied patch for "why".',
    ],
    ["an empty snippet inserts nothing", "a", "", "x", "a", "Error: The text to find is empty."],
    ["empty new text deletes", "a b", " b", "", "a", 'Success: Applied patch for "why".'],
    [
      "a patch without a change is not applied",
      "a",
      "a",
      "a",
      "a",
      "Error: The new snippet equals the original, so docs/a.md is unchanged. Nothing was applied.",
    ],
    ["metacharacters are literal", "a.*b", ".*", "+", "a+b", 'Success: Applied patch for "why".'],
    [
      "emoji and combining characters",
      "e\u0301 😀",
      "😀",
      "é",
      "e\u0301 é",
      'Success: Applied patch for "why".',
    ],
    [
      "a code fence and a table row",
      "```js\nx\n```\n| a | b |\n",
      "```\n| a | b |",
      "```\n| c | d |",
      "```js\nx\n```\n| c | d |\n",
      'Success: Applied patch for "why".',
    ],
    ["the whole page is replaced", "all", "all", "new", "new", 'Success: Applied patch for "why".'],
    [
      "byte order mark and missing final newline stay",
      "\uFEFFa\nb",
      "a",
      "c",
      "\uFEFFc\nb",
      'Success: Applied patch for "why".',
    ],
    [
      "front matter and components outside the snippet stay",
      "---\nt: 1\n---\n<X y={1}/>\nold\n",
      "old",
      "new",
      "---\nt: 1\n---\n<X y={1}/>\nnew\n",
      'Success: Applied patch for "why".',
    ],
  ];
  test.each(rows)("%s", (_, before, old, text, after, answer) => {
    const file = page(before);
    expect(ask(file, old, text)).toBe(answer);
    expect(file.content).toBe(after);
  });

  test("the reason is returned verbatim", () => {
    expect(ask(page("a"), "a", "b", 'say "hi"\nnow')).toBe('Success: Applied patch for "say "hi"\nnow".');
  });

  test.each([
    [{}],
    [{ original_text_snippet: "a", new_text_snippet: "b" }],
    [{ original_text_snippet: 1, new_text_snippet: "b", reason: "" }],
    [null],
    [{ path: "a", patch: "@@" }],
  ])("other fields are refused with the expected names: %j", (input) => {
    const file = page("a");
    expect(patchSnippet(file, input)).toContain("original_text_snippet, new_text_snippet and reason");
    expect(file.content).toBe("a");
  });

  test("calls build on each other, and a failed call undoes nothing", () => {
    const file = page("one");
    ask(file, "one", "two");
    expect(ask(file, "one", "x")).toBe(notFound);
    ask(file, "two", "three");
    expect(file.content).toBe("three");
  });

  test("only content changes, and the answer is always a string", () => {
    const file = page("a");
    expect(typeof ask(file, "a", "\uD83D")).toBe("string");
    expect(file).toEqual({ content: "a", path: "docs/a.md" });
  });
});

import fc from "fast-check";
import { expect, test } from "vitest";
import { measureWork } from "../../../../test/work.ts";
import { applySplices } from "../../../text/model/splice.ts";
import { outlineDocument } from "../outline.ts";
import { outlineNotebook, readNotebook } from "./notebook.ts";

const page = JSON.stringify(
  {
    cells: [
      {
        cell_type: "markdown",
        metadata: {},
        source: ["# Start\n", 'Call `open()` with "x",\n', "then [go](b.md)."],
      },
      {
        cell_type: "code",
        execution_count: 1,
        outputs: [{ text: ["# no"] }],
        source: ["open('a')\n", "close()"],
      },
      { cell_type: "markdown", source: "Above.\n\n## Next\n\n| a | b |\n|---|---|\n| c | d |\n" },
      { cell_type: "raw", source: [] },
    ],
    metadata: { language_info: { name: "python" } },
    nbformat: 4,
  },
  null,
  1,
);

test("a notebook has the blocks of its Markdown and a block for each code cell", () => {
  const { blocks, spans, trouble, editable } = outlineDocument("docs/a.ipynb", page);
  expect(
    blocks.map(({ kind, content, section, depth }) => [
      kind,
      page.slice(content.start, content.end),
      section,
      ...(kind === "heading" ? [depth] : []),
    ]),
  ).toEqual([
    ["heading", "Start", -1, 1],
    ["paragraph", 'Call `open()` with \\"x\\",\\n",\n    "then [go](b.md).', 0],
    ["code-fence", "open('a')\\n\",\n    \"close()", 0],
    ["paragraph", "Above.", 0],
    ["heading", "Next", 0, 2],
    ["table-row", "| a | b |", 4],
    ["table-cell", "a", 4],
    ["table-cell", "b", 4],
    ["table-row", "| c | d |", 4],
    ["table-cell", "c", 4],
    ["table-cell", "d", 4],
  ]);
  expect(blocks[2]!.language).toBe("python");
  expect(blocks.flatMap(({ table }) => table ?? [])).toEqual([5, 5, 5, 5, 5, 5]);
  expect(spans.map(({ kind, value, destination }) => [kind, value, destination?.value])).toEqual([
    ["code", "open()", undefined],
    ["link", "go", "b.md"],
  ]);
  expect([trouble, editable]).toEqual([[], false]);
});

test("a broken notebook is reported, and the readable cells are kept", () => {
  const broken = page.slice(0, page.indexOf('"nbformat"'));
  expect(outlineNotebook(broken).blocks.length).toBeGreaterThan(0);
  expect(outlineNotebook(broken).trouble).toHaveLength(1);
  expect(outlineNotebook("[1]").trouble).toEqual([{ line: 1, why: "a notebook has a list of cells" }]);
});

test("every region of a cell's text is located in the JSON: replacing it there changes that text and nothing else", () => {
  const character = fc.constantFrom("a", "é", "😀", "\n", '"', "\\", "\t", "\u2028", "\u0001");
  const words = fc.array(character, { maxLength: 20 }).map((each) => each.join(""));
  const source = fc.oneof(words, fc.array(words, { minLength: 1, maxLength: 4 }));
  fc.assert(
    fc.property(source, words, fc.nat(), fc.nat(), fc.boolean(), (written, inserted, one, two, ascii) => {
      const plain = JSON.stringify({ cells: [{ cell_type: "markdown", source: written }], x: "kept" });
      const json = ascii
        ? plain.replace(
            /[\u0080-\uffff]/g,
            (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
          )
        : plain;
      const cell = readNotebook(json).cells[0]!.source;
      const text = [written].flat().join("");
      expect(cell.text).toBe(text);
      const [start, end] = [one % (text.length + 1), two % (text.length + 1)].sort((a, b) => a - b);
      const region = cell.locate({ start: start!, end: end! });
      if (!region) {
        expect(text).toBe("");
        return;
      }
      const splice = { region, text: JSON.stringify(inserted).slice(1, -1) };
      const after = JSON.parse(applySplices(json, [splice])) as {
        cells: { source: string | string[] }[];
        x: string;
      };
      expect([after.cells[0]!.source].flat().join("")).toBe(
        text.slice(0, start) + inserted + text.slice(end),
      );
      expect(after.x).toBe("kept");
    }),
    { numRuns: 2000 },
  );
});

test.each(['"', "\\\\n", "\\u0041", "# a\\n", "`"])(
  "work is linear in a cell of repetitions of %j",
  (unit) => {
    const cellOf = (length: number) =>
      `{"cells": [{"cell_type": "markdown", "source": ["${unit.replaceAll('"', '\\"').repeat(length / unit.length)}"]}]}`;
    const workOf = (text: string) => measureWork(() => outlineNotebook(text));
    const small = workOf(cellOf(12_000));
    expect(workOf(cellOf(96_000))).toBeLessThan(Math.max(15, 32 * small));
  },
);

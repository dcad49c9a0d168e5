import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { measureWork } from "../../../../test/work.ts";
import type { Hunk, HunkLine } from "../../model/hunk.ts";
import { applySplices } from "../../model/splice.ts";
import { placeHunks } from "./place-hunks.ts";

const kinds = { " ": "context", "-": "removed", "+": "added" } as const;

/** A hunk from its lines as a diff shows them. */
function hunk(lines: string, more: Partial<Hunk> = {}): Hunk {
  const parsed = lines
    .split("\n")
    .map((line): HunkLine => ({ kind: kinds[line[0] as " "], text: line.slice(1) }));
  return { lines: parsed, source: 1, ...more };
}

function place(text: string, ...hunks: Hunk[]): string {
  const placed = placeHunks(text, hunks);
  if (placed.ok) return applySplices(text, placed.value.splices);
  const { code } = placed.refusal;
  return placed.refusal.code === "no-change" ? `${code}: ${placed.refusal.why}` : code;
}

const abc = "a\nb\nc\nd\ne\nf\n";

describe("where a hunk goes", () => {
  test.each<[string, string, Hunk[], string]>([
    ["to its stated line", "x\ny\nx\ny\n", [hunk(" x\n-y\n+z", { line: 3 })], "x\ny\nx\nz\n"],
    [
      "not to its stated line, when it shows an end that is not there and several places match",
      "x\ny\n\nx\ny\n",
      [hunk(" x\n y\n+z", { line: 1 })],
      "ambiguous",
    ],
    [
      "to its stated line without context below, when no other place matches",
      abc,
      [hunk(" b\n+x", { line: 2 })],
      "a\nb\nx\nc\nd\ne\nf\n",
    ],
    ["at the only other matching place", abc, [hunk(" b\n-c\n+C", { line: 5 })], "a\nb\nC\nd\ne\nf\n"],
    ["refused when several places match", "x\ny\nx\ny\n", [hunk(" x\n-y\n+z", { line: 2 })], "ambiguous"],
    [
      "refused without context when its line does not match",
      "x\nx\ny\n",
      [hunk("-x\n+z", { line: 3 })],
      "ambiguous",
    ],
    ["refused when a line differs", abc, [hunk(" b\n-x\n+C", { line: 2 })], "not-found"],
    [
      "as far off as the one before",
      "0\n0\na\nx\nb\nx\nc\n",
      [hunk(" a\n-x\n+1", { line: 1 }), hunk("-x\n+2", { line: 4 })],
      "0\n0\na\n1\nb\n2\nc\n",
    ],
    [
      "hunks in any order",
      abc,
      [hunk("-e\n+E", { line: 5 }), hunk("-b\n+B", { line: 2 })],
      "a\nB\nc\nd\nE\nf\n",
    ],
    [
      "beside a hunk that shows the same line",
      abc,
      [hunk(" a\n-b\n+B\n c", { line: 1 }), hunk(" c\n-d\n+D", { line: 3 })],
      "a\nB\nc\nD\ne\nf\n",
    ],
    [
      "refused where it changes a line that another shows",
      abc,
      [hunk(" a\n-b\n+B\n c", { line: 1 }), hunk("-c\n+C", { line: 3 })],
      "overlap",
    ],
    ["without a number, below the one before", "x\na\nx\n", [hunk("-a\n+A"), hunk("-x\n+X")], "x\nA\nX\n"],
    ["without a number, to one place only", "x\na\nx\n", [hunk("-x\n+X")], "ambiguous"],
    [
      "below its anchor",
      "def f\n  x\ndef g\n  x\n",
      [hunk("-  x\n+  y", { anchors: ["def g"] })],
      "def f\n  x\ndef g\n  y\n",
    ],
    [
      "into the block its anchor opens",
      "def f\n  x\ndef g\n  x\n",
      [hunk("-  x\n+  y", { anchors: ["def f"] })],
      "def f\n  y\ndef g\n  x\n",
    ],
    [
      "below all its anchors in order",
      "c A\n  f\n    x\nc B\n  f\n    x\n",
      [hunk("-    x\n+    y", { anchors: ["c B", "f"] })],
      "c A\n  f\n    x\nc B\n  f\n    y\n",
    ],
    [
      "right below its anchor, when it only adds",
      "a\nb\nc\n",
      [hunk("+x", { anchors: ["b"] })],
      "a\nb\nx\nc\n",
    ],
    ["nowhere without its anchor", abc, [hunk("-c\n+C", { anchors: ["nope"] })], "not-found"],
    ["to the end, when it says so", "m\nx\nm\nx\n", [hunk(" m\n-x\n+y", { atEnd: true })], "m\nx\nm\ny\n"],
    ["behind the last line, when it only adds there", abc, [hunk("+g", { atEnd: true })], `${abc}g\n`],
    ["nowhere, when it adds and says nothing", abc, [hunk("+g")], "malformed"],
    ["behind line n, when it only adds", abc, [hunk("+x", { line: 2 })], "a\nb\nx\nc\nd\ne\nf\n"],
    ["not behind a line that is not there", abc, [hunk("+x", { line: 9 })], "not-found"],
    ["over the whole text only, when it says so", "a\nb\n", [hunk("-a\n-b", { whole: true })], ""],
    ["not over part of the text, when it says so", abc, [hunk("-a\n-b", { whole: true })], "not-found"],
    [
      "to the end of the file that it shows, when it has moved",
      "a\nb\nc\nX\na\nb\nc\n",
      [hunk(" a\n b\n c\n+new", { line: 9 })],
      "a\nb\nc\nX\na\nb\nc\nnew\n",
    ],
    [
      "not into the middle, when it shows the end of a file",
      "0\na\nb\nc\nd\n",
      [hunk(" a\n b\n c\n+new", { line: 9 })],
      "not-found",
    ],
  ])("%s", (_, text, hunks, after) => {
    expect(place(text, ...hunks)).toBe(after);
  });

  test("an offset is reported", () => {
    expect(placeHunks(abc, [hunk(" b\n-c\n+C", { line: 4 })])).toMatchObject({
      value: { notes: [{ note: "offset", hunk: 0, stated: 4, actual: 2 }] },
    });
  });

  test("ambiguous places are listed", () => {
    expect(placeHunks("# One\nx\n# Two\nx\n", [hunk("-x\n+y")])).toMatchObject({
      refusal: {
        code: "ambiguous",
        count: 2,
        places: [
          { line: 2, near: "# One" },
          { line: 4, near: "# Two" },
        ],
      },
    });
  });

  test("the refusal shows the expected and the found line", () => {
    expect(placeHunks(abc, [hunk(" b\n-x\n+C\n d", { line: 2 })])).toMatchObject({
      refusal: { code: "not-found", what: "hunk", nearest: [{ differsAt: 3, expected: "x", found: "c" }] },
    });
  });
});

describe("relaxed matches", () => {
  const code = "import x\n\nfunction a() {\n\treturn 1;\n}\n\nfunction b() {\n\treturn 2;\n}\n";
  const steps: [string, string, Hunk[], string, string][] = [
    [
      "other indentation, and the new line takes the file's",
      code,
      [hunk(" function a() {\n-    return 1;\n+    return 3;\n }", { line: 3 })],
      code.replace("return 1", "return 3"),
      "white-space",
    ],
    [
      "blanks at line ends stay on lines that are only shown",
      "a one  \nb two\nc three\n",
      [hunk(" a one\n-b two\n+B two\n c three")],
      "a one  \nB two\nc three\n",
      "white-space",
    ],
    [
      "context lines that lost the space that marks them",
      "  a one\n  b two\n  c three\n",
      [hunk("  a one\n-  b two\n+  B two\n  c three", { line: 1 })],
      "  a one\n  B two\n  c three\n",
      "white-space",
    ],
    [
      "an outer line of context that has changed",
      code,
      [hunk(" import y\n \n function a() {\n-\treturn 1;\n+\treturn 3;\n }", { line: 1 })],
      code.replace("return 1", "return 3"),
      "context",
    ],
    [
      "a blank line of context past the end of the file",
      "a\nb\n",
      [hunk(" a\n-b\n+B\n ", { line: 1 })],
      "a\nB\n",
      "context",
    ],
  ];
  test.each(steps)("%s", (_, text, hunks, after, fit) => {
    const placed = placeHunks(text, hunks);
    expect(placed).toMatchObject({ ok: true, value: { fit } });
    expect(placed.ok && applySplices(text, placed.value.splices)).toBe(after);
    expect(placeHunks(text, hunks, { fit: "exact" }).ok).toBe(false);
  });

  const refused: [string, string, Hunk[]][] = [
    ["what is left stands twice", "p\nq\nr\np\nq\nz\n", [hunk(" n\n p\n-q\n+Q", { line: 1 })]],
    [
      "two hunks remove the same line",
      "a\nb\nc\n",
      [hunk("-b\n+B", { line: 2 }), hunk("-b\n+X", { line: 2 })],
    ],
    ["one line is left", "a\nb\nc\n", [hunk(" x\n-b\n+B\n y", { line: 1 })]],
    ["the line beside an insertion has changed", "a\nb\nc\n", [hunk(" a\n b\n+n\n x", { line: 1 })]],
    ["a removed line differs", "a one\nb two\nc three\n", [hunk(" a one\n-b tow\n c three", { line: 1 })]],
    ["three outer lines differ", "4\n5\n6\n", [hunk(" 1\n 2\n 3\n 4\n-5\n+V\n 6", { line: 1 })]],
    [
      "context has lost its marks or its indentation, and nothing tells which",
      "    a one\n    b two\n",
      [hunk("    a one\n+    n\n    b two", { line: 1 })],
    ],
    ["new lines are indented in a way that can be read twice", "  a\n", [hunk("-    a\n+    b\n+        c")]],
  ];
  test.each(refused)("refused where %s", (_, text, hunks) => {
    expect(placeHunks(text, hunks).ok).toBe(false);
  });

  const base = "0000000";
  test("a stated line of a patch for another text counts only where it is the only place", () => {
    const text = "a\n\nend\nb\n\nend\n";
    expect(placeHunks(text, [hunk(" \n+x\n end", { line: 2 })]).ok).toBe(true);
    expect(placeHunks(text, [hunk(" \n+x\n end", { line: 2, base })])).toMatchObject({
      refusal: { code: "ambiguous" },
    });
  });

  test("hunks that match at as many places as there are hunks keep their order", () => {
    const text = "x\nk\ny\nx\nk\ny\n";
    const twice = [1, 4].map((line) => hunk(` x\n-k\n+${line}\n y`, { line: line + 9, base }));
    const placed = placeHunks(text, twice);
    expect(placed.ok && applySplices(text, placed.value.splices)).toBe("x\n1\ny\nx\n4\ny\n");
  });

  test("the section in the header tells places apart", () => {
    const text = "def a\n  k\n  z\ndef b\n  k\n  z\n";
    const placed = placeHunks(text, [hunk("   k\n+  n\n   z", { line: 40, base, section: "def b" })]);
    expect(placed.ok && applySplices(text, placed.value.splices)).toBe(
      "def a\n  k\n  z\ndef b\n  k\n  n\n  z\n",
    );
  });

  test("the text that a patch was made for merges it", () => {
    const old = "1\n2\n3\n4\n5\n6\n7\n8\n";
    const now = "one\ntwo\nthree\n4\n5\n6\nseven\n8\n";
    const hunks = [hunk(" 1\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8", { line: 1, base })];
    expect(placeHunks(now, hunks).ok).toBe(false);
    const placed = placeHunks(now, hunks, { base: old });
    expect(placed).toMatchObject({ ok: true, value: { fit: "merge" } });
    expect(placed.ok && applySplices(now, placed.value.splices)).toBe(
      "one\ntwo\nthree\n4\nfive\n6\nseven\n8\n",
    );
  });
});

describe("a patch that is already applied", () => {
  test.each<[string, string, Hunk[], string]>([
    [
      "is recognised by its new side",
      "a\nB\nc\n",
      [hunk(" a\n-b\n+B\n c", { line: 1 })],
      "no-change: already-applied",
    ],
    [
      "also where a line was taken out",
      "a\nc\n",
      [hunk(" a\n-b\n c", { line: 1 })],
      "no-change: already-applied",
    ],
    ["but not by context alone", "a\nx\n", [hunk(" a\n-b", { line: 1 })], "not-found"],
    ["also at an open end", "a\nb\nc\n", [hunk(" a\n b\n+c", { line: 1 })], "no-change: already-applied"],
    ["but blank lines and brackets may repeat", "a\n}\n", [hunk(" a\n+}", { line: 1 })], "a\n}\n}\n"],
    [
      "in every hunk, or it is not",
      "a\nB\nc\nd\n",
      [hunk("-b\n+B\n c", { line: 2 }), hunk("-d\n+D", { line: 4 })],
      "not-found",
    ],
    ["is no change when nothing changes", abc, [hunk("-b\n+b", { line: 2 })], "no-change: same-text"],
    ["is nothing asked when all is context", abc, [hunk(" a\n b", { line: 1 })], "no-change: nothing-asked"],
  ])("%s", (_, text, hunks, after) => {
    expect(place(text, ...hunks)).toBe(after);
  });
});

describe("line endings", () => {
  const open = (line: string): HunkLine => ({
    kind: kinds[line[0] as " "],
    text: line.slice(1),
    noNewline: true,
  });
  const lines = (text: string): readonly HunkLine[] => hunk(text).lines;
  test.each<[string, string, Hunk, string]>([
    ["a CRLF file stays CRLF", "a\r\nb\r\n", hunk(" a\n-b\n+B\n+C"), "a\r\nB\r\nC\r\n"],
    ["of mixed lines stay each", "a\nb\r\nc\nd\r\n", hunk("-b\n-c\n+B\n+C\n+D"), "a\nB\r\nC\nD\nd\r\n"],
    ["that the patch spells out are its own", "a\nb\n", hunk(" a\n-b\n+b\r"), "a\nb\r\n"],
    ["a missing final newline stays missing", "a\nb", hunk("-b\n+c"), "a\nc"],
    ["a missing final newline stays missing behind an added line", "a\nb", hunk(" b\n+c"), "a\nb\nc"],
    ["a missing final newline stays missing before a removed line", "a\nb", hunk(" a\n-b"), "a"],
    ["of CRLF go before a line added at an open end", "a\r\nb", hunk(" b\n+c"), "a\r\nb\r\nc"],
    ["a marker takes the newline", "a\nb\n", { lines: [...lines("-b"), open("+b")], source: 1 }, "a\nb"],
    [
      "a marker demands that it is missing",
      "a\nb\n",
      { lines: [open("-b"), ...lines("+c")], source: 1 },
      "not-found",
    ],
    [
      "a marker in the middle of the text does not fit",
      "a\nb\n",
      { lines: [...lines("-a"), open("+A")], source: 1 },
      "not-found",
    ],
    ["a CR that no LF follows is data", "p\rq\nx\n", hunk("-x\n+y"), "p\rq\ny\n"],
    ["a CR alone ends lines where there is no LF", "a\rb\rc\r", hunk(" a\n-b\n+B"), "a\rB\rc\r"],
    [
      "unless the patch takes it for data",
      "a\rb",
      { lines: [open("-a\rb"), open("+a\rc")], source: 1 },
      "a\rc",
    ],
    [
      "a byte order mark is passed over and kept",
      "\uFEFFa\nb\n",
      hunk("-a\n+A\n b", { line: 1 }),
      "\uFEFFA\nb\n",
    ],
    [
      "a byte order mark that the patch shows is its own",
      "\uFEFFa\nb\n",
      hunk("-\uFEFFa\n+a\n b", { line: 1 }),
      "a\nb\n",
    ],
    ["context keeps its trailing spaces", "a  \nb\n", hunk(" a  \n-b\n+c"), "a  \nc\n"],
  ])("%s", (_, text, each, after) => {
    expect(place(text, each)).toBe(after);
  });
});

describe("work", () => {
  test("repeated lines are placed and refused in linear work", () => {
    const same = (count: number): HunkLine[] =>
      Array.from({ length: count }, () => ({ kind: "context", text: "same" }));
    const text = `${"same\n".repeat(100_000)}other\n`;
    const unique: Hunk = { lines: [...same(50_000), { kind: "removed", text: "other" }], source: 1 };
    const several: Hunk = {
      lines: [...same(50_000), { kind: "added", text: "new" }],
      line: 90_000,
      source: 1,
    };
    expect(measureWork(() => expect(placeHunks(text, [unique]).ok).toBe(true))).toBeLessThan(200);
    expect(measureWork(() => expect(placeHunks(text, [several]).ok).toBe(false))).toBeLessThan(200);
  });

  test("thousands of hunks with wrong numbers are looked up in one pass", () => {
    const rows = Array.from({ length: 100_000 }, (_, i) => `row ${i}`);
    const hunks = Array.from({ length: 5000 }, (_, i) =>
      hunk(` row ${20 * i}\n-row ${20 * i + 1}\n+new`, { line: ((7919 * i) % 90_000) + 1 }),
    );
    const text = `${rows.join("\n")}\n`;
    expect(measureWork(() => expect(placeHunks(text, hunks).ok).toBe(true))).toBeLessThan(300);
  });

  test("a patch with too many hunks is refused before it is placed", () => {
    const many = new Array<Hunk>(50_001).fill(hunk("-a\n+b", { line: 1 }));
    expect(placeHunks("a\n", many)).toMatchObject({ refusal: { code: "too-large" } });
  });
});

describe("laws", () => {
  const words = fc.constantFrom("a", "b", "", "}", "x y", "é");
  const endings = fc.constantFrom("\n", "\n", "\r\n");
  const scripts = fc.array(
    fc.record({
      kind: fc.constantFrom("context", "context", "removed", "added"),
      text: words,
      ending: endings,
    }),
    { maxLength: 12 },
  );

  type Script = { kind: string; text: string; ending: string }[];
  const side = (script: Script, without: string): string =>
    script
      .filter(({ kind }) => kind !== without)
      .map(({ text, ending }) => text + ending)
      .join("");
  const asHunk = (script: Script): Hunk => ({
    lines: script.map(({ kind, text, ending }) => ({
      kind: kind as "context",
      text: ending === "\r\n" ? `${text}\r` : text,
    })),
    line: script.some(({ kind }) => kind !== "added") ? 1 : 0,
    source: 1,
  });

  test("a hunk turns its old side into its new side, line endings and all", () => {
    fc.assert(
      fc.property(scripts, (script) => {
        const [before, after] = [side(script, "added"), side(script, "removed")];
        fc.pre(before !== after);
        expect(place(before, asHunk(script))).toBe(after);
      }),
    );
  });

  test("everything outside the changed lines stays, at any place", () => {
    fc.assert(
      fc.property(scripts, fc.nat(5), fc.nat(5), (script, above, below) => {
        const [before, after] = [side(script, "added"), side(script, "removed")];
        fc.pre(before !== after && script.some(({ kind }) => kind !== "added"));
        const head = Array.from({ length: above }, (_, i) => `head ${i}\n`).join("");
        const tail = Array.from({ length: below }, (_, i) => `tail ${i}\n`).join("");
        const placed = placeHunks(head + before + tail, [{ ...asHunk(script), line: above + 1 }]);
        if (placed.ok)
          expect(applySplices(head + before + tail, placed.value.splices)).toBe(head + after + tail);
        else expect(placed.refusal).toMatchObject({ code: "no-change", why: "already-applied" });
      }),
    );
  });

  test("it never throws, whatever the hunks and the text", () => {
    const anyLines = fc.array(
      fc.record(
        {
          kind: fc.constantFrom("context", "removed", "added"),
          text: fc.oneof(words, fc.string(), fc.constant("a\r")),
          noNewline: fc.constant(true),
        },
        { requiredKeys: ["kind", "text"] },
      ),
      { maxLength: 6 },
    );
    const anyHunk = fc.record(
      {
        lines: anyLines,
        source: fc.constant(1),
        line: fc.nat(8),
        atEnd: fc.constant(true),
        whole: fc.constant(true),
        anchors: fc.array(words, { maxLength: 2 }),
      },
      { requiredKeys: ["lines", "source"] },
    );
    const anyText = fc
      .array(fc.tuple(words, fc.constantFrom("\n", "\r\n", "\r", "")), { maxLength: 10 })
      .map((lines) => lines.flat().join(""));
    fc.assert(
      fc.property(anyText, fc.array(anyHunk, { maxLength: 4 }), (text, hunks) => {
        const placed = placeHunks(text, hunks as Hunk[]);
        if (placed.ok) applySplices(text, placed.value.splices);
      }),
    );
  });
});

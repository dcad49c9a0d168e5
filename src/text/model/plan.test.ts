import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { measureWork } from "../../../test/work.ts";
import type { Edit } from "./edit.ts";
import { planEdits } from "./plan.ts";
import type { Snapshot } from "./snapshot.ts";
import { applySplices } from "./splice.ts";

const why = { reason: "", evidence: [] } as const;
const quote = (path: string, old: string, text: string, occurrence?: number): Edit => ({
  path,
  target: occurrence === undefined ? { quote: old } : { quote: old, occurrence },
  text,
  ...why,
});
const snapshot = (path: string, text: string | null): Snapshot => ({ path, text, version: "v" });

function edited(before: string, ...pairs: [string, string, number?][]): string | null | undefined {
  const plan = planEdits(
    pairs.map(([old, text, at]) => quote("f", old, text, at)),
    [snapshot("f", before)],
  );
  if (!plan.ok) return undefined;
  return plan.value.changes[0]?.after ?? before;
}

describe("quote edits", () => {
  const rows: [string, string, [string, string, number?][], string | undefined][] = [
    ["one match", "p OLD q", [["OLD", "new"]], "p new q"],
    ["dollar signs are text", "p OLD q", [["OLD", "$& $$ $` $' $1"]], "p $& $$ $` $' $1 q"],
    ["two matches are refused", "a a", [["a", "b"]], undefined],
    ["overlapping matches are counted", "aaa", [["aa", "b"]], undefined],
    ["an empty quotation is refused", "a", [["", "b"]], undefined],
    ["empty new text deletes", "a b", [[" b", ""]], "a"],
    ["the same text is no change", "a", [["a", "a"]], undefined],
    ["occurrence 1 replaces the first match", "a a a", [["a", "b", 1]], "b a a"],
    ["occurrence n replaces the n-th match", "a a a", [["a", "b", 2]], "a b a"],
    ["occurrence -1 replaces the last match", "a a a", [["a", "b", -1]], "a a b"],
    ["occurrence 0 replaces all matches", "a a a", [["a", "b", 0]], "b b b"],
    ["replace-all ends when the new text contains the old text", "a a", [["a", "aa", 0]], "aa aa"],
    ["replace-all works from the left without overlaps", "aaaa", [["aa", "b", 0]], "bb"],
    ["an occurrence beyond the last match is refused", "a a", [["a", "b", 3]], undefined],
    ["an occurrence below -1 is refused", "a a", [["a", "b", -2]], undefined],
    ["an occurrence that is not a whole number is refused", "a a", [["a", "b", 1.5]], undefined],
    ["the n-th match and the total are counted the same way", "aaa", [["aa", "b", 2]], undefined],
    [
      "edits apply in order to the running text",
      "a",
      [
        ["a", "b c"],
        ["c", "d"],
      ],
      "b d",
    ],
    [
      "text that an earlier edit removed is not found",
      "a b",
      [
        ["a", "x"],
        ["a", "y"],
      ],
      undefined,
    ],
    [
      "an earlier edit can make a later one unique",
      "a a",
      [
        ["a a", "a b"],
        ["a", "c"],
      ],
      "c b",
    ],
    [
      "if one edit fails, none is applied",
      "a b",
      [
        ["a", "x"],
        ["absent", "y"],
      ],
      undefined,
    ],
    ["crlf file, lf quote", "a\r\nb\r\nc", [["a\nb", "z"]], "z\r\nc"],
    [
      "inserted lines use the line ending of their place",
      "a\r\nb\r\nc\r\n",
      [["a\nb", "A\nB\nB2"]],
      "A\r\nB\r\nB2\r\nc\r\n",
    ],
    ["new lines at an exact match too", "a\r\nb\r\n", [["b", "b\nc"]], "a\r\nb\r\nc\r\n"],
    [
      "untouched lines of a match with mixed endings keep their endings",
      "a\r\nb\nc\r\nd\n",
      [["a\nb\nc\nd", "a\nb\nX\nd"]],
      "a\r\nb\nX\r\nd\n",
    ],
    ["endings spelled out are the caller's", "a\r\nb\n", [["a\r\nb\n", "A\r\nB\n"]], "A\r\nB\n"],
    ["endings alone can be changed", "a\nb\n", [["a\nb", "a\r\nb"]], "a\r\nb\n"],
    ["endings alone can be changed back", "a\r\nb\r\n", [["\r\n", "\n", 0]], "a\nb\n"],
    ["half of a CRLF is never left behind", "a\r\nb", [["\nb", "c"]], "ac"],
    ["the whole file", "abc", [["abc", "x"]], "x"],
    ["a missing final newline stays missing", "a\nb", [["a", "A"]], "A\nb"],
    ["the final newline can be deleted", "a\nb\n", [["b\n", "b"]], "a\nb"],
    ["half a surrogate pair is refused", "a", [["a", "\uD83D"]], undefined],
  ];
  test.each(rows)("%s", (_, before, pairs, after) => {
    expect(edited(before, ...pairs)).toBe(after);
  });

  test("the result says how many matches remain", () => {
    const plan = planEdits([quote("f", "a", "b", 1)], [snapshot("f", "a a a")]);
    expect(plan.ok && plan.value.landings).toEqual([
      {
        edit: 0,
        path: "f",
        fit: "exact",
        before: [{ start: 0, end: 1 }],
        after: [{ start: 0, end: 1 }],
        remaining: 2,
        notes: [],
      },
    ]);
  });

  test("the first failing edit is the one reported", () => {
    const edits = [quote("f", "a", "x"), quote("f", "absent", "y"), quote("f", "gone", "z")];
    expect(planEdits(edits, [snapshot("f", "a")])).toMatchObject({
      ok: false,
      refusal: { edit: 1, code: "not-found", path: "f" },
    });
  });

  test("a path without a snapshot is refused, also the new name of a moved file", () => {
    const moved: Edit = { path: "f", target: { file: "move" }, to: "g", reason: "", evidence: [] };
    for (const edits of [[quote("g", "a", "x")], [moved]])
      expect(planEdits(edits, [snapshot("f", "a")])).toMatchObject({
        ok: false,
        refusal: { code: "malformed", path: "g", what: "no snapshot of g was given" },
      });
  });

  test("ambiguity names every line and the nearest heading", () => {
    const text = "# A\n\nx\n\n## Login\n\nx\n";
    expect(planEdits([quote("f", "x", "y")], [snapshot("f", text)])).toMatchObject({
      ok: false,
      refusal: {
        code: "ambiguous",
        count: 2,
        places: [
          { line: 3, near: "# A" },
          { line: 7, near: "## Login" },
        ],
      },
    });
  });
});

describe("edits of whole files", () => {
  const file = (path: string, rest: Record<string, unknown>): Edit =>
    ({ path, ...why, ...rest }) as unknown as Edit;
  const after = (edits: Edit[], ...snapshots: Snapshot[]) => {
    const plan = planEdits(edits, snapshots);
    if (!plan.ok) return plan.refusal.code;
    return Object.fromEntries(plan.value.changes.map((change) => [change.path, change.after]));
  };
  const rows: [string, Edit[], Snapshot[], unknown][] = [
    ["create", [file("n", { target: { file: "create" }, text: "x\n" })], [snapshot("n", null)], { n: "x\n" }],
    [
      "creating a file that exists",
      [file("n", { target: { file: "create" }, text: "x" })],
      [snapshot("n", "")],
      "exists",
    ],
    ["delete", [file("n", { target: { file: "delete" } })], [snapshot("n", "x")], { n: null }],
    [
      "delete what is not there",
      [file("n", { target: { file: "delete" } })],
      [snapshot("n", null)],
      "not-found",
    ],
    [
      "rewrite keeps mark and endings",
      [file("n", { target: { file: "rewrite" }, text: "a\nb\n" })],
      [snapshot("n", "\uFEFFx\r\n")],
      { n: "\uFEFFa\r\nb\r\n" },
    ],
    [
      "move",
      [file("a", { target: { file: "move" }, to: "b" })],
      [snapshot("a", "x"), snapshot("b", null)],
      { a: null, b: "x" },
    ],
    [
      "moving a file onto itself",
      [file("a", { target: { file: "move" }, to: "a" })],
      [snapshot("a", "x")],
      "no-change",
    ],
    [
      "moving over an existing file",
      [file("a", { target: { file: "move" }, to: "b" })],
      [snapshot("a", "x"), snapshot("b", "y")],
      "exists",
    ],
    [
      "copy",
      [file("a", { target: { file: "copy" }, to: "b" })],
      [snapshot("a", "x"), snapshot("b", null)],
      { b: "x" },
    ],
    [
      "edit, then move, then edit",
      [quote("a", "x", "y"), file("a", { target: { file: "move" }, to: "b" }), quote("b", "y", "z")],
      [snapshot("a", "x"), snapshot("b", null)],
      { a: null, b: "z" },
    ],
    [
      "deleting and adding a path is one update",
      [file("a", { target: { file: "delete" } }), file("a", { target: { file: "create" }, text: "y" })],
      [snapshot("a", "x")],
      { a: "y" },
    ],
    [
      "create and delete is nothing",
      [file("a", { target: { file: "create" }, text: "y" }), file("a", { target: { file: "delete" } })],
      [snapshot("a", null)],
      {},
    ],
    ["editing a file that does not exist", [quote("a", "x", "y")], [snapshot("a", null)], "not-found"],
    [
      "swap of two files",
      [
        file("a", { target: { file: "move" }, to: "c" }),
        file("b", { target: { file: "move" }, to: "a" }),
        file("c", { target: { file: "move" }, to: "b" }),
      ],
      [snapshot("a", "1"), snapshot("b", "2"), snapshot("c", null)],
      { a: "2", b: "1" },
    ],
  ];
  test.each(rows)("%s", (_, edits, snapshots, expected) => {
    expect(after(edits, ...snapshots)).toEqual(expected);
  });

  test("a moved file's splices refer to the text it came from", () => {
    const edits = [quote("a", "x", "y"), file("a", { target: { file: "move" }, to: "b" })];
    const plan = planEdits(edits, [snapshot("a", "1 x"), snapshot("b", null)]);
    expect(plan.ok && plan.value.changes[1]).toMatchObject({
      path: "b",
      from: "a",
      splices: [{ region: { start: 2, end: 3 }, text: "y" }],
    });
  });
});

test("regions refer to the snapshot, also after other edits", () => {
  const edits: Edit[] = [
    quote("f", "a", "longer"),
    { path: "f", target: { region: { start: 2, end: 3 } }, text: "B", ...why },
  ];
  const plan = planEdits(edits, [snapshot("f", "a b c")]);
  expect(plan.ok && plan.value.changes[0]?.after).toBe("longer B c");
  const crossing: Edit[] = [
    quote("f", "a b", "x"),
    { path: "f", target: { region: { start: 2, end: 5 } }, text: "B", ...why },
  ];
  expect(planEdits(crossing, [snapshot("f", "a b c")])).toMatchObject({
    ok: false,
    refusal: { code: "overlap", edit: 1, other: 0 },
  });
});

describe("laws of a plan", () => {
  const letters = fc.string({
    unit: fc.constantFrom("a", "b", "\n", "\r\n", "é", "$&"),
    minLength: 0,
    maxLength: 40,
  });
  const pairs = fc.array(
    fc.tuple(
      fc.string({ unit: fc.constantFrom("a", "b", "\n"), minLength: 1, maxLength: 9 }),
      fc.string({ unit: fc.constantFrom("a", "b", "c", "\n", "$`"), maxLength: 9 }),
      fc.constantFrom(undefined, 1, 0, -1),
    ),
    { minLength: 1, maxLength: 24 },
  );

  test("a batch equals the sequence of single edits, and splices of the original say it all", () => {
    fc.assert(
      fc.property(letters, pairs, (text, asked) => {
        let running: string | null = text;
        let at = 0;
        for (const [old, replacement, occurrence] of asked) {
          const one = planEdits([quote("f", old, replacement, occurrence)], [snapshot("f", running)]);
          if (!one.ok) break;
          running = one.value.changes[0] ? one.value.changes[0].after : running;
          at++;
        }
        const batch = planEdits(
          asked.map(([old, replacement, occurrence]) => quote("f", old, replacement, occurrence)),
          [snapshot("f", text)],
        );
        if (at < asked.length) {
          expect(batch).toMatchObject({ ok: false, refusal: { edit: at } });
          return;
        }
        if (!batch.ok) throw new Error(JSON.stringify(batch.refusal));
        const [change] = batch.value.changes;
        expect(change ? change.after : text).toBe(running);
        if (change) expect(applySplices(text, change.splices)).toBe(running);
      }),
      { numRuns: 20_000 },
    );
  });

  test("bytes outside the regions never change, and new text is literal", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme", maxLength: 30 }),
        fc.string({ unit: "grapheme", maxLength: 12 }),
        fc.nat(),
        fc.nat(),
        (text, inserted, a, b) => {
          if (text === "" || inserted.includes("\n") || /[\r\n]/.test(text)) return;
          const [start, end] = [a % (text.length + 1), b % (text.length + 1)].sort((x, y) => x - y) as [
            number,
            number,
          ];
          const old = text.slice(start, end);
          const plan = planEdits([quote("f", old, inserted)], [snapshot("f", text)]);
          if (!plan.ok) return;
          const at = text.indexOf(old);
          expect(plan.value.changes[0]?.after).toBe(
            text.slice(0, at) + inserted + text.slice(at + old.length),
          );
        },
      ),
      { numRuns: 10_000 },
    );
  });
});

test("1,000 edits in a batch take about the work of one pass", () => {
  const lines = Array.from(
    { length: 20_000 },
    (_, i) => `line ${i} holds ${(i * 7919) % 10007} and some more words`,
  );
  const text = lines.join("\n");
  const edits = Array.from({ length: 1000 }, (_, i) =>
    quote("f", lines[i * 20]!, `${lines[i * 20]} changed`),
  );
  const work = measureWork(() => {
    const plan = planEdits(edits, [snapshot("f", text)]);
    expect(plan.ok && plan.value.landings.length).toBe(1000);
  });
  expect(work).toBeLessThan(25);
});

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Edit } from "../../src/text/model/edit.ts";
import { decode, type Encoding, encode, spliceBytes } from "../../src/text/model/encoding.ts";
import type { Outcome } from "../../src/text/model/outcome.ts";
import { type Plan, planEdits } from "../../src/text/model/plan.ts";
import { invert } from "../../src/text/model/splice.ts";
import { documents, RUNS, revisions, splicesOf } from "./generators.ts";

const asked = { path: "f", reason: "", evidence: [] };

function planOn(text: string, edits: readonly Edit[]): Outcome<Plan> {
  return planEdits(edits, [{ path: "f", text, version: "1" }]);
}

function afterOf(plan: Plan, text: string): string {
  return plan.changes[0]?.after ?? text;
}

function encoded(text: string, encoding: Encoding): Uint8Array {
  const bytes = encode(text, encoding);
  if (!bytes.ok) throw new Error(bytes.refusal.code);
  return bytes.value;
}

describe("bytes", () => {
  const encodings = fc.constantFrom<[Encoding, string]>(
    ["utf-8", ""],
    ["utf-8", "\uFEFF"],
    ["utf-16le", "\uFEFF"],
    ["utf-16be", "\uFEFF"],
  );

  test("outside the regions never change, in any encoding, and invert restores them all", () => {
    fc.assert(
      fc.property(revisions, encodings, ({ text, splices }, [encoding, mark]) => {
        const whole = mark + text;
        const moved = splices.map(({ region, text }) => ({
          region: { start: region.start + mark.length, end: region.end + mark.length },
          text,
        }));
        const bytes = encoded(whole, encoding);
        const decoded = decode(bytes);
        if (!decoded.ok) throw new Error(decoded.refusal.code);
        const result = spliceBytes(bytes, decoded.value.text, decoded.value.encoding, moved);
        if (!result.ok) throw new Error(result.refusal.code);
        let from = 0;
        let to = 0;
        const pieces = [...moved, { region: { start: whole.length, end: whole.length }, text: "" }];
        pieces.forEach(({ region, text: inserted }, i) => {
          const gap = encoded(
            whole.slice(i === 0 ? 0 : pieces[i - 1]!.region.end, region.start),
            encoding,
          ).length;
          expect(result.value.subarray(to, to + gap)).toEqual(bytes.subarray(from, from + gap));
          from += gap + encoded(whole.slice(region.start, region.end), encoding).length;
          to += gap + encoded(inserted, encoding).length;
        });
        expect([from, to]).toEqual([bytes.length, result.value.length]);
        const after = decode(result.value);
        if (!after.ok) return;
        const back = spliceBytes(result.value, after.value.text, after.value.encoding, invert(whole, moved));
        expect(back.ok && back.value).toEqual(bytes);
      }),
      { numRuns: RUNS },
    );
  });
});

test("inserted text is literal: every byte except NUL, dollar patterns, backslashes", () => {
  const literals = fc
    .array(
      fc.oneof(
        fc.constantFrom("$&", "$1", "$$", "$`", "$'", "\\1", "\\n", "%s"),
        fc.integer({ min: 1, max: 255 }).map((unit) => String.fromCharCode(unit)),
      ),
      { maxLength: 12 },
    )
    .map((pieces) => pieces.join("").replaceAll("\n", "").replaceAll("\r", ""));
  fc.assert(
    fc.property(documents, documents, literals, (head, tail, text) => {
      const planned = planOn(`${head}<here>${tail}`, [{ ...asked, target: { quote: "<here>" }, text }]);
      expect(planned.ok ? afterOf(planned.value, "") : planned.refusal).toBe(head + text + tail);
    }),
    { numRuns: RUNS },
  );
});

test("disjoint edits commute, whether given by region or by quotation", () => {
  const draws = fc.array(
    fc.tuple(fc.integer({ min: 1, max: 20 }), fc.nat(6), fc.constantFrom("", "x", "yy\n", "$&")),
    {
      minLength: 2,
      maxLength: 5,
    },
  );
  fc.assert(
    fc.property(documents, draws, fc.infiniteStream(fc.nat(1000)), (document, drawn, order) => {
      // New lines take the ending of their place, which another edit may have changed; so one kind of ending only.
      const text = document.replaceAll("\r", "");
      const splices = splicesOf(text, drawn).filter(
        ({ region }, i, all) => region.start > (all[i - 1]?.region.end ?? -1),
      );
      const marked = splices.map((_, i) => `<${i}>`).join("\n");
      const byRegion: Edit[] = splices
        .filter(({ region, text: now }) => text.slice(region.start, region.end) !== now)
        .map(({ region, text }) => ({ ...asked, target: { region }, text }));
      const byQuote: Edit[] = splices.map(({ text }, i) => ({ ...asked, target: { quote: `<${i}>` }, text }));
      for (const [base, edits] of [
        [text, byRegion],
        [marked, byQuote],
      ] as const) {
        const straight = planOn(base, edits);
        const turned = planOn(base, shuffled(edits, order));
        if (!straight.ok || !turned.ok) throw new Error("a disjoint edit was refused");
        expect(afterOf(turned.value, base)).toBe(afterOf(straight.value, base));
      }
    }),
    { numRuns: RUNS },
  );
});

describe("batches", () => {
  const quote = fc.constantFrom("a", "b", "\n", "a\n", "1", "2\n", "{", "  }", "é😀", "zz");
  const text = fc.constantFrom("", "a", "b", "c\n", "1", "{\n", "zz", "$&", "aa", "\na");
  const occurrence = fc.constantFrom(-1, 0, 1, 2);
  const quotes = fc.record({ target: fc.record({ quote, occurrence }, { requiredKeys: ["quote"] }), text });
  const insertions = fc.record({ target: fc.record({ line: fc.integer({ min: -1, max: 6 }) }), text });
  // Long runs of quotations take a path of their own; few of them must fail for the rest of a run to be seen.
  const common = fc.record({
    target: fc.record({ quote: fc.constantFrom("a", "\n", "1"), occurrence: fc.constantFrom(-1, 1, 1) }),
    text: fc.constantFrom("a1", "\na\n", "a\n1", "1a", "{a\n"),
  });
  const batch = fc.oneof(
    fc.array(fc.oneof(quotes, insertions), { minLength: 1, maxLength: 6 }),
    fc.array(fc.oneof({ weight: 40, arbitrary: common }, { weight: 1, arbitrary: quotes }), {
      minLength: 16,
      maxLength: 24,
      size: "max",
    }),
  );

  test("equal the sequence of single edits, and are refused where it would be", () => {
    const done = { short: 0, long: 0 };
    fc.assert(
      fc.property(documents, batch, (text, drawn) => {
        const edits = drawn.map((edit) => ({ ...asked, ...edit })) as Edit[];
        const together = planOn(text, edits);
        const oneByOne = inSequence(text, edits);
        if (together.ok) done[edits.length < 16 ? "short" : "long"]++;
        expect(
          together.ok
            ? { text: afterOf(together.value, text) }
            : { edit: together.refusal.edit, code: together.refusal.code },
        ).toEqual(oneByOne);
      }),
      { numRuns: 2 * RUNS },
    );
    expect(Math.min(done.short, done.long)).toBeGreaterThan(RUNS / 10);
  });
});

function inSequence(text: string, edits: readonly Edit[]) {
  let current = text;
  for (const [i, edit] of edits.entries()) {
    const planned = planOn(current, [edit]);
    if (!planned.ok) return { edit: i, code: planned.refusal.code };
    current = afterOf(planned.value, current);
  }
  return { text: current };
}

function shuffled<T>(items: readonly T[], order: Iterator<number>): T[] {
  return items
    .map((item) => ({ item, at: order.next().value as number }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
}

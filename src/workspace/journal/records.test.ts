import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseRecords, printRecord, type RecordType } from "./records.ts";

const bodies: [RecordType, unknown][] = [
  [
    "begin",
    { id: "1", reason: 'with "quotes", a\nline and \u001b[31mcolour', files: [{ path: "docs/ä.md" }] },
  ],
  ["texts", [{ inserted: ["suture-journal 1 done 1 2 "], removed: ["\r\n"] }]],
  ["commit", {}],
  ["done", {}],
];

describe("records of the journal", () => {
  test("printed records are parsed", () => {
    const { records, ending, length } = parseRecords(journal());
    expect(ending).toBe("whole");
    expect(length).toBe(journal().length);
    expect(records.map(({ type, body, epoch }) => [type, body, epoch])).toEqual(
      bodies.map(([type, body]) => [type, body, 7]),
    );
  });

  test("a file cut at any byte ends at its last whole record", () => {
    const whole = journal();
    const ends = recordEnds(whole);
    for (let cut = 0; cut < whole.length; cut++) {
      const { records, ending, length } = parseRecords(whole.subarray(0, cut));
      const complete = ends.filter((end) => end <= cut);
      expect(records).toHaveLength(complete.length);
      expect(length).toBe(complete.at(-1) ?? 0);
      expect(ending).toBe(cut === (complete.at(-1) ?? 0) ? "whole" : "torn");
    }
  });

  test("any flipped bit is detected", () => {
    const whole = journal();
    const [last] = recordEnds(whole).slice(-2);
    for (let bit = 0; bit < whole.length * 8; bit++) {
      const flipped = whole.slice();
      flipped[bit >> 3]! ^= 1 << (bit & 7);
      const { records, ending } = parseRecords(flipped);
      expect(records.length, `bit ${bit}`).toBeLessThan(bodies.length);
      expect(ending, `bit ${bit}`).toBe(bit >> 3 < last! ? "corrupt" : "torn");
    }
  });

  test("records cannot be reordered or come from another journal", () => {
    const parts = printed();
    const swapped = bytesOf([parts[0]!, parts[2]!, parts[1]!, parts[3]!].map(({ text }) => text).join(""));
    expect(parseRecords(swapped)).toMatchObject({ ending: "corrupt", records: { length: 1 } });
  });

  test("a newer format is not read", () => {
    const body = "{}";
    const text = printRecord({ type: "begin", epoch: 1, body: {}, previous: "" }).text.replace(
      "suture-journal 1",
      "suture-journal 2",
    );
    // The version counts only if the hash is right, as it would be if a newer version had written the record.
    expect(parseRecords(bytesOf(text)).ending).toBe("torn");
    expect(parseRecords(bytesOf(futureRecord(body))).ending).toBe("newer");
  });

  test("a torn tail of zeros is the end", () => {
    const whole = journal();
    const padded = new Uint8Array(whole.length + 300);
    padded.set(whole);
    expect(parseRecords(padded)).toMatchObject({
      ending: "torn",
      length: whole.length,
      records: { length: 4 },
    });
  });

  test("any bytes are parsed without an error, in bounded work", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), fc.nat(1000), (noise, at) => {
        const bytes = journal();
        bytes.set(noise.subarray(0, Math.max(0, bytes.length - at)), Math.min(at, bytes.length));
        expect(parseRecords(bytes).records.length).toBeLessThanOrEqual(bodies.length);
      }),
    );
  });
});

function printed(): { text: string; hash: string }[] {
  const parts: { text: string; hash: string }[] = [];
  for (const [type, body] of bodies)
    parts.push(printRecord({ type, epoch: 7, body, previous: parts.at(-1)?.hash ?? "" }));
  return parts;
}

function journal(): Uint8Array {
  return bytesOf(
    printed()
      .map(({ text }) => text)
      .join(""),
  );
}

function recordEnds(whole: Uint8Array): number[] {
  const ends: number[] = [];
  for (const { text } of printed()) ends.push((ends.at(-1) ?? 0) + bytesOf(text).length);
  expect(ends.at(-1)).toBe(whole.length);
  return ends;
}

function futureRecord(body: string): string {
  const head = `suture-journal 2 begin 1 ${body.length}`;
  const hash = process.getBuiltinModule("node:crypto").hash("sha256", `\n${head}\n${body}`, "hex");
  return `${head} ${hash}\n${body}\n`;
}

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

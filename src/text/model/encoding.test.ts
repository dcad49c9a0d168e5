import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decode, encode, spliceBytes } from "./encoding.ts";
import { applySplices } from "./splice.ts";

const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values);

describe("decoding without loss", () => {
  const rows: [string, Uint8Array, string, string][] = [
    ["empty", bytes(), "", "utf-8"],
    ["ASCII", bytes(0x61, 0x0a), "a\n", "utf-8"],
    ["a byte order mark is a character", bytes(0xef, 0xbb, 0xbf, 0x61), "\uFEFFa", "utf-8"],
    ["emoji", bytes(0xf0, 0x9f, 0x98, 0x80), "😀", "utf-8"],
    ["UTF-16 little endian", bytes(0xff, 0xfe, 0x61, 0, 0x0a, 0), "\uFEFFa\n", "utf-16le"],
    ["UTF-16 big endian", bytes(0xfe, 0xff, 0, 0x61, 0xd8, 0x3d, 0xde, 0x00), "\uFEFFa😀", "utf-16be"],
  ];
  test.each(rows)("%s", (_, given, text, encoding) => {
    expect(decode(given)).toEqual({ ok: true, value: { text, encoding } });
    expect(encode(text, encoding as "utf-8")).toEqual({ ok: true, value: given });
  });

  const refused: [string, Uint8Array, number][] = [
    ["a Latin-1 byte", bytes(0x61, 0xe9, 0x0a), 1],
    ["a sequence cut short", bytes(0x61, 0xf0, 0x9f, 0x98), 1],
    ["an overlong form", bytes(0xc0, 0xaf), 0],
    ["a surrogate in UTF-8", bytes(0x61, 0xed, 0xa0, 0x80), 1],
    ["beyond Unicode", bytes(0xf4, 0x90, 0x80, 0x80), 0],
    ["a NUL", bytes(0xc3, 0xa9, 0x00), 2],
    ["half a UTF-16 unit", bytes(0xff, 0xfe, 0x61), 2],
    ["half a UTF-16 pair", bytes(0xff, 0xfe, 0x61, 0, 0x3d, 0xd8), 4],
  ];
  test.each(refused)("%s is refused with its offset", (_, given, offset) => {
    expect(decode(given)).toMatchObject({ ok: false, refusal: { code: "not-text", offset } });
  });

  test("half of a surrogate pair cannot be encoded", () => {
    for (const encoding of ["utf-8", "utf-16le", "utf-8-stray"] as const)
      expect(encode("a\uD83D", encoding)).toMatchObject({
        ok: false,
        refusal: { code: "not-text", offset: 1 },
      });
  });

  test("any bytes survive a decoding that keeps stray bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (given) => {
        const decoded = decode(given, { strayBytes: "keep" });
        if (!decoded.ok) return decoded.refusal.code === "not-text" && given[0]! >= 0xfe;
        const encoded = encode(decoded.value.text, decoded.value.encoding);
        return encoded.ok && Buffer.compare(Buffer.from(encoded.value), Buffer.from(given)) === 0;
      }),
      { numRuns: 10_000 },
    );
  });
});

describe("splicing bytes", () => {
  const anyText = fc.string({ unit: "grapheme", maxLength: 40 });
  test("splicing the bytes gives the encoded result of splicing the text, in every encoding", () => {
    fc.assert(
      fc.property(
        anyText,
        anyText,
        fc.nat(),
        fc.nat(),
        fc.constantFrom("utf-8" as const, "utf-16le" as const, "utf-16be" as const),
        (text, inserted, a, b, encoding) => {
          const points = [...boundaries(text)];
          const [start, end] = [points[a % points.length]!, points[b % points.length]!].sort((x, y) => x - y);
          const splices = [{ region: { start: start!, end: end! }, text: inserted }];
          const before = encode(text, encoding);
          const after = encode(applySplices(text, splices), encoding);
          if (!before.ok || !after.ok) return true;
          expect(spliceBytes(before.value, text, encoding, splices)).toEqual(after);
          return true;
        },
      ),
      { numRuns: 10_000 },
    );
  });

  test("the bytes of a long text are found from either end, wherever it begins in memory", () => {
    const unit = fc.constantFrom("a", "plain words, ", "é", "ž", "…", "漢字", "😀", "a😀", "\n");
    const longText = fc.array(unit, { minLength: 400, maxLength: 900 });
    fc.assert(
      fc.property(longText, fc.nat(), fc.nat(), fc.nat(3), (units, a, b, shift) => {
        const text = units.join("");
        const points = [...boundaries(text)];
        const [start, end] = [points[a % points.length]!, points[b % points.length]!].sort((x, y) => x - y);
        const splices = [
          { region: { start: 0, end: 0 }, text: "ß" },
          { region: { start: start!, end: end! }, text: "new" },
        ];
        const plain = new TextEncoder().encode(text);
        const before = new Uint8Array(new ArrayBuffer(plain.length + shift), shift);
        before.set(plain);
        const after = encode(applySplices(text, splices), "utf-8");
        expect(spliceBytes(before, text, "utf-8", splices)).toEqual(after);
      }),
      { numRuns: 500 },
    );
  });

  test("a stray byte far from the edit stays", () => {
    const given = bytes(0x78, 0x3d, 0x31, 0x0a, 0x63, 0xe9, 0x0a);
    const decoded = decode(given, { strayBytes: "keep" });
    if (!decoded.ok) throw new Error("refused");
    const { text, encoding } = decoded.value;
    const splices = [{ region: { start: 2, end: 3 }, text: "2" }];
    expect(spliceBytes(given, text, encoding, splices)).toEqual({
      ok: true,
      value: bytes(0x78, 0x3d, 0x32, 0x0a, 0x63, 0xe9, 0x0a),
    });
  });
});

describe("a file that is not UTF-8", () => {
  const russian = bytes(0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2, 0x20, 0x61, 0x0a);
  const decoded = decode(russian, { strayBytes: "keep" });
  const text = decoded.ok ? decoded.value.text : "";

  test("every byte beyond ASCII comes back", () => {
    expect(decoded).toMatchObject({ ok: true, value: { encoding: "8-bit" } });
    expect(encode(text, "8-bit")).toEqual({ ok: true, value: russian });
  });

  test("new text in ASCII is written", () => {
    const splices = [{ region: { start: 7, end: 8 }, text: "bc" }];
    expect(spliceBytes(russian, text, "8-bit", splices)).toMatchObject({ ok: true });
  });

  test.each(["мир", "é", "\u{1f600}"])("new text beyond ASCII is refused: %s", (inserted) => {
    expect(encode(text + inserted, "8-bit")).toMatchObject({ ok: false, refusal: { code: "not-text" } });
  });
});

function* boundaries(text: string): Generator<number> {
  let at = 0;
  yield at;
  for (const character of text) {
    at += character.length;
    yield at;
  }
}

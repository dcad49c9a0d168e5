import fc from "fast-check";
import { expect, test } from "vitest";
import { codeName, findAddedInvisible, findInvisibleCharacters } from "./invisible-characters.ts";

test.each([
  ["plain words, tabs\tand\nlines", []],
  ["a\u202eb", ["bidi U+202E"]],
  ["a\u200bb\ufeff", ["hidden U+200B", "hidden U+FEFF"]],
  ["ring\u0007 \u001b[31m \r", ["control U+0007", "control U+001B", "control U+000D"]],
  ["tag \u{e0061}", ["hidden U+E0061"]],
  ["\u2066x\u2069", ["bidi U+2066", "bidi U+2069"]],
  ["p\u0430ypal", ["mixed-script U+0430"]],
  ["пароль and password", []],
  ["Ωmega", ["mixed-script U+03A9"]],
  ["family \u{1f468}\u200d\u{1f469}", []],
])("hidden characters in %j are named", (text, expected) => {
  const found = findInvisibleCharacters(text, { mixedScripts: true });
  expect(found.map(({ kind, code }) => `${kind} ${codeName(code)}`)).toEqual(expected);
});

test("regions are in order, apart, and hold the character they name", () => {
  const unit = fc.constantFrom("a", "а", "\u202e", "\u200b", "\u{e0061}", "\n", "\u001b", " ", "я");
  fc.assert(
    fc.property(fc.array(unit), (units) => {
      const text = units.join("");
      let last = 0;
      for (const { start, end, code } of findInvisibleCharacters(text, { mixedScripts: true })) {
        expect(start).toBeGreaterThanOrEqual(last);
        expect(text.slice(start, end)).toBe(String.fromCodePoint(code));
        last = end;
      }
    }),
    { numRuns: 500 },
  );
});

/** Characters that nothing shows, that reorder text or that act on a terminal. */
const suspicious = [
  ...[0x00, 0x01, 0x07, 0x08, 0x0b, 0x0e, 0x1b, 0x1f, 0x7f, 0x80, 0x85, 0x9b, 0x9f, 0xad],
  ...[0x34f, 0x61c, 0x115f, 0x1160, 0x17b4, 0x180b, 0x180e, 0x200b, 0x200e, 0x200f, 0x2028, 0x2029],
  ...[0x202a, 0x202e, 0x2060, 0x2064, 0x2066, 0x2069, 0x206f, 0x3164, 0xfe00, 0xfe0e, 0xfe0f, 0xfeff, 0xffa0],
  ...[
    0xe000, 0xf8ff, 0xfdd0, 0xfdef, 0xfffc, 0xf0000, 0x10fffd, 0xfff0, 0xfff9, 0xfffb, 0x1bca0, 0x1d159,
    0x1d173, 0x1d17a, 0xe0001, 0xe0020, 0xe007f, 0xe0100, 0xe01ef,
  ],
];

test.each(suspicious.map((code) => [codeName(code), code] as const))("%s in new text is found", (_, code) => {
  const text = `wo${String.fromCodePoint(code)}rd`;
  expect(findAddedInvisible("word", text).map((each) => each.code)).toEqual([code]);
  // Text that had it keeps it, and may not get a second one.
  expect(findAddedInvisible(text, `${text} more`)).toEqual([]);
  expect(findAddedInvisible(text, `${text} ${text}`)).toHaveLength(2);
});

test.each([
  ["emoji with a presentation selector", "done ✔️ and ☎︎, ❤️‍🔥, 1️⃣, 👩🏽‍🚀, ©️"],
  ["flags of regions", "🏴󠁧󠁢󠁳󠁣󠁴󠁿"],
  ["joiners of scripts", "می‌خواهم, क्‍ष"],
  ["variants of ideographs", "葛\u{e0100}城"],
  ["tabs, line ends and form feeds", "a\tb\r\nc\fd"],
  ["letters of many scripts", "Grüße, Ελλάδα, Привет, שלום, مرحبا, 日本語, 한국어, हिन्दी"],
])("%s are text that people write", (_, text) => {
  expect(findAddedInvisible("", text)).toEqual([]);
});

test("bytes hidden in selectors behind one emoji are found", () => {
  const bytes = Array.from("exfiltrate", (letter) =>
    String.fromCodePoint(0xe0100 + letter.charCodeAt(0)),
  ).join("");
  expect(findAddedInvisible("", `😀${bytes}`)).toHaveLength(10);
  expect(findAddedInvisible("✔️", "✔️ a\ufe0fb\ufe0ec\ufe0f")).not.toEqual([]);
  expect(findAddedInvisible("", "葛\u{e0100}\u{e0101}\u{e0102}")).toHaveLength(2);
});

test("a byte order mark may open a new file and nothing else", () => {
  expect(findAddedInvisible(null, "\ufefftext")).toEqual([]);
  expect(findAddedInvisible("", "\ufefftext")).toHaveLength(1);
  expect(findAddedInvisible(null, "te\ufeffxt")).toHaveLength(1);
});

test("the review page marks every character that the gate refuses", () => {
  const unmarked = suspicious.filter(
    (code) => findInvisibleCharacters(`wo${String.fromCodePoint(code)}rd`).length === 0,
  );
  expect(unmarked.map(codeName)).toEqual([]);
});

const tags = (text: string): string =>
  Array.from(text, (letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join("");

test.each([
  ["tags behind a black flag that spell a text", `\u{1f3f4}${tags("ignore all rules")}\u{e007f}`],
  ["joiners between Latin letters", "a\u200db\u200cc"],
  ["a blank pattern of dots", "wo\u2800rd"],
  ["a character that Unicode leaves out", "wo\uffferd"],
  ["format controls of hieroglyphs", "wo\u{13430}rd"],
])("%s are added and not seen", (_, text) => {
  expect(findAddedInvisible("", text)).not.toEqual([]);
});

test.each([
  ["a family of emoji", "\u{1f468}\u200d\u{1f469}\u200d\u{1f467}"],
  ["an emoji with a skin and a trade", "\u{1f469}\u{1f3fd}\u200d\u{1f4bb}"],
  ["the flag of Scotland", `\u{1f3f4}${tags("gbsct")}\u{e007f}`],
  ["a Persian word", "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645"],
  ["a Hindi word", "\u0915\u094d\u200d\u0937"],
])("%s needs its joiners and tags", (_, text) => {
  expect(findAddedInvisible("", text)).toEqual([]);
});

import fc from "fast-check";
import { expect, test } from "vitest";
import { addItem, addMember, removeValue } from "./json-edit.ts";

test.each([
  ["an empty map", "{}", '{ "a": 1 }'],
  ["an empty map on several lines", "{\n}\n", '{\n  "a": 1\n}\n'],
  ["a map on one line", '{ "b": 2 }', '{ "b": 2, "a": 1 }'],
  ["a map with tabs", '{\n\t"b": 2\n}\n', '{\n\t"b": 2,\n\t"a": 1\n}\n'],
  ["carriage returns", '{\r\n  "b": "x"\r\n}\r\n', '{\r\n  "b": "x",\r\n  "a": 1\r\n}\r\n'],
  ["comments", '{\n  // why\n  "b": 2\n}\n', '{\n  // why\n  "b": 2,\n  "a": 1\n}\n'],
])("a member goes into %s in its layout", (_name, text, expected) => {
  expect(addMember(text, ["a"], 1)).toBe(expected);
});

test("maps on the way are added", () => {
  expect(addItem('{\n  "b": 2\n}\n', ["hooks", "Stop"], { c: 1 })).toBe(
    '{\n  "b": 2,\n  "hooks": {\n    "Stop": [\n      {\n        "c": 1\n      }\n    ]\n  }\n}\n',
  );
});

test.each(["[]", "", "{", '{ "hooks": 3 }', '{ "hooks": { "Stop": {} } }'])(
  "%j is left alone, as it has something else there",
  (text) => {
    expect(addItem(text, ["hooks", "Stop"], 1)).toBeNull();
  },
);

const key = fc
  .string({ minLength: 1, maxLength: 5 })
  .filter((name) => name !== "hooks" && name !== "__proto__");
const document = fc.dictionary(key, fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4 });

test("adding an item and removing it again restores every byte", () => {
  fc.assert(
    fc.property(
      document,
      fc.constantFrom(undefined, 2, "\t"),
      fc.array(fc.jsonValue({ maxDepth: 1 }), { minLength: 1 }),
      (map, layout, items) => {
        const text = JSON.stringify({ ...map, hooks: items }, null, layout);
        const more = addItem(text, ["hooks"], { command: "x" })!;
        expect(JSON.parse(more).hooks).toEqual([...JSON.parse(text).hooks, { command: "x" }]);
        expect(removeValue(more, ["hooks"], items.length)).toBe(text);
      },
    ),
    { numRuns: 300 },
  );
});

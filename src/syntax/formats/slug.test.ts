import { expect, test } from "vitest";
import { createSlugger, slugOf } from "./slug.ts";

test.each([
  ["Hello, World!", "hello-world"],
  ["a_b - c", "a_b---c"],
  ["  C++ & C#  ", "c--c"],
  ["Ünïcode 数", "ünïcode-数"],
  ["emoji 🚀 here", "emoji--here"],
])("%s → %s", (words, slug) => {
  expect(slugOf(words)).toBe(slug);
});

test("repeated anchors are numbered, around anchors that already look numbered", () => {
  const slug = createSlugger();
  expect(["a", "a", "a-1", "a", "a-1", "b-2", "b", "b"].map(slug)).toEqual([
    "a",
    "a-1",
    "a-1-1",
    "a-2",
    "a-1-2",
    "b-2",
    "b",
    "b-1",
  ]);
});

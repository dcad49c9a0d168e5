import { expect, test } from "vitest";
import { placeName } from "./place-name.ts";

test("a folder has one name that a file can have, and other folders have others", () => {
  const folders = Array.from({ length: 20_000 }, (_, i) => `/home/someone/code/project-${i}`);
  const names = folders.map(placeName);
  expect(names[7]).toBe(placeName("/home/someone/code/project-7"));
  expect(names.every((name) => /^[0-9a-f]{32}$/.test(name))).toBe(true);
  expect(new Set(names).size).toBe(folders.length);
  for (let at = 0; at < 32; at += 8)
    expect(new Set(names.map((name) => name.slice(at, at + 8))).size).toBeGreaterThan(19_980);
});

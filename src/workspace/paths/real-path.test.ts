import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { liesInside } from "./real-path.ts";

const folder = mkdtempSync(join(tmpdir(), "suture-real-"));
afterAll(() => rmSync(folder, { recursive: true }));

test("a link in the root that leads out of it lies outside", () => {
  const root = join(folder, "root");
  mkdirSync(join(root, "inner"), { recursive: true });
  mkdirSync(join(folder, "private"));
  symlinkSync("../private", join(root, "lib"));
  symlinkSync("inner", join(root, "alias"));
  expect(liesInside(join(root, "lib"), root)).toBe(false);
  expect(liesInside(join(root, "alias"), root)).toBe(true);
  expect(liesInside(join(root, "inner"), root)).toBe(true);
  expect(liesInside(join(folder, "private"), root)).toBe(false);
  expect(liesInside(join(folder, "root-beside"), root)).toBe(false);
});

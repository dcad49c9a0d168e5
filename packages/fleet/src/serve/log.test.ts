import { expect, test } from "vitest";
import { openLog } from "./log.ts";

test("characters that a terminal obeys or hides are escaped, and the line is still the same JSON", () => {
  const lines: string[] = [];
  const why = "no file \u202egnp.md \u009b2J \u200bhere \u2028 \u{e0041}";
  openLog((line) => lines.push(line))("job-failed", { why });
  expect(lines[0]).toMatch(/^[\x20-\x7e]+\n$/);
  expect(JSON.parse(lines[0]!)).toMatchObject({ event: "job-failed", why });
});

test("letters of other languages stay readable", () => {
  const lines: string[] = [];
  openLog((line) => lines.push(line))("job", { repository: "acme/über-日本" });
  expect(lines[0]).toContain("acme/über-日本");
});

import { expect, test } from "vitest";
import { explain } from "./explain.ts";

test("a refusal of a host is told as the host's, without advice about files", () => {
  const detail = "POST repos/acme/api/pulls: 422 A pull request already exists";
  expect(explain({ code: "conflict", detail })).toBe(`${detail}.`);
});

test("what a host does not have may be hidden from the token, and the sentence says so", () => {
  const detail = "GET repos/acme/api/pulls/7: 404 Not Found";
  expect(explain({ code: "not-found", what: "resource", detail })).toBe(
    `The code host has no such thing, or the token may not see it: ${detail}.`,
  );
});

test("a refusal about a file names the file", () => {
  expect(explain({ code: "conflict", path: "docs/a.md", detail: "another task edited it" })).toContain(
    "docs/a.md",
  );
});

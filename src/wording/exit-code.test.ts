import { expect, test } from "vitest";
import { exitCodeOf } from "./exit-code.ts";

test.each([
  ["input that cannot be understood", { code: "malformed" }, 2],
  ["another process that holds the lock", { code: "locked" }, 3],
  ["a machine that fails", { code: "unavailable", errno: "EIO" }, 3],
  ["a repository that cannot be asked", { code: "unavailable" }, 3],
  ["a root that is not there", { code: "unavailable", errno: "ENOENT" }, 2],
  ["a root that is a file", { code: "unavailable", errno: "ENOTDIR" }, 2],
  ["text that is not found", { code: "not-found" }, 1],
  ["a conflict", { code: "conflict" }, 1],
  ["a bug of ours", { code: "error" }, 3],
  ["a person who says no", { code: "declined" }, 1],
  ["a failure without a code", {}, 1],
])("%s has one exit code", (_, refusal, code) => {
  expect(exitCodeOf(refusal)).toBe(code);
});

import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { GitError } from "../clones/git-process.ts";
import { PermanentError } from "../jobs/job-run.ts";
import { isDiskFull } from "./disk-space.ts";

test.each<[name: string, error: unknown, isFull: boolean]>([
  ["the system reports a full disk", Object.assign(new Error("write"), { code: "ENOSPC" }), true],
  ["the system reports a used-up quota", Object.assign(new Error("write"), { code: "EDQUOT" }), true],
  ["git reports a full disk, and there is room", new GitError("fatal: write error", ["disk-full"]), false],
  ["an error has a full disk as its cause", new Error("no clone", { cause: { code: "ENOSPC" } }), true],
  [
    "a text of a repository names a full disk",
    new PermanentError("cannot parse: no space left on device"),
    false,
  ],
  ["something else failed", new Error("ENOENT"), false],
])("%s", async (_, error, isFull) => {
  expect(await isDiskFull(error, tmpdir())).toBe(isFull);
});

test("git reports a full disk, and nothing can be written", async () => {
  const error = new GitError("fatal: write error", ["disk-full"]);
  expect(await isDiskFull(error, join(tmpdir(), "no", "such", "disk"))).toBe(true);
});

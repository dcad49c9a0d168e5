import { expect, test } from "vitest";
import { type GitFailure, readGitFailures } from "./git-failures.ts";
import { GitError } from "./git-process.ts";

test.each<[name: string, errors: string, failures: GitFailure[]]>([
  [
    "a repository that does not exist",
    "remote: Repository not found.\nfatal: repository 'https://h/a/b/' not found",
    ["permanent"],
  ],
  [
    "a host without an address",
    "fatal: unable to access 'https://h/': Could not resolve host: h",
    ["network"],
  ],
  [
    "a moved repository",
    "fatal: unable to access 'https://h/': The requested URL returned error: 301",
    ["redirect"],
  ],
  [
    "a token that the host refuses",
    "fatal: Authentication failed for 'https://h/a/b.git/'",
    ["unauthorised"],
  ],
  [
    "a host that wants a credential",
    "fatal: could not read Username for 'https://h': terminal prompts disabled",
    ["unauthorised"],
  ],
  [
    "a host that limits the rate",
    "fatal: unable to access 'https://h/a/b.git/': The requested URL returned error: 429",
    ["limited"],
  ],
  ["a repository without commits", "fatal: couldn't find remote ref HEAD", ["empty"]],
  ["a lock of a killed process", "fatal: Unable to create '/c/shallow.lock': File exists.", ["broken"]],
  [
    "a full disk breaks no clone",
    "fatal: write error: No space left on device\nerror: unable to read sha1",
    ["disk-full"],
  ],
  [
    "a remote that is damaged damages no clone",
    "remote: aborting due to possible repository corruption on the remote side.\nfatal: early EOF",
    ["network"],
  ],
  [
    "a remote whose disk is full",
    "remote: fatal: write error: No space left on device\nfatal: the remote end hung up unexpectedly",
    ["network"],
  ],
  ["a remote that reports an error of its own", "fatal: remote error: No space left on device", []],
  [
    "an address that is called like a full disk",
    "fatal: repository 'https://h/no space left on device/b/' not found",
    ["permanent"],
  ],
  ["any other failure", "fatal: something else", []],
])("%s", (_, errors, failures) => {
  expect([...readGitFailures(errors)]).toEqual(failures);
});

test("an error of git knows its failures, whatever its message says", () => {
  const error = new GitError("the commit says: no space left on device", ["permanent"]);
  expect(error.is("permanent")).toBe(true);
  expect(error.is("disk-full")).toBe(false);
});

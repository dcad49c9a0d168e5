import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { openGit } from "../../workspace/git/git.ts";
import { LossSearch } from "./loss-search.ts";

const made: string[] = [];
afterAll(() => {
  for (const folder of made) rmSync(folder, { recursive: true });
});

/** A commit for git's fast import: what it says, its parents, and the files it writes; null deletes one. */
type Commit = {
  readonly subject: string;
  readonly from?: number;
  readonly merge?: number;
  readonly branch?: string;
  readonly files?: Readonly<Record<string, string | null>>;
};

/** A repository of many commits, made by one process. Commits are numbered from 1 in the order given. */
function importCommits(commits: readonly Commit[]): string {
  const folder = mkdtempSync(join(tmpdir(), "suture-losses-"));
  made.push(folder);
  const run = (args: readonly string[], input?: string): void => {
    execFileSync("git", args, { cwd: folder, input, stdio: ["pipe", "ignore", "ignore"] });
  };
  run(["init", "--quiet", "--initial-branch=main"]);
  run(["fast-import", "--quiet"], commits.map(streamOf).join(""));
  return folder;
}

function streamOf({ subject, from, merge, branch = "main", files = {} }: Commit, at: number): string {
  const sized = (text: string): string => `data ${Buffer.byteLength(text)}\n${text}\n`;
  const changes = Object.entries(files).map(([path, text]) =>
    text === null ? `D ${path}\n` : `M 100644 inline ${path}\n${sized(text)}`,
  );
  const parents = `${from ? `from :${from}\n` : ""}${merge ? `merge :${merge}\n` : ""}`;
  const time = `T <t@example.org> ${1_700_000_000 + at * 86_400} +0000`;
  return `commit refs/heads/${branch}\nmark :${at + 1}\nauthor ${time}\ncommitter ${time}\n${sized(subject)}${parents}${changes.join("")}\n`;
}

async function findLosses(folder: string, keys: readonly string[]) {
  const git = (await openGit(folder))!;
  const search = new LossSearch(git, {
    keys,
    mayHold: (path) => path.endsWith(".ts"),
    keysOf: (_, text) => text.match(/\w+/g) ?? [],
  });
  const losses = await search.find((await git.resolve("main"))!);
  return Object.fromEntries([...losses].map(([key, { subject, path }]) => [key, `${subject} (${path})`]));
}

const quiet = (count: number): Commit[] =>
  Array.from({ length: count }, (_, at) => ({ subject: `quiet ${at}`, files: { "log.txt": `${at}\n` } }));

test("the commit that removed a word is found anywhere in a long history", async () => {
  const folder = importCommits([
    { subject: "begin", files: { "a.ts": "first second third kept", "b.ts": "other", "a.md": "page" } },
    ...quiet(61),
    { subject: "first goes", files: { "a.ts": "second third kept" } },
    ...quiet(47),
    { subject: "second moves", files: { "a.ts": "third kept", "c.ts": "second" } },
    ...quiet(33),
    { subject: "second goes", files: { "c.ts": null } },
    ...quiet(5),
    { subject: "third goes", files: { "a.ts": "kept" } },
  ]);
  expect(await findLosses(folder, ["first", "second", "third", "kept", "page", "never"])).toEqual({
    first: "first goes (a.ts)",
    second: "second goes (c.ts)",
    third: "third goes (a.ts)",
  });
});

test("of a merge, the commit of the branch is named", async () => {
  const folder = importCommits([
    { subject: "begin", files: { "a.ts": "word kept", "b.ts": "x" } },
    { subject: "on main", files: { "b.ts": "y" } },
    { subject: "on the branch", from: 1, branch: "side", files: { "c.ts": "z" } },
    { subject: "the word goes", branch: "side", files: { "a.ts": "kept" } },
    { subject: "later on the branch", branch: "side", files: { "c.ts": "zz" } },
    { subject: "merge", from: 2, merge: 5, files: { "a.ts": "kept", "c.ts": "zz" } },
    ...quiet(3),
  ]);
  expect(await findLosses(folder, ["word", "kept"])).toEqual({ word: "the word goes (a.ts)" });
});

test("of a long branch that took the word over from the main line, the commit of the branch is named", async () => {
  const folder = importCommits([
    { subject: "begin", files: { "a.ts": "kept", "b.ts": "x" } },
    { subject: "on the branch", from: 1, branch: "side", files: { "c.ts": "z" } },
    { subject: "the word comes", from: 1, files: { "a.ts": "word kept" } },
    {
      subject: "bring the branch up to date",
      from: 2,
      merge: 3,
      branch: "side",
      files: { "a.ts": "word kept" },
    },
    { subject: "the word goes", branch: "side", files: { "a.ts": "kept" } },
    { subject: "later on the branch", branch: "side", files: { "c.ts": "zz" } },
    { subject: "merge", from: 3, merge: 6, files: { "a.ts": "kept", "c.ts": "zz" } },
    ...quiet(3),
  ]);
  expect(await findLosses(folder, ["word", "kept"])).toEqual({ word: "the word goes (a.ts)" });
});

test("a history of one commit has no losses", async () => {
  const folder = importCommits([{ subject: "begin", files: { "a.ts": "word" } }]);
  expect(await findLosses(folder, ["word", "other"])).toEqual({});
  expect(await findLosses(folder, [])).toEqual({});
});

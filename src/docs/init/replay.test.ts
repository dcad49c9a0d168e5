import { afterAll, expect, test } from "vitest";
import { createRepository } from "../../../test/drift/repository.ts";
import { openGit } from "../../workspace/git/git.ts";
import { replayHistory } from "./replay.ts";

const repository = createRepository();
afterAll(() => repository.remove());

const code = (name: string): string => `export function ${name}(path: string): string {\n  return path;\n}\n`;

repository.commit(
  { "src/open.ts": code("openDocument"), "README.md": "# Use\n\nCall `openDocument`.\n" },
  "first",
);
repository.commit({ "src/other.ts": "export const x = 1;\n" }, "an innocent change");
repository.commit({ "src/open.ts": code("loadDocument") }, "rename it");
repository.commit({ "README.md": "# Use\n\nCall `loadDocument`.\n" }, "repair the page");

async function replay(more: { most?: number; patience?: number; now?: () => number } = {}) {
  const git = await openGit(repository.folder);
  const replayed = await replayHistory(git!, { most: 200, patience: Number.POSITIVE_INFINITY, ...more });
  if (!replayed.ok) throw new Error(JSON.stringify(replayed.refusal));
  return replayed.value;
}

test("the history shows which commits a check would have failed on", async () => {
  expect(await replay()).toEqual({
    commits: 3,
    failed: 0,
    flagged: [
      {
        commit: repository.git("rev-parse", "HEAD~1").trim(),
        subject: "rename it",
        passages: 1,
        first: "`openDocument` is now `loadDocument` (src/open.ts:1).",
      },
    ],
  });
});

test("it stops at the number of commits and at the time it was given", async () => {
  expect((await replay({ most: 1 })).commits).toBe(1);
  let clock = 0;
  expect((await replay({ patience: 15, now: () => (clock += 10) })).commits).toBe(1);
});

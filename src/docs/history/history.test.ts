import { expect, test } from "vitest";
import type { Git, MainlineLimits } from "../../workspace/git/git.ts";
import { openHistory } from "./history.ts";

test("what many passages ask about one commit or file is asked of git once", async () => {
  const asked: string[] = [];
  const git = {
    mainline: async (revision: string, { past = "", paths = [] }: MainlineLimits = {}) => {
      asked.push(`${past}..${revision} ${paths.join(" ")}`);
      return ["c2", "c1"];
    },
    summary: async (commit: string) => {
      asked.push(commit);
      return { commit, date: "2026-01-02", subject: "change" };
    },
  } as Partial<Git> as Git;
  const history = openHistory(git, { head: "c3", proves: () => true });
  for (let passage = 0; passage < 100; passage++) {
    expect(await history.touching(["a.ts", "b.ts"], "c0")).toEqual(["c2", "c1"]);
    expect(await history.summary("c2")).toMatchObject({ commit: "c2" });
  }
  await history.touching(["a.ts"], "c0");
  expect(asked).toEqual(["c0..c3 a.ts b.ts", "c2", "c0..c3 a.ts"]);
});

import { expect, test } from "vitest";
import { readChanges } from "../../src/agents/impact/sources.ts";
import type { AgentRun } from "../../src/agents/run/agent-run.ts";
import { openGitRepository } from "../../src/agents/run/repository.ts";
import { locateRange, type Range } from "../../src/docs/check/range.ts";
import { openGit } from "../../src/workspace/git/git.ts";
import { openReader } from "../../src/workspace/workspace.ts";
import type { Repository } from "../drift/repository.ts";
import { repositoryMaker } from "../drift/repository-maker.ts";

const repository = repositoryMaker();

const page = { "README.md": "# A\n", "src/a.ts": "export const a = 1;\n" };
const tipOf = (made: Repository, name = "HEAD"): string => made.git("rev-parse", name).trim();

type Case = { readonly range: Range; readonly base: string; readonly head: string };

const cases: Readonly<Record<string, (made: Repository) => Case>> = {
  "one commit and a work tree that differs: the last commit": (made) => {
    made.commit(page);
    made.write({ "src/a.ts": "export const a = 2;\n" });
    return { range: {}, base: tipOf(made), head: "worktree" };
  },
  "a clean main branch: the commit before": (made) => {
    made.commit(page);
    made.commit({ "src/a.ts": "export const a = 2;\n" });
    return { range: {}, base: tipOf(made, "HEAD~1"), head: tipOf(made) };
  },
  "a branch: where it left the main one": (made) => {
    made.commit(page);
    made.git("checkout", "--quiet", "-b", "work");
    made.commit({ "src/a.ts": "export const a = 2;\n" });
    made.commit({ "src/a.ts": "export const a = 3;\n" });
    return { range: {}, base: tipOf(made, "main"), head: tipOf(made) };
  },
  "the remote's default branch, with an old main beside it: the commit before": (made) => {
    made.commit(page);
    made.git("checkout", "--quiet", "-b", "v2");
    made.commit({ "src/b.ts": "export const b = 1;\n" });
    made.commit({ "src/a.ts": "export const a = 2;\n" });
    made.git("update-ref", "refs/remotes/origin/main", "main");
    made.git("update-ref", "refs/remotes/origin/v2", "v2");
    made.git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/v2");
    return { range: {}, base: tipOf(made, "HEAD~1"), head: tipOf(made) };
  },
  "a master branch without a remote, with an old main beside it: the commit before": (made) => {
    made.commit(page);
    made.git("checkout", "--quiet", "-b", "master");
    made.commit({ "src/b.ts": "export const b = 1;\n" });
    made.commit({ "src/a.ts": "export const a = 2;\n" });
    return { range: {}, base: tipOf(made, "HEAD~1"), head: tipOf(made) };
  },
  "a main branch with commits that are not pushed: its own upstream": (made) => {
    made.commit(page);
    made.git("config", "remote.origin.url", ".");
    made.git("config", "remote.origin.fetch", "+refs/heads/*:refs/remotes/origin/*");
    made.git("update-ref", "refs/remotes/origin/main", "main");
    made.git("branch", "--quiet", "--set-upstream-to=origin/main");
    made.git("branch", "--quiet", "master", "main");
    made.commit({ "src/a.ts": "export const a = 2;\n" });
    made.commit({ "src/a.ts": "export const a = 3;\n" });
    return { range: {}, base: tipOf(made, "HEAD~2"), head: tipOf(made) };
  },
  "a branch that is pushed: where it left the main one, not its own upstream": (made) => {
    made.commit(page);
    made.git("config", "remote.origin.url", ".");
    made.git("config", "remote.origin.fetch", "+refs/heads/*:refs/remotes/origin/*");
    made.git("checkout", "--quiet", "-b", "work");
    made.commit({ "src/a.ts": "export const a = 2;\n" });
    made.git("update-ref", "refs/remotes/origin/work", "work");
    made.git("branch", "--quiet", "--set-upstream-to=origin/work");
    made.commit({ "src/a.ts": "export const a = 3;\n" });
    return { range: {}, base: tipOf(made, "main"), head: tipOf(made) };
  },
  "a base that is named: that revision": (made) => {
    made.commit(page);
    made.commit({ "src/a.ts": "export const a = 2;\n" });
    made.commit({ "src/a.ts": "export const a = 3;\n" });
    return { range: { base: "HEAD~2" }, base: tipOf(made, "HEAD~2"), head: tipOf(made) };
  },
  "a branch that only the remote has: by its plain name": (made) => {
    made.commit(page);
    made.git("update-ref", "refs/remotes/origin/release", "HEAD");
    made.commit({ "src/a.ts": "export const a = 2;\n" });
    return { range: { base: "release" }, base: tipOf(made, "HEAD~1"), head: tipOf(made) };
  },
  "a base that has moved on, since the fork: where the branch left it": (made) => {
    made.commit(page);
    made.git("checkout", "--quiet", "-b", "work");
    made.commit({ "src/a.ts": "export const a = 2;\n" });
    made.git("checkout", "--quiet", "main");
    made.commit({ "src/b.ts": "export const b = 1;\n" });
    made.git("checkout", "--quiet", "work");
    return { range: { base: "main", sinceFork: true }, base: tipOf(made, "main~1"), head: tipOf(made) };
  },
};

for (const [name, prepare] of Object.entries(cases)) {
  test(`check: ${name}`, async () => {
    const made = repository();
    const { range, base, head } = prepare(made);
    const git = (await openGit(made.folder))!;
    expect(await locateRange(git, range)).toMatchObject({ ok: true, value: { base, head } });
  });

  test(`impact: ${name}`, async () => {
    const made = repository();
    const { range, base } = prepare(made);
    const reader = await openReader(made.folder, {});
    if (!reader.ok) throw new Error("no reader");
    const bench = {
      context: { reader: reader.value },
      repository: await openGitRepository(made.folder, reader.value),
    } as unknown as AgentRun;
    const question = { base: range.base ?? undefined };
    const [found] = await readChanges(bench, ["local"], { sources: {}, named: undefined, question });
    await reader.value.close();
    expect(found).toMatchObject({ source: "local", change: { base, files: [{ path: "src/a.ts" }] } });
  });
}

test("one commit and nothing else: there is nothing to compare with, for every command", async () => {
  const made = repository();
  made.commit(page);
  const git = (await openGit(made.folder))!;
  expect(await locateRange(git, {})).toMatchObject({ ok: false, refusal: { code: "unavailable" } });
});

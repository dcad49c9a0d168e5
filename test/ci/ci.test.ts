import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { openServer } from "../agents/scripted-server.ts";
import { askedText, isSearch } from "../agents/section-model.ts";
import { sutureIn } from "../drift/repository.ts";
import { openProject, type Project, renamed, token } from "./project.ts";

let project: Project | undefined;
afterEach(async () => {
  await project?.close();
  project = undefined;
});

async function openTopic(files: Record<string, string> = renamed): Promise<Project> {
  project = await openProject();
  project.git("checkout", "-q", "-b", "topic");
  project.commit(files);
  project.pull(7, "topic");
  return project;
}

const fixed = {
  "README.md": "# Postbox\n\nSet the token:\n\n```sh\nexport POSTBOX_API_TOKEN=...\n```\n",
  "docs/guide.md": "# Guide\n\nThe variable `POSTBOX_API_TOKEN` holds the token.\n\nMore text.\n",
};

describe("the action's entry over real git, real HTTP and a real process", () => {
  test("the first run comments, the second updates the same comment, a clean run resolves it", async () => {
    const { ci, pull, pullEvent, comments, commit } = await openTopic();
    const [sarif, badge] = [join(project!.folder, "suture.sarif"), join(project!.folder, "badge.svg")];
    const first = await ci(["--sarif", sarif, "--badge", badge], pullEvent(7));
    expect(first).toMatchObject({ code: 1, outputs: { findings: "2", open: "2", fixed: "0" } });
    expect(first.out).toMatch(/^::error file=README\.md,line=6,endLine=6,title=suture exists::/);
    expect(first.summary).toContain("2 passages no longer true");
    expect(readFileSync(badge, "utf8")).toMatch(/aria-label="claims: (\d+ false, )?\d+ of \d+ true"/);
    const [posted] = comments(7);
    expect(comments(7)).toHaveLength(1);
    expect(posted!.body.split("\n")[2]).toBe("**Suture:** 2 passages no longer true.");

    const again = await ci([], pullEvent(7));
    expect(again.code).toBe(1);
    expect(comments(7)).toEqual([posted]);

    commit({ "README.md": fixed["README.md"] });
    pull(7, "topic");
    await ci([], pullEvent(7));
    expect(comments(7).map(({ id }) => id)).toEqual([posted!.id]);
    expect(comments(7)[0]!.body).toContain("**Suture:** 1 passage no longer true, 1 was fixed.");

    commit({ "docs/guide.md": fixed["docs/guide.md"] });
    pull(7, "topic");
    const clean = await ci([], pullEvent(7));
    expect(clean).toMatchObject({ code: 0, outputs: { open: "0" } });
    expect(comments(7)).toHaveLength(1);
    expect(comments(7)[0]!.body).toContain("**Suture:** nothing left to fix, 2 were fixed.");
    expect(comments(7)[0]!.body).not.toContain("<details>");
  });

  test("a model judges the findings first: a false alarm does not fail the job, and a confirmed one says why", async () => {
    project = await openProject({
      "src/cli.ts": "export function removeCache() {}\nexport function clear() {}\n",
      "docs/cli.md": "# CLI\n\nCall `removeCache()` to start afresh.\n",
    });
    const { ci, git, commit, pull, pullEvent, comments } = project;
    git("checkout", "-q", "-b", "topic");
    commit({ "src/cli.ts": "export function clear() {}\n" });
    pull(7, "topic");
    // The work tree of a job may hold another commit than the one that is checked.
    commit({ "docs/cli.md": "Something else.\n" });
    let answer = "1 KEEP: another program's function.";
    const model = await openServer((request) => {
      expect(askedText(request)).toContain("Call `removeCache()` to start afresh.");
      return { text: isSearch(request) ? "NONE" : answer };
    });
    const judged = () => model.requests.filter((request) => !isSearch(request));
    const options = { env: model.environment("openai") };
    const args = ["--model", "openai:gpt-4o-mini"];
    expect((await ci(["--no-comment"], pullEvent(7))).code).toBe(1);
    expect(await ci(args, pullEvent(7), options)).toMatchObject({
      code: 0,
      outputs: { open: "0" },
      err: expect.stringMatching(/^openai:gpt-4o-mini: [1-9]\d* tokens in, [1-9]\d* out, \$\d\.\d{4}$/m),
    });
    expect(comments(7)).toEqual([]);
    const audit = join(project.work, ".suture/audit");
    const record = readdirSync(audit).find((name) => name.startsWith("run-"))!;
    expect(JSON.parse(readFileSync(join(audit, record), "utf8"))).toMatchObject({
      source: "check",
      command: "ci",
      articles: [
        { path: "docs/cli.md", verdicts: [{ verdict: "keep", reason: "another program's function." }] },
      ],
    });
    // The verdict is remembered: the same passage is not asked about again.
    expect(await ci(args, pullEvent(7), options)).toMatchObject({ code: 0 });
    expect(judged()).toHaveLength(1);
    rmSync(audit, { recursive: true });
    answer = "1 FIX: src/cli.ts has clear now.";
    expect(await ci(args, pullEvent(7), options)).toMatchObject({ code: 1, outputs: { open: "1" } });
    expect(comments(7)[0]!.body).toContain("confirms it: src/cli.ts has clear now.");
    expect(judged()).toHaveLength(2);
    await model.close();
  });

  test("a pull request that never had findings gets no comment", async () => {
    const { ci, pullEvent, comments, host } = await openTopic({ "src/other.ts": "export const x = 1;\n" });
    expect(await ci([], pullEvent(7))).toMatchObject({ code: 0, out: "" });
    expect(comments(7)).toEqual([]);
    expect(host.received.filter(({ method }) => method !== "GET")).toEqual([]);
  });

  test("a comment of another author with our marker is not changed", async () => {
    const { ci, pullEvent, comments, host } = await openTopic();
    host.comments.set(7, [
      { id: 1, body: "<!-- suture:drift -->\nmine", user: { login: "mallory", type: "User" } },
    ]);
    await ci([], pullEvent(7));
    expect(comments(7).map(({ user, body }) => [user.type, body.includes("mine")])).toEqual([
      ["User", true],
      ["Bot", false],
    ]);
  });

  test("two comments of ours become one, and a lost answer makes no second", async () => {
    const { ci, pullEvent, comments, host } = await openTopic();
    host.spoiled.push({
      when: (method, path) => method === "POST" && path.endsWith("/comments"),
      status: 502,
      after: true,
    });
    await ci([], pullEvent(7));
    expect(comments(7)).toHaveLength(1);
    host.comments.set(7, [...comments(7), { ...comments(7)[0]!, id: 99 }]);
    await ci([], pullEvent(7));
    expect(comments(7)).toHaveLength(1);
  });

  test("suggest: edits of changed lines stand beside them, the others in the comment; never twice", async () => {
    const { ci, pullEvent, comments, host } = await openTopic({
      ...renamed,
      "docs/guide.md": "# Guide\n\nThe variable `POSTBOX_TOKEN` holds the token.\n\nMore text, changed.\n",
    });
    const first = await ci(["--mode", "suggest"], pullEvent(7));
    expect(first.code).toBe(1);
    expect(host.reviews).toHaveLength(1);
    const [suggestion] = host.reviews[0]!.comments;
    expect(host.reviews[0]!.comments).toHaveLength(1);
    expect(suggestion).toMatchObject({ path: "docs/guide.md", line: 3 });
    expect(suggestion!.body).toContain(
      "```suggestion\nThe variable `POSTBOX_API_TOKEN` holds the token.\n```",
    );
    expect(comments(7)[0]!.body).toContain("suggested beside the line");
    expect(comments(7)[0]!.body).toContain("+export POSTBOX_API_TOKEN=...");
    await ci(["--mode", "suggest"], pullEvent(7));
    expect(host.reviews).toHaveLength(1);
    expect(comments(7)).toHaveLength(1);
  });

  test("commit mode adds one commit with our trailer, and does not react to that commit", async () => {
    const { ci, pullEvent, comments, host, git } = await openTopic();
    const head = git("rev-parse", "HEAD");
    const first = await ci(["--mode", "commit"], pullEvent(7));
    expect(first).toMatchObject({ code: 0, outputs: { fixed: "2", open: "0" } });
    expect(host.git(["rev-parse", "topic^"])).toBe(head);
    expect(host.git(["log", "-1", "--format=%B", "topic"])).toContain("\nSuture-Made: by suture ci");
    for (const [path, text] of Object.entries(fixed))
      expect(`${host.git(["show", `topic:${path}`])}\n`).toBe(text);
    expect(host.git(["diff", "--name-only", head, "topic"]).split("\n")).toEqual(Object.keys(fixed));
    expect(comments(7)[0]!.body).toContain("2 passages fixed in");

    git("fetch", "-q", "origin");
    git("reset", "-q", "--hard", "origin/topic");
    host.pulls.get(7)!.head.sha = host.tip("topic");
    const own = await ci(["--mode", "commit"], pullEvent(7));
    expect(own).toMatchObject({ code: 0 });
    expect(own.err).toContain("Suture made this commit");
    expect(host.tip("topic")).toBe(git("rev-parse", "HEAD"));
    expect(comments(7)[0]!.body).toContain("nothing left to fix, 2 were fixed");
  });

  test("commit: a branch with a newer commit is left alone", async () => {
    const { ci, pullEvent, host, git, commit } = await openTopic();
    const event = pullEvent(7);
    commit({ "src/more.ts": "export const more = 1;\n" });
    git("push", "-q", "origin", "topic");
    const late = await ci(["--mode", "commit"], event);
    expect(late.code).toBe(3);
    expect(late.err).toContain("has a newer commit");
    expect(host.tip("topic")).toBe(git("rev-parse", "HEAD"));
  });

  test("pull-request: one request for a branch, brought up to date, closed when nothing is left", async () => {
    const { ci, host, git, commit } = await openTopic();
    git("checkout", "-q", "main");
    const [before, after] = [git("rev-parse", "HEAD"), commit(renamed)];
    git("push", "-q", "origin", "main");
    const push = (from: string, to: string) => ({ ref: "refs/heads/main", before: from, after: to });
    const first = await ci(["--mode", "pull-request"], push(before, after), { name: "push" });
    expect(first.code).toBe(0);
    const opened = [...host.pulls.values()].filter(({ head }) => head.ref === "suture/main");
    expect(opened).toHaveLength(1);
    expect(opened[0]).toMatchObject({ state: "open", base: { ref: "main" } });
    expect(host.git(["diff", "--name-only", after, "suture/main"]).split("\n")).toEqual(Object.keys(fixed));
    const tip = host.tip("suture/main");

    await ci(["--mode", "pull-request"], push(before, after), { name: "push" });
    expect([...host.pulls.values()].filter(({ head }) => head.ref === "suture/main")).toHaveLength(1);
    expect(host.tip("suture/main")).toBe(tip);

    const done = commit(fixed);
    git("push", "-q", "origin", "main");
    await ci(["--mode", "pull-request"], push(before, done), { name: "push" });
    expect(opened[0]!.state).toBe("closed");
    expect(host.tip("main")).toBe(done);
  });

  test("our own pull request is checked and opens no other", async () => {
    const { ci, pullEvent, pull, host, git } = await openTopic();
    git("checkout", "-q", "-b", "suture/topic");
    pull(8, "suture/topic");
    const result = await ci(["--mode", "pull-request"], pullEvent(8));
    expect(result.code).toBe(1);
    expect([...host.pulls.keys()]).toEqual([7, 8]);
  });

  test("a clone that is too shallow says which depth it needs, and ends with 3", async () => {
    const { ci, pullEvent, bare, folder, git } = await openTopic();
    git("clone", "-q", "--depth", "1", "--branch", "topic", `file://${bare}`, join(folder, "shallow"));
    const result = await ci([], pullEvent(7), { cwd: join(folder, "shallow") });
    expect(result.code).toBe(3);
    expect(result.err).toContain("fetch-depth: 0");
  });

  test.each([
    ["push", 1],
    ["merge_group", 1],
    ["workflow_dispatch", 1],
  ])("%s knows which commits are meant", async (name, code) => {
    const { ci, git, host } = await openTopic();
    const [base, head] = [git("rev-parse", "main"), git("rev-parse", "HEAD")];
    const event = {
      push: { ref: "refs/heads/topic", before: base, after: head },
      merge_group: { merge_group: { base_sha: base, head_sha: head } },
      workflow_dispatch: {},
    }[name]!;
    const result = await ci([], event, { name });
    expect(result).toMatchObject({ code, outputs: { findings: "2" } });
    expect(host.received).toEqual([]);
  });

  test("a branch pushed for the first time, and one whose past was replaced, are compared with the main one", async () => {
    const { ci, git } = await openTopic();
    const head = git("rev-parse", "HEAD");
    for (const before of ["0".repeat(40), "1".repeat(40)]) {
      const result = await ci([], { ref: "refs/heads/topic", before, after: head }, { name: "push" });
      expect(result).toMatchObject({ code: 1, outputs: { findings: "2" } });
    }
  });

  test("if the host is down, a check does not fail and a writing mode does", async () => {
    const [writing, checking] = [await openTopic(), await openTopic()];
    checking.commit(fixed);
    checking.pull(7, "topic");
    const env = { GITHUB_API_URL: "http://127.0.0.1:1" };
    // Each gives up after some seconds, so they wait together.
    const [written, clean] = await Promise.all([
      writing.ci(["--mode", "commit"], writing.pullEvent(7), { env }),
      checking.ci([], checking.pullEvent(7), { env }),
    ]);
    expect(written.code).toBe(3);
    expect(clean.code).toBe(0);
    expect(clean.err).toContain("cannot be reached");
  });

  test("without a token the findings are reported all the same", async () => {
    const { ci, pullEvent, host } = await openTopic();
    const result = await ci([], pullEvent(7), { env: { GITHUB_TOKEN: "" } });
    expect(result).toMatchObject({ code: 1, outputs: { findings: "2" } });
    expect(host.received).toEqual([]);
  });

  test("no output contains a token, even if the host sends it back", async () => {
    const { ci, pullEvent, host } = await openTopic();
    host.spoiled.push({
      when: (method) => method === "POST",
      status: 422,
      body: { message: `you sent ${token}` },
    });
    host.spoiled.push({
      when: (method) => method === "POST",
      status: 422,
      body: { message: `you sent ${token}` },
    });
    const result = await ci(["--verbose"], pullEvent(7));
    expect(result.err).toContain("you sent [token]");
    expect(`${result.out}${result.err}${result.summary}${JSON.stringify(result.outputs)}`).not.toContain(
      token,
    );
  });

  test("links that a change brings along do not lead reports elsewhere", async () => {
    const { ci, pullEvent, work, folder } = await openTopic();
    mkdirSync(join(folder, "elsewhere"));
    symlinkSync(join(folder, "elsewhere"), join(work, "out"));
    symlinkSync(join(folder, "elsewhere", "file"), join(work, "suture.sarif"));
    for (const args of [
      ["--sarif", join(work, "out/x.sarif")],
      ["--sarif", join(work, "suture.sarif")],
      ["--badge", join(work, "out/badge.svg")],
      ["--artefact", join(work, "out/deep")],
    ])
      expect((await ci(args, pullEvent(7))).err).toMatch(/link .* is not followed/);
    expect(readdirSync(join(folder, "elsewhere"))).toEqual([]);
  });

  test("with --json there is one value on standard output, with what `suture check` finds", async () => {
    const { ci, pullEvent, work } = await openTopic();
    const result = JSON.parse((await ci(["--json"], pullEvent(7))).out);
    expect(result.mode).toBe("check");
    const plain = sutureIn(work, ["check", "--base", "main", "--head", "topic", "--json"]).json();
    expect(result).toMatchObject(plain);
    expect(plain.findings).toHaveLength(2);
  });

  test("a usage error ends with 2", async () => {
    const { ci, pullEvent } = await openTopic();
    expect((await ci(["--mode", "sing"], pullEvent(7))).code).toBe(2);
    expect((await ci(["sing"], pullEvent(7))).code).toBe(2);
    expect((await ci(["publish"], pullEvent(7))).code).toBe(2);
    expect((await ci([], {}, { name: "pull_request" })).code).toBe(2);
    expect((await ci([], {}, { env: { GITHUB_ACTIONS: "", GITHUB_EVENT_NAME: "" } })).code).toBe(2);
    writeFileSync(join(project!.folder, "bad.json"), "{");
    const env = { GITHUB_EVENT_PATH: join(project!.folder, "bad.json") };
    expect((await ci([], {}, { env })).code).toBe(2);
  });
});

describe("when the host refuses", () => {
  test("suggestions that it refuses go into the comment", async () => {
    const { ci, pullEvent, comments, host } = await openTopic({
      ...renamed,
      "docs/guide.md": "# Guide\n\nThe variable `POSTBOX_TOKEN` holds the token.\n\nMore, changed.\n",
    });
    host.spoiled.push({ when: (_, path) => path.endsWith("/reviews"), status: 422 });
    expect((await ci(["--mode", "suggest"], pullEvent(7))).code).toBe(1);
    expect(comments(7)[0]!.body).toContain("+The variable `POSTBOX_API_TOKEN` holds the token.");
  });

  test("a refused commit is reported, and so are the findings", async () => {
    const { ci, pullEvent, comments, host } = await openTopic();
    host.spoiled.push({ when: (_, path) => path.endsWith("/git/blobs"), status: 403 });
    expect((await ci(["--mode", "commit"], pullEvent(7))).code).toBe(3);
    expect(comments(7)[0]!.body).toContain("2 passages no longer true");
  });
});

import { execFileSync } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { commitAsGitLab } from "./gitlab-commit.ts";
import { house, openProject, type Project, renamed, start } from "./project.ts";

const token = "glpat-plantedTokenThatMustNotLeak";
const path = "acme/group/postbox";

let project: Project;
let host: Awaited<ReturnType<typeof openFakeGitLab>>;
beforeEach(async () => {
  project = await openProject();
  project.git("checkout", "-q", "-b", "topic");
  project.commit(renamed);
  project.git("push", "-q", "origin", "topic");
  host = await openFakeGitLab(project.bare);
});
afterEach(async () => {
  await host.close();
  await project.close();
});

const fixed = "# Guide\n\nThe variable `POSTBOX_API_TOKEN` holds the token.\n\nMore text.\n";

test("GitLab: one note, brought up to date, resolved; the token stays where it is", async () => {
  const first = await ci(["--mode", "check"]);
  expect(first.code).toBe(1);
  expect(first.out).toContain("README.md:6");
  expect(first.out).not.toContain("::error");
  expect(host.notes).toHaveLength(1);
  await ci(["--mode", "check"]);
  expect(host.notes).toHaveLength(1);
  project.commit({ "docs/guide.md": fixed, "README.md": "# Postbox\n\n`POSTBOX_API_TOKEN`\n" });
  const clean = await ci(["--mode", "check"]);
  expect(clean.code).toBe(0);
  expect(host.notes.map(({ body }) => body.split("\n")[2])).toEqual([
    "**Suture:** nothing left to fix, 2 were fixed.",
  ]);
  expect(`${first.out}${first.err}${clean.out}${clean.err}${JSON.stringify(host.notes)}`).not.toContain(
    token,
  );
  expect(host.tokens).toEqual(new Set([token]));
});

test("GitLab: suggestions are threads at their lines, and are not repeated", async () => {
  project.commit({
    "docs/guide.md": "# Guide\n\nThe variable `POSTBOX_TOKEN` holds the token.\n\nMore, changed.\n",
  });
  await ci(["--mode", "suggest"]);
  expect(host.discussions).toHaveLength(1);
  expect(host.discussions[0]).toMatchObject({
    position: { new_path: "docs/guide.md", new_line: 3, position_type: "text" },
  });
  expect(host.discussions[0]!.body).toContain(
    "```suggestion:-0+0\nThe variable `POSTBOX_API_TOKEN` holds the token.\n```",
  );
  await ci(["--mode", "suggest"]);
  expect(host.discussions).toHaveLength(1);
});

test("GitLab: a commit on the branch, and a merge request of our own", async () => {
  const head = project.git("rev-parse", "HEAD");
  expect((await ci(["--mode", "commit"])).code).toBe(0);
  expect(host.git("log", "-1", "--format=%P %s", "topic")).toBe(
    `${head} docs: keep 2 passages true to the code`,
  );
  expect(`${host.git("show", "topic:docs/guide.md")}\n`).toBe(fixed);
  expect((await ci(["--mode", "pull-request"], { CI_MERGE_REQUEST_SOURCE_BRANCH_NAME: "other" })).code).toBe(
    0,
  );
  expect(host.requests.map(({ source_branch, target_branch }) => [source_branch, target_branch])).toEqual([
    ["suture/other", "other"],
  ]);
});

test("a GitLab merge request from a fork gets a report only", async () => {
  const result = await ci(["--mode", "commit"], { CI_MERGE_REQUEST_SOURCE_PROJECT_PATH: "mallory/postbox" });
  expect(result.code).toBe(1);
  expect(host.tokens.size).toBe(0);
});

function ci(args: readonly string[], env: Record<string, string> = {}) {
  return start(process.execPath, [join(house, "src/cli/main.ts"), "ci", ...args], {
    cwd: project.work,
    env: {
      PATH: process.env.PATH ?? "",
      HOME: project.folder,
      NO_COLOR: "1",
      CI: "true",
      GITLAB_CI: "true",
      CI_PIPELINE_SOURCE: "merge_request_event",
      CI_PROJECT_PATH: path,
      CI_API_V4_URL: host.url,
      CI_COMMIT_SHA: project.git("rev-parse", "HEAD"),
      CI_MERGE_REQUEST_IID: "3",
      CI_MERGE_REQUEST_DIFF_BASE_SHA: project.git("rev-parse", "main"),
      CI_MERGE_REQUEST_SOURCE_BRANCH_NAME: "topic",
      CI_MERGE_REQUEST_TARGET_BRANCH_NAME: "main",
      CI_MERGE_REQUEST_SOURCE_PROJECT_PATH: path,
      SUTURE_GITLAB_TOKEN: token,
      ...env,
    },
  });
}

/** As much of GitLab's REST API as is asked for, over a real bare repository. */
async function openFakeGitLab(bare: string) {
  const notes: { id: number; body: string; author: { id: number } }[] = [];
  const discussions: { body: string; position: object }[] = [];
  const requests: { iid: number; source_branch: string; target_branch: string; title: string }[] = [];
  const tokens = new Set<string>();
  let next = 10;
  const git = (...args: string[]): string =>
    execFileSync("git", args, { cwd: bare, encoding: "utf8" }).trim();
  const at = `/projects/${encodeURIComponent(path)}`;
  const request = `${at}/merge_requests/3`;
  const head = () => project.git("rev-parse", "HEAD");
  const base = () => project.git("rev-parse", "main");
  const shown = (one: object) => ({
    web_url: "https://gitlab.test/mr",
    state: "opened",
    sha: head(),
    source_project_id: 1,
    target_project_id: 1,
    ...one,
  });
  const handle = (method: string, url: URL, body: Record<string, never>): unknown => {
    const { pathname: here } = url;
    if (here === "/user") return { id: 7 };
    if (here === request)
      return shown({
        iid: 3,
        title: "t",
        source_branch: "topic",
        target_branch: "main",
        diff_refs: { base_sha: base(), start_sha: base(), head_sha: head() },
      });
    if (here === `${request}/notes` && method === "GET")
      return [...notes, ...discussions.map((one, i) => ({ id: 900 + i, body: one.body, author: { id: 7 } }))];
    if (here === `${request}/notes`)
      return notes[notes.push({ id: next++, body: body.body!, author: { id: 7 } }) - 1];
    if (here.startsWith(`${request}/notes/`)) {
      const note = notes.find(({ id }) => here.endsWith(`/${id}`))!;
      return Object.assign(note, body);
    }
    if (here === `${request}/diffs`) {
      const names = project.git("diff", "--name-only", base(), head()).split("\n");
      return names.map((name) => ({
        new_path: name,
        diff: project.git("diff", base(), head(), "--", name).replace(/^[^@]*(?=@@)/, ""),
      }));
    }
    if (here === `${request}/discussions`) return discussions.push(body as never);
    if (here === `${at}/merge_requests` && method === "GET")
      return requests.filter((one) => one.source_branch === url.searchParams.get("source_branch")).map(shown);
    if (here === `${at}/merge_requests`)
      return shown(requests[requests.push({ iid: next++, ...body } as never) - 1]!);
    const branch = new RegExp(`^${at}/repository/branches/(.+)$`).exec(here)?.[1];
    if (branch !== undefined)
      return {
        commit: { id: git("rev-parse", "--verify", "-q", `refs/heads/${decodeURIComponent(branch)}`) },
      };
    const file = new RegExp(`^${at}/repository/files/(.+)$`).exec(here)?.[1];
    if (file !== undefined)
      return { blob_id: git("rev-parse", `${url.searchParams.get("ref")}:${decodeURIComponent(file)}`) };
    if (here === `${at}/repository/commits`) return { id: commitAsGitLab(bare, body as never) };
    throw new Error("not found");
  };
  const server = createServer(async (asked, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of asked) chunks.push(chunk as Buffer);
    tokens.add(String(asked.headers["private-token"]));
    const text = Buffer.concat(chunks).toString();
    try {
      const value = handle(
        asked.method!,
        new URL(asked.url!, "http://fake"),
        text === "" ? {} : JSON.parse(text),
      );
      response.end(JSON.stringify(value));
    } catch {
      response.writeHead(404).end("{}");
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    notes,
    discussions,
    requests,
    tokens,
    git,
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openProject, type Project, renamed } from "./project.ts";

const line = "The variable `POSTBOX_TOKEN` holds the token.";
const pages: Record<string, Uint8Array> = {
  "docs/crlf.md": Buffer.from(`# A\r\n\r\n${line}\r\n`),
  "docs/mixed.md": Buffer.from(`# A\r\n\n${line}\r\n\nEnd.\n`),
  "docs/mark.md": Buffer.from(`\ufeff# A\n\n${line}\n`),
  "docs/no-end.md": Buffer.from(`# A\n\n${line}`),
  "docs/wide.md": Buffer.from(`\ufeff# A\n\n${line}\n`, "utf16le"),
  "docs/run.md": Buffer.from(`# A\n\n${line}\n`),
  "docs/ä ö.md": Buffer.from(`# A\n\n${line}\n`),
};

let project: Project;
beforeAll(async () => {
  project = await openProject();
  mkdirSync(join(project.work, "docs"), { recursive: true });
  for (const [path, bytes] of Object.entries(pages)) writeFileSync(join(project.work, path), bytes);
  chmodSync(join(project.work, "docs/run.md"), 0o755);
  symlinkSync("crlf.md", join(project.work, "docs/link.md"));
  project.commit({});
  project.git("push", "-q", "origin", "main");
  project.git("checkout", "-q", "-b", "topic");
  project.commit(renamed);
  project.pull(7, "topic");
});
afterAll(() => project.close());

const bytesAt = (revision: string, path: string): Buffer =>
  execFileSync("git", ["cat-file", "blob", `${revision}:${path}`], { cwd: project.bare });

test("the commit changes the name in each page and no other byte, mode or link", async () => {
  const result = await project.ci(["--mode", "commit"], project.pullEvent(7));
  expect(result).toMatchObject({ code: 0, outputs: { open: "0", fixed: "9" } });
  for (const [path, bytes] of Object.entries(pages)) {
    const encoding = path === "docs/wide.md" ? "utf16le" : "utf8";
    const expected = Buffer.from(bytes).toString(encoding).replace("POSTBOX_TOKEN", "POSTBOX_API_TOKEN");
    expect(bytesAt("topic", path).equals(Buffer.from(expected, encoding))).toBe(true);
  }
  const changed = project.host.git(["diff", "--raw", "-z", "topic^", "topic"]).split("\0");
  const modes = changed.filter((field) => field.startsWith(":")).map((field) => field.slice(1, 14));
  expect(modes.every((mode) => mode === "100644 100644" || mode === "100755 100755")).toBe(true);
  expect(modes).toHaveLength(9);
});

test("the same pages cross from a fork: the patch that is derived again is the patch that came", async () => {
  project.git("checkout", "-q", "-B", "evil", "main");
  project.commit(renamed);
  project.pull(9, "evil", "mallory/postbox");
  const out = join(project.folder, "out");
  expect((await project.ci(["--artefact", out], project.pullEvent(9))).code).toBe(1);
  const trusted = join(project.folder, "trusted");
  project.git("clone", "-q", "--branch", "main", project.bare, trusted);
  project.git("-C", trusted, "fetch", "-q", "origin", "refs/pull/9/head");
  const { head } = project.host.pulls.get(9)!;
  const event = {
    workflow_run: {
      event: "pull_request",
      head_sha: head.sha,
      head_branch: "evil",
      head_repository: head.repo,
    },
  };
  const result = await project.ci(["publish", out, "--mode", "suggest"], event, {
    name: "workflow_run",
    cwd: trusted,
  });
  expect([result.code, result.err]).toEqual([0, "Published on #9: 9 passages no longer true\n"]);
  expect(project.comments(9)).toHaveLength(1);
});

test("two runs at the same time leave one comment", async () => {
  project.git("checkout", "-q", "-B", "twice", "main");
  project.commit(renamed);
  project.pull(11, "twice");
  const event = project.pullEvent(11);
  await Promise.all([project.ci([], event), project.ci([], event), project.ci([], event)]);
  expect(project.comments(11)).toHaveLength(1);
});

import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { join } from "node:path";

/** The body of `POST …/repository/commits`, as far as it is used. */
export type AskedCommit = {
  readonly branch: string;
  readonly start_sha?: string;
  readonly force?: boolean;
  readonly commit_message: string;
  readonly actions: readonly { readonly file_path: string; readonly content: string }[];
};

/** Does in a bare repository what GitLab does when it is asked for a commit; answers with its id. */
export function commitAsGitLab(bare: string, asked: AskedCommit): string {
  const index = join(bare, `index-${randomUUID()}`);
  const env = {
    ...process.env,
    GIT_INDEX_FILE: index,
    GIT_AUTHOR_NAME: "a",
    GIT_AUTHOR_EMAIL: "a@b",
    GIT_COMMITTER_NAME: "a",
    GIT_COMMITTER_EMAIL: "a@b",
  };
  const run = (args: string[], input?: Buffer) =>
    execFileSync("git", args, { cwd: bare, env, encoding: "utf8", ...(input ? { input } : {}) }).trim();
  const parent = asked.start_sha ?? run(["rev-parse", `refs/heads/${asked.branch}`]);
  run(["read-tree", parent]);
  for (const { file_path, content } of asked.actions)
    run([
      "update-index",
      "--cacheinfo",
      `100644,${run(["hash-object", "-w", "--stdin"], Buffer.from(content, "base64"))},${file_path}`,
    ]);
  const made = run(["commit-tree", run(["write-tree"]), "-p", parent, "-m", asked.commit_message]);
  run(["update-ref", `refs/heads/${asked.branch}`, made]);
  rmSync(index, { force: true });
  return made;
}

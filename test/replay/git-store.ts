import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";

/** A bare clone: blobs by id, and git's own diffs between them. */
export type GitStore = {
  blobs(ids: readonly string[]): Map<string, Buffer>;
  diff(before: string, after: string, context: number): Buffer;
};

/** The clone of a project under a folder of clones, named `owner+name/repo`; null where it is absent. */
export function openStore(mirror: string, project: string): GitStore | null {
  const folder = join(mirror, project.replace("/", "+"), "repo");
  if (!existsSync(folder)) return null;
  const git = (args: readonly string[], input?: string): Buffer =>
    execFileSync("git", ["-C", folder, ...args], {
      input,
      maxBuffer: 1 << 30,
      stdio: ["pipe", "pipe", "ignore"],
    });
  return {
    blobs: (ids) => parseBatch(git(["cat-file", "--batch"], ids.map((id) => `${id}\n`).join(""))),
    diff: (before, after, context) =>
      git(["diff", "--no-color", "--no-ext-diff", "--no-textconv", "--text", `-U${context}`, before, after]),
  };
}

/** The answer of `git cat-file --batch`: a line with id, kind and size, the content, and a newline, each time. */
function parseBatch(output: Buffer): Map<string, Buffer> {
  const blobs = new Map<string, Buffer>();
  for (let at = 0; at < output.length; ) {
    const stop = output.indexOf(10, at);
    const [id, kind, size] = output.toString("utf8", at, stop).split(" ");
    at = stop + 1;
    if (kind !== "blob") continue;
    blobs.set(id!, output.subarray(at, at + Number(size)));
    at += Number(size) + 1;
  }
  return blobs;
}

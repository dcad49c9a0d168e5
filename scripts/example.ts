import { execFileSync } from "node:child_process";
import { cpSync } from "node:fs";
import { join } from "node:path";

const examples = join(import.meta.dirname, "..", "examples");

/** Runs git in a folder, with a made-up author. */
export function gitIn(folder: string): (...options: string[]) => string {
  const who = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org", "-c", "commit.gpgsign=false"];
  return (...options) => execFileSync("git", [...who, ...options], { cwd: folder, encoding: "utf8" });
}

/** The bundled example as a repository of two commits: version 1.4, and a change of code that its documents do not know of. */
export function makeExample(folder: string): void {
  cpSync(join(examples, "postbox"), folder, { recursive: true });
  const git = gitIn(folder);
  git("init", "--quiet", "--initial-branch", "main");
  git("add", "--all");
  git("commit", "--quiet", "--message", "postbox 1.4");
  git("apply", join(examples, "postbox.patch"));
  git("add", "--all");
  git("commit", "--quiet", "--message", "postbox 2.0");
}

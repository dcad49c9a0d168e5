import { execFileSync } from "node:child_process";

/** Runs git in a repository that a benchmark makes, whatever the settings of the person are. */
export function gitIn(root: string): (...args: string[]) => string {
  const settings = ["user.name=B", "user.email=b@example.org", "commit.gpgsign=false"];
  const given = settings.flatMap((setting) => ["-c", setting]);
  return (...args) => execFileSync("git", [...given, ...args], { cwd: root, encoding: "utf8" });
}

import { spawnSync } from "node:child_process";

/** User and system time of a process and its children, in milliseconds, by the shell's own clock. */
export function cpuOf(words: readonly string[], { input = "" }: { readonly input?: string } = {}): number {
  const script = "TIMEFORMAT='%3U %3S'; time \"$@\" >/dev/null 2>&1";
  const { stderr } = spawnSync("bash", ["-c", script, "bash", ...words], { encoding: "utf8", input });
  const [user = Number.NaN, system = Number.NaN] = stderr.trim().split(" ").map(Number);
  return (user + system) * 1000;
}

import { spawnSync } from "node:child_process";
import { drawSession, drawTerminal, type Scene } from "./terminal-picture.ts";

/** Where the commands run, and the script that Node runs for `suture`. */
type Stage = { readonly root: string; readonly suture: string };

/** The drawings of the documents by name: a commit that makes pages false is found, fixed and taken back. */
export function drawRecording(stage: Stage): Readonly<Record<string, string>> {
  const scenes = [
    record(stage, "check", "--base", "HEAD~1"),
    record(stage, "fix", "--base", "HEAD~1", "--yes"),
    record(stage, "undo"),
  ];
  return { "check.svg": drawTerminal(scenes[0]!), "session.svg": drawSession(scenes) };
}

/** What a command prints at a terminal with colours, line by line. */
function record({ root, suture }: Stage, ...words: string[]): Scene {
  const env = { ...process.env, CI: "", FORCE_COLOR: "1" };
  const { stdout } = spawnSync(process.execPath, [suture, ...words], { cwd: root, encoding: "utf8", env });
  return { command: `suture ${words.join(" ")}`, printed: stdout.trimEnd().split("\n"), most: 13 };
}

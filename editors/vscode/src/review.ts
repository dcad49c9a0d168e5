import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import * as vscode from "vscode";

let running: ChildProcess | undefined;

/** Starts `suture review` and shows its page beside the editor. Another review, or the end of the editor, ends it. */
export function openReview([program = "", ...args]: readonly string[], folder: string | undefined): void {
  if (folder === undefined) return;
  running?.kill();
  const child = spawn(program, [...args, "review", "--no-open", "--json"], {
    cwd: folder,
    env: { ...process.env, ELECTRON_RUN_AS_NODE: "1" },
  });
  running = child;
  let said = "";
  const listen = (chunk: Buffer): void => {
    said += chunk.toString("utf8");
    const launch = /"launch":\s*("(?:[^"\\]|\\.)*")/.exec(said)?.[1];
    if (launch === undefined) return;
    child.stdout.off("data", listen);
    // The address holds a secret, so it is in a file that only the person can read.
    const url = /content="0;url=([^"]+)"/.exec(readFileSync(JSON.parse(launch) as string, "utf8"))?.[1];
    if (url !== undefined) void show(url);
  };
  child.stdout.on("data", listen);
  child.stderr.on("data", (chunk: Buffer) => {
    said += chunk.toString("utf8");
  });
  child.once("exit", (code) => {
    if (code === 0 && !said.includes('"launch"'))
      void vscode.window.showInformationMessage("Suture: nothing to review.");
    if (code !== 0 && code !== null) void vscode.window.showInformationMessage(`Suture: ${said.trim()}`);
  });
}

/** The editor's own browser, beside the text; the system's where the editor has none. */
async function show(url: string): Promise<void> {
  try {
    await vscode.commands.executeCommand("simpleBrowser.api.open", vscode.Uri.parse(url), {
      viewColumn: vscode.ViewColumn.Beside,
    });
  } catch {
    await vscode.env.openExternal(vscode.Uri.parse(url));
  }
}

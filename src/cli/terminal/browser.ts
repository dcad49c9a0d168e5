import { programFolders } from "../../workspace/git/run-git.ts";

/** A page that redirects to the address, so that the secret in the address is on no command line. */
export function launchPage(url: string): string {
  return `<!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer"><meta http-equiv="refresh" content="0;url=${url}"><title>Suture review</title><a href="${url}">Go to the review</a>\n`;
}

export function openBrowser(file: string): void {
  const { spawn } = process.getBuiltinModule("node:child_process");
  const [name, ...args] =
    process.platform === "darwin"
      ? ["open", file]
      : process.platform === "win32"
        ? ["explorer.exe", file]
        : ["xdg-open", file];
  const PATH = programFolders(process.env.PATH, process.cwd());
  spawn(name!, args, { stdio: "ignore", detached: true, env: { ...process.env, PATH } })
    .on("error", () => undefined)
    .unref();
}

/** A file that only this user can read, and where it lies until it is removed. */
export type PrivateFile = { readonly path: string; remove(): void };

/** Puts a text into a new file which nobody else may read: for what one start of a server hands to its owner. */
export function createPrivateFile(path: string, text: string): PrivateFile {
  const fs = process.getBuiltinModule("node:fs");
  const { dirname } = process.getBuiltinModule("node:path");
  fs.mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  fs.rmSync(path, { force: true });
  // A new file, not one that somebody has put there: its mode and its owner are ours.
  fs.writeFileSync(path, text, { flag: "wx", mode: 0o600 });
  const { ino } = fs.statSync(path);
  return {
    path,
    remove: () => {
      if (fs.statSync(path, { throwIfNoEntry: false })?.ino === ino) fs.rmSync(path, { force: true });
    },
  };
}

/** Where such a file lies when nobody says otherwise: with the user's own state, never inside a root. */
export function privatePath(name: string): string {
  const { join } = process.getBuiltinModule("node:path");
  const { homedir } = process.getBuiltinModule("node:os");
  const { XDG_STATE_HOME, LOCALAPPDATA } = process.env;
  const home =
    process.platform === "win32"
      ? (LOCALAPPDATA ?? join(homedir(), "AppData", "Local"))
      : XDG_STATE_HOME || join(homedir(), ".local", "state");
  return join(home, "suture", name);
}

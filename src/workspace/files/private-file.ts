/** A file that only this user can read. */
export type PrivateFile = { readonly path: string; remove(): void };

/** Writes a new file that only this user can read, such as the access token of a server. */
export function createPrivateFile(path: string, text: string): PrivateFile {
  const fs = process.getBuiltinModule("node:fs");
  const { dirname } = process.getBuiltinModule("node:path");
  fs.mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  fs.rmSync(path, { force: true });
  // The file must be new: an existing file could have another owner and mode.
  fs.writeFileSync(path, text, { flag: "wx", mode: 0o600 });
  const { ino } = fs.statSync(path);
  return {
    path,
    remove: () => {
      if (fs.statSync(path, { throwIfNoEntry: false })?.ino === ino) fs.rmSync(path, { force: true });
    },
  };
}

/** The text of a file with a secret, without white space around it; null if it cannot be read. */
export function readPrivateFile(path: string): string | null {
  try {
    return process.getBuiltinModule("node:fs").readFileSync(path, "utf8").trim() || null;
  } catch {
    return null;
  }
}

/** The default path of a private file: in the user's state folder, never inside a root. */
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

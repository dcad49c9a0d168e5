/** A token that only this user can read, and where it lies until the server ends. */
export type TokenFile = { readonly token: string; readonly path: string; remove(): void };

/** A fresh random token of 256 bits in a file of its own, which nobody else may read. */
export function createTokenFile(path: string): TokenFile {
  const fs = process.getBuiltinModule("node:fs");
  const { dirname } = process.getBuiltinModule("node:path");
  const token = process.getBuiltinModule("node:crypto").randomBytes(32).toString("base64url");
  fs.mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  fs.rmSync(path, { force: true });
  // A new file, not one that somebody has put there: its mode and its owner are ours.
  fs.writeFileSync(path, `${token}\n`, { flag: "wx", mode: 0o600 });
  const { ino } = fs.statSync(path);
  return {
    token,
    path,
    remove: () => {
      if (fs.statSync(path, { throwIfNoEntry: false })?.ino === ino) fs.rmSync(path, { force: true });
    },
  };
}

/** Where the token of a port lies when nobody says otherwise: with the user's own state, never inside the root. */
export function defaultTokenPath(port: number): string {
  const { join } = process.getBuiltinModule("node:path");
  const { homedir } = process.getBuiltinModule("node:os");
  const { XDG_STATE_HOME, LOCALAPPDATA } = process.env;
  const home =
    process.platform === "win32"
      ? (LOCALAPPDATA ?? join(homedir(), "AppData", "Local"))
      : XDG_STATE_HOME || join(homedir(), ".local", "state");
  return join(home, "suture", `mcp-${port}.token`);
}

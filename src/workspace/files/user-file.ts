const largest = 4_000_000;

/** The text of a settings file that another program keeps for the user; `null` where there is none that can be read. */
export function readUserFile(path: string): string | null {
  const fs = process.getBuiltinModule("node:fs");
  try {
    const { size } = fs.statSync(path);
    return size > largest ? null : fs.readFileSync(path, "utf8");
  } catch {
    return null;
  }
}

/** The last bytes of a file that another program keeps for the user, as text; empty where it cannot be read. */
export function readUserFileEnd(path: string, most: number): string {
  const fs = process.getBuiltinModule("node:fs");
  try {
    const file = fs.openSync(path, "r");
    try {
      const { size } = fs.fstatSync(file);
      const bytes = Buffer.alloc(Math.min(size, most));
      fs.readSync(file, bytes, 0, bytes.length, size - bytes.length);
      return bytes.toString("utf8");
    } finally {
      fs.closeSync(file);
    }
  } catch {
    return "";
  }
}

export function isUserFolder(path: string): boolean {
  const fs = process.getBuiltinModule("node:fs");
  return fs.statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

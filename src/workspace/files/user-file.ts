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

export function isUserFolder(path: string): boolean {
  const fs = process.getBuiltinModule("node:fs");
  return fs.statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

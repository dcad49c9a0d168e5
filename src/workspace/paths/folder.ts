/** Why a path is no folder to work in: there is nothing that can be opened, or a file; null where it is one. */
export function folderProblem(path: string): "nothing" | "file" | null {
  const { statSync } = process.getBuiltinModule("node:fs");
  try {
    return statSync(path).isDirectory() ? null : "file";
  } catch {
    // A name that is too long, a zero byte, and a loop of links lead nowhere too.
    return "nothing";
  }
}

/** Why a path is no folder to work in: there is nothing, or a file; null where it is one. */
export function folderProblem(path: string): "nothing" | "file" | null {
  const { statSync } = process.getBuiltinModule("node:fs");
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return "nothing";
  return found.isDirectory() ? null : "file";
}

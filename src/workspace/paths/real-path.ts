import { realpathSync } from "node:fs";
import { isAbsolute, relative } from "node:path";

/** Whether a folder really lies in a root, or is the root: a link in the tree may lead anywhere. */
export function liesInside(folder: string, root: string): boolean {
  const between = relative(realPath(root), realPath(folder));
  return !between.startsWith("..") && !isAbsolute(between);
}

/** The path of a folder without links; the given path if there is no such folder. */
function realPath(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}

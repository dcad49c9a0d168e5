import { realpathSync } from "node:fs";
import { isAbsolute, relative } from "node:path";

/** Whether a folder really lies in a root, or is the root: a link in the tree may lead anywhere. */
export function liesInside(folder: string, root: string): boolean {
  const between = relative(realPath(root), realPath(folder));
  return !between.startsWith("..") && !isAbsolute(between);
}

/** Where a folder really is; as it is written where there is none. */
function realPath(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}

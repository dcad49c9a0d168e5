import { realpathSync } from "node:fs";
import { isAbsolute, relative, resolve, sep } from "node:path";

/** Whether a folder really lies in a root, or is the root: a link in the tree may lead anywhere. */
export function liesInside(folder: string, root: string): boolean {
  return pathBetween(realPath(root), realPath(folder)) !== null;
}

/** The way from a folder down to one inside it, with forward slashes; `null` where it does not lie inside. */
export function pathBetween(folder: string, inner: string): string | null {
  const parts = relative(folder, inner).split(sep);
  return parts[0] === ".." || isAbsolute(parts.join(sep)) ? null : parts.join("/");
}

/** The absolute path of a folder without links; where there is no such folder, without looking for links. */
export function realPath(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return resolve(folder);
  }
}

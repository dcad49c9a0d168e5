/** The folders that hold files. */
export function foldersOf(paths: Iterable<string>): ReadonlySet<string> {
  const folders = new Set<string>();
  for (const path of paths)
    for (let at = path.lastIndexOf("/"); at > 0; at = path.lastIndexOf("/", at - 1)) {
      const folder = path.slice(0, at);
      if (folders.has(folder)) break;
      folders.add(folder);
    }
  return folders;
}

/** The folders around a path, the innermost first. */
export function foldersAbove(path: string): string[] {
  const found: string[] = [];
  for (let at = path.lastIndexOf("/"); at > 0; at = path.lastIndexOf("/", at - 1))
    found.push(path.slice(0, at));
  return found;
}

export function lastName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

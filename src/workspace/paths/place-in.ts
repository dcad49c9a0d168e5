/** Where a file or folder that a person names lies below a root; null where it is not there. The path counts from `from`. */
export function placeIn(
  root: string,
  { path, from }: { readonly path: string; readonly from: string },
): string | null {
  const { relative, resolve, sep } = process.getBuiltinModule("node:path");
  const top = realPath(root);
  const start = realPath(from);
  if (top === null || start === null) return null;
  const base = isWithin(relative(top, start)) ? start : top;
  const place = realPath(resolve(base, path));
  const below = place === null ? ".." : relative(top, place);
  return isWithin(below) ? below.replaceAll(sep, "/") : null;
}

function isWithin(below: string): boolean {
  return !/^\.\.(?:[\\/]|$)/.test(below) && !process.getBuiltinModule("node:path").isAbsolute(below);
}

function realPath(path: string): string | null {
  try {
    return process.getBuiltinModule("node:fs").realpathSync(path);
  } catch {
    return null;
  }
}

import type { Context } from "./tool.ts";

/** A path as the workspace takes it: an absolute one inside the root is relative to it; every other stays as it is. */
export function relativePath({ reader }: Pick<Context, "reader">, path: string): string {
  const root = reader.root.replace(/[/\\]+$/, "");
  const isInside = path.startsWith(root) && /^[/\\]/.test(path.slice(root.length));
  const isAbsolute = root === "" ? false : isInside;
  return isAbsolute ? path.slice(root.length).replace(/^[/\\]+/, "") : path;
}

/** One spelling for every way a caller may write a path: forward slashes, no `.` and no doubled segments. */
export function spell(path: string): string {
  const kept: string[] = [];
  for (const part of path.replaceAll("\\", "/").split("/")) {
    if (part === "" || part === ".") continue;
    if (part === ".." && kept.length > 0 && kept.at(-1) !== "..") kept.pop();
    else kept.push(part);
  }
  return kept.join("/");
}

import { resolve } from "node:path";

/** A path as the tools take it. An absolute path below the root becomes relative; any other stays as it is. */
export function belowRoot(root: string, path: string): string {
  if (!path.startsWith("/")) return path;
  const base = resolve(root).replace(/\/$/, "");
  if (path === base) return "";
  return path.startsWith(`${base}/`) ? path.slice(base.length + 1) : path;
}

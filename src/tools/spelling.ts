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

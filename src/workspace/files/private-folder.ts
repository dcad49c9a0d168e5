/**
 * Whether only this user, and the machine's own, can put something at a path: each folder and link on the way belongs to
 * one of them, and other users cannot write to it. A folder such as /tmp, in which each file is its owner's, is one of
 * the machine's. `bin/load.cjs` has the same rule for compiled code.
 */
export function isPrivatePath(path: string): boolean {
  const { realpathSync } = process.getBuiltinModule("node:fs");
  const user = process.getuid?.();
  if (user === undefined) return true;
  const there = existingPart(path);
  return [there, realpathSync.native(there)].every((one) => foldersTo(one).every((at) => isSafe(at, user)));
}

function existingPart(path: string): string {
  const { lstatSync } = process.getBuiltinModule("node:fs");
  const { dirname, resolve } = process.getBuiltinModule("node:path");
  let at = resolve(path);
  while (!lstatSync(at, { throwIfNoEntry: false }) && at !== dirname(at)) at = dirname(at);
  return at;
}

/** A path with every folder above it. */
function foldersTo(path: string): string[] {
  const { dirname } = process.getBuiltinModule("node:path");
  return path === dirname(path) ? [path] : [...foldersTo(dirname(path)), path];
}

function isSafe(path: string, user: number): boolean {
  const stat = process.getBuiltinModule("node:fs").lstatSync(path);
  if (stat.uid !== user && stat.uid !== 0) return false;
  if (stat.isSymbolicLink()) return true;
  // Many systems give each user a group of the same number, and no other member.
  const isOwnGroup = stat.uid === user && stat.gid === user;
  const writable = stat.mode & (isOwnGroup ? 0o002 : 0o022);
  const isSticky = (stat.mode & 0o1000) !== 0;
  return writable === 0 || isSticky;
}

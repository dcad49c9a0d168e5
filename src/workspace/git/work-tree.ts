/** A work tree and the folders in which git keeps its state. All are absolute, without links. */
export type WorkTree = {
  readonly top: string;
  /** The folder with the index of this work tree. */
  readonly own: string;
  /** The folder that all work trees of the repository share. */
  readonly common: string;
};

/**
 * The work tree that a folder lies in, found by its files alone; `null` where there is none. Hooks ask this around each
 * call of a tool, and a process of git would cost more than the rest of the hook.
 */
export function findWorkTree(folder: string): WorkTree | null {
  const { dirname, join } = process.getBuiltinModule("node:path");
  try {
    for (let top = process.getBuiltinModule("node:fs").realpathSync.native(folder); ; top = dirname(top)) {
      const own = findOwn(join(top, ".git"));
      if (own !== null) return { top, own, common: findCommon(own) };
      if (dirname(top) === top) return null;
    }
  } catch {
    return null;
  }
}

/** The work tree that a file lies in, or would lie in if it and its folders were made. */
export function findWorkTreeOf(file: string): WorkTree | null {
  const { dirname } = process.getBuiltinModule("node:path");
  const folder = dirname(file);
  const isThere = folder === file || process.getBuiltinModule("node:fs").existsSync(folder);
  return isThere ? findWorkTree(folder) : findWorkTreeOf(folder);
}

/** The folder behind a `.git`, which is that folder or a file that names it; null where it is no repository. */
function findOwn(entry: string): string | null {
  const fs = process.getBuiltinModule("node:fs");
  const { dirname, join, resolve } = process.getBuiltinModule("node:path");
  const stat = fs.statSync(entry, { throwIfNoEntry: false });
  if (!stat) return null;
  const folder = stat.isDirectory() ? entry : resolve(dirname(entry), readLine(entry, /^gitdir: (.+)$/));
  return fs.existsSync(join(folder, "HEAD")) ? fs.realpathSync.native(folder) : null;
}

function findCommon(own: string): string {
  const fs = process.getBuiltinModule("node:fs");
  const { join, resolve } = process.getBuiltinModule("node:path");
  const file = join(own, "commondir");
  return fs.existsSync(file) ? fs.realpathSync.native(resolve(own, readLine(file, /^(.+)$/))) : own;
}

/** The value in a file of one line; throws where the file says something else. */
function readLine(path: string, form: RegExp): string {
  const text = process
    .getBuiltinModule("node:fs")
    .readFileSync(path, "utf8")
    .replace(/\r?\n$/, "");
  const value = form.exec(text)?.[1];
  if (value === undefined) throw new TypeError(`${path} is not one of git's files`);
  return value;
}

/** A value that changes when files are staged or committed, or the ignore rules at the top are edited. */
export function stampOf({ top, own, common }: WorkTree): string {
  const { statSync } = process.getBuiltinModule("node:fs");
  const files = [`${own}/index`, `${common}/info/exclude`, `${top}/.gitignore`];
  return files
    .map((file) => statSync(file, { throwIfNoEntry: false }))
    .map((stat) => (stat ? `${stat.mtimeMs} ${stat.size}` : "-"))
    .join(" ");
}

import { existsSync, globSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

/** Files by path, byte for byte. */
export type Tree = Readonly<Record<string, Uint8Array>>;

/** Every file below a folder; Suture's own state is not one of them. */
export function loadTree(root: string): Tree {
  const paths = existsSync(root) ? globSync("{**/*,**/.*,**/.*/**/*}", { cwd: root }) : [];
  const files = [...new Set(paths)].filter((path) => statSync(join(root, path)).isFile());
  const own = files
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => !/^\.(suture|git)\//.test(path));
  return Object.fromEntries(own.sort().map((path) => [path, new Uint8Array(readFileSync(join(root, path)))]));
}

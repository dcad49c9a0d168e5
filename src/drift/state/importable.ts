import { foldersAbove } from "../change/folders.ts";

const ROOT = /(?:^|\/)(?:src|lib|python)$/;
const MANIFESTS = ["pyproject.toml", "setup.py", "setup.cfg"];

/**
 * Whether other code can import a file of Python: it lies in a package, or where the modules of a project lie. A script in
 * another folder gives readers no names.
 */
export function createImportable(files: () => ReadonlySet<string>): (path: string) => boolean {
  let hasPackages: boolean | undefined;
  return (path) => {
    const folders = foldersAbove(path);
    const [own] = folders;
    if (!path.endsWith(".py") || own === undefined || ROOT.test(own)) return true;
    if (MANIFESTS.some((name) => files().has(`${own}/${name}`))) return true;
    if (folders.some((folder) => files().has(`${folder}/__init__.py`))) return true;
    hasPackages ??= [...files()].some((one) => one.endsWith("/__init__.py"));
    return !hasPackages;
  };
}

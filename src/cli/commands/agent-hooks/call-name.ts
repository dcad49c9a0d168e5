import { npxWords } from "../../../hosts/package-source.ts";
import { findNpxSource } from "../../installed-source.ts";

/**
 * How a coding agent can call Suture on this machine, as this process was called. Never a program of the project that
 * the agent works in: it comes from the path, from the place of this process, or from where npm gets its version.
 */
export function callName({ root, absolute = false }: { root?: string; absolute?: boolean } = {}): string {
  const { npm_command } = process.env;
  const here = process.cwd();
  const isForeign = (path: string): boolean => !isInside(path, here) && !isInside(path, root ?? here);
  const found = npm_command === "exec" ? undefined : findOnPath(isForeign);
  if (found !== undefined) return absolute ? quoted(found) : "suture";
  const own = process.argv[1] ?? "";
  if (npm_command === "exec" || own === "" || !isForeign(own))
    return ["npx", ...npxWords(findNpxSource())].join(" ");
  return `node ${quoted(own)}`;
}

function findOnPath(isForeign: (path: string) => boolean): string | undefined {
  const { delimiter, isAbsolute, join } = process.getBuiltinModule("node:path");
  const names = process.platform === "win32" ? ["suture.cmd", "suture.exe"] : ["suture"];
  return (process.env.PATH ?? "")
    .split(delimiter)
    .filter((folder) => isAbsolute(folder) && !/[\\/]node_modules[\\/]\.bin[\\/]?$/.test(folder))
    .flatMap((folder) => names.map((name) => join(folder, name)))
    .find((path) => isForeign(path) && process.getBuiltinModule("node:fs").existsSync(path));
}

function isInside(path: string, folder: string): boolean {
  const { isAbsolute, relative } = process.getBuiltinModule("node:path");
  const { realpathSync } = process.getBuiltinModule("node:fs");
  const real = (one: string): string => {
    try {
      return realpathSync.native(one);
    } catch {
      return one;
    }
  };
  return [relative(folder, path), relative(real(folder), real(path))].some(
    (way) => way === "" || !(/^\.\.(?:[\\/]|$)/.test(way) || isAbsolute(way)),
  );
}

function quoted(path: string): string {
  return /^[\w./:@\\-]+$/.test(path) ? path : JSON.stringify(path);
}

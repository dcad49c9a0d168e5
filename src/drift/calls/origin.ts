import type { State } from "../state/state.ts";
import type { Thing } from "../surface/thing.ts";
import { habitsOf } from "./page-samples.ts";

/** Whether a module that a sample imports is the one that has a thing. */
export async function comesFrom(
  { path }: Thing,
  { module, family, state }: { readonly module: string; readonly family: string; readonly state: State },
): Promise<boolean> {
  switch (family) {
    case "javascript":
      return /^(?:\.|@\/|~\/)/.test(module) ? isRelative(path, module) : isPackage(path, module, state);
    case "python":
      return isPythonModule(path, module.replace(/^\.+/, ""));
    case "go":
      return isGoPackage(path, module, state);
    case "rust":
      return isCrate(path, module.split("::")[0]!, state);
    case "ruby":
      return new RegExp(`(?:^|/)lib/${module.split("/")[0]!.replaceAll("-", "[-/_]")}(?:[./]|$)`).test(path);
    case "c":
      return path === module || path.endsWith(`/${module}`);
    default:
      return isModule(path, module, state);
  }
}

/** A file says which package or namespace it belongs to, or lies in a folder of that name. */
async function isModule(path: string, module: string, { text }: State): Promise<boolean> {
  const word = habitsOf(path)?.moduleWord;
  if (word === undefined) return false;
  if (`/${path}`.includes(`/${module.replaceAll(".", "/")}/`)) return true;
  const name = module.split(".").join(String.raw`[.\\]`);
  return new RegExp(String.raw`\b${word}\s+${name}\s*[;{\n]`).test((await text(path)) ?? "");
}

function isRelative(path: string, module: string): boolean {
  const wanted = module.replace(/^(?:\.{0,2}\/|@\/|~\/)+/, "").replace(/\.[cm]?[jt]sx?$/, "");
  const plain = path.replace(/\.[cm]?[jt]sx?$/, "").replace(/\/index$/, "");
  return wanted !== "" && `/${plain}`.endsWith(`/${wanted}`);
}

async function isPackage(path: string, module: string, state: State): Promise<boolean> {
  const manifest = await nearest(path, "package.json", state);
  const name = /"name"\s*:\s*"([^"]+)"/.exec(manifest?.text ?? "")?.[1];
  return name !== undefined && (module === name || module.startsWith(`${name}/`));
}

function isPythonModule(path: string, module: string): boolean {
  const parts = path
    .replace(/\.pyi?$/, "")
    .replace(/\/__init__$/, "")
    .split("/");
  const wanted = module.split(".");
  const from = parts.indexOf(wanted[0]!);
  return from >= 0 && from <= 3 && wanted.every((part, at) => parts[from + at] === part);
}

async function isGoPackage(path: string, module: string, state: State): Promise<boolean> {
  const folder = path.slice(0, Math.max(0, path.lastIndexOf("/")));
  const manifest = await nearest(path, "go.mod", state);
  const name = /^module\s+(\S+)/m.exec(manifest?.text ?? "")?.[1];
  if (!manifest || name === undefined) return false;
  const below = folder.slice(manifest.folder.length).replace(/^\//, "");
  const full = below === "" ? name : `${name}/${below}`;
  return full === module || full.replace(/\/v\d+/, "") === module.replace(/\/v\d+/, "");
}

async function isCrate(path: string, crate: string, state: State): Promise<boolean> {
  const manifest = await nearest(path, "Cargo.toml", state);
  const name = /^\s*name\s*=\s*"([^"]+)"/m.exec(manifest?.text ?? "")?.[1];
  return name?.replaceAll("-", "_") === crate;
}

/** The manifest in the nearest folder above a file. */
async function nearest(
  path: string,
  name: string,
  { has, text }: State,
): Promise<{ readonly folder: string; readonly text: string } | null> {
  for (let at = path.lastIndexOf("/"); ; at = path.lastIndexOf("/", at - 1)) {
    const folder = at > 0 ? path.slice(0, at) : "";
    const manifest = folder === "" ? name : `${folder}/${name}`;
    if (has(manifest)) return { folder, text: (await text(manifest)) ?? "" };
    if (at <= 0) return null;
  }
}

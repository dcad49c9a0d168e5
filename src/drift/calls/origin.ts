import { isProduct, type State } from "../state/state.ts";
import type { Thing } from "../surface/thing.ts";
import { familyOf, habitsOf } from "./page-samples.ts";

/** Whether a module that a sample imports is the one that has a thing. */
export async function comesFrom(
  { path }: Thing,
  { module, family, state }: { readonly module: string; readonly family: string; readonly state: State },
): Promise<boolean> {
  switch (family) {
    case "javascript":
      return isPackage(path, module, state);
    case "python":
      return isPythonModule(path, module);
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

const own = new WeakMap<State, Map<string, Promise<readonly string[]>>>();

/** Whether a module that a sample imports belongs to the project. A relative one is the reader's. */
export async function isOwnModule(
  module: string,
  { family, state }: { readonly family: string; readonly state: State },
): Promise<boolean> {
  const known = own.get(state) ?? new Map<string, Promise<readonly string[]>>();
  own.set(state, known);
  const roots = known.get(family) ?? findRoots(family, state);
  known.set(family, roots);
  const plain = family === "rust" ? module.split("::")[0]! : module;
  return (await roots).some(
    (root) => plain === root || (plain.startsWith(root) && /^[/.:\\-]/.test(plain.slice(root.length))),
  );
}

const MOST_ASKED = 60;

/** The names below which the project has its modules in a language. */
async function findRoots(family: string, state: State): Promise<readonly string[]> {
  const paths = [...state.files()].filter((path) => isProduct(path));
  const named = async (file: string, pattern: RegExp): Promise<string[]> => {
    const found: string[] = [];
    for (const path of paths.filter((one) => one === file || one.endsWith(`/${file}`)).slice(0, 400))
      found.push(...(pattern.exec((await state.text(path)) ?? "")?.slice(1, 2) ?? []));
    return found;
  };
  switch (family) {
    case "javascript":
      return named("package.json", /"name"\s*:\s*"([^"]+)"/);
    case "go":
      return named("go.mod", /^module\s+(\S+)/m);
    case "rust":
      return (await named("Cargo.toml", /^[^\S\n]*name\s*=\s*"([^"]+)"/m)).map((one) =>
        one.replaceAll("-", "_"),
      );
    case "python":
      return [...new Set(paths.flatMap(pythonRoot))];
    case "ruby":
      return [...new Set(paths.flatMap((path) => /(?:^|\/)lib\/([\w-]+)/.exec(path)?.slice(1) ?? []))];
    case "c":
      return paths.filter((path) => /\.h(?:h|pp|xx)?$/.test(path)).flatMap((path) => suffixes(path));
    default:
      return findNamespaces(
        paths.filter((path) => familyOf(path) === family),
        state,
      );
  }
}

/** The folder of packages that a file belongs to, or the module that it is. */
function pythonRoot(path: string): string[] {
  const [first, ...rest] = path.replace(/^(?:src|lib|python)\//, "").split("/");
  if (!path.endsWith(".py")) return [];
  return rest.length === 0 ? [first!.slice(0, -3)] : [first!, ...rest.slice(0, -1).slice(0, 2)];
}

function suffixes(path: string): string[] {
  const parts = path.split("/");
  return parts.map((_, at) => parts.slice(at).join("/"));
}

/** The namespaces of files that are spread over the project. */
async function findNamespaces(paths: readonly string[], state: State): Promise<string[]> {
  const step = Math.max(1, Math.floor(paths.length / MOST_ASKED));
  const found = new Set<string>();
  for (let at = 0; at < paths.length; at += step) {
    const word = habitsOf(paths[at]!)?.moduleWord;
    const text = (await state.text(paths[at]!)) ?? "";
    const name = word && new RegExp(String.raw`^[ \t]*${word}\s+([\w.\\]+)`, "m").exec(text)?.[1];
    const parts = name ? name.split(/[.\\]/) : [];
    if (parts.length > 0) found.add(parts.slice(0, word === "package" ? 3 : 1).join("."));
  }
  return [...found];
}

/** A file says which package or namespace it belongs to, or lies in a folder of that name. */
async function isModule(path: string, module: string, { text }: State): Promise<boolean> {
  const word = habitsOf(path)?.moduleWord;
  if (word === undefined) return false;
  if (`/${path}`.includes(`/${module.replaceAll(".", "/")}/`)) return true;
  const name = module.split(".").join(String.raw`[.\\]`);
  return new RegExp(String.raw`\b${word}\s+${name}\s*[;{\n]`).test((await text(path)) ?? "");
}

async function isPackage(path: string, module: string, state: State): Promise<boolean> {
  const manifest = await nearest(path, "package.json", state);
  const name = /"name"\s*:\s*"([^"]+)"/.exec(manifest?.text ?? "")?.[1];
  return name !== undefined && (module === name || module.startsWith(`${name}/`));
}

/** The folder of the package that a JavaScript module belongs to. */
export async function packageFolder(module: string, state: State): Promise<string | null> {
  const parts = module.split("/").slice(0, module.startsWith("@") ? 2 : 1);
  const known = packages.get(state) ?? readPackages(state);
  packages.set(state, known);
  return (await known).get(parts.join("/")) ?? null;
}

const packages = new WeakMap<State, Promise<ReadonlyMap<string, string>>>();

/** The folder of each package of JavaScript by its name. */
async function readPackages({ files, text }: State): Promise<ReadonlyMap<string, string>> {
  const folders = new Map<string, string>();
  for (const path of files()) {
    if ((path !== "package.json" && !path.endsWith("/package.json")) || !isProduct(path)) continue;
    const name = /"name"\s*:\s*"([^"]+)"/.exec((await text(path)) ?? "")?.[1];
    if (name !== undefined && !folders.has(name)) folders.set(name, path.slice(0, -"package.json".length));
  }
  return folders;
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
  const name = /^[ \t]*name\s*=\s*"([^"]+)"/m.exec(manifest?.text ?? "")?.[1];
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

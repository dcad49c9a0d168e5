import { posix } from "node:path";
import { dropComments } from "../../syntax/source/doc-comments.ts";
import type { ImportedName } from "../../syntax/source/imports.ts";
import { isProduct, type State } from "../state/state.ts";
import { packageFolder } from "./origin.ts";
import { habitsOf } from "./page-samples.ts";

const DEEPEST = 8;

/** Where a name leads: the file that declares it, and its path there. */
export type ResolvedName = { readonly path: string; readonly names: readonly string[] };

/** The file that declares what another file has under a name, through imports and re-exports; null where that is unclear. */
export async function resolveName(name: string, path: string, state: State): Promise<string | null> {
  return (await resolvePath([name], path, state))?.path ?? null;
}

/** Where a path such as `z.string` of a file leads, through imports, re-exports and namespaces. */
export async function resolvePath(
  names: readonly [string, ...string[]],
  path: string,
  state: State,
  depth = DEEPEST,
): Promise<ResolvedName | null> {
  const text = await state.text(path);
  if (text === null || depth === 0) return null;
  const [name, ...rest] = names;
  const things = await state.surface(path);
  const isDeclared = things.some(
    ({ name: own, owner, kind, alias }) =>
      own === name && owner.length === 0 && kind === "symbol" && alias === undefined,
  );
  if (isDeclared) return { path, names };
  for (const { local, module, name: theirs } of readPassed(path, text)) {
    if (local !== name) continue;
    const file = await fileOf(module, path, state);
    if (file === null) return null;
    if (theirs !== "*") {
      const own = file === path ? null : await resolvePath([theirs, ...rest], file, state, depth - 1);
      if (own !== null) return own;
    }
    const [next, ...others] = rest;
    const folder = theirs === "*" ? file : submodule(file, theirs, state);
    return next === undefined || folder === null
      ? null
      : resolvePath([next, ...others], folder, state, depth - 1);
  }
  const alias = aliasOf(name, text);
  if (alias !== undefined) return resolvePath([alias, ...rest], path, state, depth - 1);
  for (const [, script, python] of text.matchAll(WHOLE)) {
    const file = await fileOf((script ?? python)!, path, state);
    const found = file === null ? null : await resolvePath(names, file, state, depth - 1);
    if (found !== null) return found;
  }
  const [next, ...others] = rest;
  const folder = next === undefined ? null : submodule(path, name, state);
  return folder === null || next === undefined
    ? null
    : resolvePath([next, ...others], folder, state, depth - 1);
}

/** What a file imports or passes on from another one. */
function readPassed(path: string, text: string): readonly ImportedName[] {
  const passed = dropComments(path, text).replace(/\bexport\s+(?=(?:type\s+)?\{|\*\s+as\b)/g, "import ");
  return habitsOf(path)?.imports(passed) ?? [];
}

/** `export { _enum as enum }`, `export default cut`: the name that a file has itself for one that it exports. */
function aliasOf(name: string, text: string): string | undefined {
  const whole = name === "default" ? WHOLE_EXPORT.exec(text)?.[1] : undefined;
  if (whole !== undefined) return whole;
  const own = name.replace(/\W/g, String.raw`\$&`);
  const found = new RegExp(
    String.raw`\bexport\s*\{[^{}]*?\b([\w$]+)\s+as\s+${own}\b[^{}]*\}(?!\s*from)`,
  ).exec(text)?.[1];
  return found === name ? undefined : found;
}

const WHOLE_EXPORT =
  /^(?:export\s+default|export\s*=|module\.exports\s*=|exports\s*=\s*module\.exports\s*=)\s*(?:async\s+)?(?:(?:abstract\s+)?class\s+|function\s*\*?\s*)?([\w$]+)\s*(?:[;({<]|extends\b|$)/m;

/** The file of a module inside a package of Python. */
function submodule(path: string, name: string, state: State): string | null {
  return path.endsWith("/__init__.py") ? firstFile([posix.join(posix.dirname(path), name)], state) : null;
}

const WHOLE = /^[^\S\n]*export\s+\*\s+from\s*["']([^"'\n]+)["']|^[^\S\n]*from\s+([\w.]+)\s+import\s+\*/gm;

/** The file of a module that a sample imports, where the family has modules of files. */
export async function entryOf(module: string, state: State): Promise<string | null> {
  const folder = await packageFolder(module, state);
  if (folder === null) return null;
  const [, sub = ""] = /^(?:@[^/]+\/)?[^/]+\/?(.*)$/.exec(module) ?? [];
  const manifest = sub === "" ? ((await state.text(`${folder}package.json`)) ?? "") : "";
  const named = (field: RegExp): string[] => field.exec(manifest)?.slice(1, 2) ?? [];
  const places =
    sub === ""
      ? [
          ...named(/"(?:types|typings)"\s*:\s*"([^"]+)"/),
          ...["", "src/", "source/", "lib/"].map((one) => `${one}index`),
          ...named(/"(?:module|main)"\s*:\s*"([^"]+)"/),
        ]
      : [sub, `src/${sub}`];
  return firstFile(
    places.map((place) => posix.join(folder, place)),
    state,
  );
}

async function fileOf(module: string, from: string, state: State): Promise<string | null> {
  const folder = posix.dirname(from);
  if (!/\.pyi?$/.test(from))
    return module.startsWith(".") ? firstFile([posix.join(folder, module)], state) : entryOf(module, state);
  const dots = /^\.*/.exec(module)![0].length;
  const rest = module.slice(dots).replaceAll(".", "/");
  if (dots > 0) return firstFile([posix.join(folder, "../".repeat(dots - 1), rest)], state);
  return pythonFile(module, state);
}

/** The file of a Python module. */
export function pythonFile(module: string, state: State): string | null {
  const path = module.replaceAll(".", "/");
  const known = packageRoots.get(state) ?? readPackageRoots(state);
  packageRoots.set(state, known);
  return firstFile(
    ["", "src/", "lib/", "python/", ...(known.get(path.split("/")[0]!) ?? [])].map((root) => root + path),
    state,
  );
}

const packageRoots = new WeakMap<State, ReadonlyMap<string, readonly string[]>>();

/** The folders in which packages of Python lie, by the names of the packages. */
function readPackageRoots({ files }: State): ReadonlyMap<string, readonly string[]> {
  const all = files();
  const found = [...all]
    .filter((path) => path.endsWith("/__init__.py") && isProduct(path))
    .map(posix.dirname);
  const top = found.filter((folder) => !all.has(posix.join(posix.dirname(folder), "__init__.py")));
  const byName = Map.groupBy(top, (folder) => posix.basename(folder));
  return new Map(
    [...byName].map(([name, own]) => [name, own.map((folder) => folder.slice(0, -name.length))]),
  );
}

// Where a file has hand-written types beside it, these are what callers see.
const ENDINGS = [
  "",
  ".d.ts",
  ".ts",
  ".tsx",
  ".js",
  ".mjs",
  ".jsx",
  "/index.d.ts",
  "/index.ts",
  "/index.js",
  ".py",
  "/__init__.py",
];

function firstFile(paths: readonly string[], { files }: State): string | null {
  const all = files();
  for (const path of paths) {
    const plain = path.replace(/\.[cm]?[jt]s$/, "");
    for (const ending of ENDINGS) if (all.has(plain + ending)) return plain + ending;
    if (all.has(path)) return path;
  }
  return null;
}

import { posix } from "node:path";
import type { State } from "../state/state.ts";
import { habitsOf } from "./page-samples.ts";

const DEEPEST = 8;

/** The file that declares what another file has under a name, through imports and re-exports; null where that is unclear. */
export async function resolveName(
  name: string,
  path: string,
  state: State,
  depth = DEEPEST,
): Promise<string | null> {
  const text = await state.text(path);
  if (text === null || depth === 0) return null;
  const things = await state.surface(path);
  if (things.some((thing) => thing.name === name && thing.owner.length === 0 && thing.kind === "symbol"))
    return path;
  const passed = text.replace(/\bexport\s+(?=(?:type\s+)?\{)/g, "import ");
  for (const imported of habitsOf(path)?.imports(passed) ?? []) {
    if (imported.local !== name) continue;
    const file = fileOf(imported.module, path, state);
    return file === null ? null : resolveName(imported.name, file, state, depth - 1);
  }
  for (const [, script, python] of text.matchAll(WHOLE)) {
    const file = fileOf((script ?? python)!, path, state);
    const found = file === null ? null : await resolveName(name, file, state, depth - 1);
    if (found !== null) return found;
  }
  return null;
}

const WHOLE = /^[^\S\n]*export\s+\*\s+from\s*["']([^"'\n]+)["']|^[^\S\n]*from\s+([\w.]+)\s+import\s+\*/gm;

/** The file of a module that a sample imports, where the family has modules of files. */
export function entryOf(module: string, folder: string, state: State): string | null {
  const [, sub = ""] = /^(?:@[^/]+\/)?[^/]+\/?(.*)$/.exec(module) ?? [];
  const places =
    sub === "" ? ["", "src/", "source/", "lib/"].map((one) => `${one}index`) : [sub, `src/${sub}`];
  return firstFile(
    places.map((place) => posix.join(folder, place)),
    state,
  );
}

function fileOf(module: string, from: string, state: State): string | null {
  const folder = posix.dirname(from);
  if (!/\.pyi?$/.test(from))
    return module.startsWith(".") ? firstFile([posix.join(folder, module)], state) : null;
  const dots = /^\.*/.exec(module)![0].length;
  const rest = module.slice(dots).replaceAll(".", "/");
  if (dots > 0) return firstFile([posix.join(folder, "../".repeat(dots - 1), rest)], state);
  return pythonFile(module, state);
}

/** The file of a Python module. */
export function pythonFile(module: string, state: State): string | null {
  const path = module.replaceAll(".", "/");
  return firstFile(
    ["", "src/", "lib/", "python/"].map((root) => root + path),
    state,
  );
}

const ENDINGS = [
  "",
  ".ts",
  ".tsx",
  ".d.ts",
  ".js",
  ".mjs",
  ".jsx",
  "/index.ts",
  "/index.d.ts",
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

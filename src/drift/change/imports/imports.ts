import { JVM_FOLDER, JVM_SOURCE } from "../../../syntax/languages/registry.ts";
/** An imported module, and the names that the importing file binds. */
export type Import = { readonly module: string; readonly names: readonly string[] };

type ImportForm = {
  readonly files: RegExp;
  /** One import: the group `module` is the module, the group `names` the bound names. */
  readonly pattern: RegExp;
  /** The name that an import without a list binds. */
  readonly implied?: (module: string) => string;
};

const FORMS: readonly ImportForm[] = [
  {
    files: /\.[cm]?[jt]sx?$|\.vue$|\.svelte$/,
    pattern:
      /\bimport\s+(?:type\s+)?(?!\s)(?<names>[^'";]{1,600}?)(?<!\s)\s+from\s*["'](?<module>[^"'\n]+)["']/g,
  },
  {
    files: /\.[cm]?[jt]sx?$/,
    pattern:
      /\b(?:const|let|var)\s+(?!\s)(?<names>[^=;]{1,500}?)(?<!\s)\s*=\s*require\(\s*["'](?<module>[^"'\n]+)["']\s*\)/g,
  },
  {
    files: /\.pyi?$/,
    pattern: /^[ \t]*from\s+(?<module>[\w.]+)\s+import\s+(?<names>\([^)]{1,600}\)|[^\n]+)/gm,
  },
  {
    files: /\.pyi?$/,
    pattern: /^[ \t]*import\s+(?<module>[\w.]+)(?:\s+as\s+(?<names>\w+))?/gm,
    implied: (module) => module.split(".")[0]!,
  },
  {
    files: /\.go$/,
    pattern: /^[^\S\n]*(?:import\s+)?(?:(?<names>\w+)\s+)?"(?<module>[\w.-]+(?:\/[\w.-]+)*)"\s*$/gm,
    implied: (module) =>
      module
        .replace(/\/v\d+$/, "")
        .split("/")
        .at(-1)!,
  },
  {
    files: /\.rs$/,
    pattern: /^[^\S\n]*(?:pub\s+)?use\s+(?<module>\w+)(?:::(?<names>[^;]{1,600}))?;/gm,
    implied: (module) => module,
  },
  {
    files: /\.(?:java|kts?|scala|groovy)$/,
    pattern:
      /^[ \t]*import\s+(?:static\s+)?(?<module>[a-z_][\w.]*?)\.(?<names>[A-Z]\w*)(?:\.\w+)*\s*;?\s*$/gm,
  },
];

/** The imports of a file, found with patterns for its lines. */
export function* readImports(path: string, text: string): Generator<Import> {
  for (const { files, pattern, implied } of FORMS) {
    if (!files.test(path)) continue;
    for (const { groups } of text.matchAll(pattern)) {
      const module = groups!.module!;
      const names = groups!.names === undefined ? [implied?.(module) ?? ""] : boundNames(groups!.names);
      yield { module, names };
    }
  }
}

/** The bound names of `a, { b, c as d }`, `* as e` or `x::{y, z as w}`. */
function boundNames(list: string): string[] {
  return list
    .split(/[,{}()]/)
    .map((piece) => /(?<![\w$])([\w$]+)\s*$/.exec(piece.replace(/#.*$/gm, "").trimEnd())?.[1] ?? "")
    .filter((name) => name !== "");
}

/** Recognises the project's own modules: relative ones, packages of the tree, addresses of the repository. */
export function createOwnModules(
  tree: readonly string[],
  repository: readonly string[],
): (module: string) => boolean {
  const packages = new Set(tree.flatMap(packageOf).map(plain));
  const folders = new Set(tree.flatMap(namespaceOf));
  const names = repository.map((name) => plain(name.split("/")[1] ?? name));
  return (module) => {
    if (/^[.#~/]|^@\/|^(?:crate|self|super)$/.test(module)) return true;
    if (repository.some((name) => module.toLowerCase().includes(name))) return true;
    const [first = "", second = ""] = module.split(module.includes("/") ? "/" : ".");
    const own = plain(first.startsWith("@") ? second : first);
    return packages.has(own) || names.includes(own) || folders.has(module);
  };
}

const MANIFEST = /^(?:package\.json|Cargo\.toml|pyproject\.toml|setup\.py|__init__\.py)$/;

/** The name under which other files import a file: the folder of a package, or a module at the top. */
function packageOf(path: string): string[] {
  const pieces = path.split("/");
  const file = pieces.pop()!;
  const folder = pieces.at(-1);
  if (folder !== undefined && MANIFEST.test(file)) return [folder];
  return /\.py$/.test(file) && (folder === undefined || folder === "src") ? [file.replace(/\.py$/, "")] : [];
}

/** The package of a source whose folders are its package: `src/main/java/a/b/C.java` is in `a.b`. */
function namespaceOf(path: string): string[] {
  const folders = JVM_SOURCE.test(path) ? path.replace(JVM_FOLDER, "").split("/").slice(0, -1) : [];
  return folders.length === 0 ? [] : [folders.join(".")];
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[-_]/g, "");
}

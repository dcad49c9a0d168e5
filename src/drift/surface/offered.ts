import { isOffered as isOfferedPath } from "./read/offered-path.ts";
import type { Thing, ThingKind } from "./thing.ts";

type Project = {
  readonly paths: Iterable<string>;
  readonly read: (path: string) => Promise<string | null>;
};

/** Things that a program imports. Others are typed, set or called from outside, wherever they are declared. */
const IMPORTED: ReadonlySet<ThingKind> = new Set(["symbol", "member", "parameter", "enum-value"]);

/** Scripts that build, test or release the project: no user imports them. */
const BUILD_SCRIPTS: readonly RegExp[] = [
  /^(?:packages\/[^/]+\/)?(?:scripts?|tools?|hack|ci|build)\//,
  /(?:^|\/)(?:build\.rs|setup\.py|conanfile\.py)$/,
  /\.config\.[cm]?[jt]s$/,
  /(?:^|\/)(?:gulpfile|gruntfile|webpack|rollup|jakefile)[\w.]*\.[cm]?[jt]s$/i,
];

function isBuildScript(path: string): boolean {
  return BUILD_SCRIPTS.some((script) => script.test(path));
}

/** Sources that a package could name as its own; a folder of them without a manifest in between belongs to it. */
const PACKAGED = /\.(?:[cm]?[jt]sx?|py)$/;

/**
 * Tells whether a user of the project can reach a thing. What a file keeps to itself, tests, examples, vendored and
 * generated code, build scripts, packages that are never published and scratch files beside the manifest offer nothing
 * to import; a flag, a setting, a variable or a route counts wherever the product declares it.
 */
export function createOffered({ paths, read }: Project): (thing: Thing) => Promise<boolean> {
  const files = new Set(paths);
  const packages = new Map<string, Promise<NpmPackage | null>>();
  const packageOf = (path: string): Promise<NpmPackage | null> => {
    const manifest = nearest(path, "package.json", files);
    if (manifest === undefined) return Promise.resolve(null);
    const known = packages.get(manifest) ?? readPackage(manifest, read);
    packages.set(manifest, known);
    return known;
  };
  const roots = new Map<string, boolean>();
  const isScratch = (path: string): boolean => {
    const folder = path.slice(0, path.lastIndexOf("/") + 1);
    const known = roots.get(folder) ?? hasPackageFolders(folder, files);
    roots.set(folder, known);
    return known;
  };
  return async ({ path, exported, kind }) => {
    if (exported === "no" || !isOfferedPath(path)) return false;
    if (!IMPORTED.has(kind) || !PACKAGED.test(path)) return !IMPORTED.has(kind) || !isBuildScript(path);
    if (path.endsWith(".py")) return !isBuildScript(path) && !isScratch(path);
    const held = await packageOf(path);
    const isNamed = held !== null && namesFile(held, path);
    if (isNamed) return true;
    if (isBuildScript(path)) return false;
    // A package that is private and names no entry is an application or the root of a workspace.
    if (held?.isPrivate && held.entries.length === 0) return false;
    return held === null || held.entries.length === 0 || !isBeside(path, held.folder);
  };
}

type NpmPackage = {
  readonly folder: string;
  readonly isPrivate: boolean;
  readonly entries: readonly string[];
};

async function readPackage(path: string, read: Project["read"]): Promise<NpmPackage | null> {
  try {
    const manifest = JSON.parse((await read(path)) ?? "");
    const { main, module, browser, types, exports, bin, files } = manifest;
    const entries = [main, module, browser, types, exports, bin, files].flatMap(strings);
    return { folder: path.replace(/\/?package\.json$/, ""), isPrivate: manifest.private === true, entries };
  } catch {
    return null;
  }
}

/** Every string within a value of a manifest. */
function strings(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return value !== null && typeof value === "object" ? Object.values(value).flatMap(strings) : [];
}

/** Whether an entry of a package is this file, or a folder or pattern that holds it; built files keep their names. */
function namesFile({ folder, entries }: NpmPackage, path: string): boolean {
  const own = (folder === "" ? path : path.slice(folder.length + 1)).replace(/\.[cm]?[jt]sx?$/, "");
  return entries.some((entry) => {
    const bare = entry.replace(/^\.?\//, "").replace(/(?:\.d)?\.[cm]?[jt]sx?$/, "");
    if (bare === own || own.startsWith(`${bare.replace(/(?<!\*)(?:\/\**|\*+)$/, "")}/`)) return bare !== "";
    return bare.includes("*") && own.startsWith(bare.slice(0, bare.indexOf("*")));
  });
}

function isBeside(path: string, folder: string): boolean {
  return path.slice(0, Math.max(0, path.lastIndexOf("/"))) === folder;
}

/** Whether a folder has the manifest of a Python project whose packages are folders: nothing installs the modules beside it. */
function hasPackageFolders(folder: string, files: ReadonlySet<string>): boolean {
  const isRoot = ["pyproject.toml", "setup.py", "setup.cfg"].some((manifest) => files.has(folder + manifest));
  const isPackage = (each: string) => /^(?:src\/)?[\w-]+\/__init__\.py$/.test(each.slice(folder.length));
  return (
    isRoot && [...files].some((each) => each.startsWith(folder) && isOfferedPath(each) && isPackage(each))
  );
}

/** The manifest in the nearest folder above a file. */
function nearest(path: string, name: string, files: ReadonlySet<string>): string | undefined {
  for (let at = path.lastIndexOf("/"); ; at = path.lastIndexOf("/", at - 1)) {
    const manifest = at < 0 ? name : `${path.slice(0, at)}/${name}`;
    if (files.has(manifest)) return manifest;
    if (at < 0) return undefined;
  }
}

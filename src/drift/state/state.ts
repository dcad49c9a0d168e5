import type { Since } from "../change/change.ts";
import { fileKind } from "../change/file-kind.ts";
import { inStyle, partsOf } from "../change/names.ts";
import { readSurface } from "../surface/read-surface.ts";
import { plainName } from "../surface/surface-change.ts";
import { type Thing, thingId } from "../surface/thing.ts";

/** The project at one commit or as it is on the disk. Answers are looked up when asked, and kept. */
export type State = {
  readonly revision: string;
  /** The things of this name that product files declare, parameters of functions included. */
  readonly things: (name: string) => Promise<Lookup>;
  /** The text of a file; null where there is none. */
  readonly text: (path: string) => Promise<string | null>;
  /** Whether the state has this file or folder. */
  readonly has: (path: string) => boolean;
  /** The paths of all files. */
  readonly files: () => ReadonlySet<string>;
  /** The things that one file declares. */
  readonly surface: (path: string) => Promise<readonly Thing[]>;
} & Past;

/** What a state knows of other states. */
export type Past = {
  /** Names under which code hosts know this repository: `owner/name`. */
  readonly repository?: readonly string[];
  /** Paths that are links of the file system or other repositories, which `has` does not know. */
  readonly detours?: () => Promise<readonly string[]>;
  /** What became of a path that this state lacks; null for a path that never was. */
  readonly movedTo?: (path: string) => Promise<Moved | null>;
  /** The path in this state of a page that has another path at the head. */
  readonly pathOf?: (page: string) => string;
  /** The files and folders of a tag or a commit; null where the clone does not have it. */
  readonly pathsAt?: (revision: string) => Promise<ReadonlySet<string> | null>;
};

/** Where a path went, null where its content is gone, and the commit that removed it. */
export type Moved = { readonly to: string | null; readonly since?: Since };

/** What a state knows about a name. A file that was not read may declare it too: then absence is not proved. */
export type Lookup = { readonly things: readonly Thing[]; readonly unread: readonly string[] };

/** Where a state gets its files from. */
export type StateSource = {
  readonly revision: string;
  readonly paths: Iterable<string>;
  readonly read: (path: string) => Promise<string | null>;
  /** For each word, the files that hold it. */
  readonly holders: (words: readonly string[]) => Promise<ReadonlyMap<string, readonly string[]>>;
  /** The surface of a file, where another state has read the same text already. */
  readonly shared?: (path: string) => Promise<readonly Thing[]> | undefined;
} & Past;

/** Files that are read for one name at most: a name that more files hold is an everyday word. */
const MOST_FILES = 60;

export function openState({ revision, paths, read, holders, shared, ...past }: StateSource): State {
  const files = once(() => new Set(paths));
  const folders = once(() => foldersOf(files()));
  const surfaces = new Map<string, Promise<readonly Thing[]>>();
  const lookups = new Map<string, Promise<Lookup>>();
  const surface = (path: string): Promise<readonly Thing[]> => {
    const known = surfaces.get(path) ?? shared?.(path) ?? readOffered(path, read);
    surfaces.set(path, known);
    return known;
  };
  const find = async (name: string): Promise<Lookup> => {
    const words = spellings(name);
    const held = await holders(words);
    const found = [...new Set(words.flatMap((word) => held.get(word) ?? []))].filter(isProduct);
    const things: Thing[] = [];
    for (const path of found.slice(0, MOST_FILES))
      for (const thing of await surface(path)) things.push(...namesakes(thing, name));
    return { things, unread: found.slice(MOST_FILES) };
  };
  return {
    ...past,
    revision,
    text: read,
    files,
    has: (path) => path === "" || files().has(path) || folders().has(path),
    surface,
    things: (name) => {
      const known = lookups.get(name) ?? find(name);
      lookups.set(name, known);
      return known;
    },
  };
}

async function readOffered(path: string, read: StateSource["read"]): Promise<readonly Thing[]> {
  const text = await read(path);
  return text === null ? [] : readSurface(path, text);
}

/** Files of the product, its manifests and its contracts. Tests, examples and build output offer nothing. */
function isProduct(path: string): boolean {
  const kind = fileKind(path);
  return kind === "product" || kind === "manifest" || kind === "data";
}

/** The thing, if it has this name, and the parameters of this name that it takes. */
function namesakes(thing: Thing, name: string): Thing[] {
  const own = plainName(thing.name) === name ? [thing] : [];
  const taken = (thing.parameters ?? []).filter((parameter) => parameter.name === name);
  return [...own, ...taken.map((parameter) => asThing(thing, parameter))];
}

/** A parameter as a thing of its own; the function is its owner. */
function asThing(
  { owner, name, path, line, region, exported }: Thing,
  parameter: NonNullable<Thing["parameters"]>[number],
): Thing {
  const owners = [...owner, name];
  return {
    kind: "parameter",
    id: thingId("parameter", owners, parameter.name),
    name: parameter.name,
    owner: owners,
    path,
    line,
    region,
    exported,
    ...(parameter.default !== undefined && { value: parameter.default }),
    ...(parameter.type !== undefined && { type: parameter.type }),
  };
}

/** The words by which code may declare a name that pages write in one way: `max-depth`, `max_depth`, `maxDepth`. */
function spellings(name: string): string[] {
  const parts = partsOf(name);
  const styled = (["camel", "snake", "kebab", "constant", "pascal"] as const).map((style) =>
    inStyle(parts, style),
  );
  return [...new Set([name, ...(parts.length > 1 ? styled : [])])];
}

/** The folders that hold files. */
export function foldersOf(paths: Iterable<string>): ReadonlySet<string> {
  const folders = new Set<string>();
  for (const path of paths)
    for (let at = path.lastIndexOf("/"); at > 0; at = path.lastIndexOf("/", at - 1)) {
      const folder = path.slice(0, at);
      if (folders.has(folder)) break;
      folders.add(folder);
    }
  return folders;
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

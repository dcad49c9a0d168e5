import { once } from "../../syntax/keep-last.ts";
import { defined } from "../../text/model/defined.ts";
import type { Since } from "../change/change.ts";
import { type FileKind, fileKind } from "../change/file-kind.ts";
import { foldersOf } from "../change/folders.ts";
import { createOwnModules } from "../change/imports/imports.ts";
import { inStyle, partsOf } from "../change/names.ts";
import { isCalled, isContractPath } from "../surface/contracts/contracts.ts";
import { plainName } from "../surface/plain-name.ts";
import { readSurface } from "../surface/read-surface.ts";
import { type Thing, thingId } from "../surface/thing.ts";
import { createDemands, type DemandLookup } from "./demands.ts";
import { createImportable } from "./importable.ts";
import { createSaid, type SaidLookup } from "./said.ts";

/** The project at one commit or as it is on the disk. Answers are looked up when asked, and kept. */
export type State = {
  readonly revision: string;
  /** The things of this name that product files declare, parameters of functions included. */
  readonly things: (name: string) => Promise<Lookup>;
  /** The things whose value is this constant. */
  readonly users: (constant: string) => Promise<readonly Thing[]>;
  /** For each word, the files that hold it. */
  readonly holders: Holders;
  /** Whether a module that a sample imports is the project's own. */
  readonly isOwnModule: (module: string) => boolean;
  /** Looks up many names at once; asking for each alone would search the tree each time. */
  readonly prepare: (names: readonly string[]) => Promise<void>;
  /** The text of a file; null where there is none. */
  readonly text: (path: string) => Promise<string | null>;
  /** One line of a file, counted from 1, without its ending; empty where there is none. */
  readonly line: (path: string, number: number) => Promise<string>;
  /** Whether the state has this file or folder. */
  readonly has: (path: string) => boolean;
  /** The paths of all files. */
  readonly files: () => ReadonlySet<string>;
  /** The things that one file declares. */
  readonly surface: (path: string) => Promise<readonly Thing[]>;
  /** The versions of a product that the package of a page asks for. */
  readonly demand: DemandLookup;
  /** The texts that the code says: messages, output, help. */
  readonly said: SaidLookup;
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
  readonly paths: readonly string[];
  readonly read: (path: string) => Promise<string | null>;
  /** For each word, the files that hold it. */
  readonly holders: Holders;
  /** Names under which code hosts know the repository. */
  readonly repository?: readonly string[];
  /** The files of a change: where many files hold a name, these are read. */
  readonly changed?: ReadonlySet<string>;
  /** What names the content of a file: the same in every state in which the file has this content. */
  readonly blob?: (path: string) => string | undefined;
  /** The surface of a file, where another state has read the same text already. */
  readonly shared?: (path: string) => Promise<readonly Thing[]> | undefined;
} & Past;

export type Holders = (words: readonly string[]) => Promise<ReadonlyMap<string, readonly string[]>>;

/** Asks for each word once. */
export function askOnce(find: Holders): Holders {
  const known = new Map<string, Promise<readonly string[]>>();
  return async (words) => {
    const fresh = [...new Set(words)].filter((word) => !known.has(word));
    if (fresh.length > 0) {
      const found = find(fresh);
      for (const word of fresh)
        known.set(
          word,
          found.then((held) => held.get(word) ?? []),
        );
    }
    return new Map(await Promise.all(words.map(async (word) => [word, await known.get(word)!] as const)));
  };
}

/** Things that a reader reaches by an import, not by running a program or setting a value. */
const IMPORTED: ReadonlySet<Thing["kind"]> = new Set(["symbol", "member"]);

/** Files that are read for one name at most: a name that more files hold is an everyday word. */
const MOST_FILES = 60;

export function openState({ revision, paths, read, holders, shared, changed, ...past }: StateSource): State {
  const { repository = [] } = past;
  let isOwn: ((module: string) => boolean) | undefined;
  const files = once(() => new Set(paths));
  const folders = once(() => foldersOf(files()));
  const surfaces = new Map<string, Promise<readonly Thing[]>>();
  const lines = new Map<string, readonly string[]>();
  const lookups = new Map<string, Promise<Lookup>>();
  const surface = (path: string): Promise<readonly Thing[]> => {
    const known = surfaces.get(path) ?? shared?.(path) ?? readOffered(path, read);
    surfaces.set(path, known);
    return known;
  };
  const isImportable = createImportable(files);
  const offers = new Map<string, readonly Thing[]>();
  const offered = async (path: string): Promise<readonly Thing[]> => {
    const known = offers.get(path);
    if (known) return known;
    const things = await surface(path);
    const found = isImportable(path) ? things : things.filter(({ kind }) => !IMPORTED.has(kind));
    offers.set(path, found);
    return found;
  };
  const { gather, find } = createLookups({ holders, changed, surface, offered });
  return {
    ...past,
    revision,
    text: read,
    line: async (path, number) => {
      const known = lines.get(path) ?? ((await read(path)) ?? "").split(/\r?\n/);
      lines.set(path, known);
      return known[number - 1] ?? "";
    },
    holders,
    isOwnModule: (module) => {
      isOwn ??= createOwnModules([...files()], repository);
      return isOwn(module);
    },
    prepare: async (names) => {
      await holders(names.flatMap((name) => [...spellings(name), ...compositions(name).flat()]));
    },
    users: async (constant) => {
      const isUse = ({ value }: Thing): boolean => value === constant;
      return (
        await gather([constant], (things) =>
          things.flatMap((thing) => [thing, ...parametersOf(thing)]).filter(isUse),
        )
      ).things;
    },
    files,
    has: (path) => path === "" || files().has(path) || folders().has(path),
    surface,
    demand: createDemands({ paths, read }),
    said: createSaid({ holders, read }),
    things: (name) => {
      const known = lookups.get(name) ?? find(name);
      lookups.set(name, known);
      return known;
    },
  };
}

type Surfaces = {
  readonly holders: StateSource["holders"];
  readonly changed: StateSource["changed"] | undefined;
  readonly surface: (path: string) => Promise<readonly Thing[]>;
  /** The surface without what no reader can import. */
  readonly offered: (path: string) => Promise<readonly Thing[]>;
};

function createLookups({ holders, changed, surface, offered }: Surfaces) {
  const gather = async (
    words: readonly string[],
    choose: (surface: readonly Thing[]) => readonly Thing[],
  ): Promise<Lookup> => {
    const held = await holders(words);
    const found = [
      ...new Set(words.flatMap((word) => (held.get(word) ?? []).filter(mayDeclare(word, words)))),
    ];
    if (changed && found.length > MOST_FILES)
      found.sort((a, b) => Number(changed.has(b)) - Number(changed.has(a)));
    const things: Thing[] = [];
    for (const path of found.slice(0, MOST_FILES)) things.push(...choose(await offered(path)));
    return { things, unread: found.slice(MOST_FILES) };
  };
  const find = async (name: string): Promise<Lookup> => {
    const found = await gather(spellings(name), (things) => namesakes(things, name));
    if (found.things.length > 0) return found;
    const joined = compositions(name);
    if (joined.length === 0) return found;
    const held = await holders(joined.flat());
    const both = joined.flatMap(([prefix, rest]) => {
      const withRest = new Set(held.get(rest));
      return (held.get(prefix) ?? []).filter((path) => withRest.has(path) && isProduct(path));
    });
    const surfaces = await Promise.all([...new Set(both)].slice(0, MOST_FILES).map(surface));
    return { ...found, things: surfaces.flatMap((things) => namesakes(things, name)) };
  };
  return { gather, find };
}

export async function readOffered(path: string, read: StateSource["read"]): Promise<readonly Thing[]> {
  const text = await read(path);
  return text === null ? [] : readSurface(path, text);
}

/** Files of the product, its manifests and its contracts. Tests, examples and build output offer nothing. */
export function isProduct(path: string): boolean {
  return PRODUCT.has(fileKind(path)) || isContractPath(path);
}

const PRODUCT: ReadonlySet<FileKind> = new Set(["product", "manifest", "data"]);

/** The things of a surface that have this name, and the parameters of this name that they take. */
function namesakes(surface: readonly Thing[], name: string): Thing[] {
  const known = namesOf.get(surface) ?? indexNames(surface);
  namesOf.set(surface, known);
  return (known.get(name) ?? []).map(([thing, parameter]) => (parameter ? asThing(thing, parameter) : thing));
}

type NamedThing = readonly [thing: Thing, parameter?: NonNullable<Thing["parameters"]>[number]];

const namesOf = new WeakMap<readonly Thing[], ReadonlyMap<string, readonly NamedThing[]>>();

function indexNames(surface: readonly Thing[]): ReadonlyMap<string, readonly NamedThing[]> {
  const named = surface.flatMap((thing): NamedThing[] => [
    [thing],
    ...(thing.parameters ?? []).map((parameter): NamedThing => [thing, parameter]),
  ]);
  return Map.groupBy(named, ([thing, parameter]) => parameter?.name ?? plainName(thing.name));
}

function parametersOf(thing: Thing): Thing[] {
  return (thing.parameters ?? []).map((parameter) => asThing(thing, parameter));
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
    ...defined({ value: parameter.default, type: parameter.type }),
  };
}

/** The words by which code may declare a name that pages write in one way: `max-depth`, `max_depth`, `maxDepth`. */
function spellings(name: string): string[] {
  const parts = partsOf(name);
  if (parts.length === 1) return [...new Set([name, inStyle(parts, "pascal")])];
  const styled = (["camel", "snake", "kebab", "constant", "pascal"] as const).map((style) =>
    inStyle(parts, style),
  );
  return [...new Set([name, ...styled])];
}

/** A word that only begins with another letter names the same thing where a macro of Rust makes a command of a variant. */
function mayDeclare(word: string, [name = ""]: readonly string[]): (path: string) => boolean {
  const isDerived = word !== name && word.toLowerCase() === name;
  return (path) => (isProduct(path) || isCalled(path)) && (!isDerived || path.endsWith(".rs"));
}

/**
 * The two words of the code that a name may be made of: a prefix and a field, `APP_` and `page_size` for
 * `APP_PAGE_SIZE`, `app` and `pageSize` for `app.page-size`.
 */
export function compositions(name: string): (readonly [prefix: string, rest: string])[] {
  if (/^[A-Z][A-Z0-9]*_[A-Z0-9_]+$/.test(name)) {
    const parts = name.split("_");
    return parts.slice(1).flatMap((_, at) => {
      const prefix = `${parts.slice(0, at + 1).join("_")}_`;
      const rest = parts.slice(at + 1).map((part) => part.toLowerCase());
      return [...new Set([rest.join("_"), rest.join("-")])].map((word) => [prefix, word] as const);
    });
  }
  const match = /([\w-]+)[.:]([\w-]+)$/.exec(name);
  if (!match) return [];
  const [, prefix, rest] = match;
  return [...new Set([rest!, inStyle(partsOf(rest!), "camel")])].map((word) => [prefix!, word] as const);
}

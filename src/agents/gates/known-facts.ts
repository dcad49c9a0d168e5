import { fold } from "../../drift/change/names.ts";
import { isDocumentPath } from "../../drift/pages/policies.ts";
import { outlineDocument } from "../../syntax/formats/outline.ts";
import { namesPackages } from "../../syntax/manifests/manifest.ts";
import { asPair, findPairs, isPair } from "./names/name-pairs.ts";

/** The names, packages, hosts, files and headings that exist in the repository. */
export type KnownFacts = {
  /**
   * Whether the code contains a word, in any naming style; or a pair of words as it stands: a member after its owner
   * (`types.Checker`), or a number after the name that it belongs to (`Python 3.9`).
   */
  knows(name: string): boolean;
  /** Whether the code holds a text as it stands: a path that it writes to, a place in its own notation. */
  holds(text: string): boolean;
  /** Whether a document of the repository holds a word or such a pair; the code need not. */
  documents(name: string): boolean;
  /** Whether a file of the repository calls or declares a name as a function. */
  calls(name: string): boolean;
  /** Whether a manifest names a package. */
  knowsPackage(name: string): boolean;
  knowsHost(host: string): boolean;
  hasFile(path: string): boolean;
  hasFolder(path: string): boolean;
  /** Whether there is a page whose path has numbers that give pages their places: `20-start/30-hooks.md`. */
  hasNumberedPage(path: string): boolean;
  /** Whether a file's path has this end; `stem` ignores the extension. */
  hasPathEnd(end: string, options?: { readonly stem?: boolean }): boolean;
  /** The anchors of a document; `null` where its text is unknown. */
  anchorsOf(path: string): ReadonlySet<string> | null;
  /** Other documents of the site that a page belongs to: those in its topmost folder, and not all of them. */
  pagesBeside(path: string): readonly FactFile[];
  /** False if the repository was too large to read. Then an unknown name is only doubtful. */
  readonly complete: boolean;
};

export type FactFile = { readonly path: string; readonly text: string };

export type FactOptions = {
  readonly paths?: readonly string[];
  readonly complete?: boolean;
  /** The files whose hosts count as known; without them, the same files. */
  readonly trusted?: readonly FactFile[] | undefined;
};

/** Names and hosts come from the code and the manifests alone: documents are not trusted. */
export function collectFacts(files: readonly FactFile[], options: FactOptions = {}): KnownFacts {
  const words = new Set<string>();
  const hosts = new Set<string>();
  const documents = new Map<string, string>();
  const manifests: string[] = [];
  const code: string[] = [];
  for (const { path, text } of files) {
    if (isDocumentPath(path)) documents.set(path, text);
    else {
      code.push(text);
      for (const [word] of `${path}\n${text}`.matchAll(wordShape)) addWord(words, word);
      if (namesPackages(path) || unreadManifest.test(path)) manifests.push(text);
    }
  }
  for (const { path, text } of options.trusted ?? files)
    if (!isDocumentPath(path)) for (const host of findHosts(text)) hosts.add(host);
  const anchors = new Map<string, ReadonlySet<string>>();
  let documented: Set<string> | undefined;
  let called: Set<string> | undefined;
  let pairs: ReadonlySet<string> | undefined;
  let documentedPairs: ReadonlySet<string> | undefined;
  return {
    knows: (name) => (isPair(name) ? (pairs ??= findPairs(code)).has(asPair(name)) : words.has(fold(name))),
    holds: (text) => code.some((file) => file.includes(text)),
    documents: (name) => {
      if (isPair(name)) return (documentedPairs ??= findPairs([...documents.values()])).has(asPair(name));
      documented ??= new Set(
        [...documents.values()].flatMap((text) =>
          (text.replace(addressShape, " ").match(wordShape) ?? []).map(fold),
        ),
      );
      return documented.has(fold(name));
    },
    calls: (name) => {
      called ??= new Set(
        files.flatMap(({ text }) => Array.from(text.matchAll(callShape), ([, one]) => fold(one!))),
      );
      return called.has(fold(name));
    },
    knowsPackage: (name) => manifests.some((text) => text.includes(name)),
    knowsHost: (host) => hosts.has(host),
    ...indexPaths(options.paths ?? files.map(({ path }) => path)),
    anchorsOf: (path) => {
      const text = documents.get(path);
      if (text === undefined) return null;
      let known = anchors.get(path);
      if (!known) anchors.set(path, (known = findAnchors(path, text)));
      return known;
    },
    pagesBeside: (path) => {
      const folder = path.slice(0, path.indexOf("/") + 1);
      const beside = [...documents.keys()].filter((other) => other !== path && other.startsWith(folder));
      return folder === ""
        ? []
        : beside.slice(0, mostBeside).map((other) => ({ path: other, text: documents.get(other)! }));
    },
    complete: options.complete ?? true,
  };
}

const mostBeside = 40;

/** Facts that include the files a run has written: a page may name what another task has just created. */
export type GrowingFacts = KnownFacts & {
  learn(file: FactFile): void;
  /** A file that the run is going to write: links to it are sound, and its headings are not known yet. */
  expect(path: string): void;
};

export function createGrowingFacts(facts: KnownFacts): GrowingFacts {
  const written = new Map<string, KnownFacts>();
  const expected = new Set<string>();
  const some = (ask: (facts: KnownFacts) => boolean): boolean =>
    ask(facts) || [...written.values()].some(ask);
  return {
    knows: (name) => some((each) => each.knows(name)),
    holds: (text) => some((each) => each.holds(text)),
    // A page of this run proves nothing about its own words.
    documents: (name) => facts.documents(name),
    calls: (name) => facts.calls(name),
    knowsPackage: (name) => some((each) => each.knowsPackage(name)),
    // A host that a run introduces needs a person's look, so it stays unknown.
    knowsHost: (host) => facts.knowsHost(host),
    hasFile: (path) => expected.has(path) || some((each) => each.hasFile(path)),
    hasFolder: (path) => some((each) => each.hasFolder(path)),
    hasNumberedPage: (path) => some((each) => each.hasNumberedPage(path)),
    hasPathEnd: (end, options) => some((each) => each.hasPathEnd(end, options)),
    anchorsOf: (path) => {
      const own = written.get(path)?.anchorsOf(path);
      return own ?? (expected.has(path) ? null : facts.anchorsOf(path));
    },
    pagesBeside: (path) => facts.pagesBeside(path),
    expect: (path) => void expected.add(path),
    complete: facts.complete,
    learn: (file) => void written.set(file.path, collectFacts([file])),
  };
}

function indexPaths(
  paths: readonly string[],
): Pick<KnownFacts, "hasFile" | "hasFolder" | "hasPathEnd" | "hasNumberedPage"> {
  const files = new Set(paths);
  const folders = new Set([""]);
  const named = new Map<string, string[]>();
  const numbered = new Set<string>();
  for (const path of paths) {
    if (placeNumber.test(path) && isDocumentPath(path)) numbered.add(withoutNumbers(stemOf(path)));
    for (let at = path.indexOf("/"); at >= 0; at = path.indexOf("/", at + 1)) folders.add(path.slice(0, at));
    const stem = stemOf(path);
    const name = stem.slice(stem.lastIndexOf("/") + 1);
    const rivals = named.get(name);
    if (rivals) rivals.push(path);
    else named.set(name, [path]);
  }
  const endsLike = (path: string, end: string): boolean => path === end || path.endsWith(`/${end}`);
  return {
    hasFile: (path) => files.has(path),
    hasFolder: (path) => folders.has(path),
    hasNumberedPage: (path) => numbered.has(withoutNumbers(path)),
    hasPathEnd: (end, { stem = false } = {}) => {
      const wanted = stemOf(end);
      const rivals = named.get(wanted.slice(wanted.lastIndexOf("/") + 1)) ?? [];
      return rivals.some((path) => (stem ? endsLike(stemOf(path), wanted) : endsLike(path, end)));
    },
  };
}

const placeNumber = /(?:^|\/)\d{1,3}[-_.](?=[^/\d])/;

function withoutNumbers(path: string): string {
  return path.replace(new RegExp(placeNumber, "g"), (found) => (found.startsWith("/") ? "/" : ""));
}

/** A path without its extension. */
function stemOf(path: string): string {
  const dot = path.lastIndexOf(".");
  return dot > path.lastIndexOf("/") + 1 ? path.slice(0, dot) : path;
}

const addressShape = /\bhttps?:\/\/[^\s"'`<>)]+/gi;
const callShape = /(?<![\p{L}\p{N}_$])([\p{L}_$][\p{L}\p{N}_$]*)[!?]?\s?\(/gu;
const wordShape = /[\p{L}_$][\p{L}\p{N}_$]*(?:-[\p{L}\p{N}_$]+)*/gu;

/** Manifests that name packages and are not read otherwise. */
const unreadManifest = /(^|\/)(requirements[^/]*\.txt|pom\.xml|pubspec\.yaml|mix\.exs|[^/]+\.csproj)$/;

/** A word, and the parts of a hyphenated word. */
function addWord(words: Set<string>, word: string): void {
  words.add(fold(word));
  if (word.includes("-")) for (const part of word.split("-")) words.add(fold(part));
}

export function findAnchors(path: string, text: string): ReadonlySet<string> {
  const slugs = outlineDocument(path, text).blocks.flatMap(({ slug }) => (slug === undefined ? [] : [slug]));
  const ids = Array.from(text.matchAll(/\b(?:id|name)=["']([^"'\s]{1,200})["']/g), ([, id]) => id!);
  return new Set([...slugs, ...ids]);
}

/** The hosts of every web address in a text. */
function findHosts(text: string): Set<string> {
  return new Set(
    Array.from(text.matchAll(/\bhttps?:\/\/([^\s/?#"'`<>()[\]{}|\\^]{1,300})/gi), ([, host]) =>
      hostName(host!),
    ),
  );
}

const longestHost = 300;

/** A host in the form for comparison: without user, port and final punctuation. */
export function hostName(host: string): string {
  const bare = host.slice(host.lastIndexOf("@") + 1).slice(0, longestHost);
  return bare
    .replace(/:\d*$/, "")
    .replace(/(?<![.,;:!?*_])[.,;:!?*_]+$/, "")
    .toLowerCase();
}

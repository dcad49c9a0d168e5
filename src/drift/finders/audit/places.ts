import { formatAt } from "../../../syntax/formats/registry.ts";
import type { WholeInput } from "../../change/change.ts";
import type { Reference } from "../../pages/references.ts";

/** The files and folders of a repository, and the addresses that a site may give them. */
export type RepositoryPlaces = {
  /** Whether a reference has a target: a file, a folder, or a page that a site publishes under another address. */
  readonly resolves: (page: string, reference: Reference) => boolean;
  readonly holds: (path: string) => boolean;
  /** The one file with the same name, if the name is unique. */
  readonly onlyNamesake: (path: string) => string | null;
  /** The one file that a link means if it was written for another folder: its path ends with the link's. */
  readonly onlyEnding: (written: string) => string | null;
};

export function createPlaces({ tree, documents }: Pick<WholeInput, "tree" | "documents">): RepositoryPlaces {
  const known = withFolders(tree);
  const addresses = siteAddresses(tree, documents);
  const imageFolders = imageFoldersOf(documents);
  const names = Map.groupBy(tree, lastName);
  const holds = (path: string): boolean => known.has(path);
  return {
    holds,
    resolves: (page, reference) =>
      reference.targets.some((target) => holds(target) || addresses.has(siteAddress(target))) ||
      imageFolders.some((folder) => holds(join(page, folder, reference.written))),
    onlyNamesake: (path) => {
      const same = names.get(lastName(path)) ?? [];
      return same.length === 1 && !COMMON_NAME.test(lastName(path)) ? same[0]! : null;
    },
    onlyEnding: (written) => {
      const plain = written.replace(/^(?:\.{0,2}\/)+/, "");
      if (!plain.includes("/")) return null;
      const same = (names.get(lastName(plain)) ?? []).filter((path) => `/${path}`.endsWith(`/${plain}`));
      return same.length === 1 ? same[0]! : null;
    },
  };
}

const COMMON_NAME =
  /^(?:index|readme|_index|main|mod|lib|config|package|setup|__init__|license|makefile)(?:\.|$)/i;

/** Paths of files and of the folders that hold them; the root is the empty path. */
export function withFolders(tree: readonly string[]): ReadonlySet<string> {
  const known = new Set([...tree, ""]);
  for (const path of tree)
    for (let at = path.lastIndexOf("/"); at > 0; at = path.lastIndexOf("/", at - 1)) {
      const folder = path.slice(0, at);
      if (known.has(folder)) break;
      known.add(folder);
    }
  return known;
}

/** The address that a site makes from a path: without ordering numbers, without extensions, in lower case. */
function siteAddress(path: string): string {
  return path
    .toLowerCase()
    .replace(/\.\w{1,5}$/, "")
    .replace(/\/(?:index|readme|_index)$/, "")
    .split("/")
    .map((name) => name.replace(/^\d+[-_.]\s*/, "").replaceAll("_", "-"))
    .join("/");
}

const SLUG = /^(?:slug|permalink|id|redirect_from|aliases)\s*:\s*["']?([^"'\n#]+)/gm;

/** The addresses of a site: by path, and by the front matter of pages. */
function siteAddresses(tree: readonly string[], documents: WholeInput["documents"]): ReadonlySet<string> {
  const addresses = new Set(tree.map(siteAddress));
  for (const { path, text } of documents) {
    const matter = /^---\n([\s\S]{0,4000}?)\n---/.exec(text)?.[1];
    if (!matter) continue;
    const folder = siteAddress(path).split("/").slice(0, -1).join("/");
    for (const match of matter.matchAll(SLUG)) {
      const slug = match[1]!
        .trim()
        .replace(/^\/|\/$/g, "")
        .toLowerCase();
      addresses.add(slug).add(folder === "" ? slug : `${folder}/${slug}`);
    }
  }
  return addresses;
}

/** Folders that pages say they take their images from. */
function imageFoldersOf(documents: WholeInput["documents"]): readonly string[] {
  const folders = new Set<string>();
  for (const { path, text } of documents) {
    const { imageFolder } = formatAt(path);
    if (imageFolder) for (const match of text.matchAll(imageFolder)) folders.add(match[1]!);
  }
  return [...folders];
}

function join(page: string, folder: string, name: string): string {
  const parts = page.split("/").slice(0, -1);
  for (const part of `${folder}/${name}`.split("/"))
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  return parts.join("/");
}

function lastName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

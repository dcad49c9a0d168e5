import { isDocumentPath, USUAL_EXTENSIONS } from "../../../syntax/formats/registry.ts";

/** The paths of the repository that a relative address on a page may mean; none for an address outside it. */
export function targetsOf(from: string, address: string): string[] {
  const path = resolveFrom(from, address);
  if (path === null) return [];
  const inModule = MODULE.exec(from)?.[1];
  const own =
    inModule === undefined ? [] : [`${inModule}/${isDocumentPath(path) ? "pages" : "images"}/${address}`];
  if (isDocumentPath(path)) return [path, ...own];
  const bare = path.replace(/\.html?$/i, "");
  const pages = USUAL_EXTENSIONS.map((ending) => `${bare}.${ending}`);
  return [path, ...own, ...pages, ...INDEXES.map((name) => (bare === "" ? name : `${bare}/${name}`))];
}

/** A module of Antora: its pages and its navigation name the pages and the pictures of the module from their own folders. */
const MODULE = /^((?:.*\/)?modules\/[^/]+)\/(?:nav|pages\/|partials\/).*\.adoc$/;

const INDEXES = ["index.md", "README.md", "index.mdx", "readme.md", "_index.md"];

/** The path that an address on a page means as it is written; null outside the repository. */
export function resolveFrom(from: string, address: string): string | null {
  const parts = from.split("/").slice(0, -1);
  for (const part of address.split("/")) {
    if (part === "..") {
      if (parts.length === 0) return null;
      parts.pop();
    } else if (part !== "" && part !== ".") parts.push(part);
  }
  return parts.join("/");
}

/** The page as a site serves it: a folder with an index. Addresses in HTML are relative to it. */
export function servedFolder(page: string): string {
  return `${page.replace(/\.\w+$/, "").replace(/(?:^|\/)(?:index|readme|_index)$/i, "")}/index.html`.replace(
    /^\//,
    "",
  );
}

const STATIC = ["", "public", "static", "docs", "src", "content"];

/** The paths that an address from the root of a site may mean: any folder above the page may be the root. */
export function siteTargets(page: string, address: string): string[] {
  const folders = page.split("/").slice(0, -1);
  const targets: string[] = [];
  for (let depth = folders.length; depth >= 0; depth--) {
    const root = folders.slice(0, depth).join("/");
    for (const name of STATIC)
      targets.push(...targetsOf([root, name, "x"].filter(Boolean).join("/"), address.slice(1)));
  }
  return [...new Set(targets)];
}

/** A path in code is written from the root of the repository, or from the folder of its page. */
export function mentionTargets(page: string, written: string): string[] {
  const clean = written.replace(/\/+$/, "");
  const fromRoot = resolveFrom("", clean.replace(/^(?:\.\/)+/, ""));
  const fromPage = resolveFrom(page, clean);
  return [...new Set([fromRoot, fromPage])].filter((path) => path !== null && path !== "") as string[];
}

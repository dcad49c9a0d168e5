import { compareText } from "../../text/characters/compare-text.ts";
import { type IgnoreRules, judge, parseIgnore } from "../../text/match/ignore.ts";
import { accept, type Outcome, refuse } from "../../text/model/outcome.ts";
import { type Dir, type Files, ignoreIoError, type Listed } from "../files/files.ts";
import { readSmall } from "../state/state.ts";
import { isProtected } from "./guarded-names.ts";
import { foldName } from "./names.ts";
import { parsePath } from "./paths.ts";
import { Walker } from "./walk.ts";

/** Files below a directory. `unreadable`: names that are not valid Unicode, shown escaped. */
export type Listing = { readonly paths: readonly string[]; readonly unreadable: readonly string[] };

export type ListOptions = {
  /** A directory inside the root; the root itself if absent. */
  readonly under?: string;
  /** Include files that `.gitignore` files exclude. */
  readonly ignored?: boolean;
};

/** The rules of one `.gitignore`, and the depth of its directory. */
type IgnoreScope = { readonly depth: number; readonly rules: IgnoreRules };

type Walk = {
  readonly files: Files;
  readonly ignored: boolean;
  readonly paths: string[];
  readonly unreadable: string[];
};

/** Every regular file below a directory, sorted by code unit. Skips links, `node_modules`, and state folders like `.git`. */
export async function listFiles(
  files: Files,
  root: Dir,
  { under = "", ignored = false }: ListOptions,
): Promise<Outcome<Listing>> {
  const start = parseUnder(under);
  if (!start.ok) return start;
  const walker = new Walker(files, root);
  try {
    const walk: Walk = { files, ignored, paths: [], unreadable: [] };
    const scopes: IgnoreScope[] = [];
    let dir = root;
    for (const depth of start.value.keys()) {
      scopes.push(...(await scopeOf(walk, dir, depth)));
      const opened = await walker.openDir(start.value.slice(0, depth + 1));
      if (!opened.ok) return opened;
      dir = opened.value;
    }
    await listBelow(walk, dir, start.value, scopes);
    return accept({ paths: walk.paths.sort(compareText), unreadable: walk.unreadable.sort(compareText) });
  } finally {
    await walker.close();
  }
}

function parseUnder(under: string): Outcome<readonly string[]> {
  const trimmed = under.replace(/\/+$/, "");
  if (trimmed === "" || trimmed === ".") return accept([]);
  const parsed = parsePath(trimmed);
  if (!parsed.ok) return parsed;
  const guarded = parsed.value.key.split("/").find(isProtected);
  return guarded ? refuse({ code: "protected", path: under, detail: guarded }) : accept(parsed.value.names);
}

async function listBelow(
  walk: Walk,
  dir: Dir,
  names: readonly string[],
  outer: readonly IgnoreScope[],
): Promise<void> {
  const listed = await walk.files.list(dir);
  const scopes = [...outer, ...(await scopeOf(walk, dir, names.length, listed))];
  for (const entry of listed) {
    const path = [...names, entry.name];
    if (isSkipped(entry) || (!walk.ignored && isIgnored(scopes, path, entry.kind === "directory"))) continue;
    if (!entry.exact) walk.unreadable.push(path.join("/"));
    else if (entry.kind === "file") walk.paths.push(path.join("/"));
    else if (entry.kind === "directory") await enter(walk, dir, path, scopes);
  }
}

async function enter(
  walk: Walk,
  parent: Dir,
  names: readonly string[],
  scopes: readonly IgnoreScope[],
): Promise<void> {
  let dir: Dir;
  try {
    dir = await walk.files.openDir(parent, names.at(-1) ?? "");
  } catch (error) {
    ignoreIoError(error);
    // The directory is gone or not readable, so it is not listed.
    return;
  }
  try {
    await listBelow(walk, dir, names, scopes);
  } finally {
    await walk.files.close(dir);
  }
}

async function scopeOf(
  { files, ignored }: Walk,
  dir: Dir,
  depth: number,
  listed?: readonly Listed[],
): Promise<IgnoreScope[]> {
  const entries = ignored ? [] : (listed ?? (await files.list(dir)));
  if (!entries.some(({ name, kind }) => name === ".gitignore" && kind === "file")) return [];
  const bytes = await readSmall(files, dir, ".gitignore");
  return bytes ? [{ depth, rules: parseIgnore(new TextDecoder().decode(bytes)) }] : [];
}

/** The innermost rule that matches decides. */
function isIgnored(scopes: readonly IgnoreScope[], path: readonly string[], isDirectory: boolean): boolean {
  for (const { depth, rules } of scopes.toReversed()) {
    const verdict = judge(rules, path.slice(depth), isDirectory);
    if (verdict !== null) return verdict;
  }
  return false;
}

function isSkipped({ name, kind }: Listed): boolean {
  return isProtected(foldName(name)) || (kind === "directory" && name === "node_modules");
}

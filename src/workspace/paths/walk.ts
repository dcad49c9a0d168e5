import { accept, type Outcome, type Refusal, refuse } from "../../text/model/outcome.ts";
import { codeOf, type Dir, type Files, type NameInDir } from "../files/files.ts";
import type { GatedPath } from "./paths.ts";

/** A path resolved to an open directory and a name in it. `missing`: the directories that do not exist yet. */
export type ResolvedPath = NameInDir & { readonly missing: readonly string[] };

/** Resolves paths from the open root and opens each directory once. `close` closes all of them. */
export class Walker {
  readonly #files: Files;
  readonly #root: Dir;
  readonly #opened = new Map<string, Dir>();

  constructor(files: Files, root: Dir) {
    this.#files = files;
    this.#root = root;
  }

  async resolve(names: readonly string[]): Promise<Outcome<ResolvedPath>> {
    const parents = names.slice(0, -1);
    const name = names.at(-1) ?? "";
    let dir = this.#root;
    for (const depth of parents.keys()) {
      const next = await this.#open(dir, parents.slice(0, depth + 1));
      if (!next.ok) return next;
      if (!next.value) return accept({ dir, name, missing: parents.slice(depth) });
      dir = next.value;
    }
    return accept({ dir, name, missing: [] });
  }

  /** Opens an existing directory. */
  async openDir(names: readonly string[]): Promise<Outcome<Dir>> {
    const resolved = await this.resolve([...names, "-"]);
    if (!resolved.ok) return resolved;
    return resolved.value.missing.length === 0
      ? accept(resolved.value.dir)
      : refuse({ code: "not-found", what: "file", path: names.join("/") });
  }

  async close(): Promise<void> {
    for (const dir of this.#opened.values()) await this.#files.close(dir);
    this.#opened.clear();
  }

  async #open(parent: Dir, names: readonly string[]): Promise<Outcome<Dir | null>> {
    const path = names.join("/");
    const known = this.#opened.get(path);
    if (known) return accept(known);
    const at = { dir: parent, name: names.at(-1) ?? "" };
    try {
      const dir = await this.#files.openDir(at.dir, at.name);
      this.#opened.set(path, dir);
      return accept(dir);
    } catch (error) {
      const code = codeOf(error);
      return code === "ENOENT" ? accept(null) : refuse({ path, ...(await this.#refusalOf(at, code)) });
    }
  }

  async #refusalOf({ dir, name }: NameInDir, code: string): Promise<Refusal> {
    const isOther = code === "ENOTDIR" || code === "ELOOP";
    const kind = isOther ? (await this.#files.stat(dir, name))?.kind : undefined;
    if (kind === "link" || (!kind && code === "ELOOP")) return { code: "outside", detail: "a link" };
    if (kind) return { code: "outside", detail: "not a directory" };
    return { code: "unavailable", detail: code };
  }
}

const maxLinks = 40;

/**
 * Resolves the links in a path, for callers whose policy allows links inside the root. Refuses loops, and targets that
 * are absolute or leave the root, even if they come back.
 */
export async function followLinks(
  { files, walker }: { readonly files: Files; readonly walker: Walker },
  from: GatedPath,
  regate: (path: string) => Outcome<GatedPath> | Promise<Outcome<GatedPath>>,
): Promise<Outcome<GatedPath>> {
  const done: string[] = [];
  let rest: readonly string[] = from.names;
  for (let followed = 0; ; ) {
    const [next, ...later] = rest;
    if (next === undefined) break;
    const target = await linkTarget(files, walker, [...done, next]);
    if (!target.ok) return target;
    if (target.value === null) {
      done.push(next);
      rest = later;
      continue;
    }
    const names = resolveTarget(done, target.value);
    if (!names || ++followed > maxLinks)
      return refuse({
        code: "outside",
        path: from.path,
        detail: names ? "too many links" : "a link that leaves the root",
      });
    done.length = 0;
    rest = [...names, ...later];
  }
  return regate(done.join("/"));
}

/** The target of the last name, if it is a link. */
async function linkTarget(
  files: Files,
  walker: Walker,
  names: readonly string[],
): Promise<Outcome<string | null>> {
  const resolved = await walker.resolve(names);
  if (!resolved.ok) return resolved;
  const { dir, name, missing } = resolved.value;
  const isLink = missing.length === 0 && (await files.stat(dir, name))?.kind === "link";
  return accept(isLink ? await files.readLink(dir, name) : null);
}

/** The names that a link in `base` leads to; `null` if they leave the root. */
function resolveTarget(base: readonly string[], target: string): string[] | null {
  if (target.startsWith("/")) return null;
  const names = [...base];
  for (const part of target.split("/")) {
    if (part === "" || part === ".") continue;
    if (part !== "..") names.push(part);
    else if (names.pop() === undefined) return null;
  }
  return names;
}

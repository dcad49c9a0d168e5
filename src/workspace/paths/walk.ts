import { accept, type Outcome, refuse } from "../../text/model/outcome.ts";
import { codeOf, type Dir, type Files } from "../files/files.ts";
import type { GatedPath } from "./paths.ts";

/** The open directory a path ends in, and the name it has there; `missing` directories would have to be made. */
export type Spot = { readonly dir: Dir; readonly name: string; readonly missing: readonly string[] };

/** Walks paths from the open root, each directory once. Every handle is closed together. */
export type Walker = {
  walk(names: readonly string[]): Promise<Outcome<Spot>>;
  /** Opens a directory that is known to be there now; forgets that it was missing. */
  openDir(names: readonly string[]): Promise<Outcome<Dir>>;
  close(): Promise<void>;
};

export function createWalker(files: Files, root: Dir): Walker {
  const opened = new Map<string, Dir>([["", root]]);

  const step = async (parent: Dir, names: readonly string[], depth: number): Promise<Outcome<Dir | null>> => {
    const path = names.slice(0, depth).join("/");
    const known = opened.get(path);
    if (known) return accept(known);
    try {
      const dir = await files.openDir(parent, names[depth - 1]!);
      opened.set(path, dir);
      return accept(dir);
    } catch (error) {
      const code = codeOf(error);
      if (code === "ENOENT") return accept(null);
      const kind =
        code === "ENOTDIR" || code === "ELOOP"
          ? (await files.stat(parent, names[depth - 1]!))?.kind
          : undefined;
      if (kind)
        return refuse({ code: "outside", path, detail: kind === "link" ? "a link" : "not a directory" });
      if (code === "ELOOP") return refuse({ code: "outside", path, detail: "a link" });
      return refuse({ code: "unavailable", path, detail: code });
    }
  };

  const walk = async (names: readonly string[]): Promise<Outcome<Spot>> => {
    let dir = root;
    for (let depth = 1; depth < names.length; depth++) {
      const next = await step(dir, names, depth);
      if (!next.ok) return next;
      if (!next.value) return accept({ dir, name: names.at(-1)!, missing: names.slice(depth - 1, -1) });
      dir = next.value;
    }
    return accept({ dir, name: names.at(-1)!, missing: [] });
  };

  return {
    walk,
    openDir: async (names) => {
      const place = await walk([...names, "-"]);
      if (!place.ok) return place;
      return place.value.missing.length === 0
        ? accept(place.value.dir)
        : refuse({ code: "not-found", what: "file", path: names.join("/") });
    },
    close: async () => {
      opened.delete("");
      for (const dir of opened.values()) await files.close(dir);
      opened.clear();
      opened.set("", root);
    },
  };
}

const mostLinks = 40;

/**
 * The path that stands behind the links in a path, for callers whose policy lets links inside the root be edited.
 * A target that is absolute, or that leaves the root even to come back, is refused, and so is a loop.
 */
export async function followLinks(
  files: Files,
  walker: Walker,
  from: GatedPath,
  regate: (path: string) => Outcome<GatedPath>,
): Promise<Outcome<GatedPath>> {
  const done: string[] = [];
  let rest: readonly string[] = from.names;
  for (let followed = 0; rest.length > 0; ) {
    const here = [...done, rest[0]!];
    const target = await linkTarget(files, walker, here);
    if (!target.ok) return target;
    if (target.value === null) {
      done.push(rest[0]!);
      rest = rest.slice(1);
      continue;
    }
    const names = resolveTarget(done, target.value);
    if (!names || ++followed > mostLinks)
      return refuse({
        code: "outside",
        path: from.path,
        detail: names ? "too many links" : "a link that leaves the root",
      });
    done.length = 0;
    rest = [...names, ...rest.slice(1)];
  }
  return regate(done.join("/"));
}

/** Where the last of these names points, if it is a link. */
async function linkTarget(
  files: Files,
  walker: Walker,
  names: readonly string[],
): Promise<Outcome<string | null>> {
  const place = await walker.walk(names);
  if (!place.ok) return place;
  const { dir, name, missing } = place.value;
  const isLink = missing.length === 0 && (await files.stat(dir, name))?.kind === "link";
  return accept(isLink ? await files.readLink(dir, name) : null);
}

/** The names a link in `base` leads to, or `null` where they leave the root. */
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

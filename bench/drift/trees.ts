import type { ObjectReader } from "./objects.ts";

export type TreeEntry = { readonly name: string; readonly mode: string; readonly id: string };

export type TreeChange = {
  readonly path: string;
  readonly before: TreeEntry | null;
  readonly after: TreeEntry | null;
};

/** The trees of one repository. A folder that many commits share is parsed once. */
export class Trees {
  readonly #objects: ObjectReader;
  readonly #known = new Map<string, readonly TreeEntry[]>();

  constructor(objects: ObjectReader) {
    this.#objects = objects;
  }

  /** Every entry below a tree that is not a folder itself, in the order of `git ls-tree -r`. */
  async list(id: string, prefix = ""): Promise<{ path: string; entry: TreeEntry }[]> {
    const entries = await this.entries(id);
    const nested = await Promise.all(
      entries.map((entry) => {
        const path = prefix + entry.name;
        return isFolder(entry) ? this.list(entry.id, `${path}/`) : [{ path, entry }];
      }),
    );
    return nested.flat();
  }

  /** The paths that differ between two trees, in the order of `git diff-tree -r --no-renames`. */
  async compare(before: string, after: string): Promise<TreeChange[]> {
    const changes = await this.#compare(before, after, "");
    return changes.sort((a, b) => Buffer.compare(Buffer.from(a.path), Buffer.from(b.path)));
  }

  async entries(id: string): Promise<readonly TreeEntry[]> {
    const known = this.#known.get(id);
    if (known) return known;
    const object = await this.#objects.read(id);
    if (object?.kind !== "tree") throw new Error(`there is no tree ${id} in this clone`);
    const entries = parseTree(object.bytes);
    this.#known.set(id, entries);
    return entries;
  }

  async #compare(before: string | null, after: string | null, prefix: string): Promise<TreeChange[]> {
    if (before === after) return [];
    const old = new Map((before ? await this.entries(before) : []).map((entry) => [entry.name, entry]));
    const fresh = new Map((after ? await this.entries(after) : []).map((entry) => [entry.name, entry]));
    const names = new Set([...old.keys(), ...fresh.keys()]);
    const changes = await Promise.all(
      [...names].map((name) => this.#compareEntry(prefix + name, old.get(name), fresh.get(name))),
    );
    return changes.flat();
  }

  async #compareEntry(
    path: string,
    old: TreeEntry | undefined,
    fresh: TreeEntry | undefined,
  ): Promise<TreeChange[]> {
    if (old?.id === fresh?.id && old?.mode === fresh?.mode) return [];
    const before = old && !isFolder(old) ? old : null;
    const after = fresh && !isFolder(fresh) ? fresh : null;
    const folders = await this.#compare(
      old && isFolder(old) ? old.id : null,
      fresh && isFolder(fresh) ? fresh.id : null,
      `${path}/`,
    );
    return before || after ? [{ path, before, after }, ...folders] : folders;
  }
}

export function isFolder({ mode }: TreeEntry): boolean {
  return mode === "40000";
}

function parseTree(bytes: Buffer): TreeEntry[] {
  const entries: TreeEntry[] = [];
  for (let at = 0; at < bytes.length; ) {
    const space = bytes.indexOf(32, at);
    const end = bytes.indexOf(0, space);
    entries.push({
      mode: bytes.toString("latin1", at, space),
      name: bytes.toString("utf8", space + 1, end),
      id: bytes.toString("hex", end + 1, end + 21),
    });
    at = end + 21;
  }
  return entries;
}

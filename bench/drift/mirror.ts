import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import { ObjectReader } from "./objects.ts";
import { isFolder, type TreeChange, type TreeEntry, Trees } from "./trees.ts";

/** Where the bare clone of a repository lies in a folder of clones. */
export function gitDirOf(mirror: string, repo: string): string {
  const bare = join(mirror, repo.replace("/", "+"), "repo");
  return existsSync(join(bare, ".git")) ? join(bare, ".git") : bare;
}

export type ScratchOptions = {
  /** The bare clone whose objects are borrowed. */
  readonly gitDir: string;
  /** The scratch repository; made where it is missing. */
  readonly folder: string;
  /** The address of `origin`, as a clone has it that people work in. */
  readonly origin?: string | undefined;
};

/**
 * A bare repository that borrows every object of a mirror, so that commits can be added and `origin` can be set while
 * the mirror stays as it is.
 */
export class Scratch {
  readonly folder: string;
  readonly objects: ObjectReader;
  readonly trees: Trees;

  constructor({ gitDir, folder, origin }: ScratchOptions) {
    this.folder = folder;
    if (!existsSync(join(folder, "HEAD"))) makeRepository(gitDir, folder, origin);
    this.objects = new ObjectReader(folder);
    this.trees = new Trees(this.objects);
  }

  async treeOf(commit: string): Promise<string> {
    const tree = /^tree (\w+)/.exec(await this.#commit(commit))?.[1];
    if (!tree) throw new Error(`there is no commit ${commit} in this clone`);
    return tree;
  }

  /** The first parent of a commit; null for a root and at the edge of a shallow clone. */
  async parentOf(commit: string): Promise<string | null> {
    return /^parent (\w+)/m.exec((await this.#commit(commit)).split("\n\n")[0]!)?.[1] ?? null;
  }

  async isCommit(id: string): Promise<boolean> {
    return (await this.objects.read(id))?.kind === "commit";
  }

  async compare(base: string, head: string): Promise<TreeChange[]> {
    return this.trees.compare(await this.treeOf(base), await this.treeOf(head));
  }

  /** A commit on top of `parent` with the changes that `isTaken` lets through. */
  async commitPart(
    parent: string,
    changes: readonly TreeChange[],
    isTaken: (path: string) => boolean,
  ): Promise<string> {
    const taken = changes.filter(({ path }) => isTaken(path));
    const tree = await this.#writeTree(await this.treeOf(parent), taken);
    const person = "case <case@example.invalid> 1700000000 +0000";
    const text = `tree ${tree}\nparent ${parent}\nauthor ${person}\ncommitter ${person}\n\ncode change\n`;
    return this.#write("commit", Buffer.from(text));
  }

  close(): void {
    this.objects.close();
  }

  async #commit(id: string): Promise<string> {
    const object = await this.objects.read(id);
    return object?.kind === "commit" ? object.bytes.toString("utf8") : "";
  }

  async #writeTree(id: string | null, changes: readonly TreeChange[]): Promise<string> {
    const entries = new Map((id ? await this.trees.entries(id) : []).map((entry) => [entry.name, entry]));
    const nested = new Map<string, TreeChange[]>();
    const direct: TreeChange[] = [];
    for (const change of changes) {
      const slash = change.path.indexOf("/");
      if (slash < 0) direct.push(change);
      else {
        const folder = change.path.slice(0, slash);
        const below = nested.get(folder) ?? [];
        nested.set(folder, [...below, { ...change, path: change.path.slice(slash + 1) }]);
      }
    }
    for (const { path } of direct) if (!isFolderIn(entries, path)) entries.delete(path);
    for (const [name, below] of nested) {
      const old = entries.get(name);
      const fresh = await this.#writeTree(old && isFolder(old) ? old.id : null, below);
      if (fresh === EMPTY_TREE) entries.delete(name);
      else entries.set(name, { name, mode: "40000", id: fresh });
    }
    for (const { path, after } of direct) if (after) entries.set(path, { ...after, name: path });
    return this.#write("tree", printTree([...entries.values()]));
  }

  #write(kind: string, content: Buffer): string {
    const bytes = Buffer.concat([Buffer.from(`${kind} ${content.length}\0`), content]);
    const id = createHash("sha1").update(bytes).digest("hex");
    const folder = join(this.folder, "objects", id.slice(0, 2));
    const path = join(folder, id.slice(2));
    if (existsSync(path)) return id;
    mkdirSync(folder, { recursive: true });
    const draft = `${path}.${process.pid}`;
    writeFileSync(draft, deflateSync(bytes));
    renameSync(draft, path);
    return id;
  }
}

const EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

function isFolderIn(entries: ReadonlyMap<string, TreeEntry>, name: string): boolean {
  const entry = entries.get(name);
  return entry !== undefined && isFolder(entry);
}

/** Git sorts a folder as if its name ended in a slash. */
function printTree(entries: readonly TreeEntry[]): Buffer {
  const keyed = entries.map((entry) => ({
    entry,
    key: Buffer.from(isFolder(entry) ? `${entry.name}/` : entry.name),
  }));
  keyed.sort((a, b) => Buffer.compare(a.key, b.key));
  return Buffer.concat(
    keyed.flatMap(({ entry }) => [
      Buffer.from(`${entry.mode} ${entry.name}\0`),
      Buffer.from(entry.id, "hex"),
    ]),
  );
}

function makeRepository(gitDir: string, folder: string, origin: string | undefined): void {
  mkdirSync(join(folder, "objects", "info"), { recursive: true });
  mkdirSync(join(folder, "refs", "heads"), { recursive: true });
  writeFileSync(join(folder, "objects", "info", "alternates"), `${join(gitDir, "objects")}\n`);
  const remote = origin ? `[remote "origin"]\n\turl = ${origin}\n` : "";
  writeFileSync(join(folder, "config"), `[core]\n\trepositoryformatversion = 0\n\tbare = true\n${remote}`);
  const tip = execFileSync("git", ["--git-dir", gitDir, "rev-parse", "HEAD"], { encoding: "utf8" });
  // Two workers may make it at once, and the one that finds a HEAD starts to read.
  const draft = join(folder, `HEAD.${process.pid}`);
  writeFileSync(draft, tip);
  renameSync(draft, join(folder, "HEAD"));
}

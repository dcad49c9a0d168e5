import { execFileSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** A change of one file: the blobs before and after, and git's diff of them. */
export type FileChange = { readonly before: string; readonly after: string };
export type FilePatch = FileChange & { readonly patch: string };

/** A bare clone: blobs by id, git's own diffs between them, and the changes of its newest commits. */
export class Clone {
  readonly name: string;
  readonly #folder: string;
  readonly #blobs = new Map<string, Buffer>();

  constructor(name: string, folder: string) {
    this.name = name;
    this.#folder = folder;
  }

  git(args: readonly string[], input?: string): Buffer {
    return execFileSync("git", ["-C", this.#folder, ...args], {
      input,
      maxBuffer: 1 << 30,
      stdio: ["pipe", "pipe", "ignore"],
    });
  }

  /** What git prints; where the clone lacks an object, as far as git comes. */
  #partOf(args: readonly string[]): Buffer {
    try {
      return this.git(args);
    } catch (error) {
      return (error as { readonly stdout: Buffer }).stdout;
    }
  }

  /** Reads blobs at once, so that `bytes` need not ask for each. */
  load(ids: Iterable<string>): void {
    const wanted = [...new Set(ids)].filter((id) => !this.#blobs.has(id));
    if (wanted.length === 0) return;
    const output = this.git(["cat-file", "--batch"], wanted.map((id) => `${id}\n`).join(""));
    for (const [id, bytes] of parseBatch(output)) this.#blobs.set(id, bytes);
  }

  bytes(id: string): Buffer | null {
    this.load([id]);
    return this.#blobs.get(id) ?? null;
  }

  /** The text of a blob; `null` where it is not UTF-8 text of a moderate size. */
  text(id: string): string | null {
    const bytes = this.bytes(id);
    if (bytes === null || bytes.length > largestFile || bytes.includes(0)) return null;
    try {
      return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    } catch {
      return null;
    }
  }

  diff(before: string, after: string, context: number): Buffer {
    return this.git(["diff", ...plainDiff, "--text", `-U${context}`, before, after]);
  }

  /** The changes of single files in the newest commits, by path, newest first. */
  changes(commits: number): Map<string, FileChange[]> {
    const args = ["log", "--no-merges", "--raw", "--no-abbrev", "--no-renames", "--format=", `-n${commits}`];
    const paths = new Map<string, FileChange[]>();
    for (const line of this.git([...args, "HEAD"])
      .toString("utf8")
      .split("\n")) {
      const [, before, after, path] = modified.exec(line) ?? [];
      if (!before || !after || !path) continue;
      const known = paths.get(path);
      if (known) known.push({ before, after });
      else paths.set(path, [{ before, after }]);
    }
    return paths;
  }

  /** Git's diffs of the files that the newest commits modified, with their blobs loaded. */
  patches(commits: number, context: number): FilePatch[] {
    const args = ["log", "--no-merges", "-p", "--full-index", "--no-renames", "--format=", `-n${commits}`];
    const log = this.#partOf([...args, `-U${context}`, ...plainDiff, "HEAD"]).toString("utf8");
    const patches = log.split(/^(?=diff --git )/m).flatMap((patch): FilePatch[] => {
      const [, before, after] = /^index ([0-9a-f]{40})\.\.([0-9a-f]{40}) 100\d{3}$/m.exec(patch) ?? [];
      return before && after ? [{ before, after, patch }] : [];
    });
    this.load(patches.map(({ before }) => before));
    return patches;
  }
}

const plainDiff = ["--no-color", "--no-ext-diff", "--no-textconv"];
const modified = /^:100\d{3} 100\d{3} ([0-9a-f]{40}) ([0-9a-f]{40}) M\t(.*)$/;
const largestFile = 200_000;

/** The answer of `git cat-file --batch`: a line with id, kind and size, the content, and a newline, each time. */
function parseBatch(output: Buffer): Map<string, Buffer> {
  const blobs = new Map<string, Buffer>();
  for (let at = 0; at < output.length; ) {
    const stop = output.indexOf(10, at);
    const [id, kind, size] = output.toString("utf8", at, stop).split(" ");
    at = stop + 1;
    if (kind !== "blob") continue;
    blobs.set(id!, output.subarray(at, at + Number(size)));
    at += Number(size) + 1;
  }
  return blobs;
}

/** The clone of a project under a folder of clones, named `owner+name/repo`; null where it is absent. */
export function openClone(mirror: string, project: string): Clone | null {
  const folder = join(mirror, project.replace("/", "+"), "repo");
  return existsSync(folder) ? new Clone(project, folder) : null;
}

/** Every clone of a folder, without those of the projects that are left out. */
export function openClones(mirror: string, without: ReadonlySet<string> = new Set()): Clone[] {
  return readdirSync(mirror)
    .sort()
    .map((name) => name.replace("+", "/"))
    .filter((name) => !without.has(name))
    .flatMap((name) => openClone(mirror, name) ?? []);
}

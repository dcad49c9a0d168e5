import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A change of one file in a bare clone, and another version of the file that the change is tried on. */
export type DriftedChange = {
  readonly repo: string;
  readonly from: string;
  readonly to: string;
  readonly onto: string;
};

/** A bare clone: blobs by id, git's own diffs between them, and the versions that its files have had. */
export class Clone {
  readonly folder: string;
  readonly #blobs = new Map<string, string | null>();

  constructor(folder: string) {
    this.folder = folder;
  }

  git(args: readonly string[], input?: string): Buffer {
    return execFileSync("git", ["-C", this.folder, ...args], {
      input,
      maxBuffer: 1 << 30,
      stdio: ["pipe", "pipe", "ignore"],
    });
  }

  /** The text of a blob; `null` where it is not UTF-8 text of a moderate size. */
  text(id: string): string | null {
    const known = this.#blobs.get(id);
    if (known !== undefined) return known;
    const text = this.#read(id);
    this.#blobs.set(id, text);
    return text;
  }

  #read(id: string): string | null {
    try {
      const bytes = this.git(["cat-file", "blob", id]);
      if (bytes.length > largestFile || bytes.includes(0)) return null;
      return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    } catch {
      return null;
    }
  }

  diff(before: string, after: string, context: number): string {
    const args = ["diff", "--no-color", "--no-ext-diff", "--no-textconv", `-U${context}`, before, after];
    return this.git(args).toString("utf8");
  }

  /** The changes of single files in the newest commits, by path, newest first. */
  changes(commits: number): Map<string, { readonly before: string; readonly after: string }[]> {
    const args = [
      "log",
      "--no-merges",
      "--raw",
      "--no-abbrev",
      "--no-renames",
      "--format=",
      `-n${commits}`,
      "HEAD",
    ];
    const paths = new Map<string, { before: string; after: string }[]>();
    for (const line of this.git(args).toString("utf8").split("\n")) {
      const [, before, after, path] =
        /^:100\d{3} 100\d{3} ([0-9a-f]{40}) ([0-9a-f]{40}) M\t(.*)$/.exec(line) ?? [];
      if (!before || !after || !path) continue;
      const known = paths.get(path);
      if (known) known.push({ before, after });
      else paths.set(path, [{ before, after }]);
    }
    return paths;
  }
}

const largestFile = 200_000;

/** The clones of a folder, each named `owner+name/repo`. */
export function openClones(mirror: string): { readonly name: string; readonly clone: Clone }[] {
  return readdirSync(mirror)
    .filter((name) => existsSync(join(mirror, name, "repo")))
    .sort()
    .map((name) => ({ name: name.replace("+", "/"), clone: new Clone(join(mirror, name, "repo")) }));
}

/** Changes of single files and the version some changes before or after them, spread over the history of a clone. */
export function driftedChanges(repo: string, clone: Clone, most: number): DriftedChange[] {
  const found: DriftedChange[] = [];
  const paths = [...clone.changes(2500)].filter(([, list]) => list.length >= 4);
  const step = Math.max(1, Math.floor(paths.length / most));
  for (let i = 0; i < paths.length && found.length < most; i += step) {
    const list = paths[i]![1];
    const at = (i * 7) % (list.length - 2);
    const { before: from, after: to } = list[at]!;
    const later = list[Math.max(0, at - 1 - (i % 5))]!.after;
    const earlier = list[Math.min(list.length - 1, at + 1 + (i % 5))]!.before;
    const onto = i % 2 === 0 && later !== to ? later : earlier;
    if (new Set([from, to, onto]).size === 3) found.push({ repo, from, to, onto });
  }
  return found;
}

/** The three-way merge as git makes it; `null` where it is not clean. */
export function gitMerge(base: string, ours: string, theirs: string): string | null {
  const folder = mkdtempSync(join(tmpdir(), "merge-"));
  try {
    const names = { ours, base, theirs };
    for (const [name, text] of Object.entries(names)) writeFileSync(join(folder, name), text);
    return execFileSync("git", ["merge-file", "-p", "ours", "base", "theirs"], {
      cwd: folder,
      maxBuffer: 1 << 28,
      stdio: ["ignore", "pipe", "ignore"],
    }).toString("utf8");
  } catch {
    return null;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

import { basename } from "node:path";
import type { AskedFinding } from "./ask.ts";
import { gitDirOf } from "./mirror.ts";
import { ObjectReader } from "./objects.ts";
import { closestMatch } from "./sequence-matcher.ts";
import { Trees } from "./trees.ts";

/**
 * What later history made of a passage. `mended`: its line is reworded and no longer holds the suspect words.
 * `stands`: the line, or what is suspect in it, is still there. `removed`: the line has no successor on its page.
 * `gone`: the page is gone.
 */
export type Fate = "mended" | "stands" | "removed" | "gone";

/** The pages of one repository as its newest known commit has them. */
export class LaterPages {
  readonly #objects: ObjectReader;
  readonly #trees: Trees;
  readonly #newest: string;
  readonly #pages = new Map<string, Promise<string[] | null>>();
  #names: Promise<readonly string[]> | undefined;

  constructor(mirror: string, repo: string, newest: string) {
    this.#objects = new ObjectReader(gitDirOf(mirror, repo));
    this.#trees = new Trees(this.#objects);
    this.#newest = newest;
  }

  close(): void {
    this.#objects.close();
  }

  async fateOf(commit: string, finding: AskedFinding): Promise<Fate> {
    const later = await this.#later(finding.path);
    if (later === null) return "gone";
    const then = (await this.#read(commit, finding.path)) ?? "";
    const lines = stripped(then.split("\n").slice(finding.startLine - 1, finding.endLine)).filter(Boolean);
    const standing = new Set(later);
    if (lines.length > 0 && lines.every((line) => standing.has(line))) return "stands";
    const suspects = suspectWords(finding);
    const fates = new Set(lines.map((line) => fateOfLine(line, { later, standing, suspects })));
    return (["mended", "stands"] as const).find((fate) => fates.has(fate)) ?? "removed";
  }

  #later(path: string): Promise<string[] | null> {
    const known = this.#pages.get(path) ?? this.#findLater(path);
    this.#pages.set(path, known);
    return known;
  }

  /** The page's lines at the newest commit, under its own path or as the only page of that name. */
  async #findLater(path: string): Promise<string[] | null> {
    let text = await this.#read(this.#newest, path);
    const name = basename(path);
    if (text === null && !["readme.md", "index.md"].includes(name.toLowerCase())) {
      this.#names ??= this.#list();
      const moved = (await this.#names).filter((each) => basename(each) === name);
      text = moved.length === 1 ? await this.#read(this.#newest, moved[0]!) : null;
    }
    return text === null ? null : stripped(text.split("\n"));
  }

  async #list(): Promise<string[]> {
    const commit = await this.#objects.read(this.#newest);
    const tree = /^tree (\w+)/.exec(commit?.bytes.toString("utf8") ?? "")?.[1];
    return tree ? (await this.#trees.list(tree)).map(({ path }) => path) : [];
  }

  async #read(commit: string, path: string): Promise<string | null> {
    const object = path.includes("\n") ? null : await this.#objects.read(`${commit}:${path}`);
    return object?.bytes.toString("utf8") ?? null;
  }
}

type Successors = {
  readonly later: readonly string[];
  readonly standing: ReadonlySet<string>;
  readonly suspects: readonly string[];
};

function fateOfLine(line: string, { later, standing, suspects }: Successors): Fate | "other" {
  if (suspects.length > 0 && !suspects.some((word) => line.includes(word))) return "other";
  if (standing.has(line)) return "stands";
  const near = closestMatch(line, later, { cutoff: 0.55 });
  if (near === null) return "removed";
  const keepsAll = suspects.every((word) => countWord(near, word) >= countWord(line, word));
  return suspects.length > 0 && keepsAll ? "stands" : "mended";
}

/** The words that are said to be false: those an edit takes out, else the first that the message quotes. */
function suspectWords({ edits, message }: AskedFinding): string[] {
  const taken = edits.flatMap(({ old_string, new_string }) => {
    const kept = wordsOf(new_string);
    return wordsOf(old_string).filter((word) => {
      const at = kept.indexOf(word);
      if (at >= 0) kept.splice(at, 1);
      return at < 0;
    });
  });
  return taken.length > 0
    ? taken
    : [...message.matchAll(/`([^`]+)`/g)].slice(0, 1).map((quoted) => quoted[1]!);
}

function countWord(text: string, word: string): number {
  return wordsOf(text).filter((each) => each === word).length;
}

function wordsOf(text: string): string[] {
  return text.match(/[\p{L}\p{N}_$.-]+/gu) ?? [];
}

function stripped(lines: readonly string[]): string[] {
  return lines.map((line) => line.trim());
}

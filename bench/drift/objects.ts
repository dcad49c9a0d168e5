import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";

export type GitObject = { readonly kind: string; readonly bytes: Buffer };

const HOLD = 192_000_000;

/** The objects of one repository, read through a single `git cat-file --batch`; the newest blobs stay in memory. */
export class ObjectReader {
  readonly #process: ChildProcessWithoutNullStreams;
  readonly #waiting: ((found: GitObject | null) => void)[] = [];
  readonly #kept = new Map<string, GitObject | null>();
  #keptBytes = 0;
  #held: Buffer = Buffer.alloc(0);
  #chunks: Buffer[] = [];
  #arrived = 0;
  #needed = 0;

  constructor(gitDir: string) {
    const env = { ...process.env, GIT_NO_LAZY_FETCH: "1", LC_ALL: "C" };
    this.#process = spawn("git", ["--git-dir", gitDir, "cat-file", "--batch"], { env });
    this.#process.stdin.on("error", () => {});
    this.#process.stdout.on("data", (chunk: Buffer) => this.#take(chunk));
    this.#process.on("close", () => {
      for (const answer of this.#waiting.splice(0)) answer(null);
    });
  }

  /** The object a name stands for (an id, or `commit:path`); null where the clone has none. */
  async read(name: string): Promise<GitObject | null> {
    const kept = this.#kept.get(name);
    if (kept !== undefined) return kept;
    const found = await new Promise<GitObject | null>((resolve) => {
      this.#waiting.push(resolve);
      this.#process.stdin.write(`${name}\n`);
    });
    this.#keep(name, found);
    return found;
  }

  close(): void {
    this.#process.stdin.end();
  }

  #keep(name: string, found: GitObject | null): void {
    this.#kept.set(name, found);
    this.#keptBytes += found?.bytes.length ?? 0;
    for (const [oldest, object] of this.#kept) {
      if (this.#keptBytes <= HOLD) return;
      this.#kept.delete(oldest);
      this.#keptBytes -= object?.bytes.length ?? 0;
    }
  }

  #take(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#arrived += chunk.length;
    if (this.#arrived < this.#needed) return;
    this.#held = this.#chunks.length === 1 ? chunk : Buffer.concat(this.#chunks);
    while (this.#answerOne());
    this.#chunks = [this.#held];
    this.#arrived = this.#held.length;
  }

  /** Git answers in the order of the questions, so the first caller in the queue owns the next object. */
  #answerOne(): boolean {
    const end = this.#held.indexOf(10);
    this.#needed = 0;
    if (end < 0) return false;
    const [, kind, size] = this.#held.toString("latin1", 0, end).split(" ");
    if (size === undefined || kind === "missing") return this.#answer(null, end + 1);
    const next = end + 1 + Number(size) + 1;
    if (this.#held.length < next) {
      this.#needed = next;
      return false;
    }
    const bytes = Buffer.from(this.#held.subarray(end + 1, next - 1));
    return this.#answer({ kind: kind!, bytes }, next);
  }

  #answer(found: GitObject | null, next: number): true {
    this.#held = this.#held.subarray(next);
    this.#waiting.shift()?.(found);
    return true;
  }
}

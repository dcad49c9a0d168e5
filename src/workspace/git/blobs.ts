import type { Socket } from "node:net";
import { decode } from "./parse-output.ts";
import type { RunGit, StartGit } from "./run-git.ts";

type TakeBlob = (id: string, bytes: Uint8Array) => void;

/** Hands over blobs by id, each once; an id without one is not here. */
export type EachBlob = (ids: readonly string[], take: TakeBlob) => Promise<void>;

/** Blobs by id. */
export async function readBlobs(
  eachBlob: EachBlob,
  ids: readonly string[],
): Promise<Map<string, Uint8Array>> {
  const blobs = new Map<string, Uint8Array>();
  await eachBlob(ids, (id, bytes) => blobs.set(id, new Uint8Array(bytes)));
  return blobs;
}

/**
 * Many blobs are read by one process that prints them in large pieces. Starting git costs more than reading a few, so
 * these are asked of one process, which ends when nobody has asked for a moment.
 */
export function createBlobReader(git: RunGit, start: StartGit): EachBlob {
  let open: OpenReader | undefined;
  return async (ids, take) => {
    const wanted = [...new Set(ids)];
    if (wanted.length === 0) return;
    if (wanted.length > FEW) return readMany(git, wanted, take);
    if (!open?.isOpen) open = new OpenReader(start);
    await open.read(wanted, take);
  };
}

const FEW = 100;
// Longer than code takes to be read between two questions: starting git costs a large process 20 ms and more.
const REST = 5_000;

async function readMany(git: RunGit, ids: readonly string[], take: TakeBlob): Promise<void> {
  const objects = new ObjectStream(take);
  await git(["cat-file", "--batch", "--buffer"], {
    input: `${ids.join("\n")}\n`,
    take: (piece) => objects.add(piece),
  });
}

type Question = {
  readonly take: TakeBlob;
  /** How many ids have no answer yet. */
  left: number;
  readonly end: (error?: unknown) => void;
};

/** A `cat-file --batch` that answers one question after the other. It does not keep the program running while it rests. */
class OpenReader {
  isOpen = true;
  readonly #child: ReturnType<StartGit>;
  readonly #questions: Question[] = [];
  #rest: NodeJS.Timeout | undefined;

  constructor(start: StartGit) {
    this.#child = start(["cat-file", "--batch"]);
    const objects = new ObjectStream(
      (id, bytes) => this.#take(id, bytes),
      () => this.#answered(),
    );
    this.#child.stdin.on("error", () => {});
    this.#child.stdout.on("data", (piece: Uint8Array) => objects.add(piece));
    this.#child.on("error", (error: NodeJS.ErrnoException) =>
      this.#close(error.code === "ENOENT" ? undefined : error),
    );
    this.#child.on("close", () => this.#close());
  }

  read(ids: readonly string[], take: TakeBlob): Promise<void> {
    this.#keepRunning(true);
    return new Promise((resolve, reject) => {
      const end = (error?: unknown): void => (error === undefined ? resolve() : reject(error));
      this.#questions.push({ take, left: ids.length, end });
      this.#child.stdin.write(`${ids.join("\n")}\n`);
    });
  }

  #take(id: string, bytes: Uint8Array): void {
    const [question] = this.#questions;
    try {
      question?.take(id, bytes);
    } catch (error) {
      question?.end(error);
    }
  }

  #answered(): void {
    const [question] = this.#questions;
    if (!question || --question.left > 0) return;
    this.#questions.shift();
    question.end();
    if (this.#questions.length === 0) this.#keepRunning(false);
  }

  #keepRunning(isAsked: boolean): void {
    clearTimeout(this.#rest);
    const { stdin, stdout } = this.#child as unknown as Record<"stdin" | "stdout", Socket>;
    for (const handle of [this.#child, stdin, stdout]) {
      if (isAsked) handle.ref();
      else handle.unref();
    }
    if (isAsked) return;
    this.#rest = setTimeout(() => {
      this.isOpen = false;
      this.#child.stdin.end();
    }, REST).unref();
  }

  #close(error?: unknown): void {
    this.isOpen = false;
    for (const question of this.#questions.splice(0)) question.end(error);
  }
}

const lineFeed = 10;
const nothing = new Uint8Array();

/** Cuts the output of `cat-file --batch` into objects: a line with the id, the kind and the size, the bytes, a line feed. */
class ObjectStream {
  readonly #take: TakeBlob;
  /** Called after each object, also where one is missing. */
  readonly #answered: () => void;
  /** The part of a head line that a piece of the output ended in. */
  #head: Uint8Array = nothing;
  #object: { readonly id: string; readonly kind: string } | null = null;
  /** The bytes of the object, where they lie in several pieces. */
  #bytes: Uint8Array | null = null;
  #size = 0;
  #filled = 0;
  #skipsLineFeed = false;

  constructor(take: TakeBlob, answered: () => void = () => {}) {
    this.#take = take;
    this.#answered = answered;
  }

  add(piece: Uint8Array): void {
    for (let at = 0; at < piece.length; ) at = this.#object ? this.#fill(piece, at) : this.#open(piece, at);
  }

  /** Reads the line before an object. Returns where the next part begins. */
  #open(piece: Uint8Array, start: number): number {
    const at = this.#skipsLineFeed ? start + 1 : start;
    this.#skipsLineFeed = false;
    const end = piece.indexOf(lineFeed, at);
    if (end < 0) {
      this.#head = join(this.#head, piece.subarray(at));
      return piece.length;
    }
    const [id, kind, size] = decode(join(this.#head, piece.subarray(at, end))).split(" ");
    this.#head = nothing;
    if (size === undefined || kind === "missing") {
      this.#answered();
      return end + 1;
    }
    this.#object = { id: id!, kind: kind! };
    this.#size = Number(size);
    this.#filled = 0;
    if (this.#size === 0) this.#close(nothing);
    return end + 1;
  }

  #fill(piece: Uint8Array, at: number): number {
    const end = Math.min(piece.length, at + this.#size - this.#filled);
    if (this.#filled === 0 && end - at === this.#size) this.#close(piece.subarray(at, end));
    else {
      this.#bytes ??= new Uint8Array(this.#size);
      this.#bytes.set(piece.subarray(at, end), this.#filled);
      this.#filled += end - at;
      if (this.#filled === this.#size) this.#close(this.#bytes);
    }
    return end;
  }

  #close(bytes: Uint8Array): void {
    const { id, kind } = this.#object!;
    this.#object = null;
    this.#bytes = null;
    this.#skipsLineFeed = true;
    if (kind === "blob") this.#take(id, bytes);
    this.#answered();
  }
}

function join(first: Uint8Array, second: Uint8Array): Uint8Array {
  if (first.length === 0) return second;
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}

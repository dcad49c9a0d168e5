import { decode } from "./parse-output.ts";
import type { RunGit } from "./run-git.ts";

type TakeBlob = (id: string, bytes: Uint8Array) => void;

/** Blobs by id; an id without one is not here. */
export async function readBlobs(git: RunGit, ids: readonly string[]): Promise<Map<string, Uint8Array>> {
  const blobs = new Map<string, Uint8Array>();
  await eachBlob(git, ids, (id, bytes) => blobs.set(id, new Uint8Array(bytes)));
  return blobs;
}

/** One `cat-file --batch` for all: starting git for each would cost more than reading. */
export async function eachBlob(git: RunGit, ids: readonly string[], take: TakeBlob): Promise<void> {
  const wanted = [...new Set(ids)];
  if (wanted.length === 0) return;
  const objects = new ObjectStream(take);
  await git(["cat-file", "--batch", "--buffer"], {
    input: `${wanted.join("\n")}\n`,
    take: (piece) => objects.add(piece),
  });
}

const lineFeed = 10;
const nothing = new Uint8Array();

/** Cuts the output of `cat-file --batch` into objects: a line with the id, the kind and the size, the bytes, a line feed. */
class ObjectStream {
  readonly #take: TakeBlob;
  /** The part of a head line that a piece of the output ended in. */
  #head: Uint8Array = nothing;
  #object: { readonly id: string; readonly kind: string } | null = null;
  /** The bytes of the object, where they lie in several pieces. */
  #bytes: Uint8Array | null = null;
  #size = 0;
  #filled = 0;
  #skipsLineFeed = false;

  constructor(take: TakeBlob) {
    this.#take = take;
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
    if (size === undefined || kind === "missing") return end + 1;
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
  }
}

function join(first: Uint8Array, second: Uint8Array): Uint8Array {
  if (first.length === 0) return second;
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}

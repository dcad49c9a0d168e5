import type { ChangedFile, DocumentText } from "../../drift/change/change.ts";
import type { WordIndex } from "../../syntax/words/word-index.ts";
import { decode } from "../../text/model/encoding.ts";
import type { Git } from "../../workspace/git/git.ts";

/**
 * A cache that the next check of the same repository can use: texts by their blobs, the words of each blob,
 * and pages and changed files as the values that were analysed. A check without a memory begins with an empty one.
 */
export class CheckMemory {
  readonly texts = new BlobTexts();
  /** The word index, once a check has needed it. */
  words: WordIndex | undefined;
  readonly #documents = new Map<string, DocumentText>();
  readonly #changes = new Map<string, ChangedFile>();

  /** The same value for the same page, so that its outline is read once. */
  document(page: DocumentText): DocumentText {
    const known = this.#documents.get(page.path);
    if (
      known &&
      known.text === page.text &&
      known.whole === page.whole &&
      known.isCurrent === page.isCurrent &&
      known.isWritten === page.isWritten
    )
      return known;
    this.#documents.set(page.path, page);
    return page;
  }

  /** The same value for the same change of a file, so that it is compared once. */
  change(file: ChangedFile): ChangedFile {
    const known = this.#changes.get(file.path);
    if (known && known.before === file.before && known.after === file.after) return known;
    this.#changes.set(file.path, file);
    return file;
  }

  /** Drops what the last check did not use, and texts beyond the limit. */
  dropUnused(documents: readonly DocumentText[], files: readonly ChangedFile[]): void {
    keepOnly(this.#documents, documents);
    keepOnly(this.#changes, files);
    this.texts.trim();
  }
}

function keepOnly<T extends { readonly path: string }>(known: Map<string, T>, used: readonly T[]): void {
  if (known.size === used.length) return;
  const paths = new Set(used.map(({ path }) => path));
  for (const path of known.keys()) if (!paths.has(path)) known.delete(path);
}

const largest = 1_000_000;
const mostCharacters = 64_000_000;

/** Why a blob has no text. */
export type LeftOut = "absent" | "large" | "notText";

/** The texts of blobs. A blob that is no text, or too large, has none. */
export class BlobTexts {
  readonly #texts = new Map<string, string | null>();
  readonly #leftOut = new Map<string, LeftOut>();
  #characters = 0;

  has(id: string): boolean {
    return this.#texts.has(id);
  }

  /** Why a blob that was asked for has no text; undefined where it has one. */
  leftOut(id: string): LeftOut | undefined {
    return this.#leftOut.get(id);
  }

  async fill(git: Git, wanted: readonly string[]): Promise<void> {
    const missing = wanted.filter((id) => !this.#texts.has(id));
    if (missing.length === 0) return;
    await git.eachBlob(missing, (id, bytes) => {
      const text = textOf(bytes);
      this.#keep(id, text);
      if (text === null) this.#leftOut.set(id, bytes.length > largest ? "large" : "notText");
    });
    for (const id of missing) {
      if (this.#texts.has(id)) continue;
      this.#keep(id, null);
      this.#leftOut.set(id, "absent");
    }
  }

  async read(git: Git, id: string): Promise<string | null> {
    await this.fill(git, [id]);
    return this.#texts.get(id) ?? null;
  }

  /** Forgets which blobs were not here: they may have been fetched. */
  forgetAbsent(): void {
    for (const [id, why] of this.#leftOut) {
      if (why !== "absent") continue;
      this.#texts.delete(id);
      this.#leftOut.delete(id);
    }
  }

  /** Drops the oldest texts beyond the limit. */
  trim(): void {
    for (const [id, text] of this.#texts) {
      if (this.#characters <= mostCharacters) return;
      this.#texts.delete(id);
      this.#characters -= text?.length ?? 0;
    }
  }

  #keep(id: string, text: string | null): void {
    if (this.#texts.has(id)) return;
    this.#texts.set(id, text);
    this.#characters += text?.length ?? 0;
  }
}

/** The text of a blob; null where there is none to judge. */
export function textOf(bytes: Uint8Array | undefined): string | null {
  if (bytes === undefined || bytes.length > largest) return null;
  const decoded = decode(bytes);
  return decoded.ok ? decoded.value.text : null;
}

export type FetchContents = (ids: readonly string[]) => Promise<void>;

/** Fetches one after the other, until they have taken too long together. */
export class LimitedFetches {
  readonly #fetch: FetchContents | undefined;
  #left: number;
  #last: Promise<unknown> = Promise.resolve();
  /** Contents were asked for after the time was over. */
  isCut = false;

  constructor(fetch: FetchContents | undefined, milliseconds: number) {
    this.#fetch = fetch;
    this.#left = milliseconds;
  }

  fetch(ids: readonly string[]): Promise<boolean> {
    const next = this.#last.then(() => this.#fetchNext(ids));
    this.#last = next.catch(() => {});
    return next;
  }

  async #fetchNext(ids: readonly string[]): Promise<boolean> {
    if (this.#left <= 0) this.isCut = true;
    if (this.#left <= 0 || this.#fetch === undefined) return false;
    const began = performance.now();
    await this.#fetch(ids);
    this.#left -= performance.now() - began;
    return true;
  }
}

/** Gives equal strings the same number, counted from 0. */
export class Interner {
  readonly #ids = new Map<string, number>();

  id(key: string): number {
    const id = this.#ids.get(key) ?? this.#ids.size;
    if (id === this.#ids.size) this.#ids.set(key, id);
    return id;
  }

  /** The number of a string that has one already; -1 for any other. */
  find(key: string): number {
    return this.#ids.get(key) ?? -1;
  }
}

/** A resource that is closed once, and stays closed. */
export type Closable = AsyncDisposable & { close(): Promise<void> };

/** A `close` that releases only once, also with `await using`. */
export function closable(release: () => Promise<void>): Closable {
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closing ??= release();
    return closing;
  };
  return { close, [Symbol.asyncDispose]: close };
}

/**
 * Counts the operations on an open resource. `close` refuses new operations at once, waits for the running ones, and
 * then releases the resource.
 */
export class Lifetime {
  readonly #refusal: () => Error;
  #running = 0;
  #closing: Promise<void> | null = null;
  #whenIdle: (() => void) | null = null;

  /** `refusal` creates the error that every operation after `close` throws. */
  constructor(refusal: () => Error) {
    this.#refusal = refusal;
  }

  get isClosed(): boolean {
    return this.#closing !== null;
  }

  check(): void {
    if (this.#closing) throw this.#refusal();
  }

  /** Runs one operation. `close` waits for it. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    this.check();
    this.#running++;
    try {
      return await work();
    } finally {
      this.#running--;
      if (this.#running === 0) this.#whenIdle?.();
    }
  }

  /** Closes at once if it is open and no operation runs. Returns whether it did. */
  closeIdle(release: () => void): boolean {
    if (this.#closing || this.#running > 0) return false;
    this.#closing = Promise.resolve();
    release();
    return true;
  }

  /** A second call only waits for the first. */
  close(release: () => Promise<void>): Promise<void> {
    // The state is set first, so that operations from inside `release` are refused too.
    this.#closing ??= Promise.resolve().then(() => this.#end(release));
    return this.#closing;
  }

  async #end(release: () => Promise<void>): Promise<void> {
    if (this.#running > 0)
      await new Promise<void>((resolve) => {
        this.#whenIdle = resolve;
      });
    await release();
  }
}

/** Something that is opened, closed once, and then closed for good. */
export type Closable = AsyncDisposable & { close(): Promise<void> };

/** `close`, which happens once however often it is called, also by `await using`. */
export function closable(release: () => Promise<void>): Closable {
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closing ??= release();
    return closing;
  };
  return { close, [Symbol.asyncDispose]: close };
}

/**
 * Counts the operations on something that is open. Closing refuses new operations at once, waits for those that run,
 * and only then releases what they use.
 */
export class Lifetime {
  readonly #refusal: () => Error;
  #running = 0;
  #closing: Promise<void> | null = null;
  #whenIdle: (() => void) | null = null;

  /** `refusal` makes the error that every operation after `close` throws. */
  constructor(refusal: () => Error) {
    this.#refusal = refusal;
  }

  get isClosed(): boolean {
    return this.#closing !== null;
  }

  check(): void {
    if (this.#closing) throw this.#refusal();
  }

  /** Runs one operation; `close` waits for its end. */
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

  /** A second call does nothing, and answers when the first has ended. */
  close(release: () => Promise<void>): Promise<void> {
    // The state is set before anything happens, so that an operation from inside `release` is refused as well.
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

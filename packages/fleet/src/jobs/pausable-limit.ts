/** A limit of time that does not run while the process waits for the network. */
export class PausableLimit {
  readonly #onOver: () => void;
  #left: number;
  #since = 0;
  #pauses = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(milliseconds: number, onOver: () => void) {
    this.#left = milliseconds;
    this.#onOver = onOver;
    this.#start();
  }

  pause(): void {
    if (this.#pauses++ > 0) return;
    clearTimeout(this.#timer);
    this.#left -= performance.now() - this.#since;
  }

  resume(): void {
    if (--this.#pauses === 0) this.#start();
  }

  end(): void {
    this.#pauses++;
    clearTimeout(this.#timer);
  }

  #start(): void {
    this.#since = performance.now();
    this.#timer = setTimeout(this.#onOver, Math.max(0, this.#left));
  }
}

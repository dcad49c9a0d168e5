/**
 * Standard output or standard error. It is written without a stream: loading Node's streams takes longer than an edit.
 * The stream is used where the descriptor does not wait.
 */
export class StandardStream {
  readonly #descriptor: 1 | 2;
  #isClosed = false;
  #stream: NodeJS.WriteStream | null = null;

  constructor(descriptor: 1 | 2) {
    this.#descriptor = descriptor;
  }

  get isTerminal(): boolean {
    return isTerminal(this.#descriptor);
  }

  /** A closed pipe is no error: a reader such as `head` closes it early. */
  write(text: string | Uint8Array): void {
    let rest: Uint8Array = typeof text === "string" ? Buffer.from(text) : text;
    if (this.#stream) this.#stream.write(rest);
    const { writeSync } = process.getBuiltinModule("node:fs");
    try {
      while (!this.#stream && !this.#isClosed && rest.length > 0)
        rest = rest.subarray(writeSync(this.#descriptor, rest));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "EPIPE") this.#isClosed = true;
      else if (code === "EAGAIN") this.#openStream().write(rest);
      else throw error;
    }
  }

  #openStream(): NodeJS.WriteStream {
    const stream = this.#descriptor === 1 ? process.stdout : process.stderr;
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") throw error;
    });
    this.#stream = stream;
    return stream;
  }
}

/** Whether a descriptor is a terminal. Node is asked only where it may be one: its answer loads the network. */
export function isTerminal(descriptor: 0 | 1 | 2): boolean {
  const { fstatSync, statSync } = process.getBuiltinModule("node:fs");
  if (process.platform !== "win32")
    try {
      const found = fstatSync(descriptor);
      if (!found.isCharacterDevice() || found.rdev === statSync("/dev/null").rdev) return false;
    } catch {
      return false;
    }
  return process.getBuiltinModule("node:tty").isatty(descriptor);
}

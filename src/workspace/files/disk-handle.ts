import * as fs from "node:fs";
import { Lifetime } from "../lifetime.ts";
import { FilesError } from "./files.ts";

/**
 * An open descriptor. The system reuses the number of a closed descriptor for the next file that the process opens, so
 * this class hands the number out only for one operation, and closes it only when no operation uses it.
 */
export class DiskHandle {
  readonly path: string;
  readonly identity: string;
  /** `null`: a directory on a platform that cannot open directories. */
  readonly #fd: number | null;
  readonly #lifetime = new Lifetime(() => new FilesError("EBADF", "the handle is closed", this.path));

  constructor(fd: number | null, path: string, identity: string) {
    this.#fd = fd;
    this.path = path;
    this.identity = identity;
  }

  /** Throws `EBADF` once the handle is closed. */
  check(): void {
    this.#lifetime.check();
  }

  hasDescriptor(): boolean {
    this.check();
    return this.#fd !== null;
  }

  /** Only for a synchronous call that follows immediately. */
  fd(): number {
    this.check();
    if (this.#fd === null) throw new FilesError("EBADF", "the handle has no descriptor", this.path);
    return this.#fd;
  }

  /** Keeps the descriptor open until the asynchronous `work` has ended. */
  during<T>(work: (fd: number) => Promise<T>): Promise<T> {
    return this.#lifetime.during(() => work(this.fd()));
  }

  /** Refuses new operations, waits for the running ones, and then closes. A second call does nothing. */
  async close(): Promise<void> {
    const release = (): void => {
      if (this.#fd !== null) fs.closeSync(this.#fd);
    };
    if (!this.#lifetime.closeIdle(release)) await this.#lifetime.close(async () => release());
  }
}

import type { IncomingMessage } from "node:http";
import { readBody } from "suture/service";

/**
 * A limit on the bodies that are read at one time. Where it is reached, the body that has been arriving for the longest
 * time gives way: a client that holds its body back must not keep out the others.
 */
export class BodyMemory {
  readonly #most: number;
  readonly #open = new Set<OpenBody>();
  #used = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** The body of a request; null when it is larger than allowed, `crowded` when it gave way to others. */
  async read(request: IncomingMessage, most: number): Promise<Buffer | null | "crowded"> {
    const body: OpenBody = { request, bytes: 0, gaveWay: false };
    this.#open.add(body);
    try {
      return await readBody(request, { most, onChunk: (bytes) => this.#add(body, bytes) });
    } catch (error) {
      if (body.gaveWay) return "crowded";
      throw error;
    } finally {
      this.#open.delete(body);
      this.#used -= body.bytes;
    }
  }

  #add(body: OpenBody, bytes: number): void {
    body.bytes += bytes;
    this.#used += bytes;
    let over = this.#used - this.#most;
    // A set keeps the order in which the bodies began.
    for (const oldest of this.#open) {
      if (over <= 0) return;
      if (oldest.gaveWay) continue;
      oldest.gaveWay = true;
      over -= oldest.bytes;
      oldest.request.destroy();
    }
  }
}

type OpenBody = { readonly request: IncomingMessage; bytes: number; gaveWay: boolean };

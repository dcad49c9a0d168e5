import type { Concern } from "../workspace/paths/guarded-names.ts";
import { KeptRetries } from "./kept-retries.ts";
import { ServedTexts } from "./served.ts";

/**
 * What a session knows of its earlier calls: the lines that it was shown, the corrected calls that it was offered, and
 * what the person behind it has answered.
 */
export class SessionMemory {
  /** A name of the session for the journal. */
  readonly id = crypto.randomUUID();
  readonly served = new ServedTexts();
  readonly retries = new KeptRetries();
  readonly consents = new KnownConsents();
}

/** The memories of clients whose requests reach a server one by one, by the names that the clients give. */
export class ClientMemories {
  readonly #kept = new Map<string, SessionMemory>();

  of(client = ""): SessionMemory {
    const memory = this.#kept.get(client) ?? new SessionMemory();
    this.#kept.delete(client);
    this.#kept.set(client, memory);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > mostClients) this.#kept.delete(oldest!);
    return memory;
  }
}

const mostClients = 20;

/** A person's answers about sensitive files, by file or by kind of file. */
export class KnownConsents {
  readonly #files = new Map<string, boolean>();
  readonly #kinds = new Set<Concern>();

  /** Whether the person has agreed; undefined where the person was not asked. */
  find(path: string, concern: Concern): boolean | undefined {
    return this.#kinds.has(concern) ? true : this.#files.get(path);
  }

  note(path: string, concern: Concern, answer: ConsentAnswer): void {
    if (answer === "kind") this.#kinds.add(concern);
    else this.#files.set(path, answer === "file");
  }
}

export type ConsentAnswer = "file" | "kind" | "no";

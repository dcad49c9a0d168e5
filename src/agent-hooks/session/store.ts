import {
  listCacheFiles,
  readCacheFile,
  removeCacheFile,
  writeCacheFile,
} from "../../workspace/files/cache-file.ts";
import { sha256 } from "../../workspace/hash/sha256.ts";
import { type AgentSession, freshSession, parseSession, printSession } from "./session.ts";

/** A session has a file, and a folder for the files that its tools work on. */
const mostEntries = 200;

/**
 * The sessions of one repository. They are files in the user's cache: all work trees share them, `git clean` does not
 * remove them, and a repository whose hook is in the user's settings gets no files.
 */
export class SessionStore {
  readonly #folder: string;
  readonly #name: string;

  /** `repository`: the folder that all its work trees share. */
  constructor(repository: string, session: string | null) {
    this.#folder = `agents/${digest(repository)}`;
    this.#name = `${this.#folder}/${digest(session ?? "")}.json`;
  }

  read(): AgentSession | null {
    const bytes = readCacheFile(this.#name);
    return bytes === null ? null : parseSession(new TextDecoder().decode(bytes));
  }

  readOrCreate(client: string): AgentSession {
    return this.read() ?? freshSession(client);
  }

  write(session: AgentSession): void {
    writeCacheFile(this.#name, new TextEncoder().encode(printSession(session)));
  }

  /** Removes the least recently used sessions. */
  prune(): void {
    const files = listCacheFiles(this.#folder).sort((a, b) => b.time - a.time);
    for (const { name } of files.slice(mostEntries)) removeCacheFile(name);
  }
}

/** Forgets every session of a repository, and the files that were kept for them. */
export function forgetSessions(repository: string): void {
  removeCacheFile(`agents/${digest(repository)}`);
}

/** A name that no crafted session id can turn into a path. */
function digest(text: string): string {
  return sha256(text).slice(0, 32);
}

import {
  listCacheFiles,
  readCacheFile,
  removeCacheFile,
  writeCacheFile,
} from "../../workspace/files/cache-file.ts";
import { sha256 } from "../../workspace/hash/sha256.ts";
import type { FileMoment } from "./judge.ts";

/** The saved state of a file while a tool runs: the bytes, and whether the agent had seen them. */
export type KeptFile = {
  readonly path: string;
  readonly moment: FileMoment;
  /** Another program changed the file after the agent last read it. */
  readonly isUnseen: boolean;
};

/** After an hour, the hook after a call is not expected any more: the tool has failed, or the client was ended. */
const longestCall = 3_600_000;

/** The files of one session that tools are working on, and the versions that the agent has seen. */
export class KeptFiles {
  readonly #folder: string;

  constructor(repository: string, session: string | null) {
    this.#folder = `agents/${digest(repository)}/${digest(session ?? "")}`;
  }

  keep(call: string, { path, moment, isUnseen }: KeptFile): void {
    const head = JSON.stringify({ path, mode: moment?.mode ?? null, isUnseen });
    const bytes = Buffer.concat([Buffer.from(`${head}\n`), moment?.bytes ?? new Uint8Array()]);
    writeCacheFile(this.#name("call", call, path), bytes);
  }

  /** Returns the state that was saved before a call, and forgets it. */
  take(call: string, path: string): KeptFile | null {
    const name = this.#name("call", call, path);
    const bytes = readCacheFile(name);
    removeCacheFile(name);
    if (!bytes) return null;
    const end = bytes.indexOf(10);
    const head = JSON.parse(Buffer.from(bytes.subarray(0, end)).toString("utf8")) as {
      readonly mode: number | null;
      readonly isUnseen: boolean;
    };
    const moment = head.mode === null ? null : { bytes: bytes.slice(end + 1), mode: head.mode };
    return { path, moment, isUnseen: head.isUnseen };
  }

  /** Forgets what was kept for calls whose end no hook reported. */
  forgetAbandoned(now: number): void {
    for (const { name, time } of listCacheFiles(this.#folder))
      if (name.startsWith(`${this.#folder}/call-`) && now - time > longestCall) removeCacheFile(name);
  }

  /** Remembers that the agent knows a file as it is now. */
  see(path: string, version: string): void {
    writeCacheFile(this.#name("seen", path), new TextEncoder().encode(version));
  }

  /** Whether the agent has seen the file, and it was another version. */
  hasSeenOther(path: string, version: string): boolean {
    const bytes = readCacheFile(this.#name("seen", path));
    return bytes !== null && new TextDecoder().decode(bytes) !== version;
  }

  /** Remembers that git does not ignore a file, as long as the work tree has this stamp. */
  trust(path: string, stamp: string): void {
    writeCacheFile(this.#name("wanted", path), new TextEncoder().encode(stamp));
  }

  isTrusted(path: string, stamp: string): boolean {
    const bytes = readCacheFile(this.#name("wanted", path));
    return bytes !== null && new TextDecoder().decode(bytes) === stamp;
  }

  #name(kind: string, ...words: readonly string[]): string {
    return `${this.#folder}/${kind}-${digest(words.join("\0"))}`;
  }
}

function digest(text: string): string {
  return sha256(text).slice(0, 32);
}

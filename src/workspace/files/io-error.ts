import type { Refusal } from "../../text/model/outcome.ts";
import { codeOf } from "./files.ts";

/** An operation of the machine that failed on the account of one file. */
class Trouble extends Error {
  readonly path: string;
  readonly code: string;
  constructor(path: string, error: Error, code: string) {
    super(error.message);
    this.path = path;
    this.code = code;
  }
}

/** Does work for one file, and says which it was if the machine lets it down. Bugs are thrown on as they are. */
export async function onBehalfOf<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const isMachine = error instanceof Error && typeof (error as { code?: unknown }).code === "string";
    throw isMachine ? new Trouble(path, error, codeOf(error)) : error;
  }
}

const denials = ["EACCES", "EPERM", "EROFS"];

/** The machine's trouble as a refusal; our own bugs are thrown on. The names in its message are our handles: left out. */
export function refusalOfTrouble(error: unknown): Refusal {
  const errno = codeOf(error);
  const detail = error instanceof Error ? error.message.replace(/ '.*$/s, "") : errno;
  const path = error instanceof Trouble ? { path: error.path } : {};
  return { code: denials.includes(errno) ? "not-allowed" : "unavailable", ...path, errno, detail };
}

import type { Refusal } from "../../text/model/outcome.ts";
import { codeOf } from "./files.ts";

/** An I/O error of a known file. */
class IoError extends Error {
  readonly path: string;
  readonly code: string;
  constructor(path: string, error: Error, code: string) {
    super(error.message);
    this.path = path;
    this.code = code;
  }
}

/** Runs work for one file and adds its path to I/O errors. Other errors pass through unchanged. */
export async function withErrorPath<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const isIoError = error instanceof Error && typeof (error as { code?: unknown }).code === "string";
    throw isIoError ? new IoError(path, error, codeOf(error)) : error;
  }
}

const denials = ["EACCES", "EPERM", "EROFS"];

/** Turns an I/O error into a refusal, and rethrows bugs. The detail omits the file names, which are internal handles. */
export function refusalOfIoError(error: unknown): Refusal {
  const errno = codeOf(error);
  const detail = error instanceof Error ? error.message.replace(/ '.*$/s, "") : errno;
  const path = error instanceof IoError ? { path: error.path } : {};
  return { code: denials.includes(errno) ? "not-allowed" : "unavailable", ...path, errno, detail };
}

import type { RefusalCode } from "../text/model/outcome.ts";

/** Exit codes of every command: done or clean; drift, refusal or failed page; bad usage; could not tell. */
export const exit = { done: 0, refused: 1, misused: 2, failed: 3 } as const;

/** One refusal, one exit code, whichever command meets it. `declined` is a person's no, `error` a bug of ours. */
const codes: Readonly<Record<RefusalCode | "error", number>> = {
  malformed: exit.misused,
  "not-found": exit.refused,
  ambiguous: exit.refused,
  overlap: exit.refused,
  "no-change": exit.refused,
  "out-of-range": exit.refused,
  exists: exit.refused,
  "not-text": exit.refused,
  "too-large": exit.refused,
  stale: exit.refused,
  outside: exit.refused,
  protected: exit.refused,
  "needs-consent": exit.refused,
  conflict: exit.refused,
  unparsable: exit.refused,
  "not-allowed": exit.refused,
  declined: exit.refused,
  error: exit.failed,
  locked: exit.failed,
  closed: exit.failed,
  aborted: exit.failed,
  unavailable: exit.failed,
};

/** The exit code of a check: findings that are left, documents that could not be judged, or clean. */
export function exitCodeOfCheck(check: {
  readonly open: number;
  readonly unknown: number;
  readonly strict: boolean;
}): number {
  if (check.open > 0) return check.strict ? exit.refused : exit.done;
  return check.unknown > 0 ? exit.failed : exit.done;
}

/** The exit code of a refusal, or of a result that carries its code. A root that is not there was named wrongly. */
export function exitCodeOf({ code, errno }: { readonly code?: string; readonly errno?: unknown }): number {
  if (code === "unavailable" && (errno === "ENOENT" || errno === "ENOTDIR")) return exit.misused;
  return code !== undefined && Object.hasOwn(codes, code) ? codes[code as keyof typeof codes] : exit.refused;
}

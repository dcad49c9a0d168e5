/** What is done to a repository, one after the other. */
export type JobKind = "check" | "fix" | "publish";

/** Why: a change request, a push, the nightly round, or a person. */
export type Cause = "request" | "push" | "nightly" | "hand";

/** A job as the queue keeps it. It names things; it never holds a token, a path of this machine or a page. */
export type Job = {
  readonly kind: JobKind;
  readonly repository: number;
  readonly organisation: string;
  /** The commit it is about; null for whatever the main branch has when the job begins. */
  readonly commit: string | null;
  readonly cause: Cause;
  readonly request?: number;
  readonly turn: number;
  /** The run whose findings or edits this job goes on with. */
  readonly after?: string;
};

/** Jobs with one key are one job, as long as it waits or runs. */
export function keyOf({ repository, kind, commit, request }: Omit<Job, "turn">): string {
  return [repository, kind, commit ?? "head", ...(request === undefined ? [] : [request])].join("/");
}

const widthOfBand = 600_000_000;

/** From this on only publishing, which needs the rights to write that other jobs do without. */
export const publishing = 2 * widthOfBand + 1;

/**
 * Higher goes first. What only waits to be shown comes before change requests, these before pushes, these before the
 * nightly round; within each of them, organisations take turns.
 */
export function priorityOf({ kind, cause, turn }: Pick<Job, "kind" | "cause" | "turn">): number {
  const band = kind === "publish" ? 3 : cause === "request" ? 2 : cause === "nightly" ? 0 : 1;
  return band * widthOfBand - (turn % widthOfBand);
}

/** The steps for one repository, in this order. The last one keeps its dashboard, where one is asked for. */
export type JobKind = "check" | "fix" | "publish" | "dashboard";

/** What started the job: a pull request, a push, the nightly schedule, a comment on our pull request, or a person. */
export type JobCause = "request" | "push" | "nightly" | "comment" | "hand";

/** A job as the queue stores it. It holds names and ids only: no token, no local path, no page. */
export type Job = {
  readonly kind: JobKind;
  readonly repository: number;
  readonly organisation: string;
  /** The commit to work on; null for the newest commit of the main branch when the job starts. */
  readonly commit: string | null;
  readonly cause: JobCause;
  readonly request?: number;
  readonly turn: number;
  /** The run whose findings or edits this job continues with. */
  readonly after?: string;
};

/** Two jobs with the same key are one job while it waits or runs. */
export function keyOf({ repository, kind, commit, request }: Omit<Job, "turn">): string {
  return [repository, kind, commit ?? "head", ...(request === undefined ? [] : [request])].join("/");
}

const bandWidth = 600_000_000;

/** Whether a job of this kind writes to the host of its repository. */
export function writesToHost(kind: JobKind): boolean {
  return kind === "publish" || kind === "dashboard";
}

/** The lowest priority of publishing jobs. Only these need write access to hosts. */
export const publishing = 2 * bandWidth + 1;

/**
 * The highest priority runs first: publishing, then pull requests, then pushes, then the nightly schedule. Within each
 * band, organisations share fairly.
 */
export function priorityOf({ kind, cause, turn }: Pick<Job, "kind" | "cause" | "turn">): number {
  const band = writesToHost(kind) ? 3 : cause === "request" ? 2 : cause === "nightly" ? 0 : 1;
  return band * bandWidth - (turn % bandWidth);
}

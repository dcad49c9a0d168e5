/**
 * The steps for one repository, in this order. `decisions` asks the host what people decided about our pull requests, where
 * no publishing does. The last one keeps the dashboard, where one is asked for.
 */
export type JobKind = "check" | "fix" | "publish" | "decisions" | "dashboard";

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
  /** What it is to look at may be newer than the same job that runs now. */
  readonly isAgain?: boolean;
};

/**
 * Two jobs with the same key are one job while it waits or runs. A check that a person asked for is not the one of the
 * schedule, which does nothing without a new commit.
 */
export function keyOf({ repository, kind, commit, cause, request, isAgain }: Omit<Job, "turn">): string {
  const isAsked = kind === "check" && (cause === "hand" || cause === "comment");
  return [
    repository,
    kind,
    commit ?? "head",
    ...(request === undefined ? [] : [request]),
    ...(isAsked ? ["asked"] : []),
    ...(isAgain ? ["again"] : []),
  ].join("/");
}

const bandWidth = 600_000_000;

/** Whether a job of this kind asks the API of the host, with the token that may write. */
export function asksHost(kind: JobKind): boolean {
  return kind === "publish" || kind === "decisions" || kind === "dashboard";
}

/** The lowest priority of publishing jobs. Only these need write access to hosts. */
export const publishing = 2 * bandWidth + 1;

/**
 * The highest priority runs first: publishing, then pull requests, then pushes, then the nightly schedule. Within each
 * band, organisations share fairly.
 */
export function priorityOf({ kind, cause, turn }: Pick<Job, "kind" | "cause" | "turn">): number {
  const band = asksHost(kind) ? 3 : cause === "request" ? 2 : cause === "nightly" ? 0 : 1;
  return band * bandWidth - (turn % bandWidth);
}

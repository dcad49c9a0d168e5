import type {
  CommentResult,
  FixedPages,
  PullRequest,
  RepositoryInfo,
  TrustedComment,
  WriteComment,
} from "suture/service";
import type { Outcome, Refusal } from "suture/text";
import type { CheckReport } from "suture/tools";
import { explain } from "../jobs/explain.ts";
import { PermanentError } from "../jobs/job-run.ts";
import type { ResolvedSettings } from "../settings/resolve.ts";
import type { PublicationKind } from "../store/publications.ts";
import type { Repository } from "../store/repositories.ts";

/** Edits to publish. */
export type Publication = {
  readonly repository: Repository;
  readonly commit: string;
  readonly report: CheckReport;
  readonly fixed: FixedPages;
  readonly patch: string;
  /** Another person's pull request that the edits are for. */
  readonly request?: number;
  /** Which of the edits these are; empty for all of them. */
  readonly part: string;
  readonly settings: ResolvedSettings;
};

/** What was published, and the repository as its host calls it now, where the host says so. */
export type Published = {
  readonly url: string;
  readonly now?: Pick<RepositoryInfo, "id" | "name">;
};

/** Where edits are published. Publishing the same edits again changes nothing: each sink checks first. */
export type Sink = {
  kindFor(request: number | undefined): PublicationKind;
  /** How many requests that write the host allows in a minute; without it, as many as it accepts. */
  readonly writesPerMinute?: number | undefined;
  publish(publication: Publication, signal: AbortSignal): Promise<Outcome<Published>>;
  /** Closes a pull request of ours. */
  readonly close?: (repository: Repository, url: string) => Promise<Outcome<true>>;
  /** Keeps the dashboard of a repository: `write` gets its text, or null, and returns the new one, or null for no change. */
  readonly dashboard?: (
    repository: Repository,
    write: WriteComment,
  ) => Promise<Outcome<CommentResult | "no-issues">>;
  /** What people have decided about a pull request of ours. */
  readonly outcomeOf?: (repository: Repository, url: string) => Promise<Outcome<PullRequest["state"]>>;
  /** The comments on a pull request of ours by people who may write to the repository. */
  readonly commentsOn?: (repository: Repository, url: string) => Promise<Outcome<readonly TrustedComment[]>>;
};

/** The host cannot be reached. */
export class HostAway extends Error {
  override readonly name = "HostAway";
}

/** The host does not accept the token any more. */
export class TokenRefused extends Error {
  override readonly name = "TokenRefused";
}

/** The host keeps the repository for reading only. */
export class RepositoryArchived extends Error {
  override readonly name = "RepositoryArchived";
}

/** The host's rate limit asks for a longer wait. */
export class HostBusy extends Error {
  override readonly name = "HostBusy";
  readonly milliseconds: number;
  constructor(milliseconds: number) {
    super(`the host asks to wait ${Math.ceil(milliseconds / 1000)} seconds`);
    this.milliseconds = milliseconds;
  }
}

/** What a refusal of a host means for a job: wait for the host, wait for a token, give up, or try again. */
export function errorOf(refusal: Refusal): Error {
  const text = explain(refusal);
  if (refusal.code === "unavailable") return new HostAway(text);
  if (refusal.code === "not-allowed" && refusal.status === 401) return new TokenRefused(text);
  return refusal.code === "not-allowed" || refusal.code === "malformed"
    ? new PermanentError(text)
    : new Error(text);
}

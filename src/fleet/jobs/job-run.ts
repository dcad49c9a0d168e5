import type { Tier } from "../../drift/findings.ts";
import type { Mirrors } from "../clones/mirror.ts";
import type { Sinks } from "../publish/sinks.ts";
import type { Job } from "../queue/job.ts";
import type { NewJob } from "../queue/queue.ts";
import type { Span } from "../serve/telemetry.ts";
import type { Ask } from "../store/database.ts";
import type { Repository } from "../store/repositories.ts";
import type { Run, Standing } from "../store/runs.ts";
import type { Wording } from "./rewrite-passages.ts";

/** What a job works with. */
export type Shop = {
  readonly ask: Ask;
  readonly mirrors: Mirrors;
  readonly sinks: Sinks;
  /** Which findings are fixed without asking. */
  readonly tiers: readonly Tier[];
  /** Who words what rules leave; nobody where it is absent. */
  readonly wording?: Wording;
  /** The steps of a job are told apart by whoever watches. */
  readonly span: Span;
};

/** One job at work on the repository it holds. */
export type Work = {
  readonly job: Job;
  readonly run: string;
  readonly held: Repository;
  /** The record of the run that this job goes on with; null where it is forgotten or never was. */
  readonly before: unknown;
  readonly signal: AbortSignal;
};

/** What came of a job: what to keep, how the repository stands, and what comes next. */
export type Done = {
  readonly run: Pick<Run, "base" | "commit" | "state" | "findings" | "fixed" | "unknown" | "reasons"> &
    Partial<Pick<Run, "detail" | "record" | "tokens" | "costUsd">>;
  readonly standing: Standing;
  readonly next?: NewJob;
};

/** Trying again would not help. */
export class Hopeless extends Error {
  override readonly name = "Hopeless";
}

/** A run in which nothing was found. */
export const nothing = { findings: 0, fixed: 0, unknown: 0, reasons: [] } as const;

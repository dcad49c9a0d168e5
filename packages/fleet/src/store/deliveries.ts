import {
  branchPrefix,
  deliveryId,
  digestOf,
  hosts,
  parseWebhook,
  type Webhook,
  type WebhookEvent,
} from "suture/service";
import type { Fleet } from "../fleet.ts";
import { isCommand } from "../publish/comment-commands.ts";
import { isTicked } from "../publish/dashboard-boxes.ts";
import type { NewJob } from "../queue/queue.ts";
import type { Query } from "./database.ts";
import { recordOutcome, recordReopening } from "./decisions.ts";
import { isSameRequest, listOpenRequests } from "./publications.ts";
import { findOnHost, followRename, type Repository, recordChange } from "./repositories.ts";
import { isChecked } from "./runs.ts";

/**
 * The result of a webhook. `known`: nothing is left to do: its commit was checked already, its job waits, or the
 * event itself was recorded. `stranger`: the repository is not in
 * the fleet. `stale`: it is older than the memory of deliveries.
 */
export type DeliveryResult =
  | "queued"
  | "known"
  | "ignored"
  | "replayed"
  | "stranger"
  | "forged"
  | "malformed"
  | "stale";

/** Deliveries are remembered for this long. Older ones are refused by their timestamp. */
const memoryDays = 30;

/**
 * Accepts a webhook. Each delivery is processed once: duplicates are detected by id, content and timestamp. One
 * transaction records the delivery and queues its job, so no delivery is acknowledged and lost.
 */
export async function acceptWebhook(fleet: Fleet, webhook: Webhook, secret: string): Promise<DeliveryResult> {
  const reader = hosts[webhook.source].webhook;
  if (!reader.isGenuine(webhook, secret)) return "forged";
  const id = deliveryId(reader, webhook);
  if (id === null) return "malformed";
  const event = parseWebhook(reader, webhook, {
    ownBranchPrefix: branchPrefix,
    isCommand,
    isTicked,
  });
  if (event === "malformed") return "malformed";
  if (event === null) return "ignored";
  return fleet.database.transaction(async (query) => {
    if (event.time !== null && (await isForgotten(query, event.time))) return "stale";
    const recorded = await query(
      "INSERT INTO suture_fleet.delivery (source, id, digest) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING RETURNING 1",
      [webhook.source, id, digestOf(reader, webhook)],
    );
    if (recorded.length === 0) return "replayed";
    const [repository] = await findOnHost(query, event);
    if (!repository) return "stranger";
    await followRename(query, repository, event);
    if (event.what === "decided") {
      const { url, outcome } = event;
      if (outcome === "reopened") await recordReopening(query, { repository: repository.id, url });
      else await recordOutcome(query, { repository: repository.id, url, outcome });
      return "known";
    }
    if (event.what === "changed") {
      await recordChange(query, repository.id, event.now);
      return "known";
    }
    if (event.what === "commented") return queueComment(fleet, query, { repository, url: event.url });
    if (event.what === "ticked") return queueDashboard(fleet, query, repository);
    const job = jobFor(event, repository);
    if (await isDone(query, repository, event)) return "known";
    // Hosts accept no push to an archived repository, so it is active again.
    if (event.what === "pushed") await recordChange(query, repository.id, "active");
    return (await fleet.queue.add([job], query)) === 1 ? "queued" : "known";
  });
}

async function isForgotten(query: Query, time: number): Promise<boolean> {
  const [row] = await query<{ forgotten: boolean }>(
    "SELECT to_timestamp($1::float / 1000) < now() - $2 * interval '1 day' AS forgotten",
    [time, memoryDays],
  );
  return row!.forgotten;
}

/**
 * Whether an event brings nothing new. A pull request has every commit once. A main branch may come back to a commit that
 * was checked earlier, so only the one that was checked last counts.
 */
async function isDone(query: Query, repository: Repository, event: CommitEvent): Promise<boolean> {
  const { id, checked, state } = repository;
  if (event.what === "requested")
    return isChecked(query, { repository: id, commit: event.commit, request: event.request });
  return checked === event.commit && state !== "archived";
}

type CommitEvent = Extract<WebhookEvent, { what: "pushed" | "requested" }>;

/** A comment on one of our pull requests: the jobs that follow read it from the host, with the rights of its author. */
async function queueComment(
  { queue }: Fleet,
  query: Query,
  { repository, url }: { readonly repository: Repository; readonly url: string },
): Promise<DeliveryResult> {
  const { id, organisation } = repository;
  const isOurs = (await listOpenRequests(query, { id })).some((request) => isSameRequest(request.url, url));
  if (!isOurs) return "ignored";
  const job = { kind: "check", repository: id, organisation, commit: null, cause: "comment" } as const;
  return (await queue.add([job], query)) === 1 ? "queued" : "known";
}

/** A ticked box of a dashboard: the job reads the issue from the host. */
async function queueDashboard(
  { queue }: Fleet,
  query: Query,
  { id, organisation, wants_dashboard }: Repository,
): Promise<DeliveryResult> {
  if (!wants_dashboard) return "ignored";
  const job = { kind: "dashboard", repository: id, organisation, commit: null, cause: "comment" } as const;
  if ((await queue.add([job], query)) === 1) return "queued";
  // The job that runs may have read the boxes before this one was ticked.
  return (await queue.add([{ ...job, isAgain: true }], query)) === 1 ? "queued" : "known";
}

function jobFor(
  event: CommitEvent,
  { id: repository, organisation }: { readonly id: number; readonly organisation: string },
): NewJob {
  const shared = { kind: "check", repository, organisation, commit: event.commit } as const;
  return event.what === "pushed"
    ? { ...shared, cause: "push" }
    : { ...shared, cause: "request", request: event.request };
}

import { hosts } from "../../hosts/registry.ts";
import { deliveryId, digestOf, parseWebhook, type Webhook, type WebhookEvent } from "../../hosts/webhook.ts";
import { branchPrefix } from "../../wording/ci.ts";
import type { Fleet } from "../fleet.ts";
import type { NewJob } from "../queue/queue.ts";
import { recordOutcome } from "./decisions.ts";
import { findOnHost, followRename } from "./repositories.ts";
import { isChecked } from "./runs.ts";

/**
 * The result of a webhook. `known`: its commit was checked already, or its job waits. `stranger`: the repository is not in
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
  const event = parseWebhook(reader, webhook, { ownBranchPrefix: branchPrefix });
  if (event === "malformed") return "malformed";
  if (event === null) return "ignored";
  if (event.time !== null && event.time < Date.now() - memoryDays * 86_400_000) return "stale";
  return fleet.database.transaction(async (query) => {
    const recorded = await query(
      "INSERT INTO suture_fleet.delivery (source, id, digest) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING RETURNING 1",
      [webhook.source, id, digestOf(reader, webhook)],
    );
    if (recorded.length === 0) return "replayed";
    const [repository] = await findOnHost(query, event);
    if (!repository) return "stranger";
    await followRename(query, repository, event);
    if (event.what === "decided") {
      await recordOutcome(query, { repository: repository.id, url: event.url, outcome: event.outcome });
      return "known";
    }
    const job = jobFor(event, repository);
    if (await isChecked(query, { ...job, commit: event.commit })) return "known";
    return (await fleet.queue.add([job], query)) === 1 ? "queued" : "known";
  });
}

function jobFor(
  event: Exclude<WebhookEvent, { what: "decided" }>,
  { id: repository, organisation }: { readonly id: number; readonly organisation: string },
): NewJob {
  const shared = { kind: "check", repository, organisation, commit: event.commit } as const;
  return event.what === "pushed"
    ? { ...shared, cause: "push" }
    : { ...shared, cause: "request", request: event.request };
}

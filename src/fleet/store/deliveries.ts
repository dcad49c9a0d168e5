import type { Fleet } from "../fleet.ts";
import { deliveryOf, digestOf, type Hook, isGenuine, type News, parseNews } from "../serve/webhook.ts";
import { noteOutcome } from "./publications.ts";
import { findOn } from "./repositories.ts";
import { findChecked } from "./runs.ts";

/** What became of a webhook. */
export type Heard =
  | "queued"
  | "known"
  | "ignored"
  | "replayed"
  | "stranger"
  | "forged"
  | "malformed"
  | "stale";

/** Deliveries are remembered this long; older ones are refused by the time they speak of. */
const memoryDays = 30;

/**
 * Takes a webhook: is it genuine, is it new, does it concern us. Remembering it and queueing what follows from it is one
 * transaction, so that a delivery is never answered and lost, and never counts twice.
 */
export async function hear(fleet: Fleet, hook: Hook, secret: string): Promise<Heard> {
  if (!isGenuine(hook, secret)) return "forged";
  const id = deliveryOf(hook);
  if (id === null) return "malformed";
  const news = parseNews(hook);
  if (news === "malformed") return "malformed";
  if (news === null) return "ignored";
  if (news.time !== null && news.time < Date.now() - memoryDays * 86_400_000) return "stale";
  return fleet.database.transaction(async (ask) => {
    const heard = await ask(
      "INSERT INTO suture_fleet.delivery (source, id, digest) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING RETURNING 1",
      [hook.source, id, digestOf(hook)],
    );
    if (heard.length === 0) return "replayed";
    const [repository] = await findOn(ask, news.host, news.organisation, news.name);
    if (!repository) return "stranger";
    if (news.what === "decided") {
      await noteOutcome(ask, repository.id, news.url, news.outcome);
      return "known";
    }
    const request = news.what === "requested" ? news.request : null;
    if (await findChecked(ask, repository.id, news.commit, request)) return "known";
    const added = await fleet.queue.add([jobOf(news, repository)], ask);
    return added === 1 ? "queued" : "known";
  });
}

function jobOf(
  news: Exclude<News, { what: "decided" }>,
  { id: repository, organisation }: { readonly id: number; readonly organisation: string },
) {
  const shared = { kind: "check", repository, organisation, commit: news.commit } as const;
  return news.what === "pushed"
    ? ({ ...shared, cause: "push" } as const)
    : ({ ...shared, cause: "request", request: news.request } as const);
}

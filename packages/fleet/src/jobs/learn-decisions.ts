import { readCommands } from "../publish/comment-commands.ts";
import { errorOf, type Sink } from "../publish/sink.ts";
import { declineFindings, recordOutcome, recordWithdrawal } from "../store/decisions.ts";
import { listOpenRequests, type OpenRequest } from "../store/publications.ts";
import type { Repository } from "../store/repositories.ts";
import type { JobDeps } from "./job-run.ts";

/**
 * Asks what people have decided about our pull requests: in case a webhook was lost, and for commands in comments. True if
 * they declined edits.
 */
export async function learnDecisions(deps: JobDeps, held: Repository, sink: Sink): Promise<boolean> {
  let hasDeclined = false;
  for (const request of await listOpenRequests(deps.query, held)) {
    const outcome = await learnOutcome(deps, held, { sink, request });
    if (outcome === "closed" && !request.isLeaving) hasDeclined = true;
    if (outcome === "open" && (await learnCommands(deps, held, { sink, request }))) hasDeclined = true;
  }
  return hasDeclined;
}

type AskedRequest = { readonly sink: Sink; readonly request: OpenRequest };

async function learnOutcome(
  { query }: JobDeps,
  held: Repository,
  { sink, request: { url, isLeaving } }: AskedRequest,
): Promise<"open" | "merged" | "closed" | null> {
  if (!sink.outcomeOf) return null;
  const outcome = await sink.outcomeOf(held, url);
  if (!outcome.ok) throw errorOf(outcome.refusal);
  if (outcome.value === "open") return "open";
  // We closed it ourselves, and the worker died before it could say so.
  if (isLeaving) await recordWithdrawal(query, held, { url, state: "withdrawn" });
  else await recordOutcome(query, { repository: held.id, url, outcome: outcome.value });
  return outcome.value;
}

/** True if a comment dismisses a finding that was not dismissed before. */
async function learnCommands(
  { query }: JobDeps,
  held: Repository,
  { sink, request: { url, findings } }: AskedRequest,
): Promise<boolean> {
  if (!sink.commentsOn || !findings) return false;
  const comments = await sink.commentsOn(held, url);
  if (!comments.ok) throw errorOf(comments.refusal);
  let count = 0;
  for (const { author, body } of comments.value)
    for (const { ids, reason } of readCommands(body)) {
      const meant = findings.filter((id) => ids === null || ids.includes(id));
      count += await declineFindings(query, held.id, { findings: meant, by: author, reason });
    }
  return count > 0;
}

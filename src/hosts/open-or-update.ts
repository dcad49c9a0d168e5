import type { Outcome } from "../text/model/outcome.ts";
import type { OpenedPullRequest } from "./host.ts";

/** How a host finds, opens and updates the pull request for a pair of branches. */
export type PullRequestCalls<T> = {
  find(): Promise<Outcome<T | null>>;
  create(): Promise<Outcome<OpenedPullRequest>>;
  update(found: T): Promise<Outcome<OpenedPullRequest>>;
};

/**
 * Updates the open pull request, or opens one. If opening fails, the response may have been lost, or another run may have
 * opened it, so it searches again.
 */
export async function openOrUpdate<T>(calls: PullRequestCalls<T>): Promise<Outcome<OpenedPullRequest>> {
  const found = await calls.find();
  if (!found.ok) return found;
  if (found.value !== null) return calls.update(found.value);
  const opened = await calls.create();
  if (opened.ok) return opened;
  const after = await calls.find();
  return after.ok && after.value !== null ? calls.update(after.value) : opened;
}

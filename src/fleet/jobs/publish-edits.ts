import { fixCommit } from "../../docs/fix/fix-commit.ts";
import type { Refusal } from "../../text/model/outcome.ts";
import { applyPatch, patchOfChanges } from "../publish/patches.ts";
import { claim, confirm } from "../store/publications.ts";
import { explain } from "./explain.ts";
import type { FixRecord } from "./fix-pages.ts";
import { type Done, Hopeless, nothing, type Shop, type Work } from "./job-run.ts";

/**
 * Shows the edits of a fix to people, once. The row is claimed before the host is called and confirmed afterwards; a
 * claim that was never confirmed is tried again, and the sink looks at what is there before it adds anything. Edits by
 * rule are derived again from the findings; what comes of it must be the patch that was kept.
 */
export async function publishEdits(shop: Shop, { job, held, before, signal }: Work): Promise<Done> {
  const record = before as FixRecord | null;
  if (record === null) throw new Hopeless("the edits of the fix are no longer kept");
  const { report, patch } = record;
  const commit = report.head;
  const sink = await shop.sinks(held);
  if (!sink.ok) throw new Hopeless(explain(sink.refusal));
  const kind = sink.value.kindFor(job.request);
  // Two change requests may have the same head.
  const key = job.request === undefined ? commit : `${commit}/${job.request}`;
  const claimed = await claim(shop.ask, held, { kind, commit: key, run: job.after! });
  if (claimed === null) throw new Error("the repository was taken by another job");
  let url = claimed.url ?? "";
  if (claimed.is !== "confirmed") {
    const wanted = { commit, request: job.request };
    const { git } = await shop.span("fetch", {}, () => shop.mirrors.fetch(held, wanted, signal));
    const mended = record.worded
      ? await applyPatch(git, report, patch, new Set(record.worded.fixed))
      : await fixCommit(git, report, shop.tiers);
    if (!mended.ok) throw new Hopeless(explain(mended.refusal));
    if (patchOfChanges(mended.value.pages.map(({ change }) => change)) !== patch)
      throw new Hopeless("the edits are not those that the findings lead to");
    const what = {
      repository: held,
      commit,
      report,
      mended: mended.value,
      patch,
      ...(job.request === undefined ? {} : { request: job.request }),
    };
    const published = await shop.span("publish", {}, () => sink.value.publish(what, signal));
    if (!published.ok) return decline(published.refusal, report.base, commit);
    url = published.value.url;
    await confirm(shop.ask, held, { kind, commit: key, url });
  }
  return {
    run: { ...nothing, base: report.base, commit, state: "done", detail: url },
    standing: job.request === undefined && patch !== "" ? { state: "open" } : {},
  };
}

/** What has moved on at the host will come back as a job of its own; what it forbids, no retry will get. */
function decline(refusal: Refusal, base: string, commit: string): Done {
  if (refusal.code === "stale")
    return { run: { ...nothing, base, commit, state: "superseded", detail: explain(refusal) }, standing: {} };
  if (refusal.code === "not-allowed" || refusal.code === "malformed") throw new Hopeless(explain(refusal));
  throw new Error(explain(refusal));
}

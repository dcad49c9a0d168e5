import type { Artifact } from "../../../ci/artifact.ts";
import type { Delivery, DeliveryMode } from "../../../ci/deliver.ts";
import { openRepository } from "../../../ci/open-repository.ts";
import type { Outcome } from "../../../text/model/outcome.ts";
import { ciWords } from "../../../wording/ci.ts";
import { summaryOf } from "../../../wording/findings.ts";
import type { Git } from "../../../workspace/git/git.ts";
import { type Call, exit, textOf } from "../../command.ts";
import { usageError } from "../../usage-error.ts";
import { decline } from "../../with-project.ts";

/** The trusted job. It derives every claim of the artifact again before it publishes anything. */
export async function publishAt(
  call: Call,
  { git, payload, folder }: { readonly git: Git; readonly payload: unknown; readonly folder: string },
): Promise<number> {
  const { options, terminal } = call;
  const mode = (textOf(options, "mode") ?? "check") as DeliveryMode;
  if (mode === "commit") return usageError(terminal, ciWords.publishNeverCommits, "Use --mode pull-request.");
  const { readUntrustedRun } = await import("../../../ci/ci-event.ts");
  const run = readUntrustedRun(process.env, payload);
  if (!run.ok) return decline(terminal, "ci", run.refusal);
  const artifact = await openArtifact(folder);
  if (!artifact.ok) return decline(terminal, "ci", artifact.refusal);
  const hosted = openRepository(run.value, process.env);
  if (!hosted.ok) return decline(terminal, "ci", hosted.refusal);
  const { verifyArtifact } = await import("../../../ci/publish.ts");
  const verified = await verifyArtifact(artifact.value, { git, hosted: hosted.value, run: run.value });
  if (!verified.ok && verified.refusal.code === "stale") {
    terminal.remark(ciWords.notPublished(verified.refusal.detail));
    return exit.done;
  }
  if (!verified.ok) return decline(terminal, "ci", verified.refusal);
  const { request, report, fixed } = verified.value;
  const { deliver } = await import("../../../ci/deliver.ts");
  const { number, head, base } = request;
  const target = {
    branch: null,
    head: head.commit,
    request: { number, base: base.branch, isOwnBranch: false },
    own: { name: `request-${number}`, base: base.branch },
  };
  const delivered = await deliver(hosted.value, { mode, target, report, fixed });
  if (!delivered.ok) return decline(terminal, "ci", delivered.refusal);
  if (terminal.json) terminal.printJson({ success: true, request: number, ...printable(delivered.value) });
  else terminal.remark(ciWords.published(number, summaryOf(report)));
  return exit.done;
}

async function openArtifact(folder: string): Promise<Outcome<Artifact>> {
  const { openReader } = await import("../../../workspace/workspace.ts");
  const { largestArtifact, readArtifact } = await import("../../../ci/artifact.ts");
  const reader = await openReader(folder, { sizeLimit: largestArtifact });
  if (!reader.ok) return reader;
  try {
    return await readArtifact(reader.value);
  } finally {
    await reader.value.close();
  }
}

/** The result of a delivery, as JSON. */
export function printable(delivery: Delivery | null) {
  if (delivery === null) return {};
  const { fixes, comment, suggestions, requestUrl } = delivery;
  return { comment, suggestions, commit: fixes.commit ?? null, request: requestUrl };
}

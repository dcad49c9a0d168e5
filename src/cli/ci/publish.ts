import type { Artefact } from "../../ci/artifact.ts";
import type { Delivery, Mode } from "../../ci/deliver.ts";
import type { Outcome } from "../../text/model/outcome.ts";
import { summaryOf } from "../../wording/findings.ts";
import type { Git } from "../../workspace/git/git.ts";
import { type Call, exit, textOf } from "../command.ts";
import { misuse } from "../usage-error.ts";
import { decline } from "../with-project.ts";
import { openHost } from "./host.ts";

/** The trusted half: nothing the artefact says is shown or written before it has been derived again. */
export async function publishAt(call: Call, git: Git, event: unknown, folder: string): Promise<number> {
  const { options, terminal } = call;
  const mode = (textOf(options, "mode") ?? "check") as Mode;
  if (mode === "commit")
    return misuse(
      terminal,
      "publish never commits to a branch that it does not own",
      "Use --mode pull-request.",
    );
  const { parseRun, approve } = await import("../../ci/publish.ts");
  const run = parseRun(event);
  if (!run.ok) return decline(terminal, "ci", run.refusal);
  const artefact = await openArtefact(folder);
  if (!artefact.ok) return decline(terminal, "ci", artefact.refusal);
  const forge = await openHost("github", process.env.GITHUB_REPOSITORY ?? "", process.env.GITHUB_API_URL);
  if (!forge.ok) return decline(terminal, "ci", forge.refusal);
  const approved = await approve(artefact.value, { git, forge: forge.value, run: run.value });
  if (!approved.ok && approved.refusal.code === "stale") {
    terminal.remark(`Nothing is published: ${approved.refusal.detail}.`);
    return exit.done;
  }
  if (!approved.ok) return decline(terminal, "ci", approved.refusal);
  const { request, report, mended } = approved.value;
  const { deliver } = await import("../../ci/deliver.ts");
  const { number, head, base } = request;
  const place = {
    branch: null,
    head: head.commit,
    request: { number, base: base.branch, isOwnBranch: false },
    own: { name: `request-${number}`, base: base.branch },
  };
  const delivered = await deliver(forge.value, mode, place, report, mended);
  if (!delivered.ok) return decline(terminal, "ci", delivered.refusal);
  if (terminal.json) terminal.printJson({ success: true, request: number, ...printable(delivered.value) });
  else terminal.remark(`Published on #${number}: ${summaryOf(report)}`);
  return exit.done;
}

async function openArtefact(folder: string): Promise<Outcome<Artefact>> {
  const { openReader } = await import("../../workspace/workspace.ts");
  const { largestArtefact, readArtefact } = await import("../../ci/artifact.ts");
  const reader = await openReader(folder, { sizeLimit: largestArtefact });
  if (!reader.ok) return reader;
  try {
    return await readArtefact(reader.value);
  } finally {
    await reader.value.close();
  }
}

/** What was done on the host, for programs. */
export function printable(delivery: Delivery | null) {
  if (delivery === null) return {};
  const { deed, comment, suggestions, requestUrl } = delivery;
  return { comment, suggestions, commit: deed.commit ?? null, request: requestUrl };
}

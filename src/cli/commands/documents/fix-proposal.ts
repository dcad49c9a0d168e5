import type { ModelFixes } from "../../../agents/fix/fix-with-model.ts";
import type { AgentRun } from "../../../agents/run/agent-run.ts";
import type { CheckReport } from "../../../docs/check/report.ts";
import type { FixedReport } from "../../../docs/fix/fix-report.ts";
import { keepFix, proposalOf, writeProposal } from "../../../docs/fix/proposal.ts";
import { fixWords } from "../../../wording/fix.ts";
import { exit } from "../../command.ts";
import type { Terminal } from "../../terminal/terminal.ts";
import { usageError } from "../../usage-error.ts";
import { decline } from "../../with-project.ts";

/** A person can look at the rules' edits while a model is still asked about the rest. */
export async function beginProposal(
  terminal: Terminal,
  { context, id, now }: AgentRun,
  { report, total }: { readonly report: CheckReport; readonly total: number },
): Promise<void> {
  if (!context.workspace) return;
  const begun = proposalOf(report, { id, time: now().toISOString(), source: "fix" });
  const progress = { done: 0, total, doing: fixWords.asking(total) };
  const written = await writeProposal(context.workspace, { ...begun, progress });
  if (written.ok) terminal.remark(fixWords.watch(id, report));
}

/** Keeps the edits for a person to decide about. */
export async function propose(
  terminal: Terminal,
  { context, id, now }: AgentRun,
  made: { readonly report: CheckReport; readonly fixed: FixedReport<ModelFixes> },
): Promise<number> {
  if (!context.workspace) return usageError(terminal, fixWords.needsWorkTree);
  const kept = await keepFix(context.workspace, made, { id, time: now().toISOString() });
  if (!kept.ok) return decline(terminal, "fix", kept.refusal);
  const { findings } = kept.value;
  if (terminal.json) terminal.printJson({ success: true, run: id, findings });
  else terminal.print(fixWords.kept(findings.length, id));
  terminal.remark(fixWords.decide(id, made.report));
  return exit.done;
}

import { defined } from "../../text/model/defined.ts";
import type { Edit } from "../../text/model/edit.ts";
import { accept, type Outcome, refuse } from "../../text/model/outcome.ts";
import { type Applied, applyEdits, type PlanGate } from "../../tools/apply-edits.ts";
import { keepFrontMatter } from "../../tools/front-matter.ts";
import type { Context } from "../../tools/tool.ts";
import { agentText } from "../../wording/agents.ts";
import type { PageDraft } from "../documentation/draft-page.ts";
import { type Checks, checkDraft } from "../gates/check-draft.ts";

export type PageCommit = {
  readonly path: string;
  readonly draft: Pick<PageDraft, "mode" | "base" | "after" | "edits" | "summary">;
  readonly originalPath?: string | undefined;
  /** The version that the writer saw; `null` for a new page. */
  readonly version: string | null;
  readonly checks: Checks;
  readonly dryRun: boolean;
};

/**
 * Writes one page in one transaction: the writer's replacements, each with its reason, or the whole page where it is
 * new. If the page has changed in the meantime, the gates judge the new result before it is written.
 */
export function commitPage(context: Context, page: PageCommit): Promise<Outcome<Applied>> {
  return applyEdits(context, editsOf(page), {
    reason: page.draft.summary === "" ? `suture: ${page.draft.mode}` : page.draft.summary,
    dry_run: page.dryRun,
    ...defined({ base_version: page.version ?? undefined }),
    gates: [keepFrontMatter, judgeAgain(page)],
  });
}

function editsOf({ path, draft, originalPath, version }: PageCommit): Edit[] {
  const shared = { path, reason: `suture: ${draft.mode}`, evidence: [] };
  if (draft.mode === "full-generation")
    return version === null
      ? [{ ...shared, target: { file: "create" }, text: draft.after }]
      : [{ ...shared, target: { file: "rewrite" }, text: draft.after }];
  if (originalPath === undefined || version !== null) return [...draft.edits];
  return [{ ...shared, path: originalPath, target: { file: "move" }, to: path }, ...draft.edits];
}

function judgeAgain({ path, draft, checks }: PageCommit): PlanGate {
  return async (plan) => {
    const change = plan.changes.find((candidate) => candidate.path === path);
    if (!change || change.after === null || change.after === draft.after) return accept(plan);
    const before = draft.mode === "full-generation" ? null : (change.before.text ?? draft.base);
    const reasons = draft.edits.map(({ reason }) => reason);
    const { objections } = await checkDraft({ path, before, after: change.after, reasons }, checks);
    const [first] = objections;
    return first
      ? refuse({
          code: "conflict",
          path,
          detail: agentText.pageChanged(first.detail),
        })
      : accept(plan);
  };
}

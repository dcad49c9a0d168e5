import { checkDraft } from "../../src/agents/gates/check-draft.ts";
import type { KnownFacts } from "../../src/agents/gates/known-facts.ts";
import { type GateVerdict, merge } from "../../src/agents/gates/objection.ts";
import { checkPostConditions } from "../../src/agents/gates/section/post-conditions.ts";
import { sectionSizeLimits } from "../../src/agents/gates/size.ts";
import type { HumanEdit } from "./human-edits.ts";

/** The gates that every page passes. */
export function judgePage(
  { path, before, after }: { readonly path: string; readonly before: string; readonly after: string },
  facts: KnownFacts,
): Promise<GateVerdict> {
  const draft = { path, before, after, reasons: ["the code changed"] };
  return checkDraft(draft, { facts, secrets: [], commits: [] });
}

/** The gates of `fix` on a section: those of every page, and the post-conditions. */
export async function judgeEdit(edit: HumanEdit): Promise<GateVerdict> {
  const { path, page, region, before, after, notices, named, reasons, sources, change, facts } = edit;
  const whole = page.slice(0, region.start) + after + page.slice(region.end);
  const draft = { path, before: page, after: whole, reasons: ["the code changed"] };
  const above = page.slice(0, region.start);
  return merge([
    await checkDraft(draft, { facts, secrets: [], commits: [], limits: sectionSizeLimits }),
    checkPostConditions({
      path,
      before,
      after,
      above,
      notices,
      named,
      reasons,
      sources,
      change,
      knows: (name) => facts.knows(name),
      documents: (name) => facts.documents(name),
      calls: (name) => facts.calls(name),
    }),
  ]);
}

import type { Judgement } from "../record/verdicts.ts";
import type { ReportedFinding } from "./report.ts";

/**
 * A finding after a model has judged it. A likely finding that it calls a false alarm becomes a possible one, and a
 * possible one that it confirms a likely one. A certain finding stays certain.
 */
export function applyJudgement(finding: ReportedFinding, judgement: Judgement): ReportedFinding {
  const { tier } = finding;
  const isKept = judgement.verdict === "keep";
  if (tier === "likely" && isKept) return { ...finding, tier: "possible", judgement };
  if (tier === "possible" && !isKept) return { ...finding, tier: "likely", judgement };
  return { ...finding, judgement };
}

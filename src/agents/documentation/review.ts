import { z } from "zod";
import { documentationText } from "../../wording/agents.ts";
import type { Model } from "../model/model.ts";
import { parseAnswer } from "../model/structured.ts";
import { reviewPage } from "../prompts/review-page.ts";
import type { Assignment } from "../run/assignment.ts";

/** A fault that a reviewer found, with the words of the draft that it is about. */
export type ReviewRemark = { readonly quote: string; readonly problem: string };

/** A remark in one line, for a model or a person. */
export function showRemark({ quote, problem }: ReviewRemark): string {
  return `${JSON.stringify(quote)}: ${problem}`;
}

/** A reviewer's opinion of a draft; `none` if the answer had the wrong form. */
export type DraftReview = {
  readonly verdict: "accept" | "object" | "none";
  readonly findings: readonly ReviewRemark[];
  readonly error?: string;
};

const schema = z.object({
  verdict: z.enum(["accept", "object"]),
  findings: z.array(z.object({ quote: z.string(), problem: z.string() })).max(50),
});

const maxFindings = 10;

/**
 * Asks a second model, without tools, for faults in a draft. An unreadable answer approves nothing and changes
 * nothing. The gates decide in any case.
 */
export async function reviewDraft(
  reviewer: Model,
  draft: Parameters<typeof reviewPage>[0],
  work: Assignment,
): Promise<DraftReview> {
  const answered = await reviewer.ask({ ...work.request(reviewPage(draft)), maxOutputTokens: 1500 });
  if (!answered.ok)
    return {
      verdict: "none",
      findings: [],
      error: "detail" in answered.refusal ? (answered.refusal.detail ?? "") : "",
    };
  const parsed = parseAnswer(answered.value.text, schema);
  if (!parsed.ok)
    return { verdict: "none", findings: [], error: documentationText.unreadableReview(parsed.why) };
  const { verdict, findings } = parsed.value;
  return { verdict, findings: findings.filter(({ problem }) => problem.trim() !== "").slice(0, maxFindings) };
}

/** Whether a text has the words of a quotation, whatever its line breaks and marks of code are. */
export function holdsQuote(text: string, quote: string): boolean {
  const words = foldWords(quote);
  return words !== "" && foldWords(text).includes(words);
}

function foldWords(text: string): string {
  return text
    .replace(/[`*_"'“”‘’]/g, "")
    .replace(/\s+/g, " ")
    .replace(/(?:…|\.\.\.)\s*$/, "")
    .trim();
}

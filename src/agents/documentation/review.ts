import { z } from "zod";
import type { Ledger } from "../model/budget.ts";
import type { Metadata } from "../model/metadata.ts";
import type { Model } from "../model/model.ts";
import { parseAnswer } from "../model/structured.ts";
import { reviewPage } from "../prompts/review-page.ts";

/** What a reviewer made of a draft. Without a verdict in the form asked for, nothing was said. */
export type Review = {
  readonly verdict: "accept" | "object" | "none";
  readonly findings: readonly string[];
  readonly error?: string;
};

const schema = z.object({
  verdict: z.enum(["accept", "object"]),
  findings: z.array(z.object({ quote: z.string(), problem: z.string() })).max(50),
});

const mostFindings = 10;

/**
 * Asks a second model what is wrong with a draft. It is given no tools. An answer that cannot be read keeps the
 * draft as it is and approves nothing; the gates decide in any case.
 */
export async function reviewDraft(
  reviewer: Model,
  draft: { readonly path: string; readonly draft: string; readonly patch: string; readonly source: string },
  run: { readonly ledger: Ledger; readonly signal?: AbortSignal | undefined; readonly metadata: Metadata },
): Promise<Review> {
  const { instructions, prompt } = reviewPage(draft);
  const answered = await reviewer.ask({
    instructions,
    prompt,
    maxOutputTokens: 1500,
    temperature: 0.1,
    ...run,
  });
  if (!answered.ok)
    return {
      verdict: "none",
      findings: [],
      error: "detail" in answered.refusal ? (answered.refusal.detail ?? "") : "",
    };
  const parsed = parseAnswer(answered.value.text, schema);
  if (!parsed.ok)
    return { verdict: "none", findings: [], error: `the review could not be read: ${parsed.why}` };
  const { verdict, findings } = parsed.value;
  // A finding about words that are not in the draft is about nothing.
  const real = findings
    .filter(({ quote }) => quote !== "" && draft.draft.includes(quote))
    .slice(0, mostFindings);
  return { verdict, findings: real.map(({ quote, problem }) => `${JSON.stringify(quote)}: ${problem}`) };
}

import { oneLine } from "../agents/prompts/data.ts";
import { accept, type Outcome } from "../text/model/outcome.ts";
import type { Context } from "../tools/tool.ts";
import { createAgentRun } from "./agent-run.ts";

/** The articles whose rules name a changed file, one line each with the files they watch. No model is asked. */
export async function findArticles(
  context: Context,
  options: { readonly base: string | undefined; readonly docs: string },
): Promise<Outcome<string[]>> {
  const { searchImpact } = await import("../agents/impact/search.ts");
  const found = await searchImpact(await createAgentRun(context), options);
  if (!found.ok) return found;
  return accept(
    found.value.impacted.map(({ article, evidence }) => {
      const files = [...new Set(evidence.map(({ changedFile }) => oneLine(changedFile)))];
      return `- ${oneLine(article.path)} (watches ${files.join(", ")})`;
    }),
  );
}

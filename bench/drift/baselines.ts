import type { DriftInput } from "../../src/drift/change/change.ts";
import { compareFile, pairMovedFiles } from "../../src/drift/change/comparison.ts";
import { isDistinct } from "../../src/drift/change/names.ts";
import { findSites, findSubstitutions } from "../../src/drift/change/substitutions.ts";
import { splitLines, tokenise } from "../../src/drift/change/tokens.ts";
import { documentClass } from "../../src/drift/pages/policies.ts";
import type { PredictedFinding } from "./run.ts";

export type Baseline = "vanished" | "touched";

/**
 * The two simple readers to beat. `vanished`: a name of a removed line is nowhere in the code any more and a
 * document has it; its most frequent partner is put in its place everywhere. `touched`: a document's line shares a
 * name with a changed line. Both look at names of two parts or more, for a lone everyday word stands on every page, and
 * at every page but changelogs.
 */
export async function predictBaseline(input: DriftInput, kind: Baseline): Promise<PredictedFinding[]> {
  const comparisons = pairMovedFiles(input.files).map(compareFile);
  const substitutions = findSubstitutions(findSites(comparisons));
  const names = new Set<string>();
  for (const { rewrites } of comparisons)
    for (const { removed, added } of rewrites)
      for (const { text } of kind === "touched" ? [...removed, ...added] : removed)
        for (const token of tokenise(text))
          if (token.kind === "name" && isDistinct(token.text)) names.add(token.text);
  const kept = kind === "touched" ? names : await keepVanished(input, names);
  const findings: PredictedFinding[] = [];
  for (const { path, text } of input.documents) {
    if (documentClass(path) === "history") continue;
    splitLines(text).forEach((line, index) => {
      const hits = tokenise(line).filter((token) => kept.has(token.text));
      if (!hits.length) return;
      let replaced = "";
      let at = 0;
      for (const hit of hits) {
        const partners = [...(substitutions.get(hit.text) ?? [])].sort((a, b) => b[1].length - a[1].length);
        replaced += line.slice(at, hit.start) + (partners[0]?.[0] ?? hit.text);
        at = hit.end;
      }
      replaced += line.slice(at);
      findings.push({
        path,
        start_line: index + 1,
        end_line: index + 1,
        tier: "likely",
        rule: kind,
        note: hits[0]!.text,
        ...(replaced !== line && kind === "vanished" ? { replacement: `${replaced}\n` } : {}),
      });
    });
  }
  return findings;
}

async function keepVanished(input: DriftInput, names: ReadonlySet<string>): Promise<Set<string>> {
  const occurrences = await input.occurrences([...names]);
  return new Set([...names].filter((name) => !occurrences.get(name)?.length));
}

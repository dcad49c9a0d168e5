import type { Survey } from "../documentation/survey.ts";
import type { Ledger } from "../model/budget.ts";
import { type Bench, worded } from "../run/agent-run.ts";
import { orderByNearness } from "./nearest.ts";

const candidates = 40;

/**
 * The code files nearest to some words, best first: for pages that nobody has linked to their sources. By the words
 * themselves; and, where the user has chosen an embedding model, of those by what they mean.
 */
export async function findSources(
  bench: Bench,
  survey: Survey,
  words: string,
  most: number,
  ledger: Ledger,
): Promise<readonly string[]> {
  let passages = survey.findPassages(words, candidates);
  if (bench.embed && passages.length > 1) {
    const texts = [words, ...passages.map(({ path, text }) => `${path}\n${text}`)];
    const embedded = await bench.embed(texts, { ledger, signal: bench.signal });
    if (embedded.ok) {
      const [query = [], ...points] = embedded.value;
      passages = orderByNearness(passages, query, points);
    } else {
      const text = `sources are chosen by words alone: ${worded(bench, embedded.refusal)}`;
      bench.report({ kind: "note", subject: "embedding", text });
    }
  }
  return [...new Set(passages.map(({ path }) => path))].slice(0, most);
}

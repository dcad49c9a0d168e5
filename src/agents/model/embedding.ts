import { accept, type Outcome, refuse } from "../../text/model/outcome.ts";
import type { Redact } from "../run/redact.ts";
import type { Settings } from "../run/settings.ts";
import type { Budget } from "./budget.ts";
import { describeFailure } from "./failure.ts";
import { printModelName } from "./model-name.ts";
import { costOf, priceOf } from "./prices.ts";
import { isLocal, openEmbeddingProvider } from "./providers.ts";

/** Texts as points of a space in which what means alike is near. The port behind which embedding models stand. */
export type Embed = (
  texts: readonly string[],
  run: { readonly budget: Budget; readonly signal?: AbortSignal | undefined },
) => Promise<Outcome<readonly (readonly number[])[]>>;

const charactersPerToken = 3;

/** The embedding model that the user chose; `null` where none is. */
export async function openEmbedding(settings: Settings, redact: Redact): Promise<Outcome<Embed | null>> {
  const name = settings.embedding;
  if (name === null) return accept(null);
  const opened = await openEmbeddingProvider(name, settings);
  if (!opened.ok) return opened;
  const price = priceOf(name, { own: settings.prices, local: isLocal(name.provider, settings) });
  const printed = printModelName(name);
  return accept(async (texts, { budget, signal }) => {
    const clean = texts.map(redact);
    const guess = clean.reduce((sum, text) => sum + text.length, 0) / charactersPerToken;
    const reservation = budget.reserve(costOf({ input: guess, output: 0 }, price));
    if (!reservation)
      return refuse({ code: "unavailable", detail: `${printed}: the cost ceiling leaves no room` });
    try {
      const { embedMany } = await import("ai");
      const stop = signal === undefined ? {} : { abortSignal: signal };
      const { embeddings, usage } = await embedMany({ model: opened.value, values: clean, ...stop });
      const tokens = Number.isFinite(usage.tokens) ? usage.tokens : Math.ceil(guess);
      const costUsd = costOf({ input: tokens, output: 0 }, price);
      reservation.settle({ inputTokens: tokens, outputTokens: 0, costUsd });
      return accept(embeddings);
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      return refuse({ code: "unavailable", detail: redact(`${printed}: ${describeFailure(error)}`) });
    } finally {
      reservation.settle();
    }
  });
}

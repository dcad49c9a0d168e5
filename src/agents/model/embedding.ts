import type { Redact } from "../../text/match/secrets.ts";
import { accept, type Outcome, refuse } from "../../text/model/outcome.ts";
import { modelText } from "../../wording/agents.ts";
import type { Settings } from "../run/settings.ts";
import type { CostBudget } from "./budget.ts";
import { describeFailure } from "./failure.ts";
import { printModelName } from "./model-name.ts";
import { costOf, priceOf } from "./prices.ts";
import { isLocal, openEmbeddingProvider } from "./providers.ts";

/** The port for embedding models: texts with a similar meaning get similar vectors. */
export type Embed = (
  texts: readonly string[],
  run: { readonly budget: CostBudget; readonly signal?: AbortSignal | undefined },
) => Promise<Outcome<readonly (readonly number[])[]>>;

const charactersPerToken = 3;

/** The user's embedding model; `null` if none is chosen. */
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
    if (!reservation) return refuse({ code: "unavailable", detail: modelText.noRoomFor(printed) });
    try {
      const { embedMany } = await import("ai");
      const cancellation = signal === undefined ? {} : { abortSignal: signal };
      const { embeddings, usage } = await embedMany({ model: opened.value, values: clean, ...cancellation });
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

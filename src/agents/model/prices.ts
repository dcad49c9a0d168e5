import { type ModelName, printModelName } from "./model-name.ts";

/** US dollars for a million tokens. */
export type Price = { readonly input: number; readonly output: number };

/** Tokens and cost of one or more calls; the cost is `null` where the price is unknown. */
export type Usage = {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly costUsd: number | null;
};

export const nothingUsed: Usage = { inputTokens: 0, outputTokens: 0, costUsd: 0 };

// Published list prices. They change, so the user's own `prices` come first.
const listed: Readonly<Record<string, Price>> = {
  "openai:gpt-5": { input: 1.25, output: 10 },
  "openai:gpt-5-mini": { input: 0.25, output: 2 },
  "openai:gpt-5-nano": { input: 0.05, output: 0.4 },
  "openai:gpt-4.1": { input: 2, output: 8 },
  "openai:gpt-4.1-mini": { input: 0.4, output: 1.6 },
  "openai:gpt-4o": { input: 2.5, output: 10 },
  "openai:gpt-4o-mini": { input: 0.15, output: 0.6 },
  "anthropic:claude-opus-4-5": { input: 5, output: 25 },
  "anthropic:claude-sonnet-4-5": { input: 3, output: 15 },
  "anthropic:claude-haiku-4-5": { input: 1, output: 5 },
  "google:gemini-2.5-pro": { input: 1.25, output: 10 },
  "google:gemini-2.5-flash": { input: 0.3, output: 2.5 },
};

const free: Price = { input: 0, output: 0 };

/** The price of a model: the user's own, the listed one, or zero for a local model. `null`: unknown. */
export function priceOf(
  name: ModelName,
  options: { readonly own?: Readonly<Record<string, Price>>; readonly local?: boolean } = {},
): Price | null {
  const full = printModelName(name);
  const undated = full.replace(/-(latest|\d{8}|\d{4}-\d{2}-\d{2})$/, "");
  const own = options.own ?? {};
  for (const [table, key] of [
    [own, full],
    [own, undated],
    [listed, full],
    [listed, undated],
  ] as const)
    if (Object.hasOwn(table, key)) return table[key] ?? null;
  return options.local ? free : null;
}

export function costOf(tokens: { input: number; output: number }, price: Price | null): number | null {
  return price && (tokens.input * price.input + tokens.output * price.output) / 1e6;
}

/** The sum. One unknown cost makes the sum unknown. */
export function addUsage(a: Usage, b: Usage): Usage {
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    costUsd: a.costUsd === null || b.costUsd === null ? null : a.costUsd + b.costUsd,
  };
}

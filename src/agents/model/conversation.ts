import type { LanguageModel } from "ai";
import { defined } from "../../text/model/defined.ts";
import { withoutThinking } from "./answer/thinking.ts";
import type { Reservation } from "./budget.ts";
import { generate } from "./generate.ts";
import type { Metadata } from "./metadata.ts";
import type { Limits, ModelAnswer, ModelRequest, ModelStep } from "./model.ts";
import { costOf, type Price, type Usage } from "./prices.ts";
import type { StopReason } from "./stop-reason.ts";

type ModelConnection = {
  readonly sdk: typeof import("ai");
  readonly model: LanguageModel;
  readonly limits: Limits;
  readonly stream: boolean;
  readonly telemetry: boolean;
  readonly price: Price | null;
  /** The output tokens to ask for, with room to think where the model does. */
  readonly outputRoom: (answer: number) => number;
};

/** One request to a provider, step by step. Each step reserves its worst case before it runs. */
export class Conversation {
  readonly #connection: ModelConnection;
  readonly #request: ModelRequest;
  readonly #steps: ModelStep[] = [];
  #reservation: Reservation | null = null;
  #outOfBudget = false;

  constructor(connection: ModelConnection, request: ModelRequest) {
    this.#connection = connection;
    this.#request = request;
  }

  /** Whether the budget has room for the step after these. */
  reserve(steps: readonly ModelStep[]): boolean {
    this.#reservation = this.#request.budget.reserve(worstCost(this.#request, steps, this.#connection));
    return this.#reservation !== null;
  }

  /** Returns the part of the reservation that was not used. */
  release(): void {
    this.#reservation?.settle();
  }

  async run(): Promise<void> {
    const { sdk, model, limits, stream, telemetry } = this.#connection;
    const { instructions, prompt, tools = {}, maxSteps = 1, metadata } = this.#request;
    await generate({
      sdk,
      stream,
      limits,
      call: {
        model,
        instructions,
        prompt,
        ...optionalFields(this.#request, this.#connection.outputRoom),
        // The prefix of a question repeats from page to page. Providers without a cache ignore this.
        providerOptions: { anthropic: { cacheControl: { type: "ephemeral" } } },
        ...defined({ tools: Object.keys(tools).length === 0 ? undefined : { ...tools } }),
        // Tool calls of one step run in order: each sees the text that the previous one left.
        toolCallConcurrency: 1,
        maxRetries: limits.maxRetries,
        stopWhen: [
          sdk.isStepCount(maxSteps),
          ({ steps }) => {
            this.#outOfBudget = !this.reserve(steps);
            return this.#outOfBudget;
          },
          () => this.#request.isDone?.() ?? false,
        ],
        onStepEnd: (step) => this.#record(step as never),
        ...tracing(telemetry, metadata),
      },
    });
  }

  /** `null`: the provider reported no step. */
  answer(): ModelAnswer | null {
    const last = this.#steps.at(-1);
    if (!last) return null;
    const text = withoutThinking(last.text);
    return {
      text,
      ...defined({ onlyThought: (text.trim() === "" && last.text.trim() !== "") || undefined }),
      steps: this.#steps.length,
      stopReason: this.#request.isDone?.() ? "done" : stopReasonOf(last, this.#outOfBudget),
      usage: usageOf(this.#steps, this.#connection.price),
      toolCalls: countCalls(this.#steps),
    };
  }

  #record(step: ModelStep): void {
    this.#steps.push(step);
    const usage = usageOf([step], this.#connection.price);
    this.#reservation?.settle(usage);
    this.#request.onStep?.({ number: this.#steps.length, usage });
  }
}

function optionalFields(
  { maxOutputTokens, temperature, signal }: ModelRequest,
  outputRoom: ModelConnection["outputRoom"],
) {
  return defined({
    maxOutputTokens: maxOutputTokens === undefined ? undefined : outputRoom(maxOutputTokens),
    temperature,
    abortSignal: signal,
  });
}

// Three characters a token gives more tokens than real tokenizers do.
const charactersPerToken = 3;
export const assumedOutput = 4000;
const charactersPerSchema = 2000;

/**
 * The most that the next step can cost. The steps before it added to the conversation, by our count and by the
 * provider's count; the larger one is used.
 */
function worstCost(
  { instructions, prompt, tools = {}, maxOutputTokens }: ModelRequest,
  steps: readonly ModelStep[],
  { price, outputRoom }: Pick<ModelConnection, "price" | "outputRoom">,
): number | null {
  const descriptions = JSON.stringify(Object.values(tools).map(({ description }) => description)).length;
  const schemas = charactersPerSchema * Object.keys(tools).length;
  const length = instructions.length + prompt.length + descriptions + schemas;
  const added = steps.reduce((sum, step) => sum + tokensLeftBy(step), 0);
  const last = steps.at(-1);
  const reported = last ? (last.usage.inputTokens ?? 0) + tokensLeftBy(last) : 0;
  const input = Math.max(length / charactersPerToken + added, reported);
  return costOf({ input, output: outputRoom(maxOutputTokens ?? assumedOutput) }, price);
}

/** Tokens that a step adds to the conversation: the model's text and the tools' answers. */
function tokensLeftBy(step: ModelStep): number {
  const answers = step.toolResults.reduce(
    (sum, { output }) => sum + (typeof output === "string" ? output.length : JSON.stringify(output).length),
    0,
  );
  return (step.usage.outputTokens ?? assumedOutput) + answers / charactersPerToken;
}

function usageOf(steps: readonly ModelStep[], price: Price | null): Usage {
  const input = steps.reduce((sum, { usage }) => sum + (usage.inputTokens ?? 0), 0);
  const output = steps.reduce((sum, { usage }) => sum + (usage.outputTokens ?? 0), 0);
  return { inputTokens: input, outputTokens: output, costUsd: costOf({ input, output }, price) };
}

function stopReasonOf({ finishReason, text }: ModelStep, outOfBudget: boolean): StopReason {
  if (finishReason === "tool-calls") return outOfBudget ? "cost" : "steps";
  if (finishReason === "length") return "length";
  // Some servers give no reason. Then a text is an answer and an empty text is not.
  return finishReason === "stop" || (finishReason === "other" && text !== "") ? "done" : "stopped";
}

function countCalls(steps: readonly ModelStep[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { toolCalls } of steps)
    for (const { toolName } of toolCalls) counts[toolName] = (counts[toolName] ?? 0) + 1;
  return counts;
}

/** Tracing uses the SDK's own hooks. It is off by default and never records the texts. */
function tracing(enabled: boolean, metadata: Metadata | undefined) {
  if (!enabled) return { telemetry: { isEnabled: false } };
  const runtimeContext = {
    session: metadata?.session ?? "",
    tags: metadata?.tags ?? [],
    ...metadata?.properties,
  };
  return {
    runtimeContext,
    telemetry: {
      functionId: metadata?.properties.mode ?? "suture",
      recordInputs: false,
      recordOutputs: false,
      includeRuntimeContext: Object.fromEntries(Object.keys(runtimeContext).map((key) => [key, true])),
    },
  };
}

import type { StepResult, Tool } from "ai";
import { accept, type Outcome, refuse } from "../../text/model/outcome.ts";
import type { Redact } from "../run/redact.ts";
import type { Role, Settings } from "../run/settings.ts";
import type { Ledger, Reservation } from "./budget.ts";
import { wordFailure } from "./failure.ts";
import { generate, type TimeLimits } from "./generate.ts";
import type { Metadata } from "./metadata.ts";
import { howToName, printModelName } from "./model-name.ts";
import { costOf, type Price, priceOf, type Usage } from "./prices.ts";
import { isLocal, openProvider } from "./providers.ts";

export type Tools = Readonly<Record<string, Tool>>;

/** One conversation: what to do, what to work on, which tools, and how far it may go. What is left out is not sent. */
export type Question = {
  readonly instructions: string;
  readonly prompt: string;
  readonly tools?: Tools;
  /** Round trips to the model; one unless said otherwise. */
  readonly maxSteps?: number | undefined;
  readonly maxOutputTokens?: number | undefined;
  readonly temperature?: number | undefined;
  readonly ledger: Ledger;
  readonly signal?: AbortSignal | undefined;
  readonly metadata?: Metadata;
  /** Whether what was asked for is done, so that another round trip would bring only words. For models that people stand behind. */
  readonly isEnough?: () => boolean;
  readonly onStep?: (step: { readonly number: number; readonly usage: Usage }) => void;
};

/**
 * What came of it. `end`: the model was done; its steps or the money ran out while it still called tools; its last
 * answer was cut at the token limit; or the provider stopped it.
 */
export type Answer = {
  readonly text: string;
  readonly steps: number;
  readonly end: "done" | "steps" | "cost" | "length" | "stopped";
  readonly usage: Usage;
  readonly toolCalls: Readonly<Record<string, number>>;
};

/** The port behind which every model stands. A provider that fails is a refusal, worded and without secrets. */
export type Model = {
  readonly name: string;
  /** `null`: nobody has said what it costs. */
  readonly price: Price | null;
  ask(question: Question): Promise<Outcome<Answer>>;
};

export type Limits = TimeLimits & {
  /** Tries after the first, on rate limits, server errors and network errors. */
  readonly maxRetries: number;
};

// A provider that has failed so often in a row, each time after its retries, is down; hundreds of pages need not find out.
const mostFailures = 5;

const defaultLimits: Limits = { maxRetries: 3, stepMs: 120_000, totalMs: 600_000 };

/** The model chosen for a role, or how to choose one. */
export async function openModel(
  role: Role,
  settings: Settings,
  options: { readonly redact: Redact; readonly limits?: Partial<Limits> },
): Promise<Outcome<Model>> {
  const name = settings.models[role];
  if (!name) return refuse({ code: "unavailable", detail: howToChoose });
  const opened = await openProvider(name, settings);
  if (!opened.ok) return opened;
  const sdk = await import("ai");
  // The SDK prints its warnings to the console, where `--json` output belongs.
  (globalThis as { AI_SDK_LOG_WARNINGS?: false }).AI_SDK_LOG_WARNINGS = false;
  const { redact } = options;
  const limits = { ...defaultLimits, ...options.limits };
  const price = priceOf(name, { own: settings.prices, local: isLocal(name.provider, settings) });
  const printed = printModelName(name);
  let failures = 0;
  let lastFailure = "";

  const ask = async (question: Question): Promise<Outcome<Answer>> => {
    const { ledger, tools = {}, maxSteps = 1, maxOutputTokens, temperature, signal, metadata } = question;
    if (failures >= mostFailures)
      return refuse({ code: "unavailable", detail: `${lastFailure}; it is not asked again` });
    const worst = worstStep(question, price);
    let reservation: Reservation | null = ledger.reserve(worst([]));
    if (!reservation) return refuse({ code: "unavailable", detail: noRoom(price) });
    let outOfMoney = false;
    const steps: StepResult<Tools & Record<string, Tool>>[] = [];
    try {
      await generate(sdk, settings.stream, limits, {
        model: opened.value,
        instructions: question.instructions,
        prompt: question.prompt,
        ...(Object.keys(tools).length === 0 ? {} : { tools: { ...tools } }),
        ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
        ...(temperature === undefined ? {} : { temperature }),
        ...(signal === undefined ? {} : { abortSignal: signal }),
        // Calls of one step run in the order given: each sees the text the one before it left.
        toolCallConcurrency: 1,
        maxRetries: limits.maxRetries,
        stopWhen: [
          sdk.isStepCount(maxSteps),
          ({ steps }) => {
            reservation = ledger.reserve(worst(steps));
            outOfMoney = reservation === null;
            return outOfMoney;
          },
        ],
        onStepEnd: (step) => {
          steps.push(step as never);
          const usage = usageOf(step, price);
          reservation?.settle(usage);
          question.onStep?.({ number: steps.length, usage });
        },
        ...traced(settings, metadata),
      });
      failures = 0;
      const last = steps.at(-1);
      if (!last) return refuse({ code: "unavailable", detail: `${printed}: no answer` });
      return accept({
        text: last.text,
        steps: steps.length,
        end: endOf(last, outOfMoney),
        usage: usageOf({ usage: sumOf(steps) }, price),
        toolCalls: countCalls(steps),
      });
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      failures++;
      lastFailure = redact(`${printed}: ${wordFailure(error)}`);
      return refuse({ code: "unavailable", detail: lastFailure });
    } finally {
      reservation?.settle();
    }
  };
  return accept({ name: printed, price, ask });
}

export const howToChoose = `no model is chosen. Pass --model provider:name, or set SUTURE_MODEL. ${howToName}`;

function noRoom(price: Price | null): string {
  return price === null
    ? "a cost ceiling was set, but the price of the model is not known: add it to `prices` in the user configuration"
    : "the cost ceiling leaves no room for another call";
}

// Text is counted at three characters a token, which is more tokens than real tokenizers make of it.
const charactersPerToken = 3;
const assumedOutput = 4000;

/**
 * The most the next step could cost, given the steps before: what they added to the conversation, by our count and
 * by the provider's, which may find more tokens in it than we do.
 */
function worstStep(
  { instructions, prompt, tools, maxOutputTokens }: Question,
  price: Price | null,
): (steps: readonly StepResult<Record<string, Tool>>[]) => number | null {
  const schemas = JSON.stringify(Object.values(tools ?? {}).map(({ description }) => description)).length;
  const length = instructions.length + prompt.length + schemas + 2000 * Object.keys(tools ?? {}).length;
  return (steps) => {
    const added = steps.reduce((sum, step) => sum + contextOf(step), 0);
    const last = steps.at(-1);
    const told = last ? (last.usage.inputTokens ?? 0) + contextOf(last) : 0;
    const input = Math.max(length / charactersPerToken + added, told);
    return costOf({ input, output: maxOutputTokens ?? assumedOutput }, price);
  };
}

/** Tokens that a step leaves in the conversation: what the model said and what the tools answered. */
function contextOf(step: StepResult<Record<string, Tool>>): number {
  const answers = step.toolResults.reduce(
    (sum, { output }) => sum + (typeof output === "string" ? output.length : JSON.stringify(output).length),
    0,
  );
  return (step.usage.outputTokens ?? assumedOutput) + answers / charactersPerToken;
}

function usageOf(
  { usage }: { usage: { inputTokens: number | undefined; outputTokens: number | undefined } },
  price: Price | null,
): Usage {
  const input = usage.inputTokens ?? 0;
  const output = usage.outputTokens ?? 0;
  return { inputTokens: input, outputTokens: output, costUsd: costOf({ input, output }, price) };
}

function sumOf(steps: readonly StepResult<Record<string, Tool>>[]) {
  const sum = (name: "inputTokens" | "outputTokens"): number =>
    steps.reduce((total, { usage }) => total + (usage[name] ?? 0), 0);
  return { inputTokens: sum("inputTokens"), outputTokens: sum("outputTokens") };
}

function endOf(last: { finishReason: string; text: string }, outOfMoney: boolean): Answer["end"] {
  const { finishReason, text } = last;
  if (finishReason === "tool-calls") return outOfMoney ? "cost" : "steps";
  if (finishReason === "length") return "length";
  // Some servers give no reason at all; then a text is an answer and an empty one is not.
  return finishReason === "stop" || (finishReason === "other" && text !== "") ? "done" : "stopped";
}

function countCalls(steps: readonly StepResult<Record<string, Tool>>[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { toolCalls } of steps)
    for (const { toolName } of toolCalls) counts[toolName] = (counts[toolName] ?? 0) + 1;
  return counts;
}

/** Tracing goes through the SDK's own hooks: off unless the user turned it on, and never with the texts. */
function traced(settings: Settings, metadata: Metadata | undefined) {
  if (!settings.telemetry) return { telemetry: { isEnabled: false } };
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

import type { StepResult, Tool } from "ai";
import type { Redact } from "../../text/match/secrets.ts";
import { accept, type Outcome, refuse } from "../../text/model/outcome.ts";
import { modelText } from "../../wording/agents.ts";
import type { ModelRole, Settings } from "../run/settings.ts";
import { endWith, joinAnswers, withResults } from "./answer/text-calls.ts";
import { findTextCalls } from "./answer/written-calls.ts";
import type { CostBudget } from "./budget.ts";
import { assumedOutput, Conversation } from "./conversation.ts";
import { describeFailure } from "./failure.ts";
import type { TimeLimits } from "./generate.ts";
import type { Metadata } from "./metadata.ts";
import { howToName, type ModelName, printModelName } from "./model-name.ts";
import { outputRoom } from "./output-room.ts";
import { type Price, priceOf, type Usage } from "./prices.ts";
import { hasToolCalls, isLocal, openProvider } from "./providers.ts";
import type { StopReason } from "./stop-reason.ts";

export type Tools = Readonly<Record<string, Tool>>;

/** One step of a conversation, as the SDK reports it. */
export type ModelStep = StepResult<Record<string, Tool>>;

/** One conversation: the task, the material, the tools and the limits. Absent fields are not sent. */
export type ModelRequest = {
  readonly instructions: string;
  readonly prompt: string;
  readonly tools?: Tools | undefined;
  /** Round trips to the model; the default is one. */
  readonly maxSteps?: number | undefined;
  readonly maxOutputTokens?: number | undefined;
  readonly temperature?: number | undefined;
  readonly budget: CostBudget;
  readonly signal?: AbortSignal | undefined;
  readonly metadata?: Metadata | undefined;
  /** Whether the tools have all that the conversation is for, so that no further trip is needed. */
  readonly isDone?: (() => boolean) | undefined;
  readonly onStep?: ((step: { readonly number: number; readonly usage: Usage }) => void) | undefined;
};

export type ModelAnswer = {
  /** Without the model's thinking. */
  readonly text: string;
  /** The model wrote nothing but its thinking. */
  readonly onlyThought?: true;
  readonly steps: number;
  readonly stopReason: StopReason;
  readonly usage: Usage;
  readonly toolCalls: Readonly<Record<string, number>>;
};

/** The port for every model. A provider's failure is a refusal, in words and without secrets. */
export type Model = {
  readonly name: string;
  /** `null`: the price is unknown. */
  readonly price: Price | null;
  /** Whether the model calls tools by itself. Others write their calls as text, or fail where tools are offered. */
  readonly callsTools: boolean;
  ask(request: ModelRequest): Promise<Outcome<ModelAnswer>>;
};

export type Limits = TimeLimits & {
  /** Retries after the first try, on rate limits, server errors and network errors. */
  readonly maxRetries: number;
};

const defaultLimits: Limits = { maxRetries: 3, stepMs: 120_000, totalMs: 600_000 };

/** A model on this machine may need minutes to read a prompt. */
const localLimits: Limits = { maxRetries: 3, stepMs: 600_000, totalMs: 3_600_000 };

/** The time that the user allows for one answer; a conversation may take five times as long. */
function limitsOf(name: ModelName, settings: Settings): Limits {
  const usual = isLocal(name.provider, settings) ? localLimits : defaultLimits;
  if (settings.timeoutMs === null) return usual;
  return { ...usual, stepMs: settings.timeoutMs, totalMs: Math.max(usual.totalMs, 5 * settings.timeoutMs) };
}

export const howToChoose = modelText.noModel(howToName);

/** The model chosen for a role, or how to choose one. */
export async function openModel(
  role: ModelRole,
  settings: Settings,
  options: { readonly redact: Redact; readonly limits?: Partial<Limits> | undefined },
): Promise<Outcome<Model>> {
  const name = settings.models[role];
  if (!name) return refuse({ code: "unavailable", detail: howToChoose });
  const opened = await openProvider(name, settings);
  if (!opened.ok) return opened;
  const sdk = await import("ai");
  // The SDK prints its warnings to the console, where `--json` output belongs.
  (globalThis as { AI_SDK_LOG_WARNINGS?: false }).AI_SDK_LOG_WARNINGS = false;
  const connection = {
    sdk,
    model: opened.value,
    limits: { ...limitsOf(name, settings), ...options.limits },
    outputRoom: (answer: number) => outputRoom(name, answer, settings.maxOutputTokens),
    stream: settings.stream,
    telemetry: settings.telemetry,
    price: priceOf(name, { own: settings.prices, local: isLocal(name.provider, settings) }),
  };
  return accept(new ProviderModel(name, connection, options.redact));
}

// A provider that failed this often in a row, each time after its retries, is down. The model stops asking it.
const maxFailures = 5;

class ProviderModel implements Model {
  readonly name: string;
  readonly price: Price | null;
  readonly callsTools: boolean;
  readonly #connection: ConstructorParameters<typeof Conversation>[0];
  readonly #redact: Redact;
  #failures = 0;
  #lastFailure = "";

  constructor(name: ModelName, connection: ConstructorParameters<typeof Conversation>[0], redact: Redact) {
    this.name = printModelName(name);
    this.price = connection.price;
    this.callsTools = hasToolCalls(name.provider);
    this.#connection = connection;
    this.#redact = redact;
  }

  /** Asks, and makes the calls that a model without a tool format of its own writes as text. */
  async ask(request: ModelRequest): Promise<Outcome<ModelAnswer>> {
    const { tools = {}, maxSteps = 1 } = request;
    let answered = await this.#askOnce(request);
    let { prompt } = request;
    while (answered.ok) {
      const calls = findTextCalls(answered.value.text, (name) => Object.hasOwn(tools, name));
      if (calls.length === 0) break;
      if (answered.value.steps >= maxSteps) return accept({ ...answered.value, stopReason: "steps" });
      prompt = await withResults(prompt, calls, request);
      if (request.isDone?.()) return accept(endWith(answered.value, calls));
      const left = maxSteps - answered.value.steps;
      const next: Outcome<ModelAnswer> = await this.#askOnce({ ...request, prompt, maxSteps: left });
      answered = next.ok ? accept(joinAnswers(answered.value, calls, next.value)) : next;
    }
    return answered.ok ? this.#checkUsable(answered.value, request) : answered;
  }

  /** An empty answer is never read as a no: it is refused, with what to change. */
  #checkUsable(answer: ModelAnswer, { maxOutputTokens = assumedOutput }: ModelRequest): Outcome<ModelAnswer> {
    const { text, stopReason, onlyThought, toolCalls } = answer;
    if (text.trim() !== "" || Object.keys(toolCalls).length > 0) return accept(answer);
    const room = this.#connection.outputRoom(maxOutputTokens);
    if (stopReason === "length")
      return refuse({ code: "unavailable", detail: modelText.onlyThought(this.name, room) });
    const why = onlyThought ? "unclosed" : stopReason === "stopped" ? "stopped" : "empty";
    return refuse({ code: "unavailable", detail: modelText.unusable[why](this.name) });
  }

  async #askOnce(request: ModelRequest): Promise<Outcome<ModelAnswer>> {
    if (this.#failures >= maxFailures)
      return refuse({ code: "unavailable", detail: modelText.providerDown(this.#lastFailure) });
    const conversation = new Conversation(this.#connection, request);
    if (!conversation.reserve([]))
      return refuse({ code: "unavailable", detail: modelText.noRoom(this.price !== null) });
    try {
      await conversation.run();
      this.#failures = 0;
      const answer = conversation.answer();
      return answer ? accept(answer) : refuse({ code: "unavailable", detail: modelText.noAnswer(this.name) });
    } catch (error) {
      if (request.signal?.aborted) throw request.signal.reason;
      this.#failures++;
      this.#lastFailure = this.#redact(`${this.name}: ${describeFailure(error, this.#connection.limits)}`);
      return refuse({ code: "unavailable", detail: this.#lastFailure });
    } finally {
      conversation.release();
    }
  }
}

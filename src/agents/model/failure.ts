import { parseJson } from "../../text/model/json.ts";
import { failureText } from "../../wording/agents.ts";
import type { TimeLimits } from "./generate.ts";

/** A provider's failure in one sentence. A time limit is named, with what raises it. */
export function describeFailure(error: unknown, limits?: TimeLimits): string {
  const { name = "", message = String(error) } = (error ?? {}) as { name?: string; message?: string };
  const { lastError, errors } = error as { lastError?: unknown; errors?: readonly unknown[] };
  if (name === "AI_RetryError" && lastError !== undefined)
    return failureText.retried(describeFailure(lastError, limits), errors?.length ?? 0);
  if (name === "TimeoutError") return failureText.timeout(limits?.stepMs);
  const { statusCode } = error as { statusCode?: number };
  const line = firstLine(message);
  const told = errorInBody(error);
  if (told !== undefined && (statusCode ?? 200) < 400) return failureText.inBody(told);
  if (statusCode !== undefined && statusCode >= 400) return failureText.status(statusCode, line);
  if (
    name === "AI_JSONParseError" ||
    name === "AI_TypeValidationError" ||
    name === "AI_InvalidResponseDataError"
  )
    return failureText.invalid;
  return line;
}

/** What a provider says of an error that it sends as a good response. Gateways do so when the model behind them fails. */
function errorInBody(error: unknown): string | undefined {
  const { value, responseBody, data, cause, error: inner } = error as Record<string, unknown>;
  for (const body of [
    error,
    value,
    data,
    inner,
    parseBody(responseBody),
    (cause as { value?: unknown })?.value,
  ]) {
    const told = (body as { error?: unknown } | undefined | null)?.error;
    const message = typeof told === "string" ? told : (told as { message?: unknown } | undefined)?.message;
    if (typeof message === "string" && message.trim() !== "") return firstLine(message);
  }
  return undefined;
}

function parseBody(text: unknown): unknown {
  if (typeof text !== "string") return undefined;
  return parseJson(/^data: (\{.*)$/m.exec(text)?.[1] ?? text);
}

const longest = 300;

function firstLine(message: string): string {
  const line = (message.split("\n", 1)[0] ?? "").replace(/[\u0000-\u001f\u007f-\u009f]+/g, " ");
  return line.length > longest ? `${line.slice(0, longest)}…` : line;
}

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
  if (statusCode !== undefined && statusCode >= 400) return failureText.status(statusCode, line);
  if (
    name === "AI_JSONParseError" ||
    name === "AI_TypeValidationError" ||
    name === "AI_InvalidResponseDataError"
  )
    return failureText.invalid;
  return line;
}

const longest = 300;

function firstLine(message: string): string {
  const line = (message.split("\n", 1)[0] ?? "").replace(/[\u0000-\u001f\u007f-\u009f]+/g, " ");
  return line.length > longest ? `${line.slice(0, longest)}…` : line;
}

/** A provider's failure in one sentence: who said no, and what they said. */
export function describeFailure(error: unknown): string {
  const { name = "", message = String(error) } = (error ?? {}) as { name?: string; message?: string };
  const { lastError, errors } = error as { lastError?: unknown; errors?: readonly unknown[] };
  if (name === "AI_RetryError" && lastError !== undefined)
    return `${describeFailure(lastError)} (${errors?.length ?? 0} tries)`;
  if (name === "TimeoutError") return "no answer in time";
  const { statusCode } = error as { statusCode?: number };
  const said = firstLine(message);
  if (statusCode !== undefined && statusCode >= 400) return `answered ${statusCode}: ${said}`;
  if (
    name === "AI_JSONParseError" ||
    name === "AI_TypeValidationError" ||
    name === "AI_InvalidResponseDataError"
  )
    return "answered with something that is not a valid response";
  return said;
}

const longest = 300;

function firstLine(message: string): string {
  const line = message.split("\n", 1)[0]!.replace(/[\u0000-\u001f\u007f-\u009f]+/g, " ");
  return line.length > longest ? `${line.slice(0, longest)}…` : line;
}

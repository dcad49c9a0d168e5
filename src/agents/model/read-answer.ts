/** A call that a model wrote as text instead of making it. */
export type TextCall = { readonly name: string; readonly input: unknown };

const thinkingTag = "think|thinking|thought|reasoning|reflection|analysis";

/**
 * An answer without the model's thinking. Reasoning models put it between tags before the answer; some servers leave
 * the opening tag out, and a cut answer has no closing one.
 */
export function withoutThinking(text: string): string {
  const final = /<\|channel\|>final<\|message\|>([\s\S]*?)(?:<\|(?:return|end)\|>|$)/.exec(text);
  if (final) return final[1]!;
  let rest = text;
  const block = new RegExp(`^\\s*<(${thinkingTag})>[\\s\\S]*?</\\1>\\s*`, "i");
  while (block.test(rest)) rest = rest.replace(block, "");
  if (new RegExp(`^\\s*<(?:${thinkingTag})>`, "i").test(rest)) return "";
  const close = new RegExp(`^(?:(?!<(?:${thinkingTag})>)[\\s\\S])*?</(?:${thinkingTag})>\\s*`, "i");
  return rest.replace(close, "");
}

/**
 * The calls of an answer that is nothing but calls: JSON as a whole, in one fence, or between the marks that small
 * models use. Prose that mentions a call is not one.
 */
export function findTextCalls(text: string, isOffered: (name: string) => boolean): TextCall[] {
  const marked = Array.from(text.matchAll(/<tool_call>\s*([\s\S]*?)\s*<\/tool_call>/g), ([, call]) => call!);
  const fenced = /^\s*```(?:json|tool_call)?[ \t]*\n([\s\S]*?)\n[ \t]*```\s*$/.exec(text)?.[1];
  const bare = text.replace(/^\s*\[TOOL_CALLS\]\s*/, "");
  for (const candidates of [marked, fenced === undefined ? [] : [fenced], [bare]]) {
    const calls = candidates.flatMap((candidate) => parseCalls(candidate));
    if (calls.length > 0 && calls.every(({ name }) => isOffered(name))) return calls;
  }
  return [];
}

function parseCalls(text: string): TextCall[] {
  const value = parseJson(text);
  const calls = (Array.isArray(value) ? value : [value]).map(toCall);
  return calls.every((call) => call !== null) ? calls : [];
}

/** `{tool, input}`, `{name, arguments}`, `{name, parameters}` or `{function: {…}}`; arguments may be JSON in a string. */
function toCall(value: unknown): TextCall | null {
  if (typeof value !== "object" || value === null) return null;
  const call = value as Record<string, unknown>;
  if (typeof call.function === "object") return toCall(call.function);
  const name = call.tool ?? call.name ?? call.tool_name ?? call.function;
  const input = call.input ?? call.arguments ?? call.parameters ?? call.args;
  if (typeof name !== "string" || input === undefined) return null;
  return { name, input: typeof input === "string" ? parseJson(input) : input };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

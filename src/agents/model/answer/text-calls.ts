import type { ModelAnswer, ModelRequest } from "../model.ts";
import { addUsage, nothingUsed } from "../prices.ts";
import type { TextCall } from "./written-calls.ts";

/** Makes the calls and returns the prompt with their results, for the next round trip. */
export async function withResults(
  prompt: string,
  calls: readonly TextCall[],
  { tools = {}, signal }: ModelRequest,
): Promise<string> {
  const results: string[] = [];
  for (const { name, input } of calls) {
    const options = { toolCallId: name, messages: [], context: undefined, abortSignal: signal };
    const result = String(await tools[name]?.execute?.(input, options as never));
    results.push(`## You called \`${name}\`\n\n${JSON.stringify(input)}\n\n## It answered\n\n${result}`);
  }
  return [prompt, ...results].join("\n\n");
}

/** Merges two answers of one conversation; the last one wins. */
export function joinAnswers(first: ModelAnswer, calls: readonly TextCall[], last: ModelAnswer): ModelAnswer {
  const toolCalls: Record<string, number> = { ...first.toolCalls };
  const count = (name: string, more: number): void => void (toolCalls[name] = (toolCalls[name] ?? 0) + more);
  for (const { name } of calls) count(name, 1);
  for (const [name, more] of Object.entries(last.toolCalls)) count(name, more);
  return {
    ...last,
    steps: first.steps + last.steps,
    usage: addUsage(first.usage, last.usage),
    toolCalls,
  };
}

/** An answer whose calls ended the conversation. */
export function endWith(answer: ModelAnswer, calls: readonly TextCall[]): ModelAnswer {
  const nothing = {
    ...answer,
    text: "",
    steps: 0,
    usage: nothingUsed,
    toolCalls: {},
    stopReason: "done",
  } as const;
  return joinAnswers(answer, calls, nothing);
}

import type { CreateMessageRequestParams } from "@modelcontextprotocol/server";
import type { Answer, Model, Question, Tools } from "../agents/model/model.ts";
import { accept, type Outcome, refuse } from "../text/model/outcome.ts";

/** What the client's model answered; nothing where the person or the client declined. */
export type Sampled = { readonly text: string; readonly cut: boolean } | undefined;

export type Sample = (params: CreateMessageRequestParams) => Promise<Sampled>;

/**
 * The client's own model behind our port, a request to the client for each round trip. Not every client lets a sampled model call tools, so it is asked for the
 * call as JSON, and the call is made here, through the same tool with the same gates.
 */
export function openSamplingModel(name: string, sample: Sample): Model {
  const ask = async (question: Question): Promise<Outcome<Answer>> => {
    const { ledger, tools = {}, maxSteps = 1, maxOutputTokens = 4000, temperature, signal } = question;
    const calls: Record<string, number> = {};
    const messages = [user(question.prompt)];
    for (let step = 1; ; step++) {
      signal?.throwIfAborted();
      const sampled = await sample({
        systemPrompt: systemFor(question.instructions, tools),
        messages: [...messages],
        maxTokens: maxOutputTokens,
        ...(temperature === undefined ? {} : { temperature }),
      });
      if (sampled === undefined) return refuse({ code: "unavailable", detail: `${name} gave no answer` });
      ledger.reserve(null)?.settle(unmetered);
      const { text, cut } = sampled;
      const done = (end: Answer["end"]) =>
        accept({ text, steps: step, end, usage: unmetered, toolCalls: calls });
      if (cut) return done("length");
      const call = Object.keys(tools).length === 0 ? null : parseCall(text, tools);
      if (call === null) return done("done");
      calls[call.tool] = (calls[call.tool] ?? 0) + 1;
      const said = await run(tools, call, signal);
      if (question.isEnough?.()) return done("done");
      if (step === maxSteps) return done("steps");
      messages.push({ role: "assistant", content: { type: "text", text } }, user(said));
    }
  };
  return { name, price: null, ask };
}

/** What clients do not tell: tokens and money are the client's own affair. */
const unmetered = { inputTokens: 0, outputTokens: 0, costUsd: null };

function user(text: string): CreateMessageRequestParams["messages"][number] {
  return { role: "user", content: { type: "text", text } };
}

function systemFor(instructions: string, tools: Tools): string {
  const names = Object.keys(tools).filter((name) => name === "edit_article");
  if (names.length === 0) return instructions;
  return `${instructions}

You cannot call tools here. To call \`edit_article\`, answer with one JSON object and nothing else:
{"tool": "edit_article", "input": {"path": "…", "edits": [{"old_string": "…", "new_string": "…", "reason": "…"}]}}
If nothing needs to change, answer with one sentence instead.`;
}

type ToolCall = { readonly tool: string; readonly input: unknown };

/** An answer that is a call, all of it or in one fence; prose that mentions one is not. */
function parseCall(text: string, tools: Tools): ToolCall | null {
  const bare = /^\s*```(?:json)?[ \t]*\n([\s\S]*?)\n[ \t]*```\s*$/.exec(text)?.[1] ?? text;
  try {
    const { tool, input } = JSON.parse(bare) as { tool?: unknown; input?: unknown };
    return typeof tool === "string" && Object.hasOwn(tools, tool) ? { tool, input } : null;
  } catch {
    return null;
  }
}

async function run(
  tools: Tools,
  { tool, input }: ToolCall,
  signal: AbortSignal | undefined,
): Promise<string> {
  const options = {
    toolCallId: tool,
    messages: [],
    context: undefined,
    ...(signal ? { abortSignal: signal } : {}),
  };
  return String(await tools[tool]!.execute!(input, options as never));
}

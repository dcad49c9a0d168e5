import type { CreateMessageRequestParams } from "@modelcontextprotocol/server";
import { withResults } from "../agents/model/answer/text-calls.ts";
import { withoutThinking } from "../agents/model/answer/thinking.ts";
import { findTextCalls } from "../agents/model/answer/written-calls.ts";
import type { Model, ModelAnswer, ModelRequest, Tools } from "../agents/model/model.ts";
import type { StopReason } from "../agents/model/stop-reason.ts";
import { accept, type Outcome, refuse } from "../text/model/outcome.ts";
import { samplingText } from "../wording/mcp.ts";

/** The answer of the client's model; `undefined` where the person or the client declined. */
export type Sampled = { readonly text: string; readonly cut: boolean } | undefined;

export type Sample = (params: CreateMessageRequestParams) => Promise<Sampled>;

/**
 * The client's own model as a `Model`: one request to the client for each round trip. Not every client lets a sampled
 * model call tools. So the model writes the call as JSON, and this server makes it, with the same tool and gates.
 */
export function openSamplingModel(name: string, sample: Sample): Model {
  return { name, price: null, callsTools: false, ask: (request) => askClient(name, sample, request) };
}

async function askClient(name: string, sample: Sample, request: ModelRequest): Promise<Outcome<ModelAnswer>> {
  const { budget, tools = {}, maxSteps = 1, signal } = request;
  const calls: Record<string, number> = {};
  const messages = [userMessage(request.prompt)];
  for (let step = 1; ; step++) {
    signal?.throwIfAborted();
    const sampled = await sample(sampleParams(request, messages));
    if (sampled === undefined) return refuse({ code: "unavailable", detail: samplingText.noAnswer(name) });
    budget.reserve(null)?.settle(unmetered);
    const { cut } = sampled;
    const text = withoutThinking(sampled.text);
    const end = (stopReason: StopReason) =>
      accept({ text, steps: step, stopReason, usage: unmetered, toolCalls: calls });
    if (cut) return end("length");
    const written = findTextCalls(text, (tool) => Object.hasOwn(tools, tool));
    if (written.length === 0) return end("done");
    for (const call of written) calls[call.name] = (calls[call.name] ?? 0) + 1;
    const results = await withResults("", written, request);
    if (step === maxSteps) return end("steps");
    messages.push({ role: "assistant", content: { type: "text", text } }, userMessage(results.trim()));
  }
}

/** Clients do not report tokens or cost. */
const unmetered = { inputTokens: 0, outputTokens: 0, costUsd: null };

type SamplingMessage = CreateMessageRequestParams["messages"][number];

function sampleParams(
  { instructions, tools = {}, maxOutputTokens = 4000, temperature }: ModelRequest,
  messages: readonly SamplingMessage[],
): CreateMessageRequestParams {
  const params = {
    systemPrompt: systemPrompt(instructions, tools),
    messages: [...messages],
    maxTokens: maxOutputTokens,
  };
  return temperature === undefined ? params : { ...params, temperature };
}

function userMessage(text: string): SamplingMessage {
  return { role: "user", content: { type: "text", text } };
}

function systemPrompt(instructions: string, tools: Tools): string {
  if (!Object.hasOwn(tools, "edit_article")) return instructions;
  return `${instructions}

You cannot call tools here. To call \`edit_article\`, answer with one JSON object and nothing else:
{"tool": "edit_article", "input": {"path": "…", "edits": [{"old_string": "…", "new_string": "…", "reason": "…"}]}}
If nothing needs to change, answer with one sentence instead.`;
}

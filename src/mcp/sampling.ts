import type { CreateMessageRequestParams } from "@modelcontextprotocol/server";
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
  return { name, price: null, ask: (request) => askClient(name, sample, request) };
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
    const { text, cut } = sampled;
    const end = (stopReason: StopReason) =>
      accept({ text, steps: step, stopReason, usage: unmetered, toolCalls: calls });
    if (cut) return end("length");
    const call = Object.keys(tools).length === 0 ? null : parseCall(text, tools);
    if (call === null) return end("done");
    calls[call.name] = (calls[call.name] ?? 0) + 1;
    const result = await runCall(call, signal);
    if (request.isEnough?.()) return end("done");
    if (step === maxSteps) return end("steps");
    messages.push({ role: "assistant", content: { type: "text", text } }, userMessage(result));
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

type SampledCall = { readonly name: string; readonly tool: Tools[string]; readonly input: unknown };

/** An answer that is a call as a whole, or inside one fence. Prose that mentions a call is not one. */
function parseCall(text: string, tools: Tools): SampledCall | null {
  const bare = /^\s*```(?:json)?[ \t]*\n([\s\S]*?)\n[ \t]*```\s*$/.exec(text)?.[1] ?? text;
  try {
    const { tool: name, input } = JSON.parse(bare) as { tool?: unknown; input?: unknown };
    const tool = typeof name === "string" && Object.hasOwn(tools, name) ? tools[name] : undefined;
    return tool === undefined ? null : { name: name as string, tool, input };
  } catch {
    return null;
  }
}

async function runCall({ name, tool, input }: SampledCall, signal: AbortSignal | undefined): Promise<string> {
  const options = { toolCallId: name, messages: [], context: undefined, abortSignal: signal };
  return String(await tool.execute?.(input, options as never));
}

import Anthropic from "@anthropic-ai/sdk";
import type { AnthropicKit } from "suture";
import { type Calls, type Conversation, type Kit, ownCalls, promptOf, runCases, server } from "./cases.ts";

const client = new Anthropic({ baseURL: server, apiKey: "none", maxRetries: 0 });
const model = "claude-haiku-4-5";

/** The loop that the documentation of the SDK shows. */
async function loop(tools: AnthropicKit, { turns, signal }: Conversation): Promise<string[]> {
  const heard: string[] = [];
  const messages: Anthropic.MessageParam[] = [{ role: "user", content: promptOf(turns) }];
  for (;;) {
    const body = { model, max_tokens: 1000, tools: tools.definitions, messages };
    const message = await client.messages.create(body, { signal });
    if (message.stop_reason !== "tool_use") return heard;
    const content = await tools.runAll(message.content, { signal });
    heard.push(...content.map((block) => block.content));
    messages.push({ role: "assistant", content: message.content }, { role: "user", content });
  }
}

/** The SDK's own loop. */
async function runTools(tools: AnthropicKit, { turns, signal }: Conversation): Promise<string[]> {
  const messages = [{ role: "user" as const, content: promptOf(turns) }];
  const runner = client.beta.messages.toolRunner(
    { model, max_tokens: 1000, tools: tools.definitions, messages },
    { signal },
  );
  await runner.runUntilDone();
  return runner.params.messages.flatMap(({ role, content }) =>
    role === "user" && Array.isArray(content)
      ? content.flatMap((block) => (block.type === "tool_result" ? [JSON.stringify(block.content)] : []))
      : [],
  );
}

const name = "str_replace_based_edit_tool";
const editorCalls: Calls = {
  read: { name, input: { command: "view", path: "a.md" } },
  edit: { name, input: { command: "str_replace", path: "a.md", old_str: "old", new_str: "new" } },
  miss: { name, input: { command: "str_replace", path: "a.md", old_str: "none", new_str: "new" } },
  create: { name, input: { command: "create", path: "c.md", file_text: "created\n" } },
  undo: { name, input: { command: "undo_edit", path: "a.md" } },
};

const kits: Kit[] = [
  {
    name: "Anthropic SDK, messages",
    calls: ownCalls,
    converse: (asked) => loop(asked.session.tools.anthropic(), asked),
  },
  {
    name: "Anthropic SDK, tool runner",
    calls: ownCalls,
    converse: (asked) => runTools(asked.session.tools.anthropic(), asked),
  },
  {
    name: "Anthropic SDK, text editor",
    calls: editorCalls,
    converse: (asked) => loop(asked.session.tools.textEditor(), asked),
  },
  {
    name: "Anthropic SDK, text editor in the tool runner",
    calls: editorCalls,
    converse: (asked) => runTools(asked.session.tools.textEditor(), asked),
  },
];

await runCases(kits);

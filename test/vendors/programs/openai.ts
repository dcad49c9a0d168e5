import OpenAI from "openai";
import type { OpenAiKit } from "suture";
import {
  type Calls,
  type Conversation,
  type Kit,
  ownCalls,
  promptOf,
  responsesServer,
  runCases,
  server,
} from "./cases.ts";

const clientFor = (baseURL: string) => new OpenAI({ baseURL, apiKey: "none", maxRetries: 0 });
const [chatClient, client] = [clientFor(`${server}/v1`), clientFor(responsesServer)];
const model = "gpt-5";

async function respond(tools: OpenAiKit, { turns, signal }: Conversation): Promise<string[]> {
  const heard: string[] = [];
  const input: OpenAI.Responses.ResponseInput = [{ role: "user", content: promptOf(turns) }];
  for (;;) {
    const response = await client.responses.create({ model, tools: tools.definitions, input }, { signal });
    const answers = await tools.runAll(response.output, { signal });
    if (answers.length === 0) return heard;
    heard.push(...answers.map(({ output }) => output));
    // The SDK's own types of output and input items differ.
    input.push(...(response.output as OpenAI.Responses.ResponseInputItem[]), ...answers);
  }
}

async function chat(tools: OpenAiKit, { turns, signal }: Conversation): Promise<string[]> {
  const heard: string[] = [];
  const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: "user", content: promptOf(turns) }];
  for (;;) {
    const body = { model, tools: tools.chatDefinitions, messages };
    const { choices } = await chatClient.chat.completions.create(body, { signal });
    const message = choices[0]!.message;
    messages.push(message);
    if (!message.tool_calls?.length) return heard;
    for (const call of message.tool_calls) {
      if (call.type !== "function") continue;
      const answer = await tools.run(call, { signal });
      heard.push(answer.content);
      messages.push(answer);
    }
  }
}

const patch = (type: string, diff: string, path = "a.md") => ({
  name: "apply_patch",
  input: { type, path, diff },
});
const patchCalls: Calls = {
  edit: patch("update_file", "@@\n-old a\n+new a\n"),
  miss: patch("update_file", "@@\n-none\n+new\n"),
  create: patch("create_file", "+created\n", "c.md"),
};

const kits: Kit[] = [
  {
    name: "OpenAI SDK, Responses, strict",
    calls: ownCalls,
    converse: (asked) => respond(asked.session.tools.openai({ strict: true }), asked),
  },
  {
    name: "OpenAI SDK, Chat Completions, strict",
    calls: ownCalls,
    converse: (asked) => chat(asked.session.tools.openai({ strict: true }), asked),
  },
  {
    name: "OpenAI SDK, apply_patch",
    calls: patchCalls,
    converse: (asked) => respond(asked.session.tools.applyPatch(), asked),
  },
];

await runCases(kits);

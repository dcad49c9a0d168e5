import { ChatOpenAI } from "@langchain/openai";
import { createAgent, tool } from "langchain";
import type { Session } from "suture";
import { type Kit, ownCalls, promptOf, runCases, server } from "./cases.ts";

const model = new ChatOpenAI({
  model: "scripted",
  apiKey: "none",
  maxRetries: 0,
  configuration: { baseURL: `${server}/v1` },
});

function toolsOf(session: Session) {
  return session.tools.list().map(({ name, description, inputSchema, run }) =>
    tool(
      async (input, { signal }: { signal?: AbortSignal }) => {
        const result = await run(input, { signal });
        return result.success ? result.output : `Error: ${result.error}\n\n${result.hint ?? ""}`;
      },
      { name, description, schema: inputSchema },
    ),
  );
}

const kit: Kit = {
  name: "LangChain.js, agent",
  calls: ownCalls,
  converse: async ({ session, turns, signal }) => {
    const agent = createAgent({ model, tools: toolsOf(session) });
    const { messages } = await agent.invoke(
      { messages: [{ role: "user", content: promptOf(turns) }] },
      { signal },
    );
    return messages.filter(({ type }) => type === "tool").map(({ text }) => text);
  },
};

await runCases([kit]);

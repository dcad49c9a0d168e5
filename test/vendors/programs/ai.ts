import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import * as newer from "ai";
import * as older from "ai-older";
import { type Kit, ownCalls, promptOf, runCases, server } from "./cases.ts";

const provider = createOpenAICompatible({ name: "scripted", baseURL: `${server}/v1`, apiKey: "none" });
const model = provider("scripted");
// This version of the provider is for the newer SDK. Only the types of the model are cast, never those of the tools.
const olderModel = model as unknown as older.LanguageModel;

// Two copies of the SDK in one program: the tools go with the types of both.
const kits: Kit[] = [
  {
    name: `AI SDK, newer, generateText`,
    calls: ownCalls,
    converse: async ({ session, turns, signal: abortSignal }) => {
      const tools = session.tools.ai();
      const stopWhen = newer.isStepCount(5);
      const prompt = promptOf(turns);
      const { steps } = await newer.generateText({
        model,
        prompt,
        tools,
        stopWhen,
        abortSignal,
        maxRetries: 0,
      });
      return heardIn(steps);
    },
  },
  {
    name: "AI SDK, newer, streamText beside other tools",
    calls: ownCalls,
    converse: async ({ session, turns, signal: abortSignal }) => {
      const own = newer.tool({
        inputSchema: newer.jsonSchema({ type: "object" }),
        execute: async () => "own",
      });
      const tools = { ...session.tools.ai(), own };
      const stopWhen = newer.isStepCount(5);
      const prompt = promptOf(turns);
      const streamed = newer.streamText({ model, prompt, tools, stopWhen, abortSignal, maxRetries: 0 });
      await streamed.consumeStream();
      return heardIn(await streamed.steps);
    },
  },
  {
    name: "AI SDK, older, generateText",
    calls: ownCalls,
    converse: async ({ session, turns, signal: abortSignal }) => {
      const tools = session.tools.ai();
      const stopWhen = older.isStepCount(5);
      const prompt = promptOf(turns);
      const { steps } = await older.generateText({
        model: olderModel,
        prompt,
        tools,
        stopWhen,
        abortSignal,
        maxRetries: 0,
      });
      return heardIn(steps);
    },
  },
  {
    name: "AI SDK, older, streamText",
    calls: ownCalls,
    converse: async ({ session, turns, signal: abortSignal }) => {
      const tools = session.tools.ai();
      const stopWhen = older.isStepCount(5);
      const prompt = promptOf(turns);
      const streamed = older.streamText({
        model: olderModel,
        prompt,
        tools,
        stopWhen,
        abortSignal,
        maxRetries: 0,
      });
      await streamed.consumeStream();
      return heardIn(await streamed.steps);
    },
  },
];

type Step = { readonly toolResults: readonly { readonly output: unknown }[] };

function heardIn(steps: readonly Step[]): string[] {
  return steps.flatMap(({ toolResults }) => toolResults.map(({ output }) => JSON.stringify(output)));
}

await runCases(kits);

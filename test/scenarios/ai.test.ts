import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { generateText, isStepCount } from "ai";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTools } from "../../src/ai.ts";
import type { Result } from "../../src/tools/tool.ts";
import { textOf } from "../../src/wording/report.ts";
import { openServer, type ScriptedServer, type Turn } from "../agents/scripted-server.ts";
import { type Door, loadScenarios, notOffered, runScenario } from "./scenario.ts";
import { createRoot } from "./temporary-root.ts";

let server: ScriptedServer;
/** What the model says next. */
let script: Turn[] = [];
beforeAll(async () => {
  server = await openServer(() => script.shift() ?? { text: "Done." });
});
afterAll(() => server.close());

const ai: Door = {
  name: "ai",
  async open({ before, options }) {
    const { root, remove, write, tree, commit } = createRoot(before);
    const tools = await createTools({ root, ...options });
    const provider = createOpenAICompatible({
      name: "scripted",
      baseURL: `${server.url}/v1`,
      apiKey: "none",
    });
    return {
      write,
      tree,
      commit,
      call: async (tool, input) => {
        script = [{ calls: [{ name: tool, input }] }];
        const { steps } = await generateText({
          model: provider("scripted"),
          prompt: "Go on.",
          tools,
          stopWhen: isStepCount(2),
        });
        if (!(tool in tools)) return { success: false, output: "", tool, code: notOffered };
        const result = steps[0]!.toolResults[0]!.output as Result;
        const seen = server.requests.at(-1)!.messages.findLast(({ role }) => role === "tool");
        expect(seen?.text, "the model reads one text").toBe(textOf(result));
        return result;
      },
      close: async () => {
        await tools[Symbol.asyncDispose]();
        remove();
      },
    };
  },
};

describe("scenarios through the AI SDK", () => {
  for (const scenario of loadScenarios("ai")) test(scenario.name, () => runScenario(scenario, ai));
});

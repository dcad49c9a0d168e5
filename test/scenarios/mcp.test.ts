import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { textOf } from "../../src/tools/report.ts";
import type { Result } from "../../src/tools/tool.ts";
import { type Bundle, bundleCommand } from "../doors/bundle.ts";
import { type Door, loadScenarios, runScenario } from "./scenario.ts";
import { createRoot } from "./temporary-root.ts";

let bundle: Bundle;
beforeAll(async () => {
  bundle = await bundleCommand();
});
afterAll(() => bundle.remove());

/** Clients of the newest protocol and of the one before take turns. */
let turn = 0;

const mcp: Door = {
  name: "mcp",
  async open(before, options) {
    const { root, remove, ...files } = createRoot(before);
    const flags = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]);
    const mode = turn++ % 2 === 0 ? "auto" : "legacy";
    const client = new Client({ name: "scenarios", version: "1.0.0" }, { versionNegotiation: { mode } });
    const args = [bundle.main, "mcp", "--root", root, ...flags];
    await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: "inherit" }));
    return {
      ...files,
      call: async (tool, input) => {
        const answer = await client.callTool({ name: tool, arguments: input as Record<string, unknown> });
        const result = answer.structuredContent as Result;
        expect(answer.isError ?? false).toBe(!result.success);
        expect(answer.content).toEqual([{ type: "text", text: textOf(result) }]);
        return result;
      },
      close: async () => {
        await client.close();
        remove();
      },
    };
  },
};

describe("scenarios through MCP", () => {
  for (const scenario of loadScenarios("mcp"))
    test.concurrent(scenario.name, () => runScenario(scenario, mcp));
});

import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Result } from "../../src/tools/tool.ts";
import { textOf } from "../../src/wording/report.ts";
import { type Bundle, bundleCommand } from "../doors/bundle.ts";
import { type Door, loadScenarios, type Room, runScenario, type Scenario } from "./scenario.ts";
import { createRoot, type TemporaryRoot } from "./temporary-root.ts";

let bundle: Bundle;
beforeAll(async () => {
  bundle = await bundleCommand();
});
afterAll(() => bundle.remove());

type Served = { readonly client: Client; readonly files: TemporaryRoot };

/** Clients of the newest protocol and of the one before take turns. */
let turn = 0;

async function serve({ before, options }: Scenario): Promise<Served> {
  const files = createRoot(before);
  const flags = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const mode = turn++ % 2 === 0 ? "auto" : "legacy";
  const client = new Client({ name: "scenarios", version: "1.0.0" }, { versionNegotiation: { mode } });
  const args = [bundle.main, "mcp", "--root", files.root, ...flags];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: "inherit" }));
  return { client, files };
}

function roomOf({ client, files }: Served, close: () => Promise<void>): Room {
  return {
    write: files.write,
    tree: files.tree,
    commit: files.commit,
    call: async (tool, input) => {
      const answer = await client.callTool({ name: tool, arguments: input as Record<string, unknown> });
      const result = answer.structuredContent as Result;
      expect(answer.isError ?? false).toBe(!result.success);
      expect(answer.content).toEqual([{ type: "text", text: textOf(result) }]);
      return result;
    },
    close,
  };
}

async function end({ client, files }: Served): Promise<void> {
  await client.close();
  files.remove();
}

/** A server of its own, with an empty journal. */
const alone: Door = {
  name: "mcp",
  open: async (scenario) => {
    const served = await serve(scenario);
    return roomOf(served, () => end(served));
  },
};

type Standing = { readonly served: Promise<Served>; readonly paths: Set<string> };

/** Servers that stay for scenarios with the same options and other files: a server remembers what it has shown. */
const standing: (Standing & { readonly key: string })[] = [];
afterAll(async () => {
  for (const { served } of standing) await end(await served);
});

const together: Door = {
  name: "mcp",
  open: async (scenario) => {
    const key = JSON.stringify(scenario.options);
    const paths = Object.keys(scenario.before);
    let found = standing.find((one) => one.key === key && !paths.some((path) => one.paths.has(path)));
    if (!found) {
      found = { key, served: serve(scenario), paths: new Set() };
      standing.push(found);
    }
    for (const path of paths) found.paths.add(path);
    const served = await found.served;
    served.files.fill(scenario.before);
    return roomOf(served, async () => {});
  },
};

/** Scenarios about the journal need an empty journal of their own. */
function needsOwnJournal({ steps }: Scenario): boolean {
  return steps.length > 1 || steps.some((step) => "tool" in step && /^(undo|redo|history)$/.test(step.tool));
}

describe("scenarios through MCP", () => {
  const all = loadScenarios("mcp");
  for (const scenario of all.filter((each) => !needsOwnJournal(each)))
    test(scenario.name, () => runScenario(scenario, together));
  for (const scenario of all.filter(needsOwnJournal))
    test.concurrent(scenario.name, () => runScenario(scenario, alone));
});

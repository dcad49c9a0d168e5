import { describe, test } from "vitest";
import { callTool } from "../../src/docs/catalog.ts";
import { openContext } from "../../src/tools/context.ts";
import { createMemoryDisk } from "../../src/workspace/files/memory-files.ts";
import { type Door, loadScenarios, runScenario } from "./scenario.ts";

const memory: Door = {
  name: "memory",
  async open({ before, options: { force, ...options } }) {
    const disk = createMemoryDisk();
    for (const [path, bytes] of Object.entries(before)) disk.put(path, bytes);
    const consent = force ? { force, policy: { consent: true } } : {};
    const opened = await openContext({ root: "/", files: disk.process(), ...options, ...consent });
    if (!opened.ok) throw new Error(JSON.stringify(opened.refusal));
    return {
      call: (tool, input) => callTool(opened.value, tool, input),
      write: async (path, text) => void disk.put(path, text),
      tree: async () => {
        const paths = disk.tree().filter((path) => !path.startsWith(".suture") && !path.endsWith("/"));
        return Object.fromEntries(paths.sort().map((path) => [path, disk.read(path)!.bytes]));
      },
      close: () => opened.value.reader.close(),
    };
  },
};

describe("scenarios in memory", () => {
  for (const scenario of loadScenarios("memory")) test(scenario.name, () => runScenario(scenario, memory));
});

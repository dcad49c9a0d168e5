import { describe, test } from "vitest";
import { callTool } from "../../src/docs/catalog.ts";
import { openContext } from "../../src/tools/context.ts";
import { type Door, loadScenarios, runScenario } from "./scenario.ts";
import { createRoot } from "./temporary-root.ts";

const disk: Door = {
  name: "disk",
  async open({ before, options: { force, ...options } }) {
    const { root, remove, write, tree, commit } = createRoot(before);
    const consent = force ? { force, policy: { consent: true } } : {};
    const opened = await openContext({ root, ...options, ...consent });
    if (!opened.ok) throw new Error(JSON.stringify(opened.refusal));
    return {
      write,
      tree,
      commit,
      call: (tool, input) => callTool(opened.value, tool, input),
      close: async () => {
        await opened.value.reader.close();
        remove();
      },
    };
  },
};

describe("scenarios on the disk", () => {
  for (const scenario of loadScenarios("disk")) test(scenario.name, () => runScenario(scenario, disk));
});

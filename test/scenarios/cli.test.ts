import { execFile } from "node:child_process";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Result } from "../../src/tools/tool.ts";
import { exitCodeOf } from "../../src/wording/exit-code.ts";
import { type Bundle, bundleCommand } from "../doors/bundle.ts";
import { type Door, loadScenarios, type PlaceOptions, runScenario } from "./scenario.ts";
import { createRoot } from "./temporary-root.ts";

let bundle: Bundle;
beforeAll(async () => {
  bundle = await bundleCommand();
});
afterAll(() => bundle.remove());

const cli: Door = {
  name: "cli",
  async open({ before, options }) {
    const { root, remove, write, tree, commit } = createRoot(before);
    return {
      write,
      tree,
      commit,
      call: (tool, input) =>
        suture(["tool", tool, JSON.stringify(input), "--root", root, ...flagsOf(options)]),
      close: async () => remove(),
    };
  },
};

/** The same options as words. */
function flagsOf(options: PlaceOptions): string[] {
  return Object.entries(options).flatMap(([name, value]) =>
    value === true ? [`--${name}`] : [`--${name}`, String(value)],
  );
}

function suture(words: readonly string[]): Promise<Result> {
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [bundle.main, ...words], (error, stdout, stderr) => {
      const code = error?.code ?? 0;
      if (stdout === "") return reject(new Error(`exit ${code}: ${stderr}`));
      const result = JSON.parse(stdout) as Result;
      expect(code, "the exit code says what became of it").toBe(result.success ? 0 : exitCodeOf(result));
      resolve(result);
    });
  });
}

describe("scenarios through the command line", () => {
  for (const scenario of loadScenarios("cli"))
    test.concurrent(scenario.name, () => runScenario(scenario, cli));
});

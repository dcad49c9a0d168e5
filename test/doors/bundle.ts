import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { build } from "tsdown";

/** The command line built as it ships, in a folder of its own. */
export type Bundle = { readonly main: string; remove(): void };

/** Builds the command from the sources of this moment; tests start it many times, and sources start slowly. */
export async function bundleCommand(): Promise<Bundle> {
  // Inside node_modules, so that what is not bundled is found from there.
  const cache = resolve("node_modules/.cache/suture-doors");
  mkdirSync(cache, { recursive: true });
  const outDir = mkdtempSync(join(cache, "build-"));
  await build({
    config: false,
    entry: {
      main: "src/cli/main.ts",
      "mcp-check-program": "src/mcp/tool-program.ts",
      "session-check-program": "src/docs/session/check-program.ts",
    },
    outDir,
    format: "cjs",
    platform: "node",
    target: "node22",
    dts: false,
    clean: false,
    logLevel: "error",
    fixedExtension: false,
  });
  return { main: join(outDir, "main.cjs"), remove: () => rmSync(outDir, { recursive: true, force: true }) };
}

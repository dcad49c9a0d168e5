import { existsSync } from "node:fs";
import { defineConfig } from "tsdown";
import manifest from "./package.json" with { type: "json" };

// The doors of package.json are the one list of entries; a door whose room is not built yet is left out.
const doors = Object.values(manifest.exports).flatMap((door) =>
  typeof door === "string" ? [] : door.default,
);
const names = doors.map((file) => file.replace(/^\.\/dist\/|\.js$/g, ""));

const shared = { format: "esm", platform: "node", target: "node22", fixedExtension: false } as const;

/** The files that `suture edit` runs through. */
const editPath =
  /src\/(text\/(?!patch\/)|workspace\/(?!git\/)|wording\/(report|results|exit-code)\.ts|tools\/(apply-edits|config-path|edited|verbs\/edit-file|gates|part-version|tool|context|target|spelling)\.ts|cli\/(arguments|command|commands|usage-error|nearest|run-tool|version)\.ts|cli\/terminal\/(input|interrupt|live-area|paint|standard-stream|terminal)\.ts|cli\/commands\/edit\/edit\.ts)/;

export default defineConfig([
  {
    ...shared,
    entry: Object.fromEntries(
      names.map((name) => [name, `src/${name}.ts`]).filter(([, source]) => existsSync(source!)),
    ),
    dts: true,
  },
  // The command line starts often, so it has a build of its own: less to read, and what an edit needs in one piece.
  {
    ...shared,
    format: "cjs",
    entry: {
      main: "src/cli/main.ts",
      "mcp-check-program": "src/mcp/tool-program.ts",
      "session-check-program": "src/docs/session/check-program.ts",
    },
    outDir: "dist/cli",
    clean: false,
    dts: false,
    minify: true,
    // Node decodes a text of plain ASCII in a quarter of the time.
    outputOptions: { charset: "ascii", codeSplitting: { groups: [{ name: "edit", test: editPath }] } },
  },
  // The fleet is a package of its own. It takes from this one what any program can take.
  {
    ...shared,
    cwd: "packages/fleet",
    entry: { index: "src/index.ts", "check-program": "src/jobs/check-program.ts" },
    dts: false,
  },
  // The hooks around each call of an agent's edit tool: one file that is required, since modules take longer to load.
  {
    ...shared,
    format: "cjs",
    entry: { "tool-hook": "src/cli/tool-hook.ts" },
    outDir: "dist/cli",
    clean: false,
    dts: false,
    minify: true,
    outputOptions: { charset: "ascii" },
  },
]);

import { fileURLToPath } from "node:url";
import { configDefaults, defineConfig } from "vitest/config";
import { countReporter } from "./test/count-reporter.ts";
import { sourceEntries } from "./test/source-entries.ts";

// Tests that kill or start processes many times, or start browsers, databases or other programs' clients:
// `npm run test:long`.
const long = [
  "test/torture/**/*.test.ts",
  "test/threats/metadata.test.ts",
  "packages/fleet/test/{backup,commands,deploy,faults,page,pglite,postgres,process,telemetry}.test.ts",
  "test/gates/{browser,people,renderers}.test.ts",
  "test/web/{browser,command,large,payloads,try}.test.ts",
  "test/agents/{kill,obedient-attacker}.test.ts",
  "test/ci/{ci,fork,from-git,init}.test.ts",
  "test/doors/{bundle-settings,cli,first-rule,growth,ping,stdio,types}.test.ts",
  "test/drift/{check,consent,hints}.test.ts",
  "test/lsp/{editors,sessions,vscode}.test.ts",
  "test/clients/*.test.ts",
  "test/vendors/*.test.ts",
  "test/samples.test.ts",
  "test/scenarios/{ai,cli,drift,drift-fleet,mcp}.test.ts",
];

const fromSource = new URL("test/suture-from-source.ts", import.meta.url).href;

export default defineConfig({
  resolve: {
    alias: Object.entries(sourceEntries).map(([name, url]) => ({
      find: new RegExp(`^${name}$`),
      replacement: fileURLToPath(url),
    })),
  },
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: "quick",
          include: ["{src,test,packages/*/{src,test}}/**/*.test.ts"],
          exclude: [...configDefaults.exclude, ...long],
        },
      },
      { extends: true, test: { name: "long", include: long } },
    ],
    globalSetup: ["test/draw-seed.ts", "test/compile-cache.ts"],
    setupFiles: "test/use-seed.ts",
    // In CI the base's configuration holds. Tests ask for that themselves, so that every machine runs the same tests.
    env: { CI: "" },
    reporters: ["default", countReporter()],
    // Processes, because some tests change the working directory or kill what they start.
    pool: "forks",
    // Also for the programs that a test starts with the options of its own process.
    execArgv: ["--import", fromSource],
    maxWorkers: 2,
    // Laws run ten thousand cases and some start git for each. A busy machine must not fail them, so tests have few
    // limits of their own: a test that hangs ends here.
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
});

import { configDefaults, defineConfig } from "vitest/config";
import { countReporter } from "./test/count-reporter.ts";

// Tests that kill or start processes many times, or start browsers, databases or other programs' clients:
// `npm run test:long`.
const long = [
  "test/torture/**/*.test.ts",
  "test/threats/metadata.test.ts",
  "test/fleet/{backup,commands,deploy,faults,page,pglite,postgres,process,telemetry}.test.ts",
  "test/gates/{browser,people,renderers}.test.ts",
  "test/web/{browser,command,large,payloads,try}.test.ts",
  "test/agents/{kill,obedient-attacker}.test.ts",
  "test/ci/{ci,fork,init}.test.ts",
  "test/doors/{bundle-settings,cli,first-rule,ping,stdio,types}.test.ts",
  "test/drift/{check,consent,hints}.test.ts",
  "test/lsp/{editors,sessions,vscode}.test.ts",
  "test/clients/*.test.ts",
  "test/vendors/*.test.ts",
  "test/samples.test.ts",
  "test/scenarios/{ai,cli,drift,drift-fleet,mcp}.test.ts",
];

export default defineConfig({
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: "quick",
          include: ["src/**/*.test.ts", "test/**/*.test.ts"],
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
    maxWorkers: 2,
    // Laws run ten thousand cases and some start git for each. A busy machine must not fail them, so tests have few
    // limits of their own: a test that hangs ends here.
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
});

import { defineConfig } from "vitest/config";
import { countReporter } from "./test/count-reporter.ts";

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    globalSetup: "test/draw-seed.ts",
    setupFiles: "test/use-seed.ts",
    reporters: ["default", countReporter()],
    // Processes, because some tests change the working directory or kill what they start.
    pool: "forks",
    maxWorkers: 2,
    // Laws run ten thousand cases and some start git for each; a busy machine must not fail them.
    testTimeout: 180_000,
    hookTimeout: 60_000,
  },
});

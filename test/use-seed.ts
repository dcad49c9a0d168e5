import { configureGlobal } from "fast-check";
import { inject } from "vitest";

// A law that starts a process for each case asks for fewer runs itself.
configureGlobal({ seed: inject("seed"), numRuns: Number(process.env.FAST_CHECK_RUNS ?? 10_000) });

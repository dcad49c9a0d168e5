import type { Reporter } from "vitest/node";

/** Ends a run with `3 passed, 0 failed, 1 skipped` on a line of its own, for programs that read the output. */
export function countReporter(): Reporter {
  return {
    onTestRunEnd(modules, unhandled) {
      const count = { passed: 0, failed: unhandled.length, skipped: 0, pending: 0 };
      for (const module of modules) {
        for (const test of module.children.allTests()) count[test.result().state]++;
        // A file that could not be loaded has no tests that could fail.
        if (module.errors().length > 0) count.failed++;
      }
      const line = `${count.passed} passed, ${count.failed} failed, ${count.skipped + count.pending} skipped`;
      // The other reporters have printed everything by then.
      process.once("exit", () => console.log(line));
    },
  };
}

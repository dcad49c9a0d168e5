import type { Reporter, TestCase } from "vitest/node";

/** Ends a run with what was skipped and why, and a last line for programs: `3 passed, 0 failed, 1 skipped`. */
export function countReporter(): Reporter {
  return {
    onTestRunEnd(modules, unhandled) {
      const tests = modules.flatMap((module) => [...module.children.allTests()]);
      const having = (...states: string[]) => tests.filter((test) => states.includes(test.result().state));
      // A file that could not be loaded, or a group whose hook failed, has no tests that could fail.
      const groups = modules.flatMap((module) => [module, ...module.children.allSuites()]);
      const broken = groups.filter((group) => group.errors().length > 0).length + unhandled.length;
      const skipped = having("skipped", "pending");
      const count = `${having("passed").length} passed, ${having("failed").length + broken} failed, ${skipped.length} skipped`;
      // The other reporters have printed everything by then.
      process.once("exit", () => console.log([...skipped.map(describeSkip), count].join("\n")));
    },
  };
}

function describeSkip(test: TestCase): string {
  const result = test.result();
  const note = result.state === "skipped" && result.note ? `: ${result.note}` : "";
  return `skipped ${test.module.relativeModuleId} > ${test.fullName}${note}`;
}

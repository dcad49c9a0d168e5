import { expect, test } from "vitest";
import { createMetrics } from "./metrics.ts";

test("the buckets of a histogram are in the order of their limits, and the labels of a series stay together", () => {
  const metrics = createMetrics();
  metrics.observe("job_seconds", { kind: "fix" }, 3);
  metrics.observe("job_seconds", { kind: "check" }, 0.2);
  const stored = [...metrics.takePending()].sort((a, b) => (a.labels < b.labels ? -1 : 1));
  const lines = metrics.print([], stored).split("\n");
  const limits = (kind: string): string[] =>
    lines.flatMap((line) => new RegExp(`_bucket\\{kind="${kind}",le="(.*?)"`).exec(line)?.[1] ?? []);
  const wanted = ["0.05", "0.1", "0.25", "0.5", "1", "2.5", "5", "10", "30", "60", "300", "900", "+Inf"];
  expect(limits("check")).toEqual(wanted);
  expect(limits("fix")).toEqual(wanted);
});

import { expect, test } from "vitest";
import { patiently, runPart } from "./run-part.ts";

test("every legal crash state is recovered", patiently, async () => {
  const counts = await runPart("states");
  expect(counts["crash states"]).toBeGreaterThan(20_000);
});

test("recovery also works after a crash during recovery", patiently, async () => {
  const counts = await runPart("recovery");
  expect(counts["crashes in recovery"]).toBeGreaterThan(400);
});

test("each operation may fail, in any way, once or forever", patiently, async () => {
  const counts = await runPart("errors");
  expect(counts["injected errors"]).toBeGreaterThan(10_000);
});

test(
  "in histories with outside changes, undo and redo restore bytes and modes and keep outside changes",
  patiently,
  async () => {
    const counts = await runPart("histories");
    expect(counts.histories).toBe(400);
    expect(counts["undos over later changes"]).toBeGreaterThan(120);
  },
);

test("a cut, damaged, forged or changed journal is detected", patiently, async () => {
  const counts = await runPart("journal");
  expect(counts["journals cut"]).toBeGreaterThan(5000);
  expect(counts["changes to the history"]).toBe(1000);
});

test(
  "a writer that was stopped while its lock was broken harms nobody when it goes on",
  patiently,
  async () => {
    const counts = await runPart("stop");
    expect(counts.stops).toBeGreaterThan(150);
  },
);

import { expect, test } from "vitest";
import { patiently, runPart } from "./run-part.ts";

test("F03 G4 every legal crash state is recovered", patiently, async () => {
  const counts = await runPart("states");
  expect(counts["crash states"]).toBeGreaterThan(20_000);
});

test("F02 G2 a crash in recovery is met by recovery", patiently, async () => {
  const counts = await runPart("recovery");
  expect(counts["crashes in recovery"]).toBeGreaterThan(400);
});

test("F04 F05 F06 F07 G5 any operation may fail, in any way, once or for ever", patiently, async () => {
  const counts = await runPart("errors");
  expect(counts["injected errors"]).toBeGreaterThan(10_000);
});

test(
  "S09–S13 G12 histories with outside changes: undo and redo give back bytes and modes, and take nobody's",
  patiently,
  async () => {
    const counts = await runPart("histories");
    expect(counts.histories).toBe(400);
    expect(counts["undos over later changes"]).toBeGreaterThan(120);
  },
);

test("S01 S02 S03 S17 S19 G22 the journal cut, damaged, forged and changed", patiently, async () => {
  const counts = await runPart("journal");
  expect(counts["journals cut"]).toBeGreaterThan(5000);
  expect(counts["changes to the history"]).toBe(1000);
});

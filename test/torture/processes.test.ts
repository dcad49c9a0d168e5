import { expect, test } from "vitest";
import { patiently, runPart } from "./run-part.ts";

test("F01 G1 kill -9 before operations of twenty workloads", patiently, async () => {
  const counts = await runPart("kill");
  expect(counts["kill points"]).toBeGreaterThanOrEqual(1000);
});

test("F01 kill -9 at system calls", patiently, async ({ skip }) => {
  const counts = await runPart("kill-outside");
  skip(counts["kills at system calls"] === undefined, "no strace here that can trace");
});

test("T10 G6 32 processes × 300 edits of one file under kill -9: answered = applied", patiently, async () => {
  const counts = await runPart("writers");
  expect(counts["edits answered as done"]).toBeGreaterThanOrEqual(32 * 300);
});

test("T13 T14 G6 the lock never has two holders", patiently, async () => {
  const counts = await runPart("lock");
  expect(counts["turns at the lock"]).toBeGreaterThanOrEqual(16 * 25);
});

test("T01 T02 G8 nothing is written through a link that was swapped in", patiently, async () => {
  const counts = await runPart("swap");
  expect(counts["of them done"]).toBeGreaterThan(0);
});

test("G13 a reader always sees a whole file", patiently, async () => {
  const counts = await runPart("readers");
  expect(counts["versions seen"]).toBeGreaterThan(10);
});

test("T05 T06 T07 G7 what an outside program saves is not lost", patiently, async () => {
  const counts = await runPart("outside");
  expect(counts["outside saves"]).toBeGreaterThan(50);
});

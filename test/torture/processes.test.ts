import { expect, test } from "vitest";
import { patiently, runPart } from "./run-part.ts";

const unharmed = { "written elsewhere": 0, "read elsewhere": 0, "foreign descriptors closed": 0 };

test("recovery works after kill -9 before the operations of every workload", patiently, async () => {
  const counts = await runPart("kill");
  expect(counts["kill points"]).toBeGreaterThanOrEqual(1000);
});

test("recovery works after kill -9 at system calls", patiently, async ({ skip }) => {
  const counts = await runPart("kill-outside");
  skip(counts["kills at system calls"] === undefined, "no strace here that can trace");
});

test(
  "32 processes make 300 edits of one file under kill -9, and every acknowledged edit is applied",
  patiently,
  async () => {
    const counts = await runPart("writers");
    expect(counts["edits answered as done"]).toBeGreaterThanOrEqual(32 * 300);
  },
);

test("a full disk leaves every file old or new, also for the next caller", patiently, async ({ skip }) => {
  const counts = await runPart("full");
  skip(counts["full disks"] === undefined, "only the superuser may mount");
});

test("the lock never has two holders", patiently, async () => {
  const counts = await runPart("lock");
  expect(counts["turns at the lock"]).toBeGreaterThanOrEqual(16 * 25);
});

test("nothing is written through a swapped link", patiently, async () => {
  const counts = await runPart("swap");
  expect(counts["of them done"]).toBeGreaterThan(0);
});

test("a close before any operation does nothing to others in the process", patiently, async () => {
  const counts = await runPart("close");
  expect(counts.closings).toBeGreaterThan(50);
  expect(counts).toMatchObject(unharmed);
});

test("a closed workspace that is used on does nothing to others in the process", patiently, async () => {
  expect(await runPart("close-again")).toMatchObject(unharmed);
});

test("a reader always sees a whole file", patiently, async () => {
  const counts = await runPart("readers");
  expect(counts["versions seen"]).toBeGreaterThan(10);
});

test("bytes that another program saves are not lost", patiently, async () => {
  const counts = await runPart("outside");
  expect(counts["outside saves"]).toBeGreaterThan(50);
});

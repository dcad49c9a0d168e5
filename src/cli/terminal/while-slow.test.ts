import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { openTerminal } from "./terminal.ts";
import { whileSlow } from "./while-slow.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const rows: [string, number, boolean, boolean][] = [
  ["a person sees what takes longer than a second", 1500, true, true],
  ["a person sees nothing of quick work", 500, true, false],
  ["a log has no line about a few seconds", 1500, false, false],
  ["a log has a line about long work", 15_000, false, true],
];
test.each(rows)("%s", async (_, milliseconds, live, isShown) => {
  const shown: string[] = [];
  const { live: _none, ...terminal } = openTerminal({ json: false, quiet: false, verbose: false });
  const watched = {
    ...terminal,
    remark: (text: string) => void shown.push(text),
    ...(live ? { live: (lines: readonly string[]) => void shown.push(...lines) } : {}),
  };
  const slow = new Promise<string>((resolve) => setTimeout(resolve, milliseconds, "done"));
  const result = whileSlow(watched, "checking", () => slow);
  await vi.advanceTimersByTimeAsync(milliseconds);
  expect(await result).toBe("done");
  expect(shown.some((line) => line.includes("checking"))).toBe(isShown);
});

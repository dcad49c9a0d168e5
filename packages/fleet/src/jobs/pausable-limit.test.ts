import { expect, test, vi } from "vitest";
import { PausableLimit } from "./pausable-limit.ts";

test("the time of pauses does not count, also where pauses overlap", () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  try {
    let isOver = false;
    const limit = new PausableLimit(1000, () => {
      isOver = true;
    });
    vi.advanceTimersByTime(600);
    limit.pause();
    limit.pause();
    vi.advanceTimersByTime(5000);
    limit.resume();
    vi.advanceTimersByTime(5000);
    limit.resume();
    vi.advanceTimersByTime(399);
    expect(isOver).toBe(false);
    vi.advanceTimersByTime(1);
    expect(isOver).toBe(true);
  } finally {
    vi.useRealTimers();
  }
});

test("a limit that has ended is never over, also after a pause", () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  try {
    const limit = new PausableLimit(10, () => {
      throw new Error("over");
    });
    limit.pause();
    limit.end();
    limit.resume();
    vi.advanceTimersByTime(1000);
  } finally {
    vi.useRealTimers();
  }
});

import { expect, test, vi } from "vitest";
import { LimitedFetches } from "./limited-fetches.ts";

const sleep = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

test("fetches run one after the other, and none begins when their time is over", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  try {
    const running: string[] = [];
    const fetches = new LimitedFetches(async ([id = ""]) => {
      running.push(`begin ${id}`);
      await sleep(30);
      running.push(`end ${id}`);
    }, 40);
    const all = Promise.all(["a", "b", "c"].map((id) => fetches.fetch([id])));
    await vi.advanceTimersByTimeAsync(60);
    expect(await all).toEqual([true, true, false]);
    expect(running).toEqual(["begin a", "end a", "begin b", "end b"]);
    expect(fetches.isCut).toBe(true);
  } finally {
    vi.useRealTimers();
  }
});

test("a fetch that fails is passed on, and does not stop the next one", async () => {
  const fetches = new LimitedFetches(async ([id]) => {
    if (id === "lost") throw new Error("the host is away");
  }, 1000);
  await expect(fetches.fetch(["lost"])).rejects.toThrow("the host is away");
  expect(await fetches.fetch(["found"])).toBe(true);
  expect(fetches.isCut).toBe(false);
});

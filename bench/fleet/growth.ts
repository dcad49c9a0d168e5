import { figure, median, printTable } from "../report.ts";
import { openFleetAt, type Site } from "./site.ts";

export type Growth = {
  readonly depth: number;
  readonly add: number;
  readonly take: number;
  readonly complete: number;
  readonly depthRead: number;
};

/** What one operation of the queue takes, in milliseconds, with so many jobs waiting. */
export async function measureGrowth(site: Site, depths: readonly number[], rounds = 200): Promise<Growth[]> {
  const { fleet } = await openFleetAt(site, "growth");
  const figures: Growth[] = [];
  let queued = 0;
  // Invented jobs: no worker takes them.
  const job = (n: number) =>
    ({
      kind: "check",
      repository: 1_000_000 + n,
      organisation: `org-${n % 100}`,
      commit: null,
      cause: "nightly",
    }) as const;
  for (const depth of depths) {
    for (; queued < depth; queued += Math.min(5000, depth - queued))
      await fleet.queue.add(
        Array.from({ length: Math.min(5000, depth - queued) }, (_, i) => job(queued + i)),
      );
    await fleet.query("ANALYZE");
    const add: number[] = [];
    const take: number[] = [];
    const complete: number[] = [];
    for (let round = 0; round < rounds; round++) {
      add.push(await time(() => fleet.queue.add([job(queued++)])));
      const [taken] = await timed(take, () => fleet.queue.take(1));
      if (!taken) throw new Error("nothing was handed out");
      complete.push(await time(() => fleet.queue.complete(taken, {})));
      queued--;
    }
    const depthRead = await time(() => fleet.queue.depth());
    figures.push({ depth, add: quiet(add), take: quiet(take), complete: quiet(complete), depthRead });
    // Keys that were used up must not come again.
    queued = Math.max(queued, depth);
  }
  await fleet.close();
  return figures;
}

/** The median of the fastest tenth of the run, so that other programs on the machine count little. */
function quiet(figures: readonly number[]): number {
  const size = Math.ceil(figures.length / 10);
  return Math.min(...Array.from({ length: 10 }, (_, i) => median(figures.slice(i * size, (i + 1) * size))));
}

async function time(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

async function timed<T>(into: number[], work: () => Promise<T>): Promise<T> {
  const began = performance.now();
  const value = await work();
  into.push(performance.now() - began);
  return value;
}

export function printGrowth(figures: readonly Growth[]): string {
  return printTable(
    ["jobs waiting", "add ms", "take ms", "complete ms", "counting them ms"],
    figures.map(({ depth, add, take, complete, depthRead }) => [
      String(depth),
      figure(add),
      figure(take),
      figure(complete),
      figure(depthRead),
    ]),
  );
}

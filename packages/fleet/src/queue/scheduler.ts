import type { Fleet } from "../fleet.ts";
import { takeWaiting } from "../rollout/waiting.ts";
import { recordLevels } from "../serve/levels.ts";
import { storeCounters } from "../store/counters.ts";
import { type Repository, takeDue } from "../store/repositories.ts";
import type { NewJob } from "./queue.ts";

export type Scheduler = { stop(): Promise<void> };

const batchSize = 500;
/** With more jobs than this in the queue, no scheduled checks are added. */
const mostQueued = 20_000;
/** Milliseconds between records of how many passages are false. */
const levelInterval = 600_000;

/** Queues the checks of repositories that are due, and runs the queue's periodic maintenance. */
export function startScheduler(
  fleet: Fleet,
  { every = 86_400, interval = 5000 }: { readonly every?: number; readonly interval?: number } = {},
): Scheduler {
  let stopped = false;
  let levelsAt = Number.NEGATIVE_INFINITY;
  let wake: () => void = () => {};
  const loop = (async () => {
    while (!stopped) {
      try {
        await fleet.queue.supervise();
        await queueDue(fleet, every);
        await queueWaiting(fleet);
        await storeCounters(fleet.query, fleet.metrics);
        if (performance.now() - levelsAt > levelInterval) {
          await recordLevels(fleet.query);
          levelsAt = performance.now();
        }
      } catch (error) {
        fleet.metrics.add("database_errors_total");
        fleet.log("scheduler", { why: String(error) });
      }
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, interval);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
        if (stopped) wake();
      });
    }
  })();
  return {
    stop: () => {
      stopped = true;
      wake();
      return loop;
    },
  };
}

/** Queues a nightly check for every repository that is due. Returns their number. */
export async function queueDue(fleet: Fleet, every: number): Promise<number> {
  let queued = 0;
  for (;;) {
    if (await fleet.queue.exceeds(mostQueued)) return queued;
    const found = await fleet.database.transaction(async (query) => {
      const due = await takeDue(query, every, batchSize);
      if (due.length > 0) queued += await fleet.queue.add(due.map(nightly), query);
      return due.length;
    });
    if (found < batchSize) return queued;
  }
}

/** Queues the publishing of edits that have waited for their schedule, a limit or an approval. Returns their number. */
export function queueWaiting({ database, queue }: Fleet): Promise<number> {
  return database.transaction(async (query) => {
    const ready = await takeWaiting(query, batchSize);
    return ready.length === 0 ? 0 : queue.add(ready, query);
  });
}

export function nightly({ id, organisation }: Repository): NewJob {
  return { kind: "check", repository: id, organisation, commit: null, cause: "nightly" };
}

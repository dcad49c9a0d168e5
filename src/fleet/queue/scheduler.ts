import type { Fleet } from "../fleet.ts";
import { type Repository, takeDue } from "../store/repositories.ts";
import type { NewJob } from "./queue.ts";

export type Scheduler = { stop(): Promise<void> };

const atOnce = 500;
/** More than this waiting, and nothing is added that nobody asked for. */
const enoughWaiting = 20_000;

/** Puts repositories whose round has come into the queue, and does what the queue needs done from time to time. */
export function startScheduler(
  fleet: Fleet,
  { every = 86_400, interval = 5000 }: { readonly every?: number; readonly interval?: number } = {},
): Scheduler {
  let stopped = false;
  let wake: () => void = () => {};
  const loop = (async () => {
    while (!stopped) {
      try {
        await fleet.queue.supervise();
        await queueDue(fleet, every);
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

/** Everything that is due, as nightly checks; answers with how many. */
export async function queueDue(fleet: Fleet, every: number): Promise<number> {
  let queued = 0;
  for (;;) {
    if (await fleet.queue.exceeds(enoughWaiting)) return queued;
    const found = await fleet.database.transaction(async (ask) => {
      const due = await takeDue(ask, every, atOnce);
      if (due.length > 0) queued += await fleet.queue.add(due.map(nightly), ask);
      return due.length;
    });
    if (found < atOnce) return queued;
  }
}

export function nightly({ id, organisation }: Repository): NewJob {
  return { kind: "check", repository: id, organisation, commit: null, cause: "nightly" };
}

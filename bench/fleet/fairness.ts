import { printTable } from "../report.ts";
import { openFleetAt, type Site } from "./site.ts";

export type Fairness = { readonly before: number; readonly latecomers: number; readonly last: number };

/**
 * One organisation queues very many jobs and some are done; another comes with a few. After how many more jobs is the
 * last of the few handed out? Fair turns need twice as many as there are; a plain queue, all that stood before.
 */
export async function measureFairness(
  site: Site,
  { before = 10_000, latecomers = 100 } = {},
): Promise<Fairness> {
  const { fleet } = await openFleetAt(site, "fairness");
  const job = (organisation: string, n: number) =>
    ({ kind: "check", repository: 2_000_000 + n, organisation, commit: null, cause: "nightly" }) as const;
  await fleet.queue.add(Array.from({ length: before }, (_, n) => job("first", n)));
  const next = async (): Promise<string> => {
    const [taken] = await fleet.queue.take(1);
    if (!taken) throw new Error("nothing was handed out");
    await fleet.query("UPDATE suture_fleet.desk SET turn = $1 WHERE turn < $1", [taken.job.turn]);
    await fleet.queue.complete(taken, {});
    return taken.job.organisation;
  };
  for (let i = 0; i < 500; i++) await next();
  await fleet.queue.add(Array.from({ length: latecomers }, (_, n) => job("late", before + n)));
  let left = latecomers;
  let taken = 0;
  for (; left > 0; taken++) if ((await next()) === "late") left--;
  await fleet.close();
  return { before, latecomers, last: taken };
}

export function printFairness({ before, latecomers, last }: Fairness): string {
  return printTable(
    ["fairness", ""],
    [
      ["jobs of one organisation", String(before)],
      ["jobs of one that came later", String(latecomers)],
      ["the last of those was handed out as number", String(last)],
    ],
  );
}

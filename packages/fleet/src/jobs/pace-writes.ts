import { HostBusy, type Sink } from "../publish/sink.ts";
import { reserveWrites } from "../store/hosts.ts";
import type { Repository } from "../store/repositories.ts";
import type { JobDeps } from "./job-run.ts";

/** Besides one for each page: the tree, the commit, the branch, the pull request and its labels. */
const otherWrites = 5;

/** Waits for its turn where a host limits the requests that write. The limit holds for all workers together. */
export async function paceWrites(
  { query, hosts }: JobDeps,
  { held, sink, pages }: { readonly held: Repository; readonly sink: Sink; readonly pages: number },
): Promise<void> {
  const perMinute = sink.writesPerMinute && hosts.writesPerMinute(sink.writesPerMinute);
  if (!perMinute) return;
  const wait = await reserveWrites(query, hosts.scopeOf(held), { writes: pages + otherWrites, perMinute });
  if (wait !== null) throw new HostBusy(wait * 1000);
}

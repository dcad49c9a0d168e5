import type { JobKind } from "../queue/job.ts";
import { checkRepository } from "./check-repository.ts";
import { fixPages } from "./fix-pages.ts";
import type { Done, Shop, Work } from "./job-run.ts";
import { publishEdits } from "./publish-edits.ts";

/** What each kind of job does. */
export const perform: Readonly<Record<JobKind, (shop: Shop, work: Work) => Promise<Done>>> = {
  check: checkRepository,
  fix: fixPages,
  publish: publishEdits,
};

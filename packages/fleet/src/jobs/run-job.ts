import type { JobKind } from "../queue/job.ts";
import { askDecisions } from "./ask-decisions.ts";
import { checkRepository } from "./check-repository.ts";
import { fixPages } from "./fix-pages.ts";
import type { JobDeps, JobResult, JobRun } from "./job-run.ts";
import { publishEdits } from "./publish-edits.ts";
import { updateDashboard } from "./update-dashboard.ts";

/** The function of each kind of job. */
export const jobs: Readonly<Record<JobKind, (deps: JobDeps, work: JobRun) => Promise<JobResult>>> = {
  check: checkRepository,
  fix: fixPages,
  publish: publishEdits,
  decisions: askDecisions,
  dashboard: updateDashboard,
};

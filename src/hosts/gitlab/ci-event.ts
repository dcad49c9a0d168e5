import { z } from "zod";
import { accept, type Outcome } from "../../text/model/outcome.ts";
import type { CiEvent, CiSystem, Environment } from "../host.ts";
import { isSet, malformed } from "../variables.ts";

export const gitLabCi: CiSystem = {
  name: "GitLab CI",
  isRunning: (environment) => isSet(environment.GITLAB_CI),
  readEvent,
  files: {},
  annotates: () => false,
};

function readEvent(environment: Environment): Outcome<CiEvent> {
  const read = variablesSchema.safeParse(environment);
  if (!read.success) return malformed(`${read.error.issues[0]?.path.join(".")} is not set`);
  const variables = read.data;
  const shared = {
    kind: "gitlab" as const,
    event: variables.CI_PIPELINE_SOURCE,
    repository: variables.CI_PROJECT_PATH,
    apiUrl: variables.CI_API_V4_URL,
  };
  const number = Number(variables.CI_MERGE_REQUEST_IID ?? 0);
  if (number > 0)
    return accept({
      ...shared,
      // A pipeline for merged results runs on a commit of its own; the branch's commit has its own variable.
      head: variables.CI_MERGE_REQUEST_SOURCE_BRANCH_SHA || variables.CI_COMMIT_SHA,
      base: variables.CI_MERGE_REQUEST_DIFF_BASE_SHA || null,
      branch: variables.CI_MERGE_REQUEST_SOURCE_BRANCH_NAME ?? null,
      request: {
        number,
        base: variables.CI_MERGE_REQUEST_TARGET_BRANCH_NAME ?? "",
        isOwnBranch: variables.CI_MERGE_REQUEST_SOURCE_PROJECT_PATH === variables.CI_PROJECT_PATH,
      },
    });
  const before = variables.CI_COMMIT_BEFORE_SHA ?? "";
  return accept({
    ...shared,
    head: variables.CI_COMMIT_SHA,
    base: /^0*$/.test(before) ? null : before,
    branch: variables.CI_COMMIT_BRANCH ?? null,
    request: null,
  });
}

const commit = z.string().regex(/^[0-9a-f]{40,64}$/);
const variablesSchema = z.object({
  CI_PIPELINE_SOURCE: z.string().default(""),
  CI_PROJECT_PATH: z.string().min(3),
  CI_API_V4_URL: z.string().optional(),
  CI_COMMIT_SHA: commit,
  CI_COMMIT_BEFORE_SHA: z.string().optional(),
  CI_COMMIT_BRANCH: z.string().optional(),
  CI_MERGE_REQUEST_IID: z.string().optional(),
  CI_MERGE_REQUEST_SOURCE_BRANCH_SHA: z.string().optional(),
  CI_MERGE_REQUEST_DIFF_BASE_SHA: z.string().optional(),
  CI_MERGE_REQUEST_SOURCE_BRANCH_NAME: z.string().optional(),
  CI_MERGE_REQUEST_TARGET_BRANCH_NAME: z.string().optional(),
  CI_MERGE_REQUEST_SOURCE_PROJECT_PATH: z.string().optional(),
});

import { z } from "zod";
import { accept, type Outcome, refuse } from "../../text/model/outcome.ts";
import type { CiEvent, CiSystem, Environment, UntrustedRun } from "../host.ts";
import { isSet, malformed } from "../variables.ts";
import { isNoCommit } from "../webhook.ts";

export const gitHubActions: CiSystem = {
  name: "GitHub Actions",
  isRunning: (environment) => isSet(environment.GITHUB_ACTIONS) || isSet(environment.GITHUB_EVENT_NAME),
  readEvent,
  files: { event: "GITHUB_EVENT_PATH", summary: "GITHUB_STEP_SUMMARY", outputs: "GITHUB_OUTPUT" },
  annotates: ({ GITHUB_ACTIONS }) => Boolean(GITHUB_ACTIONS),
  readUntrustedRun,
};

type SharedFields = Pick<CiEvent, "kind" | "event" | "repository" | "apiUrl">;

function readEvent(environment: Environment, payload: unknown): Outcome<CiEvent> {
  const shared: SharedFields = {
    kind: "github",
    event: environment.GITHUB_EVENT_NAME ?? "",
    repository: environment.GITHUB_REPOSITORY ?? "",
    apiUrl: environment.GITHUB_API_URL,
  };
  if (!/^[\w.-]+\/[\w.-]+$/.test(shared.repository)) return malformed("GITHUB_REPOSITORY is not set");
  switch (shared.event) {
    case "pull_request":
    case "pull_request_review":
      return readPullRequest(shared, payload);
    case "pull_request_target":
      return refuse({
        code: "malformed",
        what: "`pull_request_target` gives the pull request's code the secrets of the repository",
        hint: "Use the two workflows of docs/ci.md: one on `pull_request`, one on `workflow_run`.",
      });
    case "push":
      return readPush(shared, payload);
    case "merge_group":
      return readMergeGroup(shared, payload);
    default:
      return readOther(shared, environment);
  }
}

function readPullRequest(shared: SharedFields, payload: unknown): Outcome<CiEvent> {
  const read = pullRequestSchema.safeParse(payload);
  if (!read.success) return malformed("the event file is not one of a pull request");
  const { head, base, number = read.data.number } = read.data.pull_request;
  if (number === undefined) return malformed("the event file names no pull request");
  // A deleted fork is null. Only an event without the field is about a branch of this repository.
  const isOwnBranch =
    head.repo === undefined || head.repo?.full_name === (base.repo?.full_name ?? shared.repository);
  const request = { number, base: base.ref, isOwnBranch };
  return accept({ ...shared, head: head.sha, base: base.sha, branch: head.ref, request });
}

function readPush(shared: SharedFields, payload: unknown): Outcome<CiEvent> {
  const read = pushSchema.safeParse(payload);
  if (!read.success) return malformed("the event file is not one of a push");
  const { before, after, ref } = read.data;
  if (isNoCommit(after)) return malformed("the branch was deleted");
  const branch = /^refs\/heads\/(.+)$/.exec(ref)?.[1] ?? null;
  return accept({ ...shared, head: after, base: isNoCommit(before) ? null : before, branch, request: null });
}

function readMergeGroup(shared: SharedFields, payload: unknown): Outcome<CiEvent> {
  const read = mergeGroupSchema.safeParse(payload);
  if (!read.success) return malformed("the event file is not one of a merge queue");
  const { base_sha: base, head_sha: head } = read.data.merge_group;
  return accept({ ...shared, head, base, branch: null, request: null });
}

/** Any other event, such as a schedule: the commit is in the variables, and there is no base. */
function readOther(shared: SharedFields, environment: Environment): Outcome<CiEvent> {
  const head = environment.GITHUB_SHA ?? "";
  if (!commit.safeParse(head).success) return malformed("GITHUB_SHA is not set");
  const branch = environment.GITHUB_REF_TYPE === "branch" ? (environment.GITHUB_REF_NAME ?? null) : null;
  return accept({ ...shared, head, base: null, branch, request: null });
}

/** The run behind a `workflow_run` event. */
export function readUntrustedRun(environment: Environment, payload: unknown): Outcome<UntrustedRun> {
  const read = workflowRunSchema.safeParse(payload);
  if (!read.success) return malformed("the event file is not one of a workflow run");
  const { event, head_sha, head_branch, head_repository } = read.data.workflow_run;
  if (event !== "pull_request")
    return refuse({ code: "not-allowed", detail: "the run was not one of a pull request" });
  return accept({
    kind: "github",
    repository: environment.GITHUB_REPOSITORY ?? "",
    apiUrl: environment.GITHUB_API_URL,
    commit: head_sha,
    branch: head_branch,
    branchRepository: head_repository?.full_name ?? null,
  });
}

const commit = z.string().regex(/^[0-9a-f]{40,64}$/);
const repository = z.object({ full_name: z.string() });
const number = z.int().min(1).optional();
const pullRequestSchema = z.object({
  number,
  pull_request: z.object({
    number,
    head: z.object({ sha: commit, ref: z.string(), repo: repository.nullish() }),
    base: z.object({ sha: commit, ref: z.string(), repo: repository.optional() }),
  }),
});
const pushSchema = z.object({ before: commit, after: commit, ref: z.string() });
const mergeGroupSchema = z.object({ merge_group: z.object({ base_sha: commit, head_sha: commit }) });
const workflowRunSchema = z.object({
  workflow_run: z.object({
    event: z.string(),
    head_sha: z.string(),
    head_branch: z.string().nullable(),
    head_repository: repository.nullish(),
  }),
});

import { z } from "zod";
import type { ForgeKind } from "../hosts/host.ts";
import { accept, type Outcome, refuse } from "../text/model/outcome.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/** Why CI runs: which commits are meant, and which change request, if any. All of it is said by the host. */
export type Occasion = {
  readonly kind: ForgeKind;
  readonly event: string;
  readonly repository: string;
  readonly apiUrl: string | undefined;
  readonly head: string;
  /** What the change started from; null where the event does not say. */
  readonly base: string | null;
  /** The branch that was pushed to, or that the request comes from. */
  readonly branch: string | null;
  readonly request: RequestOccasion | null;
};

export type RequestOccasion = {
  readonly number: number;
  readonly base: string;
  /** The branch is in this repository, not in a fork. */
  readonly isOwnBranch: boolean;
};

/** Reads the variables of the CI host and its event. Texts of people (titles, names, labels) are not taken. */
export function readOccasion(environment: Environment, event: unknown): Outcome<Occasion> {
  if (isSaid(environment.GITLAB_CI)) return readGitLab(environment);
  if (isSaid(environment.GITHUB_ACTIONS) || isSaid(environment.GITHUB_EVENT_NAME))
    return readGitHub(environment, event);
  return refuse({
    code: "malformed",
    what: "neither GitHub Actions nor GitLab CI has set its variables",
    hint: "On another host, use `suture check --base REV`.",
  });
}

function readGitHub(environment: Environment, event: unknown): Outcome<Occasion> {
  const name = environment.GITHUB_EVENT_NAME ?? "";
  const shared = {
    kind: "github" as const,
    event: name,
    repository: environment.GITHUB_REPOSITORY ?? "",
    apiUrl: environment.GITHUB_API_URL,
  };
  if (!/^[\w.-]+\/[\w.-]+$/.test(shared.repository)) return malformed("GITHUB_REPOSITORY is not set");
  switch (name) {
    case "pull_request":
    case "pull_request_review": {
      const read = pullRequestEvent.safeParse(event);
      if (!read.success) return malformed("the event file is not one of a pull request");
      const { head, base, number = read.data.number } = read.data.pull_request;
      if (number === undefined) return malformed("the event file names no pull request");
      // A fork that is gone is null. Only an event that says nothing at all is about a branch of this repository.
      const isOwnBranch =
        head.repo === undefined || head.repo?.full_name === (base.repo?.full_name ?? shared.repository);
      const request = { number, base: base.ref, isOwnBranch };
      return accept({ ...shared, head: head.sha, base: base.sha, branch: head.ref, request });
    }
    case "pull_request_target":
      return refuse({
        code: "malformed",
        what: "`pull_request_target` gives the pull request's code the secrets of the repository",
        hint: "Use the two workflows of docs/ci.md: one on `pull_request`, one on `workflow_run`.",
      });
    case "push": {
      const read = pushEvent.safeParse(event);
      if (!read.success) return malformed("the event file is not one of a push");
      const { before, after, ref } = read.data;
      if (/^0+$/.test(after)) return malformed("the branch was deleted");
      const branch = /^refs\/heads\/(.+)$/.exec(ref)?.[1] ?? null;
      return accept({
        ...shared,
        head: after,
        base: /^0+$/.test(before) ? null : before,
        branch,
        request: null,
      });
    }
    case "merge_group": {
      const read = mergeGroupEvent.safeParse(event);
      if (!read.success) return malformed("the event file is not one of a merge queue");
      const { base_sha: base, head_sha: head } = read.data.merge_group;
      return accept({ ...shared, head, base, branch: null, request: null });
    }
    default: {
      const head = environment.GITHUB_SHA ?? "";
      if (!commit.safeParse(head).success) return malformed("GITHUB_SHA is not set");
      const branch = environment.GITHUB_REF_TYPE === "branch" ? (environment.GITHUB_REF_NAME ?? null) : null;
      return accept({ ...shared, head, base: null, branch, request: null });
    }
  }
}

function readGitLab(environment: Environment): Outcome<Occasion> {
  const read = gitLabVariables.safeParse(environment);
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
      // A pipeline of the merged result runs on a commit of its own; the branch's is named beside it.
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

function isSaid(value: string | undefined): boolean {
  return value !== undefined && value !== "" && value !== "false";
}

function malformed(what: string): Outcome<never> {
  return refuse({ code: "malformed", what });
}

const commit = z.string().regex(/^[0-9a-f]{40,64}$/);
const repository = z.object({ full_name: z.string() });
const number = z.int().min(1).optional();
const pullRequestEvent = z.object({
  number,
  pull_request: z.object({
    number,
    head: z.object({ sha: commit, ref: z.string(), repo: repository.nullish() }),
    base: z.object({ sha: commit, ref: z.string(), repo: repository.optional() }),
  }),
});
const pushEvent = z.object({ before: commit, after: commit, ref: z.string() });
const mergeGroupEvent = z.object({ merge_group: z.object({ base_sha: commit, head_sha: commit }) });
const gitLabVariables = z.object({
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

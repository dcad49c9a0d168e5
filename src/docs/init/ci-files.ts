import type { Edit } from "../../text/model/edit.ts";
import type { Survey } from "./survey.ts";

export const ciHosts = ["github", "gitlab", "none"] as const;

export type CiHost = (typeof ciHosts)[number];

/** The CI host whose files a folder already has. */
export function findCiHost({ paths }: Survey): CiHost {
  const all = [...paths];
  if (all.some((path) => path.startsWith(".github/"))) return "github";
  return all.some((path) => path === ".gitlab-ci.yml" || path.startsWith(".gitlab/")) ? "gitlab" : "none";
}

export type CiPlan = { readonly edit: Edit | null; readonly note?: string };

/** A new file that checks each change; an existing one that speaks of Suture is enough, and none is ever changed. */
export async function planCi(survey: Survey, host: CiHost, version: string): Promise<CiPlan> {
  if (host === "none") return { edit: null };
  const files = [...survey.paths].filter((path) =>
    host === "github"
      ? /^\.github\/workflows\/[^/]+\.ya?ml$/.test(path)
      : /^\.gitlab(-ci\.yml$|\/.*\.ya?ml$)/.test(path),
  );
  for (const path of files) if (/\bsuture\b/.test((await survey.read(path)) ?? "")) return { edit: null };
  const shared = {
    reason: "check the documentation of each change",
    evidence: [],
    target: { file: "create" } as const,
  };
  if (host === "github")
    return { edit: { ...shared, path: ".github/workflows/suture.yml", text: gitHubWorkflow(version) } };
  if (!survey.paths.has(".gitlab-ci.yml"))
    return { edit: { ...shared, path: ".gitlab-ci.yml", text: gitLabJob(version) } };
  return {
    edit: { ...shared, path: ".gitlab/suture.yml", text: gitLabJob(version) },
    note: "Add `include: { local: .gitlab/suture.yml }` to .gitlab-ci.yml; files that exist are not changed.",
  };
}

/** As docs/ci/check.yml shows it. */
export function gitHubWorkflow(version: string): string {
  return `# Says on each pull request which passages it made false. Requests of forks get annotations and a summary.
name: documentation
on:
  pull_request:
  merge_group:
permissions:
  contents: read
  pull-requests: write
concurrency:
  group: documentation-$\{{ github.event.pull_request.number || github.sha }}
  cancel-in-progress: true
jobs:
  check:
    runs-on: ubuntu-latest
    timeout-minutes: 10
    steps:
      - uses: actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1 # v7.0.1
        with:
          fetch-depth: 0
          persist-credentials: false
      - uses: actions/setup-node@2028fbc5c25fe9cf00d9f06a71cc4710d4507903 # v6.0.0
        with:
          node-version: "24"
      # Started outside the checkout: no file of the request has a say in what runs.
      - run: npx --yes --ignore-scripts suture@${version} ci --mode check --root "$GITHUB_WORKSPACE"
        working-directory: $\{{ runner.temp }}
        env:
          GITHUB_TOKEN: $\{{ github.token }}
`;
}

/** As docs/ci/gitlab-ci.yml shows it. */
export function gitLabJob(version: string): string {
  return `# Keeps one note on each merge request. SUTURE_GITLAB_TOKEN is a project access token with the scope \`api\` and the role
# Reporter, masked, and not available to forks; without it the findings are in the job's log and its reports.
documentation:
  image: node:24-slim
  stage: test
  rules:
    - if: $CI_PIPELINE_SOURCE == "merge_request_event"
  variables:
    GIT_DEPTH: "0"
  before_script:
    - apt-get update -qq && apt-get install -y -qq git
  script:
    # Started outside the checkout: no file of the request has a say in what runs.
    - cd /tmp
    - npx --yes --ignore-scripts suture@${version} ci --mode check --sarif "$CI_PROJECT_DIR/suture.sarif" --root "$CI_PROJECT_DIR"
  artifacts:
    when: always
    paths: [suture.sarif]
    expire_in: 1 week
`;
}

import type { CiTemplate } from "../host.ts";
import { runFrom } from "../package-source.ts";

const mainPath = ".gitlab-ci.yml";
const includedPath = ".gitlab/suture.yml";

export const gitLabTemplate: CiTemplate = {
  isUsedBy: (path) => path === mainPath || path.startsWith(".gitlab/"),
  isConfiguration: (path) => /^\.gitlab(-ci\.yml$|\/.*\.ya?ml$)/.test(path),
  paths: [mainPath, includedPath],
  create: (paths, source) => {
    const text = gitLabJob(runFrom(source, "$CI_PROJECT_DIR"));
    if (!paths.has(mainPath)) return { path: mainPath, text };
    return {
      path: includedPath,
      text,
      note: "Add `include: { local: .gitlab/suture.yml }` to .gitlab-ci.yml; files that exist are not changed.",
    };
  },
};

/** The same text as docs/ci/gitlab-ci.yml, with the command that runs Suture. */
export function gitLabJob(suture: string): string {
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
    # Runs in a folder of its own, so that no file of the merge request, or of another job, can change what runs.
    - cd "$(mktemp -d)" && echo "{}" > package.json
    - ${suture} ci --mode check --sarif "$CI_PROJECT_DIR/suture.sarif" --root "$CI_PROJECT_DIR"
  artifacts:
    when: always
    paths: [suture.sarif]
    expire_in: 1 week
`;
}

import type { CiTemplate } from "../host.ts";
import { runFrom } from "../package-source.ts";

const workflowPath = ".github/workflows/suture.yml";

export const gitHubTemplate: CiTemplate = {
  isUsedBy: (path) => path.startsWith(".github/"),
  isConfiguration: (path) => /^\.github\/workflows\/[^/]+\.ya?ml$/.test(path),
  paths: [workflowPath],
  create: (_paths, source) => ({
    path: workflowPath,
    text: gitHubWorkflow(runFrom(source, "$GITHUB_WORKSPACE")),
  }),
};

/** The same text as docs/ci/check.yml, with the command that runs Suture. */
export function gitHubWorkflow(suture: string): string {
  return `# Comments on each pull request which passages it made false. Pull requests from forks get annotations and a summary.
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
      # Runs outside the checkout, so that no file of the pull request can change what runs.
      - run: ${suture} ci --mode check --root "$GITHUB_WORKSPACE"
        working-directory: $\{{ runner.temp }}
        env:
          GITHUB_TOKEN: $\{{ github.token }}
`;
}

import { expect, test } from "vitest";
import { findWorkflowFlaws } from "./workflow-flaws.ts";

const said = (name: string): string => `$\{{ ${name} }}`;
const pin = "a".repeat(40);
const workflow = (on: string, steps: string): string =>
  `on: ${on}\njobs:\n  a:\n    runs-on: x\n    steps:\n${steps.replace(/^/gm, "      ")}\n`;
const checkout = (ref: string): string => `- uses: actions/checkout@${pin}\n  with:\n    ref: ${ref}`;

test.each([
  [
    "the privileged trigger that checks out the fork's code",
    workflow("pull_request_target", checkout(`${said("github.event.pull_request.head.sha")}`)),
    "untrusted-checkout",
  ],
  [
    "the privileged trigger that checks out the fork's branch",
    workflow("[pull_request_target]", checkout(`${said("github.head_ref")}`)),
    "untrusted-checkout",
  ],
  [
    "a workflow_run trigger that checks out the fork's code",
    workflow("{workflow_run: {}}", checkout(`${said("github.event.workflow_run.head_sha")}`)),
    "untrusted-checkout",
  ],
  [
    "a manual fetch of the fork's code",
    workflow("pull_request_target", "- run: gh pr checkout 1"),
    "untrusted-checkout",
  ],
  [
    "a title in a script",
    workflow("pull_request", `- run: echo "${said("github.event.pull_request.title")}"`),
    "script-injection",
  ],
  [
    "a branch in a script",
    workflow("pull_request", `- run: git fetch ${said("github.head_ref")}`),
    "script-injection",
  ],
  [
    "a label in a script",
    workflow("pull_request", `- run: x ${said("github.event.pull_request.labels[0].name")}`),
    "script-injection",
  ],
  [
    "packages installed beside secrets",
    workflow("pull_request_target", "- run: npm ci"),
    "untrusted-install",
  ],
  ["an action pinned by tag", workflow("push", "- uses: actions/checkout@v5"), "unpinned-action"],
  ["an action pinned by branch", workflow("push", "- uses: some/action@main"), "unpinned-action"],
  ["a text that is no YAML", "a: [", "unreadable"],
])("%s is named", (_, text, what) => {
  expect(
    findWorkflowFlaws(text)
      .map((flaw) => flaw.what)
      .join(),
  ).toContain(what);
});

test.each([
  [
    "the fork's code without rights",
    workflow("pull_request", checkout(`${said("github.event.pull_request.head.sha")}`)),
  ],
  ["the default branch with rights", workflow("pull_request_target", `- uses: actions/checkout@${pin}`)],
  [
    "a title as data",
    workflow(
      "pull_request",
      `- run: echo "$TITLE"\n  env:\n    TITLE: ${said("github.event.pull_request.title")}`,
    ),
  ],
  ["an action of one's own", workflow("push", "- uses: ./here")],
])("%s is fine", (_, text) => {
  expect(findWorkflowFlaws(text)).toEqual([]);
});

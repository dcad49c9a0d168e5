import { describe, expect, test } from "vitest";
import { readCiEvent } from "./ci-event.ts";

const [a, b] = ["a".repeat(40), "b".repeat(40)];
const github = (name: string, more: Record<string, string> = {}) => ({
  GITHUB_ACTIONS: "true",
  GITHUB_EVENT_NAME: name,
  GITHUB_REPOSITORY: "acme/box",
  GITHUB_SHA: a,
  ...more,
});
const pull = (head: object, more: object = {}) => ({
  pull_request: {
    number: 7,
    head: { sha: b, ref: "topic", ...head },
    base: { sha: a, ref: "main", repo: { full_name: "acme/box" } },
    ...more,
  },
});

describe("which commits and which request an event is about", () => {
  test.each<[string, object | undefined, object]>([
    [
      "pull_request",
      pull({ repo: { full_name: "acme/box" } }),
      { head: b, base: a, branch: "topic", request: { number: 7, base: "main", isOwnBranch: true } },
    ],
    [
      "pull_request",
      pull({ repo: { full_name: "mallory/box" } }),
      { request: { number: 7, isOwnBranch: false } },
    ],
    ["pull_request", pull({ repo: null }), { request: { number: 7, isOwnBranch: false } }],
    [
      "push",
      { ref: "refs/heads/x/y", before: a, after: b },
      { head: b, base: a, branch: "x/y", request: null },
    ],
    [
      "push",
      { ref: "refs/tags/v1", before: "0".repeat(40), after: b },
      { head: b, base: null, branch: null },
    ],
    [
      "merge_group",
      { merge_group: { base_sha: a, head_sha: b } },
      { head: b, base: a, branch: null, request: null },
    ],
    ["workflow_dispatch", {}, { head: a, base: null, request: null }],
    ["schedule", undefined, { head: a, base: null, request: null }],
  ])("GitHub %s %#", (name, event, expected) => {
    expect(readCiEvent(github(name), event)).toMatchObject({ ok: true, value: expected });
  });

  test.each<[string, Record<string, string>, unknown]>([
    ["the privileged trigger", github("pull_request_target"), pull({})],
    ["an event that is none", github("pull_request"), { pull_request: 1 }],
    ["a commit that is an option", github("push"), { ref: "r", before: a, after: "--help" }],
    ["a branch that was deleted", github("push"), { ref: "r", before: a, after: "0".repeat(40) }],
    ["a repository that is a path", { ...github("schedule"), GITHUB_REPOSITORY: "../.." + "/x" }, {}],
    ["a commit that is not said", { ...github("schedule"), GITHUB_SHA: "" }, {}],
    ["no host at all", {}, {}],
    ["GitLab without a commit", { GITLAB_CI: "true", CI_PROJECT_PATH: "a/b" }, {}],
  ])("refused: %s", (_, environment, event) => {
    expect(readCiEvent(environment, event)).toMatchObject({ ok: false, refusal: { code: "malformed" } });
  });

  test("GitLab: a merge request, a fork's, a push", () => {
    const base = {
      GITLAB_CI: "true",
      CI_PROJECT_PATH: "acme/group/box",
      CI_COMMIT_SHA: a,
      CI_PIPELINE_SOURCE: "merge_request_event",
    };
    const request = {
      ...base,
      CI_MERGE_REQUEST_IID: "3",
      CI_MERGE_REQUEST_DIFF_BASE_SHA: b,
      CI_MERGE_REQUEST_SOURCE_PROJECT_PATH: "acme/group/box",
    };
    expect(readCiEvent(request, undefined)).toMatchObject({
      value: { kind: "gitlab", head: a, base: b, request: { number: 3, isOwnBranch: true } },
    });
    expect(readCiEvent({ ...request, CI_MERGE_REQUEST_SOURCE_BRANCH_SHA: b }, undefined)).toMatchObject({
      value: { head: b },
    });
    const fork = { ...request, CI_MERGE_REQUEST_SOURCE_PROJECT_PATH: "mallory/box" };
    expect(readCiEvent(fork, undefined)).toMatchObject({ value: { request: { isOwnBranch: false } } });
    expect(
      readCiEvent({ ...base, CI_COMMIT_BEFORE_SHA: "0".repeat(40), CI_COMMIT_BRANCH: "x" }, undefined),
    ).toMatchObject({
      value: { base: null, branch: "x", request: null },
    });
  });
});

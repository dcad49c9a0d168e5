import { fileUrl } from "../file-url.ts";
import type { HostDefinition } from "../host.ts";
import { fileUrlForm, openGitHub } from "./api.ts";
import { openGitHubApp } from "./app.ts";
import { gitHubActions } from "./ci-event.ts";
import { gitHubTemplate } from "./ci-template.ts";
import { gitHubWebhook } from "./webhook.ts";

export const github: HostDefinition = {
  ownerWord: "ORG",
  publicHost: "github.com",
  apiPath: "/api/v3",
  gitUser: "x-access-token",
  variables: {
    tokens: ["SUTURE_GITHUB_TOKEN", "GITHUB_TOKEN"],
    api: "SUTURE_GITHUB_API",
    webhookSecret: "SUTURE_GITHUB_WEBHOOK_SECRET",
  },
  commitPage: (repository, commit) => `${repository}/commit/${commit}`,
  fileUrl: (repository, place) => fileUrl(fileUrlForm, repository, place),
  pullRequestRef: (number) => `refs/pull/${number}/head`,
  open: openGitHub,
  openApp: openGitHubApp,
  writesPerMinute: 80,
  ci: gitHubActions,
  ciTemplate: gitHubTemplate,
  webhook: gitHubWebhook,
};

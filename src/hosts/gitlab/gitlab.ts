import { fileUrl } from "../file-url.ts";
import type { HostDefinition } from "../host.ts";
import { fileUrlForm, openGitLab } from "./api.ts";
import { gitLabCi } from "./ci-event.ts";
import { gitLabTemplate } from "./ci-template.ts";
import { gitLabWebhook } from "./webhook.ts";

export const gitlab: HostDefinition = {
  ownerWord: "GROUP",
  publicHost: "gitlab.com",
  apiPath: "/api/v4",
  gitUser: "oauth2",
  variables: {
    tokens: ["SUTURE_GITLAB_TOKEN", "GITLAB_TOKEN"],
    api: "SUTURE_GITLAB_API",
    webhookSecret: "SUTURE_GITLAB_WEBHOOK_SECRET",
  },
  commitPage: (repository, commit) => `${repository}/-/commit/${commit}`,
  fileUrl: (repository, place) => fileUrl(fileUrlForm, repository, place),
  pullRequestRef: (number) => `refs/merge-requests/${number}/head`,
  open: openGitLab,
  ci: gitLabCi,
  ciTemplate: gitLabTemplate,
  webhook: gitLabWebhook,
};

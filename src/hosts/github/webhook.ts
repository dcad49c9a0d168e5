import { z } from "zod";
import {
  commitSchema,
  equalsInConstantTime,
  headerText,
  hmacOf,
  isNoCommit,
  timeSchema,
  toTime,
  type WebhookEvent,
  type WebhookReader,
} from "../webhook.ts";

export const gitHubWebhook: WebhookReader = {
  mayBeGenuine: (headers) => /^sha256=[0-9a-f]{64}$/.test(headerText(headers["x-hub-signature-256"])),
  isGenuine: ({ headers, body }, secret) =>
    secret !== "" &&
    equalsInConstantTime(headerText(headers["x-hub-signature-256"]), `sha256=${hmacOf(body, secret)}`),
  eventHeader: "x-github-event",
  deliveryHeaders: ["x-github-delivery"],
  events: ({ ownBranchPrefix, isCommand, isTicked }) => ({
    push: pushSchema.transform(toPush),
    repository: changeSchema.transform(toChange),
    issues: issueSchema.transform((event) => toTick(event, isTicked)),
    issue_comment: commentSchema.transform((event) => toComment(event, isCommand)),
    pull_request: pullRequestSchema.transform((event) => toPullRequest(event, ownBranchPrefix)),
  }),
};

const repositorySchema = z.object({
  id: z.int().nullish(),
  full_name: z.string().regex(/^(?!\.{1,2}\/)[\w.-]+\/(?!\.{1,2}$)[\w.-]+$/),
  html_url: z.url(),
  default_branch: z.string(),
  pushed_at: timeSchema,
});

const pushSchema = z.object({ ref: z.string(), after: commitSchema, repository: repositorySchema });

const pullRequestSchema = z.object({
  action: z.string(),
  pull_request: z.object({
    number: z.int().min(1),
    html_url: z.string(),
    merged: z.boolean().nullish(),
    updated_at: timeSchema,
    head: z.object({ sha: commitSchema, ref: z.string() }),
  }),
  repository: repositorySchema,
});

const changeSchema = z.object({ action: z.string(), repository: repositorySchema });

const changes = {
  archived: "archived",
  deleted: "deleted",
  unarchived: "active",
  renamed: "renamed",
  transferred: "renamed",
} as const;

function toChange({ action, repository }: z.infer<typeof changeSchema>): WebhookEvent | null {
  if (!Object.hasOwn(changes, action)) return null;
  const now = changes[action as keyof typeof changes];
  return { ...nameOf(repository), time: null, what: "changed", now };
}

const commentSchema = z.object({
  action: z.string(),
  issue: z.object({
    pull_request: z.object({ html_url: z.string().nullish() }).nullish(),
    updated_at: timeSchema,
  }),
  comment: z.object({ body: z.string().nullish() }),
  repository: repositorySchema,
});

function toComment(
  { action, issue, comment, repository }: z.infer<typeof commentSchema>,
  isCommand: (text: string) => boolean,
): WebhookEvent | null {
  const url = issue.pull_request?.html_url;
  if (!url || (action !== "created" && action !== "edited") || !isCommand(comment.body ?? "")) return null;
  return { ...nameOf(repository), time: toTime(issue.updated_at), what: "commented", url };
}

const issueSchema = z.object({
  action: z.string(),
  issue: z.object({ body: z.string().nullish(), updated_at: timeSchema }),
  repository: repositorySchema,
});

function toTick(
  { action, issue, repository }: z.infer<typeof issueSchema>,
  isTicked: (text: string) => boolean,
): WebhookEvent | null {
  if (action !== "edited" || !isTicked(issue.body ?? "")) return null;
  return { ...nameOf(repository), time: toTime(issue.updated_at), what: "ticked" };
}

function toPush({ ref, after, repository }: z.infer<typeof pushSchema>): WebhookEvent | null {
  const branch = repository.default_branch;
  if (ref !== `refs/heads/${branch}` || isNoCommit(after)) return null;
  const time = toTime(repository.pushed_at);
  return { ...nameOf(repository), time, what: "pushed", commit: after, branch };
}

const newCommits = ["opened", "synchronize", "reopened", "ready_for_review"];

/** Only the outcome of our own pull requests is of interest: they are never checked. */
function toPullRequest(
  { action, pull_request: pull, repository }: z.infer<typeof pullRequestSchema>,
  ownBranchPrefix: string,
): WebhookEvent | null {
  const shared = { ...nameOf(repository), time: toTime(pull.updated_at) };
  if (pull.head.ref.startsWith(ownBranchPrefix)) {
    if (action !== "closed" && action !== "reopened") return null;
    const outcome = action === "reopened" ? action : pull.merged ? "merged" : "closed";
    return { ...shared, what: "decided", url: pull.html_url, outcome };
  }
  if (!newCommits.includes(action)) return null;
  return { ...shared, what: "requested", commit: pull.head.sha, request: pull.number };
}

function nameOf({ id, full_name, html_url }: z.infer<typeof repositorySchema>) {
  const [organisation = "", name = ""] = full_name.split("/");
  const hostId = id == null ? null : String(id);
  return { host: new URL(html_url).host.toLowerCase(), organisation, name, hostId };
}

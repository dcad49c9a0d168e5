import { z } from "zod";
import {
  commitSchema,
  equalsInConstantTime,
  headerText,
  isNoCommit,
  timeSchema,
  toTime,
  type Webhook,
  type WebhookEvent,
  type WebhookReader,
} from "../webhook.ts";

export const gitLabWebhook: WebhookReader = {
  mayBeGenuine: hasToken,
  isGenuine: ({ headers }, secret) => hasToken(headers, secret),
  eventHeader: "x-gitlab-event",
  deliveryHeaders: ["x-gitlab-webhook-uuid", "x-gitlab-event-uuid", "idempotency-key"],
  events: ({ ownBranchPrefix, isCommand, isTicked }) => ({
    "Push Hook": pushSchema.transform(toPush),
    "Issue Hook": issueSchema.transform((event) => toTick(event, isTicked)),
    "Note Hook": noteSchema.transform((event) => toNote(event, isCommand)),
    "Merge Request Hook": mergeRequestSchema.transform((event) => toMergeRequest(event, ownBranchPrefix)),
  }),
};

function hasToken(headers: Webhook["headers"], secret: string): boolean {
  return secret !== "" && equalsInConstantTime(headerText(headers["x-gitlab-token"]), secret);
}

const projectSchema = z.object({
  id: z.int().nullish(),
  path_with_namespace: z.string().regex(/^[\w./-]+\/[\w.-]+$/),
  web_url: z.url(),
  default_branch: z.string(),
});

const pushSchema = z.object({ ref: z.string(), after: commitSchema, project: projectSchema });

const mergeRequestSchema = z.object({
  project: projectSchema,
  object_attributes: z.object({
    iid: z.int().min(1),
    action: z.string().nullish(),
    url: z.string(),
    source_branch: z.string(),
    updated_at: timeSchema,
    oldrev: z.string().nullish(),
    last_commit: z.object({ id: commitSchema }),
  }),
});

const noteSchema = z.object({
  project: projectSchema,
  object_attributes: z.object({ note: z.string().nullish(), updated_at: timeSchema }),
  merge_request: z.object({ iid: z.int().min(1) }).nullish(),
});

function toNote(
  { project, object_attributes: note, merge_request: request }: z.infer<typeof noteSchema>,
  isCommand: (text: string) => boolean,
): WebhookEvent | null {
  if (!request || !isCommand(note.note ?? "")) return null;
  const url = `${project.web_url}/-/merge_requests/${request.iid}`;
  return { ...nameOf(project), time: toTime(note.updated_at), what: "commented", url };
}

const issueSchema = z.object({
  project: projectSchema,
  object_attributes: z.object({
    action: z.string().nullish(),
    description: z.string().nullish(),
    updated_at: timeSchema,
  }),
});

function toTick(
  { project, object_attributes: issue }: z.infer<typeof issueSchema>,
  isTicked: (text: string) => boolean,
): WebhookEvent | null {
  if (issue.action !== "update" || !isTicked(issue.description ?? "")) return null;
  return { ...nameOf(project), time: toTime(issue.updated_at), what: "ticked" };
}

function toPush({ ref, after, project }: z.infer<typeof pushSchema>): WebhookEvent | null {
  const branch = project.default_branch;
  if (ref !== `refs/heads/${branch}` || isNoCommit(after)) return null;
  return { ...nameOf(project), time: null, what: "pushed", commit: after, branch };
}

const outcomes = { merge: "merged", close: "closed", reopen: "reopened" } as const;

/** Only the outcome of our own merge requests is of interest: they are never checked. */
function toMergeRequest(
  { project, object_attributes: request }: z.infer<typeof mergeRequestSchema>,
  ownBranchPrefix: string,
): WebhookEvent | null {
  const { action, oldrev } = request;
  const shared = { ...nameOf(project), time: toTime(request.updated_at) };
  if (request.source_branch.startsWith(ownBranchPrefix)) {
    const outcome = Object.hasOwn(outcomes, action ?? "") ? outcomes[action as keyof typeof outcomes] : null;
    return outcome && { ...shared, what: "decided", url: request.url, outcome };
  }
  // An update without a previous revision changed the description, not the commits.
  const hasNewCommits = action === "open" || action === "reopen" || (action === "update" && oldrev);
  if (!hasNewCommits) return null;
  return { ...shared, what: "requested", commit: request.last_commit.id, request: request.iid };
}

function nameOf({ id, path_with_namespace: path, web_url }: z.infer<typeof projectSchema>) {
  const cut = path.lastIndexOf("/");
  return {
    host: new URL(web_url).host.toLowerCase(),
    organisation: path.slice(0, cut),
    name: path.slice(cut + 1),
    hostId: id == null ? null : String(id),
  };
}

import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import type { ForgeKind } from "../../hosts/host.ts";
import { branchPrefix } from "../../wording/ci.ts";

/** A webhook as it came in. */
export type Hook = {
  readonly source: ForgeKind;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Uint8Array;
};

/** What a provider told us, in our words; none of the texts that people wrote. */
export type News = {
  readonly host: string;
  readonly organisation: string;
  readonly name: string;
  /** When it happened, where that was said. */
  readonly time: number | null;
} & (
  | { readonly what: "pushed"; readonly commit: string; readonly branch: string }
  | { readonly what: "requested"; readonly commit: string; readonly request: number }
  | { readonly what: "decided"; readonly url: string; readonly outcome: "merged" | "closed" }
);

/** Whether the sender knows the secret. Takes the same time whatever is sent. */
export function isGenuine({ source, headers, body }: Hook, secret: string): boolean {
  if (secret === "") return false;
  if (source === "gitlab") return isEqual(textOf(headers["x-gitlab-token"]), secret);
  const sum = createHmac("sha256", secret).update(body).digest("hex");
  return isEqual(textOf(headers["x-hub-signature-256"]), `sha256=${sum}`);
}

function isEqual(given: string, wanted: string): boolean {
  const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(given), digest(wanted));
}

/** The name the provider gave this delivery; null where it gave none. */
export function deliveryOf({ source, headers }: Hook): string | null {
  const names =
    source === "github"
      ? ["x-github-delivery"]
      : ["x-gitlab-webhook-uuid", "x-gitlab-event-uuid", "idempotency-key"];
  const id = names
    .map((name) => textOf(headers[name]))
    .filter(Boolean)
    .join("/");
  return /^[\x21-\x7e]{1,200}$/.test(id) ? id : null;
}

/** What it says, whoever sends it again under whatever name. */
export function digestOf({ source, headers, body }: Hook): Buffer {
  return createHash("sha256")
    .update(`${source}\n${eventOf(source, headers)}\n`)
    .update(body)
    .digest();
}

/** `malformed`: it is not what the provider sends. Null: nothing that concerns us. */
export function parseNews({ source, headers, body }: Hook): News | null | "malformed" {
  const event = eventOf(source, headers);
  const shape = shapes[source][event];
  if (!shape) return null;
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch {
    return "malformed";
  }
  const parsed = shape.safeParse(value);
  return parsed.success ? parsed.data : "malformed";
}

function eventOf(source: ForgeKind, headers: Hook["headers"]): string {
  return textOf(headers[source === "github" ? "x-github-event" : "x-gitlab-event"]);
}

function textOf(value: string | readonly string[] | undefined): string {
  return typeof value === "string" ? value : "";
}

const commit = z.string().regex(/^[0-9a-f]{40}([0-9a-f]{24})?$/);
const none = /^0+$/;
const time = z.union([z.number(), z.string()]).nullish();

const githubRepository = z.object({
  full_name: z.string().regex(/^[\w.-]+\/[\w.-]+$/),
  html_url: z.url(),
  default_branch: z.string(),
  pushed_at: time,
});

function placeOf({ full_name, html_url }: z.infer<typeof githubRepository>) {
  const [organisation, name] = full_name.split("/");
  return { host: new URL(html_url).host.toLowerCase(), organisation: organisation!, name: name! };
}

const githubPush = z
  .object({ ref: z.string(), after: commit, repository: githubRepository })
  .transform(({ ref, after, repository }): News | null =>
    ref !== `refs/heads/${repository.default_branch}` || none.test(after)
      ? null
      : {
          ...placeOf(repository),
          time: timeOf(repository.pushed_at),
          what: "pushed",
          commit: after,
          branch: repository.default_branch,
        },
  );

const githubRequest = z
  .object({
    action: z.string(),
    pull_request: z.object({
      number: z.int().min(1),
      html_url: z.string(),
      merged: z.boolean().nullish(),
      updated_at: time,
      head: z.object({ sha: commit, ref: z.string() }),
    }),
    repository: githubRepository,
  })
  .transform(
    ({
      action,
      pull_request: { number, head, html_url: url, merged, updated_at },
      repository,
    }): News | null => {
      const place = { ...placeOf(repository), time: timeOf(updated_at) };
      // Our own requests are decided on by people and never answered by us.
      if (head.ref.startsWith(branchPrefix))
        return action === "closed"
          ? { ...place, what: "decided", url, outcome: merged ? "merged" : "closed" }
          : null;
      if (!["opened", "synchronize", "reopened", "ready_for_review"].includes(action)) return null;
      return { ...place, what: "requested", commit: head.sha, request: number };
    },
  );

const gitlabProject = z.object({
  path_with_namespace: z.string().regex(/^[\w./-]+\/[\w.-]+$/),
  web_url: z.url(),
  default_branch: z.string(),
});

function projectPlace({ path_with_namespace: path, web_url }: z.infer<typeof gitlabProject>) {
  const cut = path.lastIndexOf("/");
  return {
    host: new URL(web_url).host.toLowerCase(),
    organisation: path.slice(0, cut),
    name: path.slice(cut + 1),
  };
}

const gitlabPush = z
  .object({ ref: z.string(), after: commit, project: gitlabProject })
  .transform(({ ref, after, project }): News | null =>
    ref !== `refs/heads/${project.default_branch}` || none.test(after)
      ? null
      : {
          ...projectPlace(project),
          time: null,
          what: "pushed",
          commit: after,
          branch: project.default_branch,
        },
  );

const gitlabRequest = z
  .object({
    project: gitlabProject,
    object_attributes: z.object({
      iid: z.int().min(1),
      action: z.string().nullish(),
      url: z.string(),
      source_branch: z.string(),
      updated_at: time,
      oldrev: z.string().nullish(),
      last_commit: z.object({ id: commit }),
    }),
  })
  .transform(
    ({
      project,
      object_attributes: { iid, action, url, source_branch, updated_at, oldrev, last_commit },
    }): News | null => {
      const place = { ...projectPlace(project), time: timeOf(updated_at) };
      if (source_branch.startsWith(branchPrefix))
        return action === "merge" || action === "close"
          ? { ...place, what: "decided", url, outcome: action === "merge" ? "merged" : "closed" }
          : null;
      // An update without a former revision changed words, not commits.
      const isNew = action === "open" || action === "reopen" || (action === "update" && oldrev);
      return isNew ? { ...place, what: "requested", commit: last_commit.id, request: iid } : null;
    },
  );

const shapes: Readonly<Record<ForgeKind, Readonly<Record<string, z.ZodType<News | null>>>>> = {
  github: { push: githubPush, pull_request: githubRequest },
  gitlab: { "Push Hook": gitlabPush, "Merge Request Hook": gitlabRequest },
};

function timeOf(value: z.infer<typeof time>): number | null {
  const milliseconds = typeof value === "number" ? value * 1000 : Date.parse(value ?? "");
  return Number.isFinite(milliseconds) ? milliseconds : null;
}

import { z } from "zod";
import { accept, type Outcome, refuse } from "../../text/model/outcome.ts";
import type {
  ChangeRequest,
  CommitDraft,
  Forge,
  ForgeHost,
  HostOptions,
  Repository,
  RequestDraft,
  Review,
} from "../host.ts";
import { readPages, shaped } from "../pages.ts";
import { type Answer, type Http, openHttp } from "../rest.ts";
import { keepOneComment } from "../sticky-comment.ts";
import { findReviewable, suggestOnce } from "../suggestions.ts";

const publicApi = "https://gitlab.com/api/v4";

/** GitLab, also one's own where `baseUrl` names its `/api/v4`. A group's projects include those of its subgroups. */
export function openGitLab(options: HostOptions): Outcome<ForgeHost> {
  const opened = openHttp(
    { ...options, baseUrl: options.baseUrl ?? publicApi },
    { "private-token": options.token, "user-agent": "suture" },
  );
  if (!opened.ok) return opened;
  const http = opened.value;
  let self: Promise<Outcome<number>> | undefined;
  const findSelf = async (): Promise<Outcome<number>> => {
    const me = shaped(z.object({ id: z.int() }), await http({ path: "user" }));
    return me.ok ? accept(me.value.id) : me;
  };
  return accept({
    kind: "gitlab",
    at: (repository) => openProject(http, repository, () => (self ??= findSelf())),
    repositories: async (owner, { most = 10_000 } = {}) => {
      const asked = (kind: string, query: Record<string, string>) =>
        readPages(http, { path: `${kind}/${encodeURIComponent(owner)}/projects`, query }, projectShape, {
          most,
        });
      const group = await asked("groups", { include_subgroups: "true", order_by: "path", sort: "asc" });
      const found = group.ok || group.refusal.code !== "not-found" ? group : await asked("users", {});
      return found.ok ? accept(found.value.map(toRepository)) : found;
    },
  });
}

function openProject(http: Http, repository: string, self: () => Promise<Outcome<number>>): Forge {
  const at = `projects/${encodeURIComponent(repository)}`;
  const ask = async <T>(shape: z.ZodType<T>, question: Parameters<Http>[0]): Promise<Outcome<T>> =>
    shaped(shape, await http({ ...question, path: question.path === "" ? at : `${at}/${question.path}` }));
  const branch: Forge["branch"] = async (name) => {
    const found = await ask(branchShape, { path: `repository/branches/${encodeURIComponent(name)}` });
    if (found.ok) return accept(found.value.commit.id);
    return found.refusal.code === "not-found" ? accept(null) : found;
  };
  const findRequest: Forge["findRequest"] = async ({ head, base }) => {
    const query = { state: "opened", source_branch: head, target_branch: base };
    const found = await ask(z.array(requestShape), { path: "merge_requests", query });
    if (!found.ok) return found;
    const [first] = found.value;
    return accept(first ? { number: first.iid, url: first.web_url, isNew: false } : null);
  };
  return {
    kind: "gitlab",
    repository,
    about: async () => {
      const found = await ask(projectShape, { path: "" });
      return found.ok ? accept(toRepository(found.value)) : found;
    },
    branch,
    findRequest,
    request: async (number) => {
      const found = await ask(requestShape, { path: `merge_requests/${number}` });
      return found.ok ? accept(toRequest(found.value, repository)) : found;
    },
    openRequest: async (draft) => {
      const found = await findRequest(draft);
      if (!found.ok) return found;
      if (found.value !== null) return updateRequest(ask, found.value, draft);
      const opened = await createRequest(ask, draft);
      if (opened.ok) return opened;
      // The answer may have been lost on its way, or somebody was quicker.
      const after = await findRequest(draft);
      return after.ok && after.value !== null ? updateRequest(ask, after.value, draft) : opened;
    },
    closeRequest: async (number) => {
      const body = { state_event: "close" };
      const closed = await ask(z.unknown(), { method: "PUT", path: `merge_requests/${number}`, body });
      return closed.ok ? accept(true) : closed;
    },
    comment: async (number, marker, write) => {
      const me = await self();
      return me.ok
        ? keepOneComment(notesOf(http, `${at}/merge_requests/${number}`, me.value), marker, write)
        : me;
    },
    reviewable: async (number) => {
      const files = await readPages(http, { path: `${at}/merge_requests/${number}/diffs` }, diffShape, {
        most: 3000,
      });
      if (!files.ok) return files;
      return accept(
        findReviewable(files.value.map(({ new_path, diff }) => ({ filename: new_path, patch: diff }))),
      );
    },
    suggest: async (number, review) => {
      const me = await self();
      return me.ok ? suggest(http, ask, `${at}/merge_requests/${number}`, number, review, me.value) : me;
    },
    setStatus: async (commit, { state, context, description, url }) => {
      const states = { pending: "pending", success: "success", failure: "failed", error: "failed" } as const;
      const body = {
        state: states[state],
        name: context,
        description: description.slice(0, 255),
        ...(url === undefined ? {} : { target_url: url }),
      };
      const done = await ask(z.unknown(), {
        method: "POST",
        path: `statuses/${encodeURIComponent(commit)}`,
        body,
        repeatable: true,
      });
      return done.ok ? accept(true) : done;
    },
    commit: (draft) => commitTo(ask, branch, draft),
  };
}

type Ask = <T>(shape: z.ZodType<T>, question: Parameters<Http>[0]) => Promise<Outcome<T>>;
type Found = { readonly number: number; readonly url: string };

async function updateRequest(ask: Ask, { number, url }: Found, { title, body }: RequestDraft) {
  const updated = await ask(z.unknown(), {
    method: "PUT",
    path: `merge_requests/${number}`,
    body: { title, description: body },
  });
  return updated.ok ? accept({ number, url, isNew: false }) : updated;
}

async function createRequest(ask: Ask, draft: RequestDraft) {
  const opened = await ask(requestShape, {
    method: "POST",
    path: "merge_requests",
    body: {
      title: draft.draft ? `Draft: ${draft.title}` : draft.title,
      description: draft.body,
      source_branch: draft.head,
      target_branch: draft.base,
      remove_source_branch: true,
      ...(draft.labels?.length ? { labels: draft.labels.join(",") } : {}),
    },
  });
  return opened.ok ? accept({ number: opened.value.iid, url: opened.value.web_url, isNew: true }) : opened;
}

function notesOf(http: Http, request: string, self: number) {
  const toComment = ({ id, body }: z.infer<typeof noteShape>) => ({ id, body, url: null });
  const written = (answer: Outcome<Answer>) => {
    const note = shaped(noteShape, answer);
    return note.ok ? accept(toComment(note.value)) : note;
  };
  return {
    list: async () => {
      const query = { sort: "asc", order_by: "created_at" };
      const all = await readPages(http, { path: `${request}/notes`, query }, noteShape, { most: 5000 });
      return all.ok ? accept(all.value.filter(({ author }) => author.id === self).map(toComment)) : all;
    },
    create: async (body: string) =>
      written(await http({ method: "POST", path: `${request}/notes`, body: { body } })),
    update: async (id: number | string, body: string) =>
      written(await http({ method: "PUT", path: `${request}/notes/${id}`, body: { body } })),
    remove: async (id: number | string) => {
      const removed = await http({ method: "DELETE", path: `${request}/notes/${id}` });
      return removed.ok ? accept(true as const) : removed;
    },
  };
}

/** GitLab wants a thread for each, at a position of the newest diff. */
async function suggest(http: Http, ask: Ask, request: string, number: number, review: Review, self: number) {
  const found = await ask(requestShape, { path: `merge_requests/${number}` });
  if (!found.ok) return found;
  const refs = found.value.diff_refs;
  if (!refs || refs.head_sha !== review.commit)
    return refuse({
      code: "stale",
      expected: review.commit,
      actual: refs?.head_sha ?? "",
      detail: "the request has moved on",
    });
  const there = await readPages(http, { path: `${request}/notes` }, noteShape, { most: 5000 });
  if (!there.ok) return there;
  const bodies = there.value.filter(({ author }) => author.id === self).map(({ body }) => body);
  return suggestOnce(review, bodies, async (suggestions) => {
    for (const { path, startLine, endLine, body } of suggestions) {
      // Lines above the one it stands at are counted, not named.
      const text = body.replace(/^(`{3,})suggestion$/m, `$1suggestion:-${endLine - startLine}+0`);
      const position = { position_type: "text", ...refs, new_path: path, old_path: path, new_line: endLine };
      const posted = await http({
        method: "POST",
        path: `${request}/discussions`,
        body: { body: text, position },
      });
      if (!posted.ok) return posted;
    }
    return accept(true);
  });
}

async function commitTo(
  ask: Ask,
  branch: Forge["branch"],
  draft: CommitDraft,
): Promise<Outcome<{ id: string }>> {
  const tip = await branch(draft.branch);
  if (!tip.ok) return tip;
  if (tip.value !== null && tip.value !== draft.parent && !draft.replace)
    return refuse({
      code: "stale",
      expected: draft.parent,
      actual: tip.value,
      detail: `${draft.branch} has moved on`,
    });
  for (const { path, before } of draft.files) {
    const query = { ref: draft.parent };
    const file = await ask(fileShape, { path: `repository/files/${encodeURIComponent(path)}`, query });
    if (!file.ok) return file;
    if (file.value.blob_id !== before)
      return refuse({ code: "stale", path, expected: before, actual: file.value.blob_id });
  }
  const body = {
    branch: draft.branch,
    ...(tip.value === draft.parent ? {} : { start_sha: draft.parent, force: draft.replace === true }),
    commit_message: draft.message,
    actions: draft.files.map(({ path, content }) => ({
      action: "update",
      file_path: path,
      encoding: "base64",
      content: Buffer.from(content).toString("base64"),
    })),
  };
  const made = await ask(z.object({ id: sha }), { method: "POST", path: "repository/commits", body });
  return made.ok ? accept({ id: made.value.id }) : made;
}

const sha = z.string().regex(/^[0-9a-f]{40,64}$/);
const branchShape = z.object({ commit: z.object({ id: sha }) });
const fileShape = z.object({ blob_id: z.string() });
const diffShape = z.object({ new_path: z.string(), diff: z.string() });
const noteShape = z.object({ id: z.int(), body: z.string(), author: z.object({ id: z.int() }) });

const projectShape = z.object({
  path_with_namespace: z.string(),
  default_branch: z.string().nullish(),
  http_url_to_repo: z.string(),
  web_url: z.string(),
  visibility: z.string().optional(),
  archived: z.boolean().optional(),
  forked_from_project: z.unknown().optional(),
  last_activity_at: z.string().nullish(),
});

function toRepository(found: z.infer<typeof projectShape>): Repository {
  return {
    name: found.path_with_namespace,
    defaultBranch: found.default_branch ?? "main",
    cloneUrl: found.http_url_to_repo,
    url: found.web_url,
    isPrivate: found.visibility !== "public",
    isFork: found.forked_from_project !== undefined && found.forked_from_project !== null,
    isArchived: found.archived ?? false,
    pushedAt: found.last_activity_at ?? null,
  };
}

const requestShape = z.object({
  iid: z.int(),
  web_url: z.string(),
  title: z.string(),
  state: z.string(),
  sha: sha.nullish(),
  source_branch: z.string(),
  target_branch: z.string(),
  source_project_id: z.int().nullish(),
  target_project_id: z.int().nullish(),
  author: z.object({ username: z.string() }).nullish(),
  diff_refs: z.object({ base_sha: sha, start_sha: sha, head_sha: sha }).nullish(),
});

function toRequest(found: z.infer<typeof requestShape>, repository: string): ChangeRequest {
  const isOwn = found.source_project_id === found.target_project_id;
  return {
    number: found.iid,
    url: found.web_url,
    title: found.title,
    state: found.state === "merged" ? "merged" : found.state === "opened" ? "open" : "closed",
    author: found.author?.username ?? "",
    head: { repository: isOwn ? repository : null, branch: found.source_branch, commit: found.sha ?? "" },
    base: { branch: found.target_branch, commit: found.diff_refs?.start_sha ?? null },
  };
}

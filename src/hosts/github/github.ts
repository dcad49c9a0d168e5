import { z } from "zod";
import { accept, type Outcome } from "../../text/model/outcome.ts";
import type {
  ChangeRequest,
  Forge,
  ForgeHost,
  HostOptions,
  Repository,
  RequestDraft,
  Status,
} from "../host.ts";
import { readPages, shaped } from "../pages.ts";
import { type Answer, encodePath, type Http, openHttp } from "../rest.ts";
import { keepOneComment } from "../sticky-comment.ts";
import { findReviewable, suggestOnce } from "../suggestions.ts";
import { commitTo } from "./commit.ts";

const publicApi = "https://api.github.com";

/** GitHub, and GitHub Enterprise where `baseUrl` names its `/api/v3`. */
export function openGitHub(options: HostOptions): Outcome<ForgeHost> {
  const opened = openHttp(
    { ...options, baseUrl: options.baseUrl ?? publicApi },
    {
      accept: "application/vnd.github+json",
      authorization: `Bearer ${options.token}`,
      "user-agent": "suture",
      "x-github-api-version": "2022-11-28",
    },
  );
  if (!opened.ok) return opened;
  const http = opened.value;
  const isOurs = rememberOnce(() => findOurselves(http));
  return accept({
    kind: "github",
    at: (repository) => openRepository(http, repository, isOurs),
    repositories: async (owner, { most = 10_000 } = {}) => {
      const query = { type: "all", sort: "full_name" };
      const asked = (kind: string) =>
        readPages(http, { path: `${kind}/${encodeURIComponent(owner)}/repos`, query }, repositoryShape, {
          most,
        });
      const organisation = await asked("orgs");
      const found =
        organisation.ok || organisation.refusal.code !== "not-found" ? organisation : await asked("users");
      return found.ok ? accept(found.value.map(toRepository)) : found;
    },
  });
}

function openRepository(http: Http, repository: string, isOurs: () => Promise<Outcome<IsOurs>>): Forge {
  const at = `repos/${encodePath(repository)}`;
  const ask = async <T>(shape: z.ZodType<T>, question: Parameters<Http>[0]): Promise<Outcome<T>> =>
    shaped(shape, await http({ ...question, path: `${at}/${question.path}` }));
  return {
    kind: "github",
    repository,
    about: async () => {
      const found = shaped(repositoryShape, await http({ path: at }));
      return found.ok ? accept(toRepository(found.value)) : found;
    },
    branch: async (name) => {
      const found = await ask(refShape, { path: `git/ref/heads/${encodePath(name)}` });
      if (found.ok) return accept(found.value.object.sha);
      return found.refusal.code === "not-found" ? accept(null) : found;
    },
    request: async (number) => {
      const found = await ask(requestShape, { path: `pulls/${number}` });
      return found.ok ? accept(toRequest(found.value)) : found;
    },
    findRequest: async (branches) => {
      const found = await findRequests(ask, repository, branches);
      if (!found.ok) return found;
      const [first] = found.value;
      return accept(first ? { number: first.number, url: first.html_url, isNew: false } : null);
    },
    openRequest: (draft) => openRequest(ask, repository, draft),
    closeRequest: async (number) => {
      const closed = await ask(z.unknown(), {
        method: "PATCH",
        path: `pulls/${number}`,
        body: { state: "closed" },
      });
      return closed.ok ? accept(true) : closed;
    },
    comment: async (number, marker, write) => {
      const ours = await isOurs();
      if (!ours.ok) return ours;
      return keepOneComment(commentsOf(http, at, number, ours.value), marker, write);
    },
    reviewable: async (number) => {
      const files = await readPages(http, { path: `${at}/pulls/${number}/files` }, fileShape, { most: 3000 });
      return files.ok ? accept(findReviewable(files.value)) : files;
    },
    suggest: async (number, review) => {
      const ours = await isOurs();
      if (!ours.ok) return ours;
      const there = await readPages(http, { path: `${at}/pulls/${number}/comments` }, commentShape, {
        most: 3000,
      });
      if (!there.ok) return there;
      const bodies = there.value.filter(ours.value).map(({ body }) => body ?? "");
      return suggestOnce(review, bodies, async (suggestions) => {
        const comments = suggestions.map(({ path, startLine, endLine, body }) => ({
          path,
          body,
          line: endLine,
          side: "RIGHT",
          ...(startLine < endLine ? { start_line: startLine, start_side: "RIGHT" } : {}),
        }));
        const body = { commit_id: review.commit, event: "COMMENT", body: "Suture suggests:", comments };
        const posted = await ask(z.unknown(), { method: "POST", path: `pulls/${number}/reviews`, body });
        return posted.ok ? accept(true) : posted;
      });
    },
    setStatus: (commit, status) => setStatus(ask, commit, status),
    commit: (draft) => commitTo(ask, draft),
  };
}

type Ask = <T>(shape: z.ZodType<T>, question: Parameters<Http>[0]) => Promise<Outcome<T>>;

/** Looks before it opens, and again when opening went wrong: the answer may have been lost, or somebody was quicker. */
async function openRequest(ask: Ask, repository: string, draft: RequestDraft) {
  const find = () => findRequests(ask, repository, draft);
  const { title, body } = draft;
  const update = async ({ number, html_url: url, ...now }: z.infer<typeof openedShape>) => {
    if (now.title === title && now.body === body) return accept({ number, url, isNew: false });
    const updated = await ask(z.unknown(), {
      method: "PATCH",
      path: `pulls/${number}`,
      body: { title, body },
    });
    return updated.ok ? accept({ number, url, isNew: false }) : updated;
  };
  const found = await find();
  if (!found.ok) return found;
  if (found.value[0]) return update(found.value[0]);
  const opened = await ask(openedShape, {
    method: "POST",
    path: "pulls",
    body: { title, body, head: draft.head, base: draft.base, draft: draft.draft ?? false },
  });
  if (!opened.ok) {
    const after = await find();
    return after.ok && after.value[0] ? update(after.value[0]) : opened;
  }
  const { number, html_url: url } = opened.value;
  if (draft.labels?.length) {
    const labelled = await ask(z.unknown(), {
      method: "POST",
      path: `issues/${number}/labels`,
      body: { labels: draft.labels },
      repeatable: true,
    });
    if (!labelled.ok) return labelled;
  }
  return accept({ number, url, isNew: true });
}

function findRequests(ask: Ask, repository: string, { head, base }: Pick<RequestDraft, "head" | "base">) {
  const [owner] = repository.split("/");
  const query = { state: "open", head: `${owner}:${head}`, base, per_page: 100 };
  return ask(z.array(openedShape), { path: "pulls", query });
}

async function setStatus(
  ask: Ask,
  commit: string,
  { state, context, description, url }: Status,
): Promise<Outcome<true>> {
  const done = await ask(z.unknown(), {
    method: "POST",
    path: `statuses/${encodeURIComponent(commit)}`,
    body: {
      state,
      context,
      description: description.slice(0, 140),
      ...(url === undefined ? {} : { target_url: url }),
    },
    repeatable: true,
  });
  return done.ok ? accept(true) : done;
}

type IsOurs = (comment: {
  readonly user?: { readonly login: string; readonly type?: string | undefined } | null | undefined;
}) => boolean;

/** Whose comments are ours. A token of an app cannot ask who it is; then it is a bot's. */
async function findOurselves(http: Http): Promise<Outcome<IsOurs>> {
  const me = shaped(z.object({ login: z.string() }), await http({ path: "user" }));
  if (me.ok) return accept(({ user }) => user?.login === me.value.login);
  if (me.refusal.code !== "not-allowed" && me.refusal.code !== "not-found") return me;
  return accept(
    ({ user }) => user === undefined || user?.type === "Bot" || /\[bot\]$/.test(user?.login ?? ""),
  );
}

function rememberOnce<T>(find: () => Promise<T>): () => Promise<T> {
  let found: Promise<T> | undefined;
  return () => (found ??= find());
}

function commentsOf(http: Http, at: string, number: number, isOurs: IsOurs) {
  const thread = `${at}/issues/${number}/comments`;
  const one = (id: number | string): string => `${at}/issues/comments/${id}`;
  const toComment = ({ id, body, html_url: url }: z.infer<typeof commentShape>) => ({
    id,
    body: body ?? "",
    url: url ?? null,
  });
  const written = (answer: Outcome<Answer>) => {
    const comment = shaped(commentShape, answer);
    return comment.ok ? accept(toComment(comment.value)) : comment;
  };
  return {
    list: async () => {
      const all = await readPages(http, { path: thread }, commentShape, { most: 5000 });
      return all.ok ? accept(all.value.filter(isOurs).map(toComment)) : all;
    },
    create: async (body: string) => written(await http({ method: "POST", path: thread, body: { body } })),
    update: async (id: number | string, body: string) =>
      written(await http({ method: "PATCH", path: one(id), body: { body } })),
    remove: async (id: number | string) => {
      const removed = await http({ method: "DELETE", path: one(id) });
      return removed.ok ? accept(true as const) : removed;
    },
  };
}

const sha = z.string().regex(/^[0-9a-f]{40,64}$/);
const refShape = z.object({ object: z.object({ sha }) });
const fileShape = z.object({ filename: z.string(), patch: z.string().optional() });
const commentShape = z.object({
  id: z.int(),
  body: z.string().nullish(),
  html_url: z.string().optional(),
  user: z.object({ login: z.string(), type: z.string().optional() }).nullish(),
});

const repositoryShape = z.object({
  full_name: z.string(),
  default_branch: z.string(),
  clone_url: z.string(),
  html_url: z.string(),
  private: z.boolean(),
  fork: z.boolean(),
  archived: z.boolean(),
  pushed_at: z.string().nullish(),
});

function toRepository(found: z.infer<typeof repositoryShape>): Repository {
  return {
    name: found.full_name,
    defaultBranch: found.default_branch,
    cloneUrl: found.clone_url,
    url: found.html_url,
    isPrivate: found.private,
    isFork: found.fork,
    isArchived: found.archived,
    pushedAt: found.pushed_at ?? null,
  };
}

/** What is known of a request that was just opened, or found by its branches. */
const openedShape = z.object({
  number: z.int(),
  html_url: z.string(),
  title: z.string().optional(),
  body: z.string().nullish(),
});

const requestShape = z.object({
  number: z.int(),
  html_url: z.string(),
  title: z.string(),
  body: z.string().nullish(),
  state: z.enum(["open", "closed"]),
  merged_at: z.string().nullish(),
  user: z.object({ login: z.string() }).nullish(),
  head: z.object({ ref: z.string(), sha, repo: z.object({ full_name: z.string() }).nullish() }),
  base: z.object({ ref: z.string(), sha: sha.nullish() }),
});

function toRequest(found: z.infer<typeof requestShape>): ChangeRequest {
  return {
    number: found.number,
    url: found.html_url,
    title: found.title,
    state: found.merged_at ? "merged" : found.state,
    author: found.user?.login ?? "",
    head: { repository: found.head.repo?.full_name ?? null, branch: found.head.ref, commit: found.head.sha },
    base: { branch: found.base.ref, commit: found.base.sha ?? null },
  };
}

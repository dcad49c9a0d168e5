import { z } from "zod";
import { accept, type Outcome } from "../../text/model/outcome.ts";
import type { FileUrlForm } from "../file-url.ts";
import {
  type BranchPair,
  type CodeHost,
  type CommitDraft,
  type CommitResult,
  type HostedRepository,
  type HostOptions,
  issueLabel,
  type OpenedPullRequest,
  type PullRequest,
  type PullRequestDraft,
  type RepositoryInfo,
  type ReviewDraft,
  type Suggestion,
  type SuggestResult,
  type TrustedComment,
} from "../host.ts";
import { openOwnTexts } from "../own-texts.ts";
import { done, nullIfMissing, parseResponse, readPages } from "../pages.ts";
import { rememberSuccess } from "../remember-success.ts";
import { encodePath, openRestClient, type RestClient, type RestRequest } from "../rest.ts";
import { listRepositories, type OpenTexts, RestRepository } from "../rest-repository.ts";
import type { OwnComments } from "../sticky-comment.ts";
import { findReviewableLines, suggestOnce } from "../suggestions.ts";
import { commitTo } from "./commit.ts";
import { apiHeaders, publicApi } from "./headers.ts";
import { refSchema, sha } from "./ref.ts";

export const fileUrlForm: FileUrlForm = {
  publicHost: "github.com",
  publicApi,
  apiPath: "/api/v3",
  folder: "/blob/",
  lastLine: "-L",
};

/** GitHub, and GitHub Enterprise where `baseUrl` names its `/api/v3`. */
export function openGitHub(options: HostOptions): Outcome<CodeHost> {
  const opened = openRestClient({ ...options, baseUrl: options.baseUrl ?? publicApi }, apiHeaders);
  if (!opened.ok) return opened;
  const http = opened.value;
  const findOwn = rememberSuccess(() => findIsOurs(http));
  return accept({
    kind: "github",
    at: (name) =>
      new GitHubRepository(http, {
        place: { name, baseUrl: options.baseUrl },
        path: `repos/${encodePath(name)}`,
        findOwn,
      }),
    repositories: (owner, { most = 10_000 } = {}) => {
      const query = { type: "all", sort: "full_name" };
      const of = (kind: string) => ({ path: `${kind}/${encodeURIComponent(owner)}/repos`, query });
      return listRepositories(http, [of("orgs"), of("users")], infoSchema, { most });
    },
  });
}

class GitHubRepository extends RestRepository<IsOurs> implements HostedRepository {
  readonly kind = "github";
  protected readonly fileUrlForm = fileUrlForm;
  protected readonly infoSchema = infoSchema;

  async branch(name: string): Promise<Outcome<string | null>> {
    return nullIfMissing(await this.request(refSchema, { path: `git/ref/heads/${encodePath(name)}` }));
  }

  pullRequest(number: number): Promise<Outcome<PullRequest>> {
    return this.request(pullSchema, { path: `pulls/${number}` });
  }

  async closePullRequest(number: number): Promise<Outcome<true>> {
    const body = { state: "closed" };
    return done(await this.request(z.unknown(), { method: "PATCH", path: `pulls/${number}`, body }));
  }

  async trustedComments(number: number): Promise<Outcome<readonly TrustedComment[]>> {
    const path = `${this.path}/issues/${number}/comments`;
    const all = await readPages(this.http, { path }, commentSchema, { most: 1000 });
    if (!all.ok) return all;
    const trusted = all.value.filter(({ author_association: role }) => writers.has(role ?? ""));
    return accept(trusted.map(({ user, body }) => ({ author: user?.login ?? "", body: body ?? "" })));
  }

  async reviewableLines(number: number): Promise<Outcome<ReadonlyMap<string, ReadonlySet<number>>>> {
    const path = `${this.path}/pulls/${number}/files`;
    const files = await readPages(this.http, { path }, fileSchema, { most: 3000 });
    return files.ok ? accept(findReviewableLines(files.value)) : files;
  }

  async suggest(number: number, review: ReviewDraft): Promise<Outcome<SuggestResult>> {
    const isOurs = await this.findOwn();
    if (!isOurs.ok) return isOurs;
    const path = `${this.path}/pulls/${number}/comments`;
    const posted = await readPages(this.http, { path }, commentSchema, { most: 3000 });
    if (!posted.ok) return posted;
    const bodies = posted.value.filter(isOurs.value).map(({ body }) => body ?? "");
    return suggestOnce(review, bodies, async (suggestions) => {
      const comments = suggestions.map(toReviewComment);
      const body = { commit_id: review.commit, event: "COMMENT", body: "Suture suggests:", comments };
      return done(await this.request(z.unknown(), { method: "POST", path: `pulls/${number}/reviews`, body }));
    });
  }

  commit(draft: CommitDraft): Promise<Outcome<CommitResult>> {
    return commitTo((schema, request) => this.request(schema, request), draft);
  }

  protected async findOpen({ head, base }: BranchPair): Promise<Outcome<OpenTexts | null>> {
    const [owner] = this.repository.split("/");
    const query = { state: "open", head: `${owner}:${head}`, base, per_page: 100 };
    const found = await this.request(z.array(openedSchema), { path: "pulls", query });
    return found.ok ? accept(found.value[0] ?? null) : found;
  }

  protected async create(draft: PullRequestDraft): Promise<Outcome<OpenedPullRequest>> {
    const { title, body, head, base } = draft;
    const opened = await this.request(openedSchema, {
      method: "POST",
      path: "pulls",
      body: { title, body, head, base, draft: draft.draft ?? false },
    });
    if (!opened.ok) return opened;
    const { number, url } = opened.value;
    for (const request of decorations(number, draft)) {
      const made = await this.request(z.unknown(), request);
      if (!made.ok) return made;
    }
    return accept({ number, url, isNew: true });
  }

  protected rewrite(open: OpenTexts, { title, body }: PullRequestDraft): RestRequest | null {
    if (open.title === title && open.body === body) return null;
    return { method: "PATCH", path: `pulls/${open.number}`, body: { title, body } };
  }

  protected commentsOf(number: number, isOurs: IsOurs): OwnComments {
    const path = `${this.path}/issues/${number}/comments`;
    const one = (id: number | string): string => `${this.path}/issues/comments/${id}`;
    return openOwnTexts(this.http, {
      schema: commentSchema,
      list: { path },
      most: 5000,
      isOurs: (comment) => isOurs(comment),
      toComment: ({ id, body, html_url }) => ({ id, body: body ?? "", url: html_url ?? null }),
      create: (body) => ({ method: "POST", path, body: { body } }),
      update: (id, body) => ({ method: "PATCH", path: one(id), body: { body } }),
      remove: (id) => ({ method: "DELETE", path: one(id) }),
    });
  }

  /** The host lists pull requests among issues. */
  protected issuesOf(title: string, isOurs: IsOurs): OwnComments {
    const path = `${this.path}/issues`;
    const one = (id: number | string): string => `${path}/${id}`;
    return openOwnTexts(this.http, {
      schema: issueSchema,
      list: { path, query: { state: "open", labels: issueLabel, sort: "created", direction: "asc" } },
      most: 1000,
      isOurs: (issue) => issue.pull_request == null && isOurs(issue),
      toComment: ({ number, body, html_url }) => ({ id: number, body: body ?? "", url: html_url }),
      create: (body) => ({ method: "POST", path, body: { title, body, labels: [issueLabel] } }),
      update: (id, body) => ({ method: "PATCH", path: one(id), body: { body } }),
      remove: (id) => ({ method: "PATCH", path: one(id), body: { state: "closed" } }),
    });
  }
}

/** The requests that give a new pull request its labels and reviewers. */
function decorations(number: number, { labels = [], reviewers = [] }: PullRequestDraft): RestRequest[] {
  const shared = { method: "POST", repeatable: true } as const;
  const users = reviewers.filter((name) => !name.includes("/"));
  const teams = reviewers.flatMap((name) => name.split("/")[1] ?? []);
  return [
    ...(labels.length === 0 ? [] : [{ ...shared, path: `issues/${number}/labels`, body: { labels } }]),
    ...(reviewers.length === 0
      ? []
      : [
          {
            ...shared,
            path: `pulls/${number}/requested_reviewers`,
            body: { reviewers: users, team_reviewers: teams },
          },
        ]),
  ];
}

function toReviewComment({ path, startLine, endLine, body }: Suggestion) {
  return {
    path,
    body,
    line: endLine,
    side: "RIGHT",
    ...(startLine < endLine ? { start_line: startLine, start_side: "RIGHT" } : {}),
  };
}

type IsOurs = (comment: {
  readonly user?: { readonly login: string; readonly type?: string | undefined } | null | undefined;
}) => boolean;

/** Finds out which comments are ours. The token of an app cannot ask for its user; its comments are a bot's. */
async function findIsOurs(http: RestClient): Promise<Outcome<IsOurs>> {
  const me = parseResponse(z.object({ login: z.string() }), await http({ path: "user" }));
  if (me.ok) return accept(({ user }) => user?.login === me.value.login);
  if (me.refusal.code !== "not-allowed" && me.refusal.code !== "not-found") return me;
  return accept(
    ({ user }) => user === undefined || user?.type === "Bot" || /\[bot\]$/.test(user?.login ?? ""),
  );
}

/** GitHub's names for people who belong to a repository. Others can comment on a public one. */
const writers: ReadonlySet<string> = new Set(["OWNER", "MEMBER", "COLLABORATOR"]);

const fileSchema = z.object({ filename: z.string(), patch: z.string().optional() });
const commentSchema = z.object({
  id: z.int(),
  body: z.string().nullish(),
  html_url: z.string().optional(),
  author_association: z.string().optional(),
  user: z.object({ login: z.string(), type: z.string().optional() }).nullish(),
});

const issueSchema = z.object({
  number: z.int(),
  html_url: z.string(),
  body: z.string().nullish(),
  pull_request: z.unknown().optional(),
  user: z.object({ login: z.string(), type: z.string().optional() }).nullish(),
});

const infoSchema = z
  .object({
    id: z.int().nullish(),
    full_name: z.string(),
    default_branch: z.string(),
    clone_url: z.string(),
    html_url: z.string(),
    fork: z.boolean(),
    archived: z.boolean(),
  })
  .transform(
    (found): RepositoryInfo => ({
      id: found.id == null ? null : String(found.id),
      name: found.full_name,
      defaultBranch: found.default_branch,
      cloneUrl: found.clone_url,
      url: found.html_url,
      isFork: found.fork,
      isArchived: found.archived,
    }),
  );

/** The fields of a pull request that was just opened, or found by its branches. */
const openedSchema = z
  .object({
    number: z.int(),
    html_url: z.string(),
    title: z.string().optional(),
    body: z.string().nullish(),
  })
  .transform(({ number, html_url: url, title, body }): OpenTexts => ({ number, url, title, body }));

const pullSchema = z
  .object({
    number: z.int(),
    html_url: z.string(),
    title: z.string(),
    state: z.enum(["open", "closed"]),
    merged_at: z.string().nullish(),
    user: z.object({ login: z.string() }).nullish(),
    head: z.object({ ref: z.string(), sha, repo: z.object({ full_name: z.string() }).nullish() }),
    base: z.object({ ref: z.string(), sha: sha.nullish() }),
  })
  .transform(
    ({ number, html_url: url, title, state, merged_at, user, head, base }): PullRequest => ({
      number,
      url,
      title,
      state: merged_at ? "merged" : state,
      author: user?.login ?? "",
      head: { repository: head.repo?.full_name ?? null, branch: head.ref, commit: head.sha },
      base: { branch: base.ref, commit: base.sha ?? null },
    }),
  );

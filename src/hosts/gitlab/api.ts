import { z } from "zod";
import { defined } from "../../text/model/defined.ts";
import { accept, type Outcome, refuse } from "../../text/model/outcome.ts";
import { blobIdLike } from "../../workspace/git/git.ts";
import type { FileUrlForm } from "../file-url.ts";
import {
  type BranchPair,
  type CodeHost,
  type CommitDraft,
  type CommitResult,
  type CommittedFile,
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
import { openRestClient, type RestRequest } from "../rest.ts";
import { listRepositories, type OpenTexts, RestRepository } from "../rest-repository.ts";
import type { OwnComments } from "../sticky-comment.ts";
import { findReviewableLines, suggestOnce } from "../suggestions.ts";

const publicApi = "https://gitlab.com/api/v4";

export const fileUrlForm: FileUrlForm = {
  publicHost: "gitlab.com",
  publicApi,
  apiPath: "/api/v4",
  folder: "/-/blob/",
  lastLine: "-",
};

/** GitLab, also one's own where `baseUrl` names its `/api/v4`. A group's projects include those of its subgroups. */
export function openGitLab(options: HostOptions): Outcome<CodeHost> {
  const opened = openRestClient({ ...options, baseUrl: options.baseUrl ?? publicApi }, (token) => ({
    "private-token": token,
    "user-agent": "suture",
  }));
  if (!opened.ok) return opened;
  const http = opened.value;
  const findOwn = rememberSuccess(async (): Promise<Outcome<number>> => {
    const found = parseResponse(z.object({ id: z.int() }), await http({ path: "user" }));
    return found.ok ? accept(found.value.id) : found;
  });
  return accept({
    kind: "gitlab",
    at: (name) =>
      new GitLabProject(http, {
        place: { name, baseUrl: options.baseUrl },
        path: `projects/${encodeURIComponent(name)}`,
        findOwn,
      }),
    repositories: (owner, { most = 10_000 } = {}) => {
      const of = (kind: string) => `${kind}/${encodeURIComponent(owner)}/projects`;
      const query = { include_subgroups: "true", order_by: "path", sort: "asc" };
      return listRepositories(http, [{ path: of("groups"), query }, { path: of("users") }], infoSchema, {
        most,
      });
    },
  });
}

/** Our own texts are those of the user that the token belongs to, who is known by a number. */
class GitLabProject extends RestRepository<number> implements HostedRepository {
  readonly kind = "gitlab";
  protected readonly fileUrlForm = fileUrlForm;
  protected readonly infoSchema = infoSchema;

  async branch(name: string): Promise<Outcome<string | null>> {
    const tip = await this.#findTip(name);
    return tip.ok ? accept(tip.value?.id ?? null) : tip;
  }

  async pullRequest(number: number): Promise<Outcome<PullRequest>> {
    const found = await this.#mergeRequest(number);
    return found.ok ? accept(toPullRequest(found.value, this.repository)) : found;
  }

  async closePullRequest(number: number): Promise<Outcome<true>> {
    const body = { state_event: "close" };
    return done(await this.request(z.unknown(), { method: "PUT", path: `merge_requests/${number}`, body }));
  }

  async trustedComments(number: number): Promise<Outcome<readonly TrustedComment[]>> {
    const query = { sort: "asc", order_by: "created_at" };
    const path = `${this.#pathOf(number)}/notes`;
    const all = await readPages(this.http, { path, query }, noteSchema, { most: 1000 });
    if (!all.ok) return all;
    const trusted = new Map<number, boolean>();
    for (const { author } of all.value) {
      if (trusted.has(author.id)) continue;
      const mayWrite = await this.#mayWrite(author.id);
      if (!mayWrite.ok) return mayWrite;
      trusted.set(author.id, mayWrite.value);
    }
    const kept = all.value.filter(({ author }) => trusted.get(author.id));
    return accept(kept.map(({ author, body }) => ({ author: author.username ?? "", body })));
  }

  async #mayWrite(user: number): Promise<Outcome<boolean>> {
    const schema = z.object({ access_level: z.int() });
    const found = nullIfMissing(await this.request(schema, { path: `members/all/${user}` }));
    return found.ok ? accept((found.value?.access_level ?? 0) >= developerLevel) : found;
  }

  async reviewableLines(number: number): Promise<Outcome<ReadonlyMap<string, ReadonlySet<number>>>> {
    const path = `${this.#pathOf(number)}/diffs`;
    const files = await readPages(this.http, { path }, diffSchema, { most: 3000 });
    if (!files.ok) return files;
    return accept(
      findReviewableLines(files.value.map(({ new_path, diff }) => ({ filename: new_path, patch: diff }))),
    );
  }

  /** GitLab wants a discussion for each suggestion, at a position of the newest diff. */
  async suggest(number: number, review: ReviewDraft): Promise<Outcome<SuggestResult>> {
    const user = await this.findOwn();
    if (!user.ok) return user;
    const found = await this.#mergeRequest(number);
    if (!found.ok) return found;
    const refs = found.value.diff_refs;
    if (!refs || refs.head_sha !== review.commit)
      return refuse({
        code: "stale",
        expected: review.commit,
        actual: refs?.head_sha ?? "",
        detail: "the pull request has a newer commit",
      });
    const notes = await readPages(this.http, { path: `${this.#pathOf(number)}/notes` }, noteSchema, {
      most: 5000,
    });
    if (!notes.ok) return notes;
    const bodies = notes.value.filter(({ author }) => author.id === user.value).map(({ body }) => body);
    return suggestOnce(review, bodies, async (suggestions) => {
      for (const suggestion of suggestions) {
        const body = toDiscussion(suggestion, refs);
        const posted = await this.http({
          method: "POST",
          path: `${this.#pathOf(number)}/discussions`,
          body,
        });
        if (!posted.ok) return posted;
      }
      return accept(true);
    });
  }

  async commit(draft: CommitDraft): Promise<Outcome<CommitResult>> {
    const tip = await this.#findTip(draft.branch);
    if (!tip.ok) return tip;
    const left = await this.#leaveTip(draft, tip.value);
    if (!left.ok || left.value !== null) return left.ok ? accept(left.value!) : left;
    const unchanged = await this.#checkFiles(draft);
    if (!unchanged.ok) return unchanged;
    const now = await this.#findTip(draft.branch);
    if (!now.ok) return now;
    // A person may have added a commit since our branch was seen. Then it is theirs.
    if (now.value !== null && now.value.id !== tip.value?.id && draft.replaceIfMessageHas !== undefined)
      return accept({ id: now.value.id, did: "left" });
    const body = {
      branch: draft.branch,
      ...(tip.value?.id === draft.parent
        ? {}
        : { start_sha: draft.parent, force: draft.replaceIfMessageHas !== undefined }),
      commit_message: draft.message,
      actions: draft.files.map(toAction),
    };
    const made = await this.request(z.object({ id: sha }), {
      method: "POST",
      path: "repository/commits",
      body,
    });
    return made.ok ? accept({ id: made.value.id, did: "made" }) : made;
  }

  /** The newest commit of a branch; null if there is no such branch. */
  async #findTip(branch: string): Promise<Outcome<BranchTip | null>> {
    const path = `repository/branches/${encodeURIComponent(branch)}`;
    return nullIfMissing(await this.request(branchSchema, { path }));
  }

  /** Leaves our branch as it is if a person has added a commit, or if it has these edits already. */
  async #leaveTip(
    { branch, parent, replaceIfMessageHas: mark, message, files }: CommitDraft,
    tip: BranchTip | null,
  ): Promise<Outcome<CommitResult | null>> {
    if (tip === null || tip.id === parent) return accept(null);
    if (mark === undefined)
      return refuse({
        code: "stale",
        expected: parent,
        actual: tip.id,
        detail: `the branch ${branch} has a newer commit`,
      });
    if (!tip.message?.includes(mark)) return accept({ id: tip.id, did: "left" });
    if (tip.message.trim() !== message.trim()) return accept(null);
    for (const { path, content } of files) {
      const at = `repository/files/${encodeURIComponent(path)}`;
      const file = await this.request(fileSchema, { path: at, query: { ref: tip.id } });
      if (!file.ok) return file.refusal.code === "not-found" ? accept(null) : file;
      if (file.value.blob_id !== blobIdLike(content, tip.id)) return accept(null);
    }
    return accept({ id: tip.id, did: "kept" });
  }

  /** Refuses if a file is no longer the blob that was read. */
  async #checkFiles({ parent, files }: CommitDraft): Promise<Outcome<true>> {
    for (const { path, before } of files) {
      const query = { ref: parent };
      const at = `repository/files/${encodeURIComponent(path)}`;
      const file = await this.request(fileSchema, { path: at, query });
      if (!file.ok) return file;
      if (file.value.blob_id !== before)
        return refuse({ code: "stale", path, expected: before, actual: file.value.blob_id });
    }
    return accept(true);
  }

  #pathOf(mergeRequest: number): string {
    return `${this.path}/merge_requests/${mergeRequest}`;
  }

  #mergeRequest(number: number) {
    return this.request(mergeRequestSchema, { path: `merge_requests/${number}` });
  }

  protected async findOpen({ head, base }: BranchPair): Promise<Outcome<OpenTexts | null>> {
    const query = { state: "opened", source_branch: head, target_branch: base };
    const found = await this.request(z.array(openedSchema), { path: "merge_requests", query });
    return found.ok ? accept(found.value[0] ?? null) : found;
  }

  /** GitLab wants the numbers of reviewers. A name that it does not know is left out. */
  async #findUsers(names: readonly string[]): Promise<Outcome<number[]>> {
    const ids: number[] = [];
    for (const username of names) {
      const schema = z.array(z.object({ id: z.int() }));
      const found = parseResponse(schema, await this.http({ path: "users", query: { username } }));
      if (!found.ok) return found;
      ids.push(...found.value.slice(0, 1).map(({ id }) => id));
    }
    return accept(ids);
  }

  protected async create(draft: PullRequestDraft): Promise<Outcome<OpenedPullRequest>> {
    const reviewers = await this.#findUsers(draft.reviewers ?? []);
    if (!reviewers.ok) return reviewers;
    const opened = await this.request(openedSchema, {
      method: "POST",
      path: "merge_requests",
      body: {
        title: draft.draft ? `Draft: ${draft.title}` : draft.title,
        description: draft.body,
        source_branch: draft.head,
        target_branch: draft.base,
        remove_source_branch: true,
        ...defined({
          labels: draft.labels?.length ? draft.labels.join(",") : undefined,
          reviewer_ids: reviewers.value.length === 0 ? undefined : reviewers.value,
        }),
      },
    });
    if (!opened.ok) return opened;
    const { number, url } = opened.value;
    return accept({ number, url, isNew: true });
  }

  /** The title says whether it is a draft, and people decide when it no longer is. */
  protected rewrite(open: OpenTexts, draft: PullRequestDraft): RestRequest | null {
    const mark = /^draft:\s*/i.exec(open.title ?? "")?.[0] ?? "";
    const title = `${mark}${draft.title}`;
    if (open.title === title && open.body === draft.body) return null;
    const path = `merge_requests/${open.number}`;
    return { method: "PUT", path, body: { title, description: draft.body } };
  }

  protected commentsOf(number: number, user: number): OwnComments {
    const path = `${this.#pathOf(number)}/notes`;
    const one = (id: number | string): string => `${path}/${id}`;
    return openOwnTexts(this.http, {
      schema: noteSchema,
      list: { path, query: { sort: "asc", order_by: "created_at" } },
      most: 5000,
      isOurs: ({ author }) => author.id === user,
      toComment: ({ id, body }) => ({ id, body, url: null }),
      create: (body) => ({ method: "POST", path, body: { body } }),
      update: (id, body) => ({ method: "PUT", path: one(id), body: { body } }),
      remove: (id) => ({ method: "DELETE", path: one(id) }),
    });
  }

  protected issuesOf(title: string, user: number): OwnComments {
    const path = `${this.path}/issues`;
    const one = (id: number | string): string => `${path}/${id}`;
    return openOwnTexts(this.http, {
      schema: issueSchema,
      list: { path, query: { state: "opened", labels: issueLabel, order_by: "created_at", sort: "asc" } },
      most: 1000,
      isOurs: ({ author }) => author.id === user,
      toComment: ({ iid, description, web_url }) => ({ id: iid, body: description ?? "", url: web_url }),
      create: (body) => ({ method: "POST", path, body: { title, description: body, labels: issueLabel } }),
      update: (id, body) => ({ method: "PUT", path: one(id), body: { description: body } }),
      remove: (id) => ({ method: "PUT", path: one(id), body: { state_event: "close" } }),
    });
  }
}

/** A suggestion names its last line and counts the lines above it. */
function toDiscussion({ path, startLine, endLine, body }: Suggestion, refs: object) {
  const text = body.replace(/^(`{3,})suggestion$/m, `$1suggestion:-${endLine - startLine}+0`);
  const position = { position_type: "text", ...refs, new_path: path, old_path: path, new_line: endLine };
  return { body: text, position };
}

function toAction({ path, content }: CommittedFile) {
  return {
    action: "update",
    file_path: path,
    encoding: "base64",
    content: Buffer.from(content).toString("base64"),
  };
}

/** GitLab's number for people who may push. */
const developerLevel = 30;

const sha = z.string().regex(/^[0-9a-f]{40,64}$/);
const branchSchema = z
  .object({ commit: z.object({ id: sha, message: z.string().optional() }) })
  .transform(({ commit }) => commit);
type BranchTip = z.infer<typeof branchSchema>;
const fileSchema = z.object({ blob_id: z.string() });
const diffSchema = z.object({ new_path: z.string(), diff: z.string() });
const noteSchema = z.object({
  id: z.int(),
  body: z.string(),
  author: z.object({ id: z.int(), username: z.string().optional() }),
});

const issueSchema = z.object({
  iid: z.int(),
  web_url: z.string(),
  description: z.string().nullish(),
  author: z.object({ id: z.int() }),
});

const infoSchema = z
  .object({
    id: z.int().nullish(),
    path_with_namespace: z.string(),
    default_branch: z.string().nullish(),
    http_url_to_repo: z.string(),
    web_url: z.string(),
    archived: z.boolean().optional(),
    forked_from_project: z.unknown().optional(),
  })
  .transform(
    (found): RepositoryInfo => ({
      id: found.id == null ? null : String(found.id),
      name: found.path_with_namespace,
      defaultBranch: found.default_branch ?? "main",
      cloneUrl: found.http_url_to_repo,
      url: found.web_url,
      isFork: found.forked_from_project != null,
      isArchived: found.archived ?? false,
    }),
  );

/** The fields of a merge request that was just opened, or found by its branches. */
const openedSchema = z
  .object({ iid: z.int(), web_url: z.string(), title: z.string(), description: z.string().nullish() })
  .transform(
    ({ iid: number, web_url: url, title, description: body }): OpenTexts => ({ number, url, title, body }),
  );

const mergeRequestSchema = z.object({
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

type MergeRequest = z.infer<typeof mergeRequestSchema>;

/** A merge request is locked while it is being merged. */
const states: Readonly<Record<string, PullRequest["state"]>> = {
  opened: "open",
  locked: "open",
  merged: "merged",
};

function toPullRequest(found: MergeRequest, repository: string): PullRequest {
  const isOwn = found.source_project_id === found.target_project_id;
  return {
    number: found.iid,
    url: found.web_url,
    title: found.title,
    state: states[found.state] ?? "closed",
    author: found.author?.username ?? "",
    head: { repository: isOwn ? repository : null, branch: found.source_branch, commit: found.sha ?? "" },
    base: { branch: found.target_branch, commit: found.diff_refs?.start_sha ?? null },
  };
}

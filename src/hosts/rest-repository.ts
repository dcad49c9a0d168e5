import { z } from "zod";
import { accept, type Outcome } from "../text/model/outcome.ts";
import { type FilePlace, type FileUrlForm, fileUrl, type RepositoryPlace } from "./file-url.ts";
import type {
  BranchPair,
  CommentResult,
  IssueDraft,
  OpenedPullRequest,
  PullRequestDraft,
  RepositoryInfo,
  WriteComment,
} from "./host.ts";
import { openOrUpdate } from "./open-or-update.ts";
import { parseResponse, readPages } from "./pages.ts";
import type { RestClient, RestRequest } from "./rest.ts";
import { keepOneComment, type OwnComments } from "./sticky-comment.ts";

/** A pull request that is open, with its texts. */
export type OpenTexts = {
  readonly number: number;
  readonly url: string;
  readonly title: string | undefined;
  readonly body: string | null | undefined;
};

export type RestPlace<Own> = {
  readonly place: RepositoryPlace;
  /** The path of the repository below the root of the API. */
  readonly path: string;
  /** Tells our own texts from those of others. */
  readonly findOwn: () => Promise<Outcome<Own>>;
};

/** What hosts do alike. A host adds its paths and schemas, and what only it does. */
export abstract class RestRepository<Own> {
  readonly repository: string;
  protected readonly http: RestClient;
  protected readonly path: string;
  protected readonly findOwn: () => Promise<Outcome<Own>>;
  readonly #place: RepositoryPlace;

  protected abstract readonly fileUrlForm: FileUrlForm;
  protected abstract readonly infoSchema: z.ZodType<RepositoryInfo>;
  protected abstract commentsOf(number: number, own: Own): OwnComments;
  /** Our open issues. */
  protected abstract issuesOf(title: string, own: Own): OwnComments;
  protected abstract findOpen(branches: BranchPair): Promise<Outcome<OpenTexts | null>>;
  protected abstract create(draft: PullRequestDraft): Promise<Outcome<OpenedPullRequest>>;
  /** The request that gives an open pull request the texts of a draft; null where it has them. */
  protected abstract rewrite(open: OpenTexts, draft: PullRequestDraft): RestRequest | null;

  constructor(http: RestClient, { place, path, findOwn }: RestPlace<Own>) {
    this.repository = place.name;
    this.#place = place;
    this.http = http;
    this.path = path;
    this.findOwn = findOwn;
  }

  fileUrl(place: FilePlace): string {
    return fileUrl(this.fileUrlForm, this.#place, place);
  }

  async about(): Promise<Outcome<RepositoryInfo>> {
    return parseResponse(this.infoSchema, await this.http({ path: this.path }));
  }

  async findPullRequest(branches: BranchPair): Promise<Outcome<OpenedPullRequest | null>> {
    const found = await this.findOpen(branches);
    return found.ok ? accept(found.value && opened(found.value)) : found;
  }

  openPullRequest(draft: PullRequestDraft): Promise<Outcome<OpenedPullRequest>> {
    return openOrUpdate({
      find: () => this.findOpen(draft),
      create: () => this.create(draft),
      update: async (open) => {
        const request = this.rewrite(open, draft);
        const updated = request === null ? accept(null) : await this.request(z.unknown(), request);
        return updated.ok ? accept(opened(open)) : updated;
      },
    });
  }

  async comment(number: number, marker: string, write: WriteComment): Promise<Outcome<CommentResult>> {
    const own = await this.findOwn();
    return own.ok ? keepOneComment(this.commentsOf(number, own.value), marker, write) : own;
  }

  async issue(marker: string, { title, write }: IssueDraft): Promise<Outcome<CommentResult>> {
    const own = await this.findOwn();
    return own.ok ? keepOneComment(this.issuesOf(title, own.value), marker, write) : own;
  }

  protected async request<T>(schema: z.ZodType<T>, request: RestRequest): Promise<Outcome<T>> {
    return parseResponse(schema, await this.http({ ...request, path: `${this.path}/${request.path}` }));
  }
}

function opened({ number, url }: OpenTexts): OpenedPullRequest {
  return { number, url, isNew: false };
}

/** The repositories of a group, or of a user where no group has the name. */
export async function listRepositories(
  http: RestClient,
  [group, user]: readonly [RestRequest, RestRequest],
  schema: z.ZodType<RepositoryInfo>,
  limit: { readonly most: number },
): Promise<Outcome<RepositoryInfo[]>> {
  const found = await readPages(http, group, schema, limit);
  return found.ok || found.refusal.code !== "not-found" ? found : readPages(http, user, schema, limit);
}

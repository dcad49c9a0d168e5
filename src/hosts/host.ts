import type { Outcome } from "../text/model/outcome.ts";

/** A host of repositories, such as github.com, as one token sees it. */
export type ForgeHost = {
  readonly kind: ForgeKind;
  /** One repository, named `owner/name`. Nothing is asked yet. */
  at(repository: string): Forge;
  /** The repositories of an organisation, a group or a person, at most `most` of them. */
  repositories(owner: string, options?: { readonly most?: number }): Promise<Outcome<readonly Repository[]>>;
};

export type ForgeKind = "github" | "gitlab";

/** What CI and the fleet ask of one repository on its host. Every answer is an outcome; the token is in none of them. */
export type Forge = {
  readonly kind: ForgeKind;
  readonly repository: string;
  about(): Promise<Outcome<Repository>>;
  /** The commit a branch points at; null where there is no such branch. */
  branch(name: string): Promise<Outcome<string | null>>;
  request(number: number): Promise<Outcome<ChangeRequest>>;
  /** The open request of ours from one branch to another; null where there is none. */
  findRequest(branches: Pick<RequestDraft, "head" | "base">): Promise<Outcome<OpenedRequest | null>>;
  /** One open request for each pair of branches: it is opened, or brought up to date. */
  openRequest(draft: RequestDraft): Promise<Outcome<OpenedRequest>>;
  closeRequest(number: number): Promise<Outcome<true>>;
  /**
   * The one comment of ours that begins with `marker`. `write` gets what it says now, null where there is none, and
   * answers with what it should say, or null to leave everything as it is. Copies of it are removed.
   */
  comment(number: number, marker: string, write: WriteComment): Promise<Outcome<Commented>>;
  /** Which lines of the head a review can speak about, by path. */
  reviewable(number: number): Promise<Outcome<ReadonlyMap<string, ReadonlySet<number>>>>;
  /** Suggestions beside the lines they replace. Those that are there already, by their marker, are not repeated. */
  suggest(
    number: number,
    review: Review,
  ): Promise<Outcome<{ readonly posted: number; readonly kept: number }>>;
  setStatus(commit: string, status: Status): Promise<Outcome<true>>;
  /** Writes files as one commit on a branch, if the branch is still where it was, and the files are what they were. */
  commit(draft: CommitDraft): Promise<Outcome<{ readonly id: string }>>;
};

export type Repository = {
  /** `owner/name`, as the host spells it. */
  readonly name: string;
  readonly defaultBranch: string;
  /** Where git fetches it from, without any credentials. */
  readonly cloneUrl: string;
  readonly url: string;
  readonly isPrivate: boolean;
  readonly isFork: boolean;
  readonly isArchived: boolean;
  /** When it was last pushed to; null where the host does not say. */
  readonly pushedAt: string | null;
};

/** A pull request, or a merge request. */
export type ChangeRequest = {
  readonly number: number;
  readonly url: string;
  readonly title: string;
  readonly state: "open" | "closed" | "merged";
  readonly author: string;
  /** `repository` is null where the fork is gone. */
  readonly head: { readonly repository: string | null; readonly branch: string; readonly commit: string };
  readonly base: { readonly branch: string; readonly commit: string | null };
};

export type RequestDraft = {
  readonly head: string;
  readonly base: string;
  readonly title: string;
  readonly body: string;
  readonly draft?: boolean;
  readonly labels?: readonly string[];
};

export type OpenedRequest = { readonly number: number; readonly url: string; readonly isNew: boolean };

export type WriteComment = (now: string | null) => string | null;

export type Commented = {
  readonly did: "created" | "updated" | "nothing";
  readonly url: string | null;
};

export type Review = {
  /** The commit the lines are counted in. */
  readonly commit: string;
  readonly suggestions: readonly Suggestion[];
};

export type Suggestion = {
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  /** The first line of the body, by which the suggestion is known again. */
  readonly marker: string;
  readonly body: string;
};

export type Status = {
  readonly state: "pending" | "success" | "failure" | "error";
  readonly context: string;
  readonly description: string;
  readonly url?: string;
};

export type CommitDraft = {
  readonly branch: string;
  /** The commit it follows. A branch that exists must point at it, unless `replace` says that the branch is ours. */
  readonly parent: string;
  readonly replace?: boolean;
  readonly message: string;
  readonly files: readonly CommittedFile[];
};

export type CommittedFile = {
  readonly path: string;
  /** The blob the file was when it was read. */
  readonly before: string;
  readonly content: Uint8Array;
};

export type HostOptions = {
  /** The root of the host's REST API; its public one where nothing is said. */
  readonly baseUrl?: string;
  readonly token: string;
  /** How long one request may wait for the host to let it through again, in milliseconds. */
  readonly patience?: number;
  /** How long the host may take to answer, in milliseconds. */
  readonly timeout?: number;
  /** The clock, for tests. */
  readonly sleep?: (milliseconds: number) => Promise<void>;
};

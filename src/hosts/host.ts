import type { Outcome } from "../text/model/outcome.ts";
import type { FilePlace, RepositoryPlace } from "./file-url.ts";
import type { PackageSource } from "./package-source.ts";
import type { HostKind } from "./registry.ts";
import type { HostApp, TokenSource } from "./token.ts";
import type { WebhookReader } from "./webhook.ts";

/** Everything that differs between code hosts. Each host is one folder and one line of the registry. */
export type HostDefinition = {
  /** The host's word for the owner of repositories, for usage lines. */
  readonly ownerWord: string;
  /** The public instance, such as `github.com`. */
  readonly publicHost: string;
  /** The path of the REST API on an instance of one's own. */
  readonly apiPath: string;
  /** The user name that goes with a token when git fetches over https. */
  readonly gitUser: string;
  /** Names of the environment variables that configure this host. */
  readonly variables: {
    /** The first one that is set counts. */
    readonly tokens: readonly [string, ...string[]];
    readonly api: string;
    readonly webhookSecret: string;
  };
  /** The address of a commit, below the page of its repository. */
  commitPage(repository: string, commit: string): string;
  /** The address of lines of a file, for people. */
  fileUrl(repository: RepositoryPlace, place: FilePlace): string;
  /** The git ref of a pull request's newest commit. */
  pullRequestRef(number: number): string;
  open(options: HostOptions): Outcome<CodeHost>;
  /** Opens an app, where the host has apps with a token for each installation. */
  readonly openApp?: (options: AppOptions) => Outcome<HostApp>;
  /** How many requests that write the host allows in a minute for one token; without it, as many as it accepts. */
  readonly writesPerMinute?: number;
  readonly ci: CiSystem;
  readonly ciTemplate: CiTemplate;
  readonly webhook: WebhookReader;
};

export type Environment = Readonly<Record<string, string | undefined>>;

/** The CI of a code host. */
export type CiSystem = {
  /** Its name for people, such as `GitHub Actions`. */
  readonly name: string;
  /** Whether this process runs in it. */
  isRunning(environment: Environment): boolean;
  /** Reads the event from the variables and the event file. Text written by people (titles, names, labels) is not read. */
  readEvent(environment: Environment, payload: unknown): Outcome<CiEvent>;
  /** Environment variables that name files. */
  readonly files: { readonly event?: string; readonly summary?: string; readonly outputs?: string };
  /** Whether the log shows workflow commands as annotations. */
  annotates(environment: Environment): boolean;
  /** The run behind an artifact, where the host can start a trusted job after an untrusted one. */
  readonly readUntrustedRun?: (environment: Environment, payload: unknown) => Outcome<UntrustedRun>;
};

/** Why CI runs: which commits, and which pull request, if any. The host says all of it. */
export type CiEvent = {
  readonly kind: HostKind;
  readonly event: string;
  readonly repository: string;
  readonly apiUrl: string | undefined;
  readonly head: string;
  /** The commit to compare with; null if the event does not say. */
  readonly base: string | null;
  /** The pushed branch, or the branch of the pull request. */
  readonly branch: string | null;
  readonly request: PullRequestEvent | null;
};

export type PullRequestEvent = {
  readonly number: number;
  readonly base: string;
  /** The branch is in this repository, not in a fork. */
  readonly isOwnBranch: boolean;
};

/** The run that made an artifact, as the host describes it. */
export type UntrustedRun = {
  readonly kind: HostKind;
  readonly repository: string;
  readonly apiUrl: string | undefined;
  readonly commit: string;
  readonly branch: string | null;
  /** The repository of the branch; null if the fork was deleted. */
  readonly branchRepository: string | null;
};

/** The CI file that `suture init` proposes. */
export type CiTemplate = {
  /** Whether a path shows that the project uses this CI. */
  isUsedBy(path: string): boolean;
  /** The files that `create` may create. */
  readonly paths: readonly string[];
  /** Whether a path is a CI configuration file. */
  isConfiguration(path: string): boolean;
  /** The file to create. Existing files are never changed; `note` says what is left to do by hand. */
  create(paths: ReadonlySet<string>, source: PackageSource): CiFile;
};

export type CiFile = { readonly path: string; readonly text: string; readonly note?: string };

/** A code host, such as github.com, seen with the token of one owner. */
export type CodeHost = {
  readonly kind: HostKind;
  /** One repository, named `owner/name`. No request is sent yet. */
  at(repository: string): HostedRepository;
  /** The repositories of an organisation, a group or a person, at most `most` of them. */
  repositories(
    owner: string,
    options?: { readonly most?: number },
  ): Promise<Outcome<readonly RepositoryInfo[]>>;
};

/** One repository on its host, as CI and the fleet use it. No outcome contains the token. */
export type HostedRepository = {
  readonly kind: HostKind;
  readonly repository: string;
  /** The address of lines of a file, for people. No request is sent. */
  fileUrl(place: FilePlace): string;
  about(): Promise<Outcome<RepositoryInfo>>;
  /** The commit of a branch; null if there is no such branch. */
  branch(name: string): Promise<Outcome<string | null>>;
  pullRequest(number: number): Promise<Outcome<PullRequest>>;
  /** Our open pull request from one branch to another; null if there is none. */
  findPullRequest(branches: BranchPair): Promise<Outcome<OpenedPullRequest | null>>;
  /** Opens a pull request for a pair of branches, or updates the open one. */
  openPullRequest(draft: PullRequestDraft): Promise<Outcome<OpenedPullRequest>>;
  closePullRequest(number: number): Promise<Outcome<true>>;
  /**
   * Keeps our one comment that begins with `marker`. `write` gets its current body, or null, and returns the new body,
   * or null to leave everything unchanged. Duplicates are removed.
   */
  comment(number: number, marker: string, write: WriteComment): Promise<Outcome<CommentResult>>;
  /** Keeps our one open issue whose text begins with `marker`, as `comment` keeps a comment. Copies are closed. */
  issue(marker: string, draft: IssueDraft): Promise<Outcome<CommentResult>>;
  /** The comments of people who may write to the repository, oldest first. */
  trustedComments(number: number): Promise<Outcome<readonly TrustedComment[]>>;
  /** The lines of the head that a review can comment on, by path. */
  reviewableLines(number: number): Promise<Outcome<ReadonlyMap<string, ReadonlySet<number>>>>;
  /** Posts suggestions on the lines they replace. A suggestion whose marker is there already is not repeated. */
  suggest(number: number, review: ReviewDraft): Promise<Outcome<SuggestResult>>;
  /** Writes files as one commit on a branch. Refused if the branch or one of the files has changed. */
  commit(draft: CommitDraft): Promise<Outcome<CommitResult>>;
};

export type RepositoryInfo = {
  /** The host's own number of it, which a rename does not change; null if the host does not say. */
  readonly id: string | null;
  /** `owner/name`, as the host spells it. */
  readonly name: string;
  readonly defaultBranch: string;
  /** The URL that git fetches from, without credentials. */
  readonly cloneUrl: string;
  readonly url: string;
  readonly isFork: boolean;
  readonly isArchived: boolean;
};

/** A pull request, or a merge request on GitLab. */
export type PullRequest = {
  readonly number: number;
  readonly url: string;
  readonly title: string;
  readonly state: "open" | "closed" | "merged";
  readonly author: string;
  /** `repository` is null if the fork was deleted. */
  readonly head: { readonly repository: string | null; readonly branch: string; readonly commit: string };
  readonly base: { readonly branch: string; readonly commit: string | null };
};

export type BranchPair = { readonly head: string; readonly base: string };

export type PullRequestDraft = BranchPair & {
  readonly title: string;
  readonly body: string;
  readonly draft?: boolean;
  readonly labels?: readonly string[];
  /** Users, or teams as `ORG/TEAM` where the host has them. */
  readonly reviewers?: readonly string[];
};

export type OpenedPullRequest = { readonly number: number; readonly url: string; readonly isNew: boolean };

export type WriteComment = (current: string | null) => string | null;

/** An issue of ours. `write` gets its current text, as for a comment. */
export type IssueDraft = { readonly title: string; readonly write: WriteComment };

/** The label of our issues, by which they are found. */
export const issueLabel = "suture";

export type CommentResult = {
  readonly did: "created" | "updated" | "nothing";
  readonly url: string | null;
};

/** A comment of a person who may write to the repository. */
export type TrustedComment = { readonly author: string; readonly body: string };

export type ReviewDraft = {
  /** The commit that the line numbers refer to. */
  readonly commit: string;
  readonly suggestions: readonly Suggestion[];
};

export type SuggestResult = { readonly posted: number; readonly kept: number };

export type Suggestion = {
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  /** The first line of the body. It identifies the suggestion. */
  readonly marker: string;
  readonly body: string;
};

export type CommitDraft = {
  readonly branch: string;
  /** The parent commit. An existing branch must point at it, unless it is our own. */
  readonly parent: string;
  /** The branch is our own. Its newest commit is replaced if its message contains this text: then it is ours too. */
  readonly replaceIfMessageHas?: string;
  readonly message: string;
  readonly files: readonly CommittedFile[];
};

export type CommitResult = {
  /** The newest commit of the branch. */
  readonly id: string;
  /** `kept`: the branch has these edits already. `left`: its newest commit is another person's, so it was not touched. */
  readonly did: "made" | "kept" | "left";
};

export type CommittedFile = {
  readonly path: string;
  /** The id of the blob that was read. */
  readonly before: string;
  readonly content: Uint8Array;
};

export type HostOptions = {
  /** The root of the host's REST API. Default: the public one. */
  readonly baseUrl?: string;
  readonly token: string | TokenSource;
  /** How long one request may wait for a rate limit to pass, in milliseconds. */
  readonly patience?: number;
  /** How long the host may take to answer, in milliseconds. */
  readonly timeout?: number;
  /** Waits before a retry: because the host limits us, or because it failed. */
  readonly sleep?: (milliseconds: number, because: "limit" | "fault") => Promise<void>;
};

/** An app on a code host: its number or client id, and its private key. */
export type AppOptions = Omit<HostOptions, "token"> & {
  readonly id: string;
  readonly key: string;
  /** The clock that the life of a token is measured with, in milliseconds. For tests. */
  readonly now?: () => number;
};

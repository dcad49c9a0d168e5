import type { CheckReport } from "../docs/check/report.ts";
import type { FixedPages } from "../docs/fix/fix-commit.ts";
import type {
  BranchPair,
  CiEvent,
  CommentResult,
  HostedRepository,
  PullRequestDraft,
} from "../hosts/host.ts";
import { accept, type Outcome } from "../text/model/outcome.ts";
import {
  branchPrefix,
  commentMarker,
  commitMessage,
  commitTrailer,
  type DeliveredFixes,
  requestBody,
  requestTitle,
  writeComment,
} from "../wording/ci.ts";
import type { DocumentsTarget } from "./documents.ts";
import { linksOf } from "./links.ts";
import type { PassageText } from "./passages.ts";
import { splitSuggestions } from "./suggestions.ts";

export const modes = ["check", "suggest", "commit", "pull-request"] as const;

export type DeliveryMode = (typeof modes)[number];

/** The actions on the code host. */
export type Delivery = {
  readonly fixes: DeliveredFixes;
  readonly comment: CommentResult | null;
  readonly suggestions: number;
  readonly requestUrl: string | null;
};

/** The pull request that a report is about, and the branches that may be written to. */
export type DeliveryTarget = Pick<CiEvent, "branch" | "head" | "request"> & {
  /** Our own pull request: the name of its branch after our prefix, and the branch it merges into. */
  readonly own?: { readonly name: string; readonly base: string };
};

export type DeliveryOptions = {
  readonly mode: DeliveryMode;
  readonly target: DeliveryTarget;
  readonly report: CheckReport;
  readonly fixed: FixedPages;
  readonly style?: RequestStyle;
  /** Where the edits go, if the documents are in another repository. */
  readonly documents?: DocumentsTarget;
  /** The text of passages without an edit. */
  readonly passages?: PassageText;
  /** The command that runs Suture for a reader of the comment. */
  readonly suture?: string | undefined;
};

/** How our own pull requests look. Labels, reviewers and `draft` are for new ones: people may change them afterwards. */
export type RequestStyle = Pick<PullRequestDraft, "draft" | "labels" | "reviewers"> & {
  /** `{passages}` and `{pages}` become counts. */
  readonly title?: string;
  /** The repositories whose code has changed, if it is not the one of the pages. */
  readonly about?: readonly string[];
  /** Comments on the pull request are read, so its text names the commands. */
  readonly takesCommands?: boolean;
};

/** Delivers the edits as the mode asks, then updates the one comment on the pull request. */
export async function deliver(
  hosted: HostedRepository,
  options: DeliveryOptions,
): Promise<Outcome<Delivery>> {
  const { target, report } = options;
  const edits = await deliverEdits(hosted, options);
  const { fixes, suggestions, requestUrl } = edits.ok ? edits.value : nothing;
  if (target.request === null)
    return edits.ok ? accept({ fixes, comment: null, suggestions, requestUrl }) : edits;
  const pages = report.docs === undefined ? hosted : (options.documents?.hosted ?? null);
  const links = linksOf(report, {
    code: (place) => hosted.fileUrl(place),
    pages: pages && ((place) => pages.fileUrl(place)),
  });
  const quoted = { ...links, text: options.passages, suture: options.suture };
  // The findings are reported even if the edits failed.
  const comment = await hosted.comment(target.request.number, commentMarker, (current) =>
    writeComment(report, fixes, current, quoted),
  );
  if (!edits.ok) return edits;
  return comment.ok ? accept({ fixes, comment: comment.value, suggestions, requestUrl }) : comment;
}

type DeliveredEdits = Pick<Delivery, "fixes" | "suggestions" | "requestUrl">;

const nothing: DeliveredEdits = { fixes: {}, suggestions: 0, requestUrl: null };

async function deliverEdits(
  hosted: HostedRepository,
  { mode, target, fixed, style, documents }: DeliveryOptions,
): Promise<Outcome<DeliveredEdits>> {
  if (documents) return updatePullRequest(documents.hosted, { ...documents.own, fixed, style });
  const { branch, head, request, own } = target;
  if (mode === "suggest" && request) return suggest(hosted, { number: request.number, head, fixed });
  if (mode === "commit" && request && branch !== null) return commit(hosted, { branch, head, fixed });
  const kept = own ?? (branch === null ? null : { name: branch, base: branch });
  if (mode === "pull-request" && kept) return updatePullRequest(hosted, { ...kept, head, fixed, style });
  return accept(nothing);
}

async function suggest(
  hosted: HostedRepository,
  { number, head, fixed }: { readonly number: number; readonly head: string; readonly fixed: FixedPages },
): Promise<Outcome<DeliveredEdits>> {
  const reviewable = await hosted.reviewableLines(number);
  if (!reviewable.ok) return reviewable;
  const { suggestions, suggested } = splitSuggestions(fixed, reviewable.value);
  if (suggestions.length === 0) return accept(nothing);
  const posted = await hosted.suggest(number, { commit: head, suggestions });
  // If the host refuses them beside the lines, the comment shows them.
  if (!posted.ok) return posted.refusal.code === "conflict" ? accept(nothing) : posted;
  return accept({ fixes: { suggested }, suggestions: posted.value.posted, requestUrl: null });
}

async function commit(
  hosted: HostedRepository,
  { branch, head, fixed }: { readonly branch: string; readonly head: string; readonly fixed: FixedPages },
): Promise<Outcome<DeliveredEdits>> {
  if (fixed.pages.length === 0) return accept(nothing);
  const made = await hosted.commit({
    branch,
    parent: head,
    message: commitMessage(fixed),
    files: fixed.pages,
  });
  return made.ok ? accept({ ...nothing, fixes: { commit: made.value.id, fixed } }) : made;
}

type OwnPullRequest = {
  readonly name: string;
  readonly base: string;
  readonly head: string;
  readonly fixed: FixedPages;
  readonly style: RequestStyle | undefined;
};

/** Opens or updates our one pull request for a branch, and closes it when no edits are left. */
async function updatePullRequest(
  hosted: HostedRepository,
  { name, base, head, fixed, style: { title, about, takesCommands = false, ...style } = {} }: OwnPullRequest,
): Promise<Outcome<DeliveredEdits>> {
  const branch = `${branchPrefix}${name}`;
  if (fixed.pages.length === 0) return closePullRequest(hosted, { head: branch, base });
  const message = commitMessage(fixed);
  const made = await hosted.commit({
    branch,
    parent: head,
    replaceIfMessageHas: commitTrailer,
    message,
    files: fixed.pages,
  });
  if (!made.ok) return made;
  if (made.value.did === "left") return leaveToPeople(hosted, { head: branch, base });
  const shown = {
    title: requestTitle(fixed, title),
    body: requestBody(fixed, { about: about ?? [base], takesCommands }),
  };
  const draft = { head: branch, base, ...shown, ...style };
  const opened = await hosted.openPullRequest(draft);
  if (!opened.ok) return opened;
  const { number, url } = opened.value;
  return accept({ fixes: { request: number, requestUrl: url, fixed }, suggestions: 0, requestUrl: url });
}

/** A person has added a commit to our branch: from now on it is theirs. */
async function leaveToPeople(
  hosted: HostedRepository,
  branches: BranchPair,
): Promise<Outcome<DeliveredEdits>> {
  const open = await hosted.findPullRequest(branches);
  return open.ok ? accept({ ...nothing, requestUrl: open.value?.url ?? null }) : open;
}

async function closePullRequest(
  hosted: HostedRepository,
  branches: BranchPair,
): Promise<Outcome<DeliveredEdits>> {
  const open = await hosted.findPullRequest(branches);
  if (!open.ok) return open;
  if (open.value === null) return accept(nothing);
  const closed = await hosted.closePullRequest(open.value.number);
  return closed.ok ? accept(nothing) : closed;
}

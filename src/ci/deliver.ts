import type { CheckReport } from "../docs/check/report.ts";
import type { FixedPages } from "../docs/fix/fix-commit.ts";
import type { Forge } from "../hosts/host.ts";
import { accept, type Outcome } from "../text/model/outcome.ts";
import {
  branchPrefix,
  commentMarker,
  commitMessage,
  type Deed,
  requestBody,
  requestTitle,
  writeComment,
} from "../wording/ci.ts";
import type { Occasion } from "./ci-event.ts";
import { splitSuggestions } from "./suggestions.ts";

export const modes = ["check", "suggest", "commit", "pull-request"] as const;

export type Mode = (typeof modes)[number];

/** What was done on the code host. */
export type Delivery = {
  readonly deed: Deed;
  readonly comment: { readonly did: "created" | "updated" | "nothing"; readonly url: string | null } | null;
  readonly suggestions: number;
  readonly requestUrl: string | null;
};

/** Where a report goes: the request it is about, and the branches that may be written to. */
export type Place = Pick<Occasion, "branch" | "head" | "request"> & {
  /** The request of our own that is kept: what its branch is called after our prefix, and where it should go. */
  readonly own?: { readonly name: string; readonly base: string };
};

/** Brings a report to where people will see it: edits as the mode wants them, then the one comment. */
export async function deliver(
  forge: Forge,
  mode: Mode,
  place: Place,
  report: CheckReport,
  mended: FixedPages,
): Promise<Outcome<Delivery>> {
  const done = await act(forge, mode, place, mended);
  const { deed, suggestions, requestUrl } = done.ok ? done.value : nothing;
  if (place.request === null)
    return done.ok ? accept({ deed, comment: null, suggestions, requestUrl }) : done;
  // Whatever became of the edits, the findings are said.
  const comment = await forge.comment(place.request.number, commentMarker, (now) =>
    writeComment(report, deed, now),
  );
  if (!done.ok) return done;
  return comment.ok ? accept({ deed, comment: comment.value, suggestions, requestUrl }) : comment;
}

type Done = { readonly deed: Deed; readonly suggestions: number; readonly requestUrl: string | null };

const nothing: Done = { deed: {}, suggestions: 0, requestUrl: null };

async function act(
  forge: Forge,
  mode: Mode,
  { branch, head, request, own }: Place,
  mended: FixedPages,
): Promise<Outcome<Done>> {
  if (mode === "suggest" && request) return suggest(forge, request.number, head, mended);
  if (mode === "commit" && request && branch !== null) {
    if (mended.pages.length === 0) return accept(nothing);
    const made = await forge.commit({
      branch,
      parent: head,
      message: commitMessage(mended),
      files: mended.pages,
    });
    return made.ok ? accept({ ...nothing, deed: { commit: made.value.id, mended } }) : made;
  }
  const kept = own ?? (branch === null ? null : { name: branch, base: branch });
  if (mode === "pull-request" && kept) return keepRequest(forge, kept, head, mended);
  return accept(nothing);
}

async function suggest(
  forge: Forge,
  number: number,
  head: string,
  mended: FixedPages,
): Promise<Outcome<Done>> {
  const reviewable = await forge.reviewable(number);
  if (!reviewable.ok) return reviewable;
  const { suggestions, suggested } = splitSuggestions(mended, reviewable.value);
  if (suggestions.length === 0) return accept(nothing);
  const posted = await forge.suggest(number, { commit: head, suggestions });
  // A host that will not have them beside their lines gets them in the comment.
  if (!posted.ok) return posted.refusal.code === "conflict" ? accept(nothing) : posted;
  return accept({ deed: { suggested }, suggestions: posted.value.posted, requestUrl: null });
}

/** One request of ours for a branch: opened, brought up to date, or closed when there is nothing left for it. */
async function keepRequest(
  forge: Forge,
  { name, base }: NonNullable<Place["own"]>,
  head: string,
  mended: FixedPages,
): Promise<Outcome<Done>> {
  const branch = `${branchPrefix}${name}`;
  if (mended.pages.length === 0) {
    const open = await forge.findRequest({ head: branch, base });
    if (!open.ok) return open;
    const closed = open.value === null ? accept(true as const) : await forge.closeRequest(open.value.number);
    return closed.ok ? accept(nothing) : closed;
  }
  const message = commitMessage(mended);
  const made = await forge.commit({ branch, parent: head, replace: true, message, files: mended.pages });
  if (!made.ok) return made;
  const draft = { head: branch, base, title: requestTitle(mended), body: requestBody(mended, base) };
  const opened = await forge.openRequest(draft);
  if (!opened.ok) return opened;
  const { number, url } = opened.value;
  return accept({ deed: { request: number, mended }, suggestions: 0, requestUrl: url });
}

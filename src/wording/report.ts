import { defined } from "../text/model/defined.ts";
import type { OfferedRetry, Refusal } from "../text/model/outcome.ts";
import type { FailedEdit, Result } from "../tools/tool.ts";
import { wordForArticle } from "./refusals/article.ts";
import { conflictRegion } from "./refusals/conflict-region.ts";
import { wordPlainly } from "./refusals/plain.ts";
import type { RefusedCall, Words } from "./refusals/refused-call.ts";
import { plural } from "./sentences.ts";

/** A refusal as the result of a tool, in words. */
export function refused(refusal: Refusal, asked: RefusedCall): Result {
  const path = refusal.path ?? asked.path;
  const words = wordRefusal(refusal, path === undefined ? asked : { ...asked, path });
  return {
    success: false,
    output: "",
    tool: asked.tool,
    error: words.error,
    ...hintOf(words.hint, refusal.retry),
    code: refusal.code,
    ...defined({ path }),
    ...details(refusal),
    ...(refusal.retry && { retry: { tool: "retry_edit", arguments: { handle: refusal.retry.handle } } }),
    ...allFailures(refusal, asked, words),
  };
}

function hintOf(hint: string | undefined, retry: OfferedRetry | undefined): { readonly hint?: string } {
  const parts = [...(hint === undefined ? [] : [hint]), ...(retry ? [retryText(retry)] : [])];
  return parts.length === 0 ? {} : { hint: parts.join("\n\n") };
}

const longestRetry = 1500;

/** How to send what the session has kept, and what was corrected in it. */
function retryText({ handle, diff, kept, leftOut }: OfferedRetry): string {
  const call = `retry_edit {"handle": ${JSON.stringify(handle)}}`;
  const others = kept === 0 ? "" : ` It also makes ${plural(kept, "other edit")} of this call.`;
  const without =
    leftOut === 0
      ? ""
      : ` It leaves out ${plural(leftOut, "edit")}; send ${leftOut === 1 ? "that" : "those"} again.`;
  if (diff === "")
    return `The rest is kept: ${call} makes ${plural(kept, "edit")} of this call without the ${leftOut === 1 ? "one" : leftOut} that failed.`;
  const shown = diff.length <= longestRetry ? diff : `${diff.slice(0, longestRetry).toWellFormed()}\n…`;
  return `If you mean the change below, call ${call}.${others}${without}\n${shown.trimEnd()}`;
}

/** Each failed edit of a call with its own words, so that the caller can repair all of them at once. */
function allFailures(refusal: Refusal, asked: RefusedCall, words: Words): Partial<Result> {
  if (!refusal.others) return {};
  const failures = [refusal, ...refusal.others].map((each, i): FailedEdit => {
    const path = each.path ?? asked.path ?? "";
    const { error, hint } = i === 0 ? words : wordPlainly(each, { ...asked, path });
    return {
      edit: each.edit ?? 0,
      ...defined({ hunk: each.hunk }),
      path,
      code: each.code,
      error,
      ...defined({ hint }),
    };
  });
  const list = failures
    .slice(1)
    .map(({ edit, hunk, error, hint = "" }) =>
      `${hunk === undefined ? `Edit ${edit}: ` : ""}${error}\n${hint}`.trim(),
    );
  const isHunk = failures.every(({ hunk }) => hunk !== undefined);
  const more = `${plural(list.length, isHunk ? "more hunk" : "more edit")} of this call also ${list.length === 1 ? "fails" : "fail"}${isHunk ? "" : " (counted from 0)"}:`;
  const told = [words.hint, more, ...list].filter((part) => part !== undefined).join("\n\n");
  return { ...hintOf(told, refusal.retry), failures };
}

/** The same result for a person at the command line, with the option that makes the edit all the same. */
export function withForceOption(result: Result): Result {
  const isForPerson = result.code === "needs-consent" || result.code === "conflict";
  return isForPerson ? withHint(result, "`--force` writes it all the same.") : result;
}

/** The same result from a command that can be started with a person's consent. */
export function withConsentOption(result: Result): Result {
  if (result.code !== "needs-consent" || result.consent === undefined) return result;
  return withHint(result, `\`--consent ${result.consent}\`, or a glob in its place, gives it beforehand.`);
}

/** The result with one more sentence in the first paragraph of its hint: an offer to go on without the edit comes after it. */
function withHint(result: Result, more: string): Result {
  const [first, ...rest] = result.hint?.split("\n\n") ?? [];
  return { ...result, hint: [first === undefined ? more : `${first} ${more}`, ...rest].join("\n\n") };
}

/** One text for a model: what happened, and what to do next. */
export function textOf(result: Result): string {
  if (result.success) return result.output;
  return result.hint === undefined ? (result.error ?? "") : `${result.error}\n\n${result.hint}`;
}

/** The data of a refusal that programs may want as such. */
function details(refusal: Refusal): Partial<Result> {
  switch (refusal.code) {
    case "ambiguous":
      return {
        count: refusal.count,
        places: refusal.places.map((place, i) => ({ ...place, occurrence: i + 1 })),
      };
    case "not-found":
      return defined({
        nearest: refusal.nearest?.length ? refusal.nearest : undefined,
        cause: refusal.cause || undefined,
        candidates: refusal.candidates?.length ? refusal.candidates : undefined,
      });
    case "conflict":
      return defined({
        with: refusal.with,
        both: refusal.versions ? conflictRegion(refusal.versions) : undefined,
      });
    case "needs-consent":
      return refusal.word === undefined ? {} : { consent: refusal.word };
    case "stale":
      return {
        expected: refusal.expected,
        actual: refusal.actual,
        ...defined({ changed: refusal.changed }),
      };
    case "not-text":
      return { offset: refusal.offset };
    case "not-allowed":
    case "unavailable":
      return refusal.errno === undefined ? {} : { errno: refusal.errno };
    default:
      return {};
  }
}

function wordRefusal(refusal: Refusal, asked: RefusedCall): Words {
  return asked.wording === "article" ? wordForArticle(refusal, asked) : wordPlainly(refusal, asked);
}

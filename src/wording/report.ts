import type { Refusal } from "../text/model/outcome.ts";
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
    ...(words.hint === undefined ? {} : { hint: withRetry(words.hint, asked) }),
    code: refusal.code,
    ...(path === undefined ? {} : { path }),
    ...details(refusal),
    ...(asked.retry === undefined ? {} : { retry: { tool: asked.tool, arguments: asked.retry } }),
    ...allFailures(refusal, asked, words),
  };
}

const longestRetry = 4000;

/** The hint, with the corrected call for models that read nothing else. */
function withRetry(hint: string, { retry, tool }: RefusedCall): string {
  const call = retry === undefined ? "" : JSON.stringify(retry);
  if (call === "" || call.length > longestRetry) return hint;
  return `${hint}\n\nIf this is what you mean, send ${tool} again with: ${call}`;
}

/** The words of one refusal: the problem, and the next step where there is one. */
export function describeRefusal(refusal: Refusal): { readonly message: string; readonly hint?: string } {
  const { error, hint } = wordRefusal(refusal, {
    tool: "",
    wording: "files",
    ...(refusal.path === undefined ? {} : { path: refusal.path }),
  });
  const others = refusal.others?.map((other) => describeRefusal(other).message) ?? [];
  const message = [error, ...others].join("\n");
  return hint === undefined ? { message } : { message, hint };
}

/** Each failed edit of a call with its own words, so that the caller can repair all of them at once. */
function allFailures(refusal: Refusal, asked: RefusedCall, words: Words): Partial<Result> {
  if (!refusal.others) return {};
  const failures = [refusal, ...refusal.others].map((each, i): FailedEdit => {
    const path = each.path ?? asked.path ?? "";
    const { error, hint } = i === 0 ? words : wordPlainly(each, { ...asked, path });
    return {
      edit: each.edit ?? 0,
      path,
      code: each.code,
      error,
      ...(hint === undefined ? {} : { hint }),
    };
  });
  const list = failures
    .slice(1)
    .map(({ edit, error, hint = "" }) => `Edit ${edit}: ${error}\n${hint}`.trim());
  const more = `${plural(list.length, "more edit")} of this call also ${list.length === 1 ? "fails" : "fail"} (counted from 0):`;
  const hint = [words.hint, more, ...list].filter((part) => part !== undefined).join("\n\n");
  return { hint, failures };
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

function withHint(result: Result, more: string): Result {
  return { ...result, hint: result.hint === undefined ? more : `${result.hint} ${more}` };
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
      return {
        ...(refusal.nearest?.length ? { nearest: refusal.nearest } : {}),
        ...(refusal.cause ? { cause: refusal.cause } : {}),
        ...(refusal.candidates?.length ? { candidates: refusal.candidates } : {}),
      };
    case "conflict":
      return {
        ...(refusal.with ? { with: refusal.with } : {}),
        ...(refusal.versions ? { both: conflictRegion(refusal.versions) } : {}),
      };
    case "needs-consent":
      return refusal.word === undefined ? {} : { consent: refusal.word };
    case "stale":
      return {
        expected: refusal.expected,
        actual: refusal.actual,
        ...(refusal.changed ? { changed: refusal.changed } : {}),
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

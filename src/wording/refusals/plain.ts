import { oneLine } from "../../text/characters/one-line.ts";
import { defined } from "../../text/model/defined.ts";
import type { Refusal, Rival } from "../../text/model/outcome.ts";
import { sentence, short } from "../sentences.ts";
import { conflictRegion } from "./conflict-region.ts";
import { wordFileRefusal } from "./file-refusals.ts";
import { linesText, placesText, wordNotFound } from "./not-found.ts";
import type { RefusedCall, Words } from "./refused-call.ts";

type RefusalOf<Code extends Refusal["code"]> = Refusal & { readonly code: Code };

/** The sentences for each code. */
const plainWords: {
  readonly [Code in Refusal["code"]]: (refusal: RefusalOf<Code>, asked: RefusedCall, path: string) => Words;
} = {
  malformed: (refusal) => ({
    error:
      refusal.line === undefined
        ? sentence(refusal.what)
        : `${sentence(refusal.what, "")} (line ${refusal.line} of the input).`,
    ...defined({ hint: refusal.hint }),
  }),
  "not-found": (refusal, asked, path) => wordNotFound(refusal, asked, path),
  ambiguous: (refusal, asked, path) => ({
    error: `The text matches ${refusal.count} places in ${path}: ${placesText(refusal.places, refusal.count)}.`,
    hint: ambiguityHint(asked.tool),
  }),
  overlap: (refusal, asked, path) =>
    asked.tool === "patch_file" || asked.tool === "apply_patch"
      ? {
          error: `A hunk for ${path} overlaps or precedes hunk ${refusal.other + 1}.`,
          hint: "Put the hunks in the order of the file, each with lines of its own.",
        }
      : {
          error: `This edit of ${path} overlaps edit ${refusal.other} of the same call.`,
          hint: "Join the two edits into one, or leave one of them out.",
        },
  "no-change": (refusal, _asked, path) => wordNoChange(refusal.why, path),
  "out-of-range": (refusal, _asked, path) => ({
    error: `Line ${refusal.line} is out of range for ${path}: it has ${refusal.highest} line${refusal.highest === 1 ? "" : "s"}.`,
    hint:
      refusal.lowest > 0
        ? `Valid lines are ${refusal.lowest} to ${refusal.highest}.`
        : `Valid values are 0 (beginning), 1 to ${refusal.highest} (after that line), and -1 (end).`,
  }),
  exists: (_refusal, asked, path) => ({
    error: `File already exists: ${path}.`,
    hint:
      asked.tool === "write_file"
        ? insteadOfWriting(asked)
        : "Edit it instead, or delete it in the same call first.",
  }),
  "not-text": (refusal, _asked, path) => ({
    error: `${path} is not a text file Suture can edit: ${refusal.why} (byte ${refusal.offset}).`,
    hint: "It was left as it is. Files in UTF-8, or in UTF-16 with a byte order mark, can be edited.",
  }),
  "too-large": (refusal) => ({
    error: `${sentence(refusal.what, "")}: ${refusal.size} is over the limit of ${refusal.limit}.`,
  }),
  stale: (refusal, _asked, path) => ({
    error: [
      ...(refusal.expected === refusal.actual
        ? []
        : [
            `${path} has changed since version ${short(refusal.expected)}: it is now ${short(refusal.actual)}.`,
          ]),
      ...(refusal.detail ? [sentence(refusal.detail)] : []),
    ].join(" "),
    hint: [
      ...(refusal.changed ? [changedText(refusal.changed)] : []),
      "Read the file again and repeat the edit with the new version. Nothing was written.",
    ].join("\n"),
  }),
  locked: (refusal) => ({
    error: `Another process is writing here: ${refusal.owner}.`,
    hint: "Try again in a moment. If that process is gone for good, a person can take the lock from it: `suture doctor --repair --break-lock`.",
  }),
  outside: (refusal, _asked, path) => ({
    error: `Path escapes workspace root: ${path}. ${sentence(refusal.detail)}`,
    hint: "Give a path relative to the root, with forward slashes.",
  }),
  protected: (refusal, _asked, path) => ({
    error: `Access blocked: ${path}. ${sentence(refusal.detail)}`,
    hint: "Version control and Suture's own state are never edited.",
  }),
  "needs-consent": (refusal, _asked, path) => ({
    error: `${path} needs a person's consent: ${refusal.detail}.`,
    hint: "A model cannot give it; a person can.",
  }),
  conflict: (refusal, asked, path) =>
    isOfHost(refusal) && asked.path === undefined
      ? { error: sentence(refusal.detail) }
      : wordConflict(refusal, path),
  unparsable: (refusal, _asked, path) => ({
    error: `After this edit ${path} would no longer parse at line ${refusal.line}: ${refusal.detail}.`,
    hint: "Nothing was written. Send the edit again with the syntax complete.",
  }),
  closed: () => ({
    error: "The workspace was closed before this call. Nothing was read or written.",
    hint: "These tools do not work any more. The program that closed the workspace has to open it again.",
  }),
  declined: (refusal) => ({
    error: `The change was not approved${refusal.detail === undefined ? "" : `: ${refusal.detail}`}. Nothing was written.`,
    hint: "Do not send the same change again. Ask what should be different.",
  }),
  aborted: () => ({ error: "The call was cancelled. Nothing was written." }),
  "not-allowed": (refusal, asked) => wordFileRefusal(refusal, asked),
  unavailable: (refusal, asked) => wordFileRefusal(refusal, asked),
};

/** A few lines as the caller has seen them, and as they are. */
function changedText({ line, before, after }: { line: number; before: string; after: string }): string {
  const quote = (text: string): string => JSON.stringify(oneLine(text.replace(/\n$/, "")).slice(0, 200));
  if (before === "") return `At line ${line} there is new text: ${quote(after)}.`;
  return `Line ${line} was ${quote(before)} and ${after === "" ? "is gone" : `is now ${quote(after)}`}.`;
}

/** The sentences for a refusal that all tools share. */
export function wordPlainly<Code extends Refusal["code"]>(
  refusal: RefusalOf<Code>,
  asked: RefusedCall,
): Words {
  return plainWords[refusal.code](refusal, asked, asked.path ?? "the file");
}

function insteadOfWriting({ instead }: RefusedCall): string {
  const { edit = undefined, rewrite = false } = instead ?? {};
  if (edit === undefined) return "Write to a path that has no file yet.";
  return `Use ${edit} to change part of it${rewrite ? ", or pass rewrite: true to replace all of it" : ""}.`;
}

function ambiguityHint(tool: string): string {
  if (tool === "edit_file")
    return "Quote one more line, or set occurrence: 1 for the first, -1 for the last, 0 for all.";
  if (tool === "patch_file" || tool === "apply_patch")
    return "Add context lines to the hunk, or correct its line number.";
  return "Quote one more line, or narrow it with `within` (a heading or a symbol).";
}

type NoChange = Extract<Refusal, { code: "no-change" }>;

function wordNoChange(why: NoChange["why"], path: string): Words {
  if (why === "nothing-to-undo")
    return { error: "Nothing to undo or redo.", hint: "The history shows what was done." };
  if (why === "already-applied")
    return {
      error: `This patch is already applied to ${path}.`,
      hint: "Nothing was written; there is nothing left to do.",
    };
  if (why === "nothing-asked")
    return { error: "No change was asked for.", hint: 'To insert a blank line, send "\\n".' };
  return { error: `No change: the new text is the same as the old, so ${path} was not written.` };
}

/** A code host refused a request: there is no file and no other edit behind it. */
function isOfHost({ path, with: rivals, versions }: Extract<Refusal, { code: "conflict" }>): boolean {
  return path === undefined && rivals === undefined && versions === undefined;
}

function wordConflict(refusal: Extract<Refusal, { code: "conflict" }>, path: string): Words {
  const rivals = (refusal.with ?? []).map(rivalText);
  const region = refusal.versions && conflictRegion(refusal.versions);
  const both = region
    ? [`Now in the file:\n${region.theirs ?? "(no file)"}`, `Asked for:\n${region.ours ?? "(no file)"}`]
    : [];
  return {
    error: [`Conflict in ${path}: ${sentence(refusal.detail)}`, ...rivals, ...both].join("\n"),
    hint: "Nothing was written. Read the lines again and decide: leave this edit out, adapt it, or let a person force it.",
  };
}

function rivalText(rival: Rival): string {
  const lines = linesText(rival);
  const why = rival.reason === "" ? "" : ` because: ${rival.reason}`;
  const after = rival.after === undefined ? "" : `\n${rival.after}`;
  return `Task ${rival.task} edited ${lines} (entry ${rival.entry})${why}${after}`;
}

import type { Fit } from "../text/model/edit.ts";
import type { Barrier, Difference, Passage, Place, Refusal, Rival } from "../text/model/outcome.ts";
import type { FailedEdit, Result } from "../tools/tool.ts";

/**
 * Every word that tools say to people and models. A refusal is data until it comes here; each of the three
 * families of tools keeps the sentences its callers know.
 */
export type Wording = "files" | "article" | "snippet";

/** What the wording needs to know beside the refusal. */
export type RefusedCall = {
  readonly tool: string;
  readonly wording: Wording;
  readonly path?: string;
  /** The file as it is on disk, for previews. */
  readonly text?: string | null;
  readonly occurrence?: number;
  readonly reason?: string;
  /** The arguments of the call, corrected. */
  readonly retry?: Readonly<Record<string, unknown>>;
};

type Words = { readonly error: string; readonly hint?: string };

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

/** The same result for a person at the command line, whose word is an option. */
export function withForceOption(result: Result): Result {
  const isForPerson = result.code === "needs-consent" || result.code === "conflict";
  if (!isForPerson || result.hint === undefined) return result;
  return { ...result, hint: result.hint.replace(/\.$/, " (`--force`).") };
}

/** The same result from a door whose host gives consent by an option. */
export function withConsentOption(result: Result): Result {
  if (result.code !== "needs-consent" || result.hint === undefined) return result;
  return { ...result, hint: result.hint.replace(/by consent to (\w+)/, "with `--consent $1`") };
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
        ...(refusal.versions ? { both: refusal.versions } : {}),
      };
    case "stale":
      return { expected: refusal.expected, actual: refusal.actual };
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
  if (asked.wording === "article") return wordForArticle(refusal, asked) ?? wordPlainly(refusal, asked);
  return wordPlainly(refusal, asked);
}

/* The article family: edits are counted from 0. */

function wordForArticle(refusal: Refusal, asked: RefusedCall): Words | null {
  const edit = refusal.edit === undefined ? "" : `Edit ${refusal.edit}: `;
  if (refusal.code === "not-found" && refusal.what === "file")
    return { error: `File not found: ${asked.path}` };
  if (refusal.code === "not-found" && refusal.what === "quote")
    return {
      error: [
        `${edit}Text not found in file. The old_string you provided does not exist in the file.`,
        `Actual file content:\n${preview(asked.text ?? "")}`,
        "Please use exact text from the file above.",
      ].join("\n\n"),
      hint: missHint(refusal) ?? "Quote the text as it stands, white space included.",
    };
  if (refusal.code === "ambiguous")
    return {
      error: `${edit}Text appears ${refusal.count} times in file - include more surrounding context to make it unique`,
      hint: `Add a heading, preceding paragraph, or other unique text to old_string. It stands at ${placesText(refusal.places, refusal.count)}.`,
    };
  if (refusal.code === "malformed" && refusal.why === "empty-quote")
    return {
      error: `${edit}old_string is empty`,
      hint: "Quote the text to replace. To insert, quote the line before and repeat it in new_string.",
    };
  const plain = wordPlainly(refusal, asked);
  return edit === "" ? plain : { ...plain, error: `${edit}${plain.error}` };
}

const previewLength = 500;

/** The first 500 characters of a file in a fence that its content cannot close. */
function preview(text: string): string {
  const cut = (text.charCodeAt(previewLength - 1) & 0xfc00) === 0xd800 ? previewLength - 1 : previewLength;
  const shown =
    text.length <= previewLength
      ? text
      : `${text.slice(0, cut)}...\n\n[File truncated - ${text.length} chars total]`;
  let fence = "```";
  while (shown.includes(fence)) fence += "`";
  return `${fence}\n${shown}\n${fence}`;
}

/* The snippet family answers in one plain string. */

export const snippetWords = {
  applied: (reason: string, fit: Fit): string =>
    `Success: Applied patch for "${reason}"${fit === "line-endings" ? " (normalized line endings)" : ""}.`,
  refused(refusal: Refusal, path: string, fit: Fit): string {
    if (refusal.code === "not-found")
      return `Error: Could not find the exact snippet in ${path}. Ensure you are quoting the existing text exactly.`;
    if (refusal.code === "ambiguous") {
      const folded = fit === "line-endings" ? " (after normalizing line endings)" : "";
      return `Error: The snippet provided matches ${refusal.count} locations in ${path}${folded}. Please provide more surrounding context to ensure uniqueness.`;
    }
    if (refusal.code === "no-change")
      return `Error: The new snippet equals the original, so ${path} is unchanged. Nothing was applied.`;
    return `Error: ${wordPlainly(refusal, { tool: "patch_file", wording: "snippet", path }).error}`;
  },
  fields: "Error: patch_file here takes original_text_snippet, new_text_snippet and reason, all strings.",
};

/* Everything else. */

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
    ...(refusal.hint === undefined ? {} : { hint: refusal.hint }),
  }),
  "not-found": (refusal, asked, path) => wordNotFound(refusal, asked, path),
  ambiguous: (refusal, asked, path) => ({
    error: `The text fits ${refusal.count} places in ${path}: ${placesText(refusal.places, refusal.count)}.`,
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
    hint: `Valid values are 0 (beginning), 1 to ${refusal.highest} (after that line), and -1 (end).`,
  }),
  exists: (_refusal, asked, path) => ({
    error: `File already exists: ${path}.`,
    hint:
      asked.tool === "write_file"
        ? "Use edit_file to change part of it, or pass rewrite: true to replace all of it."
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
    error: `${path} has changed since version ${short(refusal.expected)}: it is now ${short(refusal.actual)}.${refusal.detail ? ` ${refusal.detail}` : ""}`,
    hint: "Read the file again and repeat the edit with the new version. Nothing was written.",
  }),
  locked: (refusal) => ({
    error: `Another process is writing here: ${refusal.owner}.`,
    hint: "Try again in a moment. If that process is gone for good, `suture doctor` can tell.",
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
    hint:
      refusal.word === undefined
        ? "A model cannot give it; a person can."
        : `A model cannot give it. The host can beforehand, by consent to ${refusal.word} or a glob; so can a person.`,
  }),
  conflict: (refusal, _asked, path) => wordConflict(refusal, path),
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
  "not-allowed": (refusal, asked) => wordTroubled(refusal, asked),
  unavailable: (refusal, asked) => wordTroubled(refusal, asked),
};

function wordPlainly<Code extends Refusal["code"]>(refusal: RefusalOf<Code>, asked: RefusedCall): Words {
  return plainWords[refusal.code](refusal, asked, asked.path ?? "the file");
}

/** The machine's trouble has an error number; anything else is about the file itself. */
function wordTroubled(refusal: Troubled, asked: RefusedCall): Words {
  return refusal.errno === undefined
    ? wordBarrier(refusal, asked)
    : wordTrouble(refusal, refusal.path ?? asked.path);
}

/** Something about the file itself is in the way. */
function wordBarrier(refusal: Troubled, { path }: RefusedCall): Words {
  const { detail } = refusal;
  const barrier = refusal.code === "not-allowed" ? refusal.barrier : undefined;
  if (barrier === undefined) return { error: sentence(detail) };
  return {
    error: path === undefined ? sentence(detail) : `${path} is ${detail}.`,
    hint: `${barrierHints[barrier]} Nothing was written.`,
  };
}

const barrierHints: Readonly<Record<Barrier, string>> = {
  "other-disk": "Work with that folder as the root (`--root`), so that its journal lies on the same disk.",
  "hard-links": "Edit a copy with one name, or break the other names off first.",
  "special-bits": "Take the set-user, set-group or sticky bit off first (`chmod`).",
  "not-regular": "Only ordinary files are edited.",
};

type Troubled = Extract<Refusal, { code: "not-allowed" | "unavailable" }>;

/** The machine did not do what it was asked; what that means for the files, and what would help. */
function wordTrouble(refusal: Troubled, path: string | undefined): Words {
  const [what, help] = troubles[refusal.errno!] ?? ["the machine refused", ""];
  const subject = path === undefined ? "" : `${path}: `;
  const aftermath = refusal.code === "unavailable" ? refusal.aftermath : undefined;
  return {
    error: `${subject}${subject === "" ? sentence(what, "") : what} (${refusal.detail}).`,
    hint: [help, aftermaths[aftermath ?? "none"]].filter((part) => part !== "").join(" "),
  };
}

const aftermaths = {
  none: "Nothing was changed.",
  open: "The next call finishes or reverses what was begun.",
  written: "The files are written; the next call finishes the record of it.",
};

const permissions =
  "Look at the permissions of the file and its folder, and whether it is immutable (`lsattr`).";
const fullDisk = "Free some space; `suture gc` shrinks Suture's own state.";
const troubles: Readonly<Record<string, readonly [what: string, help: string]>> = {
  EACCES: ["may not be written", permissions],
  EPERM: ["may not be replaced", permissions],
  EROFS: ["lies on a file system that is read-only", "Mount it for writing, or work on a copy."],
  EBUSY: ["is held by the system", "If it is mounted on its own, edit the file it is mounted from."],
  ENOSPC: ["the disk is full", fullDisk],
  EDQUOT: ["the disk quota is used up", fullDisk],
  EMFILE: ["too many files are open", "Raise the limit (`ulimit -n`) and try again."],
  ENFILE: ["too many files are open on this machine", "Try again in a moment."],
  EIO: ["the disk reports an error", "Look at the disk before you go on."],
  ENAMETOOLONG: ["the name is too long for this file system", "Choose a shorter one."],
};

function wordNotFound(
  refusal: Extract<Refusal, { code: "not-found" }>,
  asked: RefusedCall,
  path: string,
): Words {
  const candidates = refusal.candidates?.length ? `Did you mean ${list(refusal.candidates)}?` : undefined;
  switch (refusal.what) {
    case "file":
      return {
        error: `File not found: ${path}.${asked.tool === "edit_file" || asked.tool === "insert_at" || asked.tool === "patch_file" ? " Use write_file to create new files." : ""}`,
        ...(candidates ? { hint: candidates } : {}),
      };
    case "occurrence":
      return {
        error: `Requested occurrence ${asked.occurrence} but only ${refusal.count} found in ${path}`,
        hint: `Use an occurrence from 1 to ${refusal.count}, -1 for the last, or 0 for all.`,
      };
    case "hunk":
      return {
        error: `Hunk ${refusal.detail ?? "in the patch"} doesn't match file content of ${path}.`,
        hint: missHint(refusal) ?? "Read the file and make the patch again from what is there.",
      };
    case "run":
      return refusal.detail === undefined
        ? {
            error: "No run is recorded yet.",
            hint: "`suture fix` records the runs that `suture verify` looks at.",
          }
        : {
            error: `No run ${JSON.stringify(refusal.detail)} is recorded.`,
            hint: "`suture log` lists them.",
          };
    case "tool":
      return {
        error: `There is no tool ${JSON.stringify(refusal.detail ?? "")}.`,
        ...(refusal.candidates?.length ? { hint: `The tools are ${list(refusal.candidates)}.` } : {}),
      };
    case "section":
    case "symbol":
    case "anchor":
    case "entry":
      return {
        error: `No ${refusal.what} ${refusal.detail ? JSON.stringify(refusal.detail) : "of that name"}${asked.path ? ` in ${path}` : ""}.`,
        ...(candidates ? { hint: candidates } : {}),
      };
    case "quote":
      return {
        error: `Content not found in ${path}.`,
        hint:
          missHint(refusal) ??
          "Nothing like it is in the file. Read the file, then quote its text exactly, white space included.",
      };
  }
}

/** What a miss was probably about, with the line to look at and the text to send instead. */
function missHint(refusal: Extract<Refusal, { code: "not-found" }>): string | undefined {
  const [best, ...others] = refusal.nearest ?? [];
  switch (refusal.cause) {
    case "blank":
      return "The text to find is only white space. Quote a word beside it.";
    case "already-applied":
      return `The new text already stands at line ${best?.startLine}: this edit seems to have been applied already.`;
    case "escaped-text":
      return `The text stands at line ${best?.startLine} without the backslashes. Send real newlines and quotes, not escaped ones.`;
    case "line-number-prefixes":
      return `The text stands at line ${best?.startLine}. Leave out the line numbers that a reading tool puts before each line.`;
    default:
      return (
        best && [nearestText(best), ...others.map((other) => `Also similar: ${linesText(other)}.`)].join("\n")
      );
  }
}

function nearestText(passage: Passage): string {
  const where = `The nearest text is at ${linesText(passage)}`;
  if (passage.differsAt === undefined) return `${where}:\n${passage.text}`;
  const visible =
    passage.difference === "white-space" || passage.difference === "indentation" ? showBlanks : String;
  return [
    `${where}; it differs ${differenceText[passage.difference]} at line ${passage.differsAt}:`,
    `  expected: ${visible(passage.expected ?? "")}`,
    `  found:    ${visible(passage.found ?? "")}`,
    `The file says:\n${passage.text}`,
  ].join("\n");
}

const differenceText: Record<Difference, string> = {
  "white-space": "in white space",
  indentation: "in indentation",
  "line-endings": "in line endings",
  case: "in upper and lower case",
  quotes: "in its quotation marks",
  "look-alikes": "in characters that look alike",
  "one-token": "in one word",
  "missing-lines": "by lines the quotation leaves out",
  "extra-lines": "by lines that are not in the file",
  "several-lines": "in several places, first",
};

function showBlanks(line: string): string {
  return line.replaceAll("\t", "→").replaceAll(" ", "·");
}

function linesText({ startLine, endLine }: { startLine: number; endLine: number }): string {
  return startLine === endLine ? `line ${startLine}` : `lines ${startLine}–${endLine}`;
}

function placesText(places: readonly Place[], count: number): string {
  const shown = places.map(({ line, near }) =>
    near === undefined ? `line ${line}` : `line ${line} (${near})`,
  );
  const more = count > shown.length ? [`${count - shown.length} more`] : [];
  return list([...shown, ...more]);
}

function ambiguityHint(tool: string): string {
  if (tool === "edit_file")
    return "Quote one more line, or set occurrence: 1 for the first, -1 for the last, 0 for all.";
  if (tool === "patch_file" || tool === "apply_patch")
    return "Add context lines to the hunk, or correct its line number.";
  return "Quote one more line, or narrow it with `within` (a heading or a symbol).";
}

function wordNoChange(why: "same-text" | "already-applied" | "nothing-asked", path: string): Words {
  if (why === "already-applied")
    return {
      error: `This patch is already applied to ${path}.`,
      hint: "Nothing was written; there is nothing left to do.",
    };
  if (why === "nothing-asked")
    return { error: "No change was asked for.", hint: 'To insert a blank line, send "\\n".' };
  return { error: `No change: the new text is the same as the old, so ${path} was not written.` };
}

function wordConflict(refusal: Extract<Refusal, { code: "conflict" }>, path: string): Words {
  const rivals = (refusal.with ?? []).map(rivalText);
  const both = refusal.versions
    ? [
        `Now in the file:\n${refusal.versions.theirs ?? "(no file)"}`,
        `Asked for:\n${refusal.versions.ours ?? "(no file)"}`,
      ]
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

export function plural(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? "" : "s"}`;
}

function list(items: readonly string[]): string {
  if (items.length <= 1) return items.join("");
  return `${items.slice(0, -1).join(", ")} and ${items.at(-1)}`;
}

function short(version: string): string {
  return version.slice(0, 12);
}

function sentence(text: string, stop = "."): string {
  // A sentence that begins with a name, as `provider:model`, keeps it.
  const isName = /^[\w-]+:\S/.test(text);
  const capital = isName ? text : text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(capital) ? capital : capital + stop;
}

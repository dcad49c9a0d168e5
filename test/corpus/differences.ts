import { type Case, textOf } from "./cases.ts";

/**
 * Where we choose otherwise than a peer, and why. A rule names the cases by something that can be checked; a list
 * names them one by one. `elsewhere` marks what a text cannot decide and another room's tests run.
 */
export type Difference = {
  readonly reason: string;
  readonly elsewhere?: true;
} & ({ readonly covers: (each: Case) => boolean } | { readonly ids: readonly string[] });

type Input = Record<string, unknown>;

function inputOf({ input }: Case): Input {
  return typeof input === "object" && input !== null ? (input as Input) : {};
}

function hasOption(each: Case, option: RegExp): boolean {
  const { git_options, patch_args } = inputOf(each);
  return ((git_options ?? patch_args ?? []) as readonly string[]).some((given) => option.test(given));
}

function isPatch({ format }: Case): boolean {
  return ["unified", "git-metadata", "context", "normal_or_ed"].includes(format);
}

function says(each: Case, pattern: RegExp): boolean {
  return isPatch(each) && pattern.test(textOf(each));
}

function isEdScript(each: Case): boolean {
  const lines = isPatch(each) ? textOf(each).split(/\r?\n/) : [];
  return /^\d+(?:,\d+)?[acd]$/.test(lines[0] ?? "") && lines.includes(".");
}

function isTagged(each: Case, tag: string): boolean {
  return each.tags?.includes(tag) ?? false;
}

/** What a location was found by, in the words of the peer. */
function strategy({ matches }: Case): string {
  return (matches as readonly { strategy?: string }[] | undefined)?.[0]?.strategy ?? "";
}

export const differences: readonly Difference[] = [
  {
    reason: "asks a model to write the edit, or a syntax-aware merger to fill in what it left out",
    elsewhere: true,
    covers: ({ kind }) => kind === "llm_task" || kind === "lazy",
  },
  {
    reason: "needs a history of edits, a record of reads or calls in flight: the workspace keeps these",
    elsewhere: true,
    covers: ({ format, needs = [], expect }) =>
      /^(?:undo|stale_|concurrent_)/.test(format) ||
      needs.some((need) => need !== "git-index") ||
      expect.error_kind === "stale_or_unread",
  },
  {
    reason:
      "depends on a link in the tree, the mode of a file or a failing disk: the workspace handles these",
    elsewhere: true,
    covers: (each) =>
      Object.keys(each.symlinks_before ?? {}).length > 0 ||
      each.id === "house/mode_0755_kept" ||
      each.id === "openhands/test_write_failure_leaves_original_file_intact",
  },
  {
    reason: "links and submodules are not text; a patch that makes, changes or deletes one is refused whole",
    covers: (each) => says(each, /mode 1[26]0000|^index .* 1[26]0000/m),
  },
  {
    reason: "binary patches are refused",
    covers: (each) => says(each, /^GIT binary patch$/m),
  },
  {
    reason: "context diffs, normal diffs and ed scripts are refused by name",
    covers: (each) => each.format === "context" || each.format === "normal_or_ed" || isEdScript(each),
  },
  {
    reason: "other options: white space is neither mended nor judged; lines match as they are",
    covers: (each) =>
      hasOption(each, /^--(?:whitespace|ignore-|no-ignore-)/) ||
      (each.git_config ?? []).some((setting) => /whitespace/i.test(setting)),
  },
  {
    reason: "other options: reversing is what undo is for",
    covers: (each) => hasOption(each, /^(?:-R|--reverse|-t)$/),
  },
  {
    reason:
      "other options: context is dropped by our own rule only (fuzz, -C), and not merged around (--merge)",
    covers: (each) =>
      hasOption(each, /^(?:-C\d|-F|--fuzz|--merge)/) ||
      typeof (inputOf(each).options as Input)?.fuzzFactor === "number",
  },
  {
    reason: "other options: paths are relative to the root and stay inside it",
    covers: (each) => hasOption(each, /^--(?:directory=|unsafe-paths)/),
  },
  {
    reason: "other options: a patch that asks for nothing is refused",
    covers: (each) => hasOption(each, /^--(?:allow-empty|recount)$/),
  },
  {
    reason: "other options: a command line that cannot be read",
    covers: (each) => hasOption(each, /^-p (?:-|\d+\D)/),
  },
  {
    reason: "other options: --posix keeps the file that a patch deletes",
    covers: (each) => hasOption(each, /^--posix$/),
  },
  {
    reason: "the first of several matches is never taken",
    covers: (each) => isTagged(each, "first_match_wins"),
  },
  {
    reason: "an existing file is never overwritten by adding or moving one",
    covers: (each) => isTagged(each, "silent_overwrite"),
  },
  {
    reason: "untouched line endings stay",
    covers: (each) => isTagged(each, "crlf_destroyed"),
  },
  {
    reason: "a missing final newline stays missing, and an added file ends with one",
    covers: (each) =>
      isTagged(each, "adds_trailing_newline") || (each.format === "v4a" && differsInFinalNewline(each)),
  },
  {
    reason: "hunks tolerate white space where one place fits, not look-alikes",
    covers: (each) => isTagged(each, "unicode_normalised_match"),
  },
  {
    reason: "case, white space inside a line, and blank quotations never match",
    covers: (each) =>
      /^(?:caseInsensitive|whitespaceIgnored|trimmed)Match$|^emptySearch$/.test(strategy(each)),
  },
  {
    reason: "similarity shows, it never replaces",
    ids: [
      "gemini-cli/calc-should-perform-a-fuzzy-replacement-when-exact-match-fails-but-similarity-is-high",
      "gemini-cli/calc-should-correctly-rebase-indentation-in-fuzzy-replacement-without-double-indenting",
      "oh-my-pi/find-respects-custom-similarity-threshold~2",
      "roo-code/should-match-content-with-small-differences-90-similar",
    ],
  },
  {
    reason: "lines that are not all shifted alike, or differ in blanks inside, do not match",
    ids: [
      "gemini-cli/calc-should-perform-a-flexible-whitespace-insensitive-replacement",
      "opencode/replacers/04",
      "opencode/replacers/08",
      "roo-code/should-handle-mixed-indentation-styles-in-the-same-file",
    ],
  },
  {
    reason:
      "a match laid out otherwise keeps the file's own indentation and characters, and shifts the new text",
    ids: [
      "cline/blocks-v2-should-handle-line-trimmed-match-replacement-case-correctly",
      "gemini-cli/calc-should-NOT-insert-extra-newlines-in-flexible-replacement-when-old_string-starts-with-a-blank-line-regress",
      "opencode/replacers/10",
      "opencode/replacers/25",
      "pi-mono/should-match-smart-single-quotes-to-ASCII-quotes",
      "pi-mono/should-match-non-breaking-space-to-regular-space",
    ],
  },
  {
    reason: "text is never unescaped, and never matched by compatible characters",
    ids: [
      "opencode/replacers/19",
      "opencode/replacers/21",
      "pi-mono/should-match-compatibility-equivalent-Unicode-forms",
    ],
  },
  {
    reason: "the new text of a block is taken as it is, also a blank first line",
    ids: ["roo-code/should-handle-content-with-line-numbers-at-the-last-line"],
  },
  {
    reason: "a second row of equal signs may underline a heading; a block with two is refused",
    ids: ["aider/chat-history-0938", "aider/chat-history-7792"],
  },
  {
    reason: "a block that is not closed may have been cut off",
    ids: [
      "cline/blocks-v1-should-handle-missing-final-REPLACE-marker-when-isFinal-is-true",
      "cline/blocks-v1-should-handle-missing-final-REPLACE-marker-with-multiple-lines-of-replacement",
    ],
  },
  {
    reason: "blanks behind a marker are passed over",
    ids: ["cline/blocks-v1-should-handle-malformed-diff---trailing-space-on-separator-case-correctly"],
  },
  {
    reason:
      "an empty search creates a file; it is not an insertion, and an existing file is not replaced by it",
    ids: [
      "continue/should-handle-empty-old-string-replacement-insertion-at-start",
      "continue/should-handle-empty-old_string-as-insertion-at-beginning",
      "continue/should-handle-empty-string-in-empty-file",
    ],
  },
  {
    reason: "a CR that no LF follows is data where other lines end with LF",
    ids: ["codex-apply-patch/scenarios/024_preserves_mixed_line_endings"],
  },
  {
    reason: "hunks tolerate line endings: CRLF and LF match, and the file's stay",
    ids: [
      "jsdiff/should-leave-line-endings-in-the-patch-alone-if-the-target-file-has-mixed-file-endings-even-if-this-means-the-",
    ],
  },
  {
    reason: "up to two outer lines of context may differ, where the rest stands at one place only",
    ids: ["git-apply/t4123-apply-shrink-001"],
  },
  {
    reason: "hunks may share a line of context that neither changes",
    ids: ["openhands/apply_patch-test_multi_hunk_invalid_context_error"],
  },
  {
    reason: "a no-newline marker stands at the end of the file or the hunk does not fit",
    ids: ["jsdiff/ignores-extra-lines-even-with-fuzzFactor-0-as-long-as-there-s-no-newline-at-EOF"],
  },
  {
    reason: "one file that does not fit refuses the whole patch",
    ids: ["jsdiff/applyPatches-should-handle-multiple-files"],
  },
  {
    reason: "a patch that asks for nothing is refused",
    ids: ["jsdiff/should-apply-patches~2"],
  },
  {
    reason: "a -0,0 hunk inserts at the start of a file, empty or not, and creates one that is missing",
    ids: ["git-apply/t4104-apply-boundary-022", "git-apply/t4122-apply-symlink-inside-003"],
  },
  {
    reason: "line -1 is the end of the file",
    ids: ["openhands/test_insert_validation"],
  },
  {
    reason: "a file in another encoding keeps every byte, but only its ASCII can be quoted",
    ids: ["openhands/test_mixed_encoding_workflow"],
  },
  {
    reason: "blanks at a line end that the quotation has and the file has not stay out of the new text too",
    ids: ["qwen-code/normalize-preserves-newString-trailing-whitespace-even-when-oldString-is-fuzzy-matched"],
  },
  {
    reason: "the edit asks for no byte order mark, and secrets are for another tool to find",
    ids: [
      "qwen-code/exec-should-create-new-file-with-BOM-when-defaultFileEncoding-is-utf-8-bom",
      "qwen-code/exec-blocks-a-secret-assembled-across-edits-scans-full-result-not-just-new_string",
    ],
  },
];

/** Whether every file of an envelope case differs from its lines only by the newline at the end. */
function differsInFinalNewline(each: Case): boolean {
  const text = textOf(each);
  const after = Object.entries(each.expect.files_after ?? {});
  const added = after.filter(
    ([path, content]) => text.includes(`*** Add File: ${path}`) && !content.endsWith("\n"),
  );
  const closed = after.filter(([path, content]) => {
    const before = each.files_before[path];
    return before !== undefined && before !== "" && !before.endsWith("\n") && content.endsWith("\n");
  });
  return added.length + closed.length > 0;
}

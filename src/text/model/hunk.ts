/** One line of a hunk, without its LF; a CR before it stays where the patch spells line endings out. */
export type HunkLine = {
  readonly kind: "context" | "removed" | "added";
  readonly text: string;
  /** Set on a line that a `\ No newline at end of file` marker follows. */
  readonly noNewline?: true;
};

/**
 * A target in diff form: the lines that must be there, and the lines that replace them.
 * `line` is the stated first line of the old side (from 1; 0 for an insertion before the first line);
 * absent where the dialect has no line numbers. `anchors` are lines that must be above, in order.
 */
export type Hunk = {
  readonly lines: readonly HunkLine[];
  readonly line?: number;
  /** The line is certain, because the hunk was made for this very text. */
  readonly sure?: true;
  /** The stated first line of the new side, to find a hunk that is already applied. */
  readonly newLine?: number;
  readonly anchors?: readonly string[];
  /** The line that git shows behind the numbers: the nearest above the hunk that opens a section, perhaps cut. */
  readonly section?: string;
  /** The hunk says that it reaches the end of the file. */
  readonly atEnd?: true;
  /** The old side is the whole text, as in a patch that deletes a file or fills an empty one. */
  readonly whole?: true;
  /** The beginning of the id that git gives the text the hunk was made for. */
  readonly base?: string;
  /** The numbers of the header, where they differ from the body: reported, never used. */
  readonly miscounted?: { readonly old: number; readonly new: number };
  /** Line of the patch text on which the hunk starts, for messages. */
  readonly source: number;
};

/** How a language marks comments, as data. */
export type CommentMarks = {
  /** A comment from one of these marks to the end of its line. */
  readonly line: readonly string[];
  /** A comment from an opening mark to its closing one. */
  readonly block: readonly (readonly [open: string, close: string])[];
  /** Openings of comments that document a declaration; `all` where any comment may. */
  readonly doc: readonly string[] | "all";
  /** Quotation marks of strings that end on their line. A comment cannot begin inside a string. */
  readonly quotes: readonly string[];
  /** Quotation marks of strings that may span lines. */
  readonly longQuotes?: readonly string[];
  /** Whether a string in triple quotes that begins a line documents what holds it. */
  readonly docstrings?: boolean;
  /**
   * Whether only comments on lines without code are found: the language has more kinds of strings than a
   * scan can tell apart.
   */
  readonly aloneOnly?: boolean;
};

/** `//` and `/* *\/`, as in C and its relatives. */
export const SLASH_COMMENTS: CommentMarks = {
  line: ["//"],
  block: [["/*", "*/"]],
  doc: ["/**", "///", "//!"],
  quotes: ['"', "'"],
  longQuotes: ["`"],
};

/** `#` up to the end of the line, as in shells and scripting languages. */
export const HASH_COMMENTS: CommentMarks = { line: ["#"], block: [], doc: [], quotes: [], aloneOnly: true };

/** `--` up to the end of the line, as in SQL. */
export const DASH_COMMENTS: CommentMarks = { line: ["--"], block: [], doc: [], quotes: ['"', "'"] };

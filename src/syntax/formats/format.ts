import type { Outline } from "./document.ts";

/** One format of documents. A new format is a folder that exports one of these and a line in the registry. */
export type Format = {
  readonly name: string;
  /** Its name in sentences. */
  readonly title: string;
  /** Endings of files that are documentation, without the dot and in lower case; the usual one first. */
  readonly extensions: readonly string[];
  /** Whole names of files that are documentation, in lower case. */
  readonly fileNames?: readonly string[];
  /**
   * Endings of files that have this format but may be something else: a template, a signature, a log. They are read
   * in this format when they are named, and are documentation only where `sharedFolders` says so.
   */
  readonly sharedExtensions?: readonly string[];
  /** As `sharedExtensions`, for file names that an ending alone does not describe. */
  readonly sharedNames?: RegExp;
  /** The paths at which a file with a shared ending or name is documentation. */
  readonly sharedFolders?: RegExp;
  /** Formats that are Markdown with additions: pages whose front matter and links follow its rules. */
  readonly isMarkdown?: boolean;
  /** Whether a destination may be a label that any page defines: only one with a slash or an ending is a path. */
  readonly hasLabels?: boolean;
  /** Whether a destination without an ending is the id of a heading on any page. */
  readonly hasHeadingIds?: boolean;
  /** An attribute of the page whose first group is the folder that images come from. */
  readonly imageFolder?: RegExp;
  /** A reference in angle brackets, from its first one on. A reader of HTML takes it for a tag. */
  readonly angleReference?: RegExp;
  /** Marks by which a builder of this format takes in more than the page has. */
  readonly embeds?: {
    readonly marks: readonly EmbedMark[];
    /** Marks in code are code; the builders of other formats follow them there too. */
    readonly notInCode?: boolean;
  };
  /** Shapes of text that the format never shows to a reader, with the words in a group `text`. */
  readonly comments?: readonly RegExp[];
  readonly outline: (text: string) => Outline;
};

/**
 * Groups of a shape: includes with the same `name` are equal; one whose `file` or Python `module` is in this repository is
 * safe.
 */
export type EmbedMark = {
  readonly takesIn: "file" | "html" | "code";
  readonly shape: RegExp;
  /** Builders follow it in code too. */
  readonly inCode?: true;
};

import type { Region } from "../../text/model/region.ts";

/**
 * Something a document contains, at an exact place. Regions refer to the whole document's text; they begin at the
 * first mark (`#`, `-`, the fence) and end before the line ending. Blocks come in reading order; a block that holds others comes before them.
 */
export type Block = {
  readonly kind:
    | "front-matter"
    | "heading"
    | "paragraph"
    | "list-item"
    | "table-row"
    | "table-cell"
    | "code-fence"
    | "admonition"
    | "html"
    | "quote"
    | "comment"
    | "definition";
  readonly region: Region;
  /**
   * The part that carries meaning: a fence's body as whole lines without the last line ending, a heading's words,
   * a cell without its padding, an item without its marker.
   */
  readonly content: Region;
  /** Heading level; list nesting; table column of a cell. */
  readonly depth?: number;
  /** A heading's anchor as GitHub computes it, unique in the page. */
  readonly slug?: string;
  /** A fence's language, its meta string, an admonition's kind. */
  readonly language?: string;
  readonly meta?: string;
  /** The marks that opened a fence; empty for code that is only indented. */
  readonly fence?: string;
  /** Of rows and cells: the block index of their table's first row, and whether they are in it as its header. */
  readonly table?: number;
  readonly header?: boolean;
  /** Index into `blocks` of the heading above this block; -1 if there is none. */
  readonly section: number;
  /** Index into `blocks` of the block that holds this one (a row's table has none; a cell's row has). */
  readonly parent?: number;
};

/**
 * A piece of a line: inline code, a link, an image, a bare or bracketed address, the definition of a reference, a
 * comment. A link by reference has the label instead of a destination; the definition has both.
 */
export type Span = {
  readonly kind: "code" | "link" | "image" | "autolink" | "reference" | "comment";
  readonly region: Region;
  readonly content: Region;
  /** A link's destination as written, and its region. */
  readonly destination?: { readonly value: string; readonly region: Region };
  /** The words of `content` as a reader sees them, where the text writes them in another way. */
  readonly value?: string;
  /** The normalized label of a link by reference, and of its definition. */
  readonly label?: string;
  /** Index of the block that contains it. */
  readonly block: number;
};

/** A document as named regions. `trouble` lists what could not be understood. */
export type Outline = {
  /** The name of its format in the registry. */
  readonly format: string;
  readonly blocks: readonly Block[];
  readonly spans: readonly Span[];
  readonly trouble: readonly { readonly line: number; readonly why: string }[];
  /** False where a region cannot be replaced by its new words as they are: the text of a notebook is JSON. */
  readonly editable?: false;
};

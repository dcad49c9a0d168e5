/** The families of tools. Each family has its own sentences for some refusals. */
export type Wording = "files" | "article" | "snippet";

/** The call that was refused, as far as its sentences need it. */
export type RefusedCall = {
  readonly tool: string;
  readonly wording: Wording;
  readonly path?: string;
  /** The file as it is on disk, for previews. */
  readonly text?: string | null;
  readonly occurrence?: number;
  readonly reason?: string;
  /** For a file that exists: the tool that edits it, and whether the caller may replace it as a whole. */
  readonly instead?: { readonly edit?: string; readonly rewrite: boolean } | undefined;
};

/** An error, and the next step where there is one. */
export type Words = { readonly error: string; readonly hint?: string };

/** A project of one source file and one page, before and after a change of the code. */
export type Sample = {
  readonly title: string;
  readonly codePath: string;
  readonly pagePath: string;
  readonly before: string;
  readonly after: string;
  readonly page: string;
};

export type ShownTruth = "true" | "false" | "undecidable";

/** One thing that the page says about the code, and whether it is so before and after the change. */
export type ShownClaim = {
  readonly kind: string;
  readonly line: number;
  readonly words: string;
  readonly before: ShownTruth;
  readonly after: ShownTruth;
};

/** What Suture sees in a sample. */
export type Looked = {
  readonly claims: readonly ShownClaim[];
  readonly findings: readonly {
    readonly line: number;
    readonly tier: string;
    readonly message: string;
    readonly isRepaired: boolean;
  }[];
  /** The page after the edits. */
  readonly repaired: string;
};

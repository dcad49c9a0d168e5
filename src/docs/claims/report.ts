import type { BoundBy, BoundThing, DeclaredThing } from "../../drift/binding/bound-by.ts";

/** Something that a page says about the project, the thing that it is about, and whether it is so. */
export type ReportedClaim = {
  readonly kind: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly startColumn: number;
  /** The column behind the last character. */
  readonly endColumn: number;
  /** The words of the page that would have to change if the claim were false. */
  readonly says: string;
  /** Of a false claim with the line that declared it when the words were true. */
  readonly thing?: BoundThing & Partial<DeclaredThing>;
  /** How the words name the thing. */
  readonly by?: BoundBy;
  readonly truth: "true" | "false" | "undecidable";
  /** What is so instead, or why it cannot be decided. */
  readonly why?: string;
};

export type ClaimCounts = {
  readonly claims: number;
  readonly true: number;
  readonly false: number;
  readonly undecidable: number;
};

/** What another program found on a page. */
export type JoinedFinding = {
  readonly startLine: number;
  readonly endLine: number;
  readonly message: string;
};

export type ReportedPage = {
  readonly path: string;
  readonly claims: readonly ReportedClaim[];
  readonly totals: ClaimCounts;
  /** Absent: no findings of another program were joined. */
  readonly findings?: readonly JoinedFinding[];
};

/** A page whose claims are not in the report. */
export type MissingPage = { readonly path: string; readonly why: string };

export type ClaimsReport = {
  readonly head: string;
  readonly pages: readonly ReportedPage[];
  readonly totals: ClaimCounts & {
    readonly pages: number;
    /** By kind, in the order of the kinds. */
    readonly kinds: Readonly<Record<string, ClaimCounts>>;
    /** Why claims are undecidable, the most frequent reason first. */
    readonly reasons: readonly { readonly why: string; readonly count: number }[];
  };
  /** Pages that claim nothing about today. */
  readonly leftOut: readonly MissingPage[];
  /** Pages that could not be read. */
  readonly unknown: readonly MissingPage[];
};

/** One line of a page, explained. */
export type ExplainedLine = {
  readonly path: string;
  readonly line: number;
  /** The words of the line. */
  readonly text: string;
  /** With `none`: words that were read and are no claim about the project. */
  readonly claims: readonly (Omit<ReportedClaim, "truth"> & {
    readonly truth: ReportedClaim["truth"] | "none";
  })[];
  /** Why the line claims nothing, whatever it says. */
  readonly why?: string;
};

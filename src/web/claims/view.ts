import type { ClaimsReport, ReportedPage } from "../../docs/claims/report.ts";

/** What the report of claims shows: the claims, the text of the pages, and the lines that declare the things. */
export type ClaimsView = Omit<ClaimsReport, "pages"> & {
  readonly name: string;
  readonly pages: readonly (ReportedPage & { readonly text: string })[];
  /** The line of code of a thing, by `path:line`. */
  readonly code: Readonly<Record<string, string>>;
  /** How a claim is bound, in words. */
  readonly ways: Readonly<Record<string, string>>;
  /** What a writer can do, by the reason for which a claim is undecidable. */
  readonly advice: Readonly<Record<string, string>>;
};

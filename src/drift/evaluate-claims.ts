import { defined } from "../text/model/defined.ts";
import type { BoundBy, BoundThing, DeclaredThing } from "./binding/bound-by.ts";
import type { DocumentText, Since, WholeInput } from "./change/change.ts";
import { findLeftOut, openPages } from "./change/change-model.ts";
import { type Answer, answerClaims, onePerPassage } from "./claims/audit-claims.ts";
import { type Claim, wordsOf } from "./claims/claim.ts";
import { isSilent } from "./claims/find-false.ts";
import { type ClaimKind, kinds } from "./claims/registry.ts";
import type { Found } from "./claims/whole-repairs.ts";
import type { Message } from "./findings.ts";
import { linePolicyOf } from "./pages/line-policy.ts";
import { lineAt } from "./pages/page.ts";
import { openPresent } from "./state/states.ts";

/** What a page says about the project: the words, and where they stand; lines and columns count from 1. */
export type ReadClaim = {
  readonly kind: ClaimKind;
  readonly startLine: number;
  readonly endLine: number;
  readonly startColumn: number;
  /** The column behind the last character. */
  readonly endColumn: number;
  readonly says: string;
};

/**
 * A claim with the thing that it is about and its truth as things stand. `none`: the words are about nothing of the project,
 * or about somebody else's thing, so they are no claim.
 */
export type EvaluatedClaim = ReadClaim & {
  readonly truth: "true" | "false" | "undecidable" | "none";
  /** Of a false claim with the line that declared it when the words were true. */
  readonly thing?: BoundThing & Partial<DeclaredThing>;
  /** How the words name the thing. */
  readonly by?: BoundBy;
  /** Why it is undecidable or no claim. */
  readonly why?: string;
  /** Of a false claim: what became of the thing, and since which commit. */
  readonly message?: Message;
  readonly since?: Since;
};

export type PageClaims = { readonly path: string; readonly claims: readonly EvaluatedClaim[] };

/** The claims that the words of a page make, before they are bound to anything. */
export async function readClaims(document: DocumentText): Promise<ReadClaim[]> {
  const found: ReadClaim[] = [];
  for (const page of openPages([document]))
    for (const kind of kinds)
      for (const claim of await kind.read(page)) if (!isSilent(claim)) found.push(placed(kind.name, claim));
  return found.sort(byPlace);
}

export type EvaluateOptions = {
  /** Only the claims of these pages. Absent: of all pages. */
  readonly isAsked?: (path: string) => boolean;
  /** With words that are no claim, so that a reader sees why. */
  readonly withUnbound?: boolean;
};

/** The claims of the pages, in the order of each page, and what each is bound to. */
export async function evaluateClaims(
  input: WholeInput,
  { isAsked = () => true, withUnbound = false }: EvaluateOptions = {},
): Promise<PageClaims[]> {
  const pages = openPages(input.documents).filter(({ path }) => isAsked(path));
  const answers = await answerClaims(pages, input, openPresent(input));
  const told = withUnbound ? answers : answers.filter(({ truth }) => truth.is !== "none");
  const byPage = Map.groupBy(onePerPassage(told), ({ claim }) => claim.page.path);
  return pages.map(({ path }) => ({ path, claims: (byPage.get(path) ?? []).map(evaluated).sort(byPlace) }));
}

/** What is read on one line of a page, and why nothing is where the page or the line claims nothing. */
export type LineClaims = {
  readonly claims: readonly EvaluatedClaim[];
  /** The class of a page that claims nothing about today: generated, history, of an older version. */
  readonly leftOut?: string;
  /** The page asks to ignore the line, or its section tells of the past. */
  readonly isSilent: boolean;
};

/** The claims of one line, counted from 1, with words that are no claim and the reason. */
export async function explainLine(
  input: WholeInput,
  { path, line }: { readonly path: string; readonly line: number },
): Promise<LineClaims> {
  const documents = input.documents.filter((document) => document.path === path);
  const [page] = openPages(documents);
  if (!page) return { claims: [], isSilent: false, ...leftOutOf(documents) };
  const evaluated = await evaluateClaims(input, { isAsked: (one) => one === path, withUnbound: true });
  const claims = evaluated.flatMap((one) => one.claims);
  return {
    claims: claims.filter(({ startLine, endLine }) => startLine <= line && line <= endLine),
    isSilent: linePolicyOf(page).isSilent(line - 1),
  };
}

function leftOutOf(documents: readonly DocumentText[]): Pick<LineClaims, "leftOut"> {
  const [left] = findLeftOut(documents);
  return left ? { leftOut: left.class } : {};
}

function evaluated({ kind, claim, truth, found }: Answer): EvaluatedClaim {
  const { thing, by } = truth;
  return {
    ...placed(kind.name as ClaimKind, claim),
    truth: truth.is,
    ...(thing && { thing: found?.thing ?? { name: thing.name, path: thing.path, line: thing.line } }),
    ...defined({ by: by || undefined, why: "why" in truth ? truth.why : undefined }),
    ...(found && { message: found.drift.message, ...sinceOf(found) }),
  };
}

function sinceOf({ drift, since = drift.since }: Found): Pick<EvaluatedClaim, "since"> {
  return since ? { since } : {};
}

function placed(kind: ClaimKind, { page, region }: Claim): ReadClaim {
  const read = page.read();
  const [first, last] = [region.start, Math.max(region.start, region.end - 1)].map((at) => lineAt(read, at));
  return {
    kind,
    startLine: first! + 1,
    endLine: last! + 1,
    startColumn: region.start - read.lines[first!]!.start + 1,
    endColumn: region.end - read.lines[last!]!.start + 1,
    says: wordsOf({ page, region }),
  };
}

function byPlace(a: ReadClaim, b: ReadClaim): number {
  return a.startLine - b.startLine || a.startColumn - b.startColumn;
}

/**
 * Why an edit that a model made may not go in. Worded for the model, which gets it once; a second time it goes to
 * the person.
 */
export type Objection = { readonly gate: GateName; readonly path: string; readonly detail: string };

/** Something a person should look at, although nothing stops it. */
export type Risk = { readonly path: string; readonly what: string; readonly detail: string };

export type GateName =
  | "place"
  | "names"
  | "links"
  | "addresses"
  | "tables"
  | "fences"
  | "size"
  | "safety"
  | "reasons";

export type GateVerdict = { readonly objections: readonly Objection[]; readonly risks: readonly Risk[] };

/** One page before and after; `null` before means that it is new. */
export type DraftedPage = {
  readonly path: string;
  readonly before: string | null;
  readonly after: string;
  readonly reasons: readonly string[];
};

export function merge(verdicts: readonly Partial<GateVerdict>[]): GateVerdict {
  return {
    objections: verdicts.flatMap(({ objections = [] }) => objections),
    risks: verdicts.flatMap(({ risks = [] }) => risks),
  };
}

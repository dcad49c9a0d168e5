/** Why a gate refuses a model's edit. The model reads it once; the second time, a person does. */
export type Objection = { readonly gate: GateName; readonly path: string; readonly detail: string };

/** A passage that a person should look at. It does not stop the edit. */
export type Risk = { readonly path: string; readonly what: string; readonly detail: string };

export type GateName =
  | "place"
  | "names"
  | "numbers"
  | "talk"
  | "drift"
  | "links"
  | "addresses"
  | "tables"
  | "fences"
  | "size"
  | "safety"
  | "reasons";

export type GateVerdict = { readonly objections: readonly Objection[]; readonly risks: readonly Risk[] };

/** One page before and after; `null` before means that the page is written anew. */
export type DraftedPage = {
  readonly path: string;
  readonly before: string | null;
  /** The page that a full page takes the place of. Its words excuse nothing in the new page. */
  readonly replaces?: string | null;
  readonly after: string;
  readonly reasons: readonly string[];
};

export function merge(verdicts: readonly Partial<GateVerdict>[]): GateVerdict {
  return {
    objections: verdicts.flatMap(({ objections = [] }) => objections),
    risks: verdicts.flatMap(({ risks = [] }) => risks),
  };
}

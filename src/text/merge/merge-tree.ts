/** A part of a text as a grammar sees it, opened only as far as a merge needs it. */
export type MergeNode = {
  readonly kind: string;
  readonly start: number;
  readonly end: number;
  readonly children: readonly MergeNode[];
  readonly role: "part" | "token" | "comment";
  /** What may be there only once among its siblings: a name, a key, an import. */
  readonly key?: string;
  /** Neighbours of one group may stand in any order. */
  readonly group?: string;
  /** What stands between two of its children of one group. */
  readonly separator?: ",";
};

/** A text, and its tree where a grammar understands it. */
export type MergeText = { readonly text: string; readonly root: MergeNode };

export function textOf({ text }: Pick<MergeText, "text">, { start, end }: MergeNode): string {
  return text.slice(start, end);
}

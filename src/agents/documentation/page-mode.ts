/** Exact replacements on an existing page, or a new full page. */
export type PageMode = "surgical-update" | "full-generation";

/**
 * `force` writes a new full page. An existing page is updated; a moved page is updated from its old text; any other
 * page is new. Drift and state do not matter here. A page of white space does not exist.
 */
export function decideMode(page: {
  readonly force: boolean;
  readonly target: string | null;
  readonly original: string | null;
}): { readonly mode: PageMode; readonly content: string } {
  const { force, target, original } = page;
  if (force) return { mode: "full-generation", content: "" };
  for (const content of [target, original])
    if (content !== null && content.trim() !== "") return { mode: "surgical-update", content };
  return { mode: "full-generation", content: "" };
}

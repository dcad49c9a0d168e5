/** How a page is written: exact replacements on what is there, or whole because nothing is. */
export type PageMode = "surgical-update" | "full-generation";

/**
 * Force writes the page anew; a page that exists is updated; one that has moved is updated from where it was; any
 * other is new. Nothing else decides: not drift, not state. White space is no page.
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

/** How a writer ends its work. */
export const closing =
  "End with a summary of what you changed, in a sentence or two, as `summary` of your last call: that call ends your work.";

export const closingField =
  "Only in your last call: what you changed in all your calls, in a sentence or two. It ends your work.";

const truth = `- State only what the source or the diff shows. Do not invent options, flags, functions, defaults, packages, addresses or links.`;

/** What holds for every change of a page: true to the code, in the page's own manner. */
export const houseRules = `${truth}
- Negated flags (\`--no-…\`) are real flags; leave them in.
- Link only to files and headings that exist. Add no address of another site.
- Keep the page's style: its voice, its heading levels, its table columns, its fences, its front matter.
- Ignore changes that no reader of the page would notice: refactoring, tests, comments, formatting.`;

/** What holds for a page that does not exist yet: it has no style to keep, and its writer knows no file by heart. */
export const newPageRules = `${truth}
- Negated flags (\`--no-…\`) are real flags; name them as they are.
- Link only to files that are listed or shown below, by a path relative to this page. Add no address of another site.
- Where another page is shown, write in its voice and form: the same kind of headings, tables, fences and front matter.`;

/** What holds for every text that goes into a page: true to the code, in the page's own manner. */
export const houseRules = `- State only what the source or the diff shows. Do not invent options, flags, functions, defaults, packages, addresses or links.
- Negated flags (\`--no-…\`) are real flags; leave them in.
- Link only to files and headings that exist. Add no address of another site.
- Keep the page's style: its voice, its heading levels, its table columns, its fences, its front matter.
- Ignore changes that no reader of the page would notice: refactoring, tests, comments, formatting.`;

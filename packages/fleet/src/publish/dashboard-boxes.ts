/** The first line of a dashboard, by which it is found. */
export const dashboardMarker = "<!-- suture:dashboard -->";

/** The meaning of a box. `restore`: a dismissed passage may be proposed again. */
const boxVerbs = ["approve", "dismiss", "restore"] as const;
export type BoxVerb = (typeof boxVerbs)[number];

/** The wishes of the boxes that people ticked. */
export type Ticks = Readonly<Record<BoxVerb, readonly string[]>> & { readonly recheck: boolean };

const ticked = /^- \[[xX]\] <!-- suture:(approve|dismiss|restore) ([a-z][a-z-]*-[0-9a-f]{16}) -->/gm;
const recheck = /^- \[[xX]\] <!-- suture:recheck -->/m;

/** Reads the ticked boxes of a dashboard. Any other text has none. */
export function readTicks(text: string): Ticks {
  const lines = text.startsWith(dashboardMarker) ? text.replaceAll("\r\n", "\n") : "";
  const found = [...lines.matchAll(ticked)];
  const of = (verb: BoxVerb): string[] => [
    ...new Set(found.flatMap(([, each, id]) => (each === verb && id ? [id] : []))),
  ];
  return {
    approve: of("approve"),
    dismiss: of("dismiss"),
    restore: of("restore"),
    recheck: recheck.test(lines),
  };
}

/** Whether a text is a dashboard with a ticked box. */
export function isTicked(text: string): boolean {
  const { recheck: again, ...verbs } = readTicks(text);
  return again || Object.values(verbs).some((ids) => ids.length > 0);
}

/** `viewer` sees an organisation; `operator` may also act on its repositories. */
export const roles = ["viewer", "operator"] as const;
export type MemberRole = (typeof roles)[number];

export function isRole(text: string): text is MemberRole {
  return (roles as readonly string[]).includes(text);
}

/** The person or program behind a request, and what it may do. */
export type Viewer = {
  /** For the record of actions: an e-mail address, or `token`. */
  readonly name: string;
  /** The organisations that it may see, in lower case; null for all. */
  readonly sees: readonly string[] | null;
  /** The organisations on whose repositories it may act, in lower case; null for all. */
  readonly operates: readonly string[] | null;
};

/** The holder of the shared token may do everything. */
export const tokenHolder: Viewer = { name: "token", sees: null, operates: null };

export function maySee({ sees }: Viewer, organisation: string): boolean {
  return sees === null || sees.includes(organisation.toLowerCase());
}

export function mayOperate({ operates }: Viewer, organisation: string): boolean {
  return operates === null || operates.includes(organisation.toLowerCase());
}

/** The name that means every organisation. */
export const everyOrganisation = "*";

/** Joins the roles of a person and of its groups. */
export function viewerOf(
  name: string,
  held: readonly { readonly organisation: string; readonly role: MemberRole }[],
): Viewer {
  const of = (kept: readonly MemberRole[]): readonly string[] | null => {
    const names = held.filter(({ role }) => kept.includes(role)).map(({ organisation }) => organisation);
    return names.includes(everyOrganisation) ? null : [...new Set(names)].sort();
  };
  return { name, sees: of(roles), operates: of(["operator"]) };
}

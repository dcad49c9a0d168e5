/** The name that a notice is about; null if it is not about a name. */
export function nameOf(old: string | undefined): string | null {
  const name = old?.replace(/^-{1,2}/, "");
  return name && /^[\p{L}_$][\p{L}\p{N}_$-]*$/u.test(name) ? name : null;
}

/** A name without the dashes of a flag. */
export function plainName(name: string): string {
  return name.replace(/^-{1,2}/, "");
}

/** The text of the first mail. */
export function welcome(name: string): string {
  return `Hello ${name}, good to have you here.`;
}

/** The text with every character replaced by a space, except line endings: offsets and lines stay as they are. */
export function blank(text: string): string {
  return text.replace(/[^\r\n]/g, " ");
}

/** The words of a heading without its pictures and addresses, which are long and tell nothing. */
export function headingTitle(heading: string): string {
  const words = heading
    .replace(/!\[[^[\]]*\](?:\([^()]*\)|\[[^[\]]*\])/g, "")
    .replace(/\[([^[\]]*)\]\([^()]*\)/g, "$1")
    .replace(/\s+/g, " ")
    .trim();
  return words === "" ? heading.trim() : words;
}

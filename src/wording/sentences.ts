export function plural(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? "" : "s"}`;
}

/** `a, b and c`. */
export function list(items: readonly string[]): string {
  if (items.length <= 1) return items.join("");
  return `${items.slice(0, -1).join(", ")} and ${items.at(-1)}`;
}

/** The beginning of a version, for people. */
export function short(version: string): string {
  return version.slice(0, 12);
}

/** A text with a capital letter and a full stop. */
export function sentence(text: string, stop = "."): string {
  const capital = capitalised(text);
  return /[.!?]$/.test(capital) ? capital : capital + stop;
}

/** A text with a capital letter, unless it begins with a name: a file, or `provider:model`. */
export function capitalised(text: string): string {
  const isName = /^[^\s.:/]*[.:/]\S/.test(text);
  return isName ? text : text.charAt(0).toUpperCase() + text.slice(1);
}

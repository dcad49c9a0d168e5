export function plural(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? "" : "s"}`;
}

/** `1,930 claims`: a number that may be large. */
export function counted(count: number, word: string): string {
  return `${count.toLocaleString("en-US")} ${word}${count === 1 ? "" : "s"}`;
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

/** A text with a capital letter and a full stop. A first word that may be a path or another name keeps its letters. */
export function sentence(text: string, stop = "."): string {
  const isWord = /^[a-z]+(?=[ ,]|[.!?]?$)/.test(text);
  const capital = isWord ? text.charAt(0).toUpperCase() + text.slice(1) : text;
  return /[.!?]$/.test(capital) ? capital : capital + stop;
}

/** A text with a capital letter, unless it begins with a name: a file, or `provider:model`. */
export function capitalised(text: string): string {
  const isName = /^[^\s.:/]*[.:/]\S/.test(text);
  return isName ? text : text.charAt(0).toUpperCase() + text.slice(1);
}

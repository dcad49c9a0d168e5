/** Characters that look like an ASCII one. Each maps to exactly one character, so that offsets stay the same. */
const confusables = new Map<string, string>();
for (const [ascii, others] of [
  ["'", "\u2018\u2019\u201a\u201b\u2032\u02bc\u00b4"],
  ['"', "\u201c\u201d\u201e\u201f\u2033"],
  ["-", "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d"],
  [" ", "\u00a0\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"],
] as const)
  for (const other of others) confusables.set(other, ascii);

const anyConfusable = new RegExp(`[${[...confusables.keys()].join("")}]`, "g");

/** The text with typographic quotes, dashes and spaces as their ASCII equivalents; same length. */
export function foldConfusables(text: string): string {
  return text.replace(anyConfusable, (found) => confusables.get(found) ?? found);
}

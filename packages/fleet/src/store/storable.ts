/** A value as text for a JSON column. PostgreSQL's JSON accepts no NUL characters and no lone surrogates. */
export function storableJson(value: unknown): string {
  return JSON.stringify(value, (_, each) => (typeof each === "string" ? storableText(each) : each));
}

/** A text without the characters that PostgreSQL refuses. */
export function storableText(text: string): string {
  return text.replaceAll("\u0000", "\u2400").toWellFormed();
}

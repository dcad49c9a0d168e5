/** A piece of a line. A name may hold hyphens (`dry-run`), as flags and configuration keys do. */
export type Token = {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly kind: "name" | "number" | "mark";
};

const TOKEN = /[\p{L}_][\p{L}\p{N}_]*(?:-[\p{L}\p{N}_]+)*|\d[\p{L}\p{N}_]*(?:\.\d[\p{L}\p{N}_]*)*|[^\s]/gu;
const NAME_START = /^[\p{L}_]/u;

/** The tokens of a stretch of text, white space left out. */
export function tokenise(text: string): Token[] {
  const tokens: Token[] = [];
  for (const match of text.matchAll(TOKEN)) {
    const found = match[0];
    const kind = NAME_START.test(found) ? "name" : /^\d/.test(found) ? "number" : "mark";
    tokens.push({ text: found, start: match.index, end: match.index + found.length, kind });
  }
  return tokens;
}

/** Hands over the names of a text. The tokens of a whole file are many, so they are not kept. */
export function eachName(text: string, take: (name: string) => void): void {
  for (const [found] of text.matchAll(TOKEN)) if (NAME_START.test(found)) take(found);
}

/** Lines without their endings. */
export function splitLines(text: string): string[] {
  return text.split(/\r\n|\n|\r/);
}

/** Whether two pieces of code differ only in formatting: white space, quotes, commas, semicolons. */
export function isLayoutOnly(a: string, b: string): boolean {
  const plain = (text: string): string => text.replace(/[\s;,]+/g, "").replace(/["'`]/g, '"');
  return plain(a) === plain(b);
}

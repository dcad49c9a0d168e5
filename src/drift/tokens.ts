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

/** Lines without their endings. */
export function splitLines(text: string): string[] {
  return text.split(/\r\n|\n|\r/);
}

/**
 * Whether a path fits a pattern: `*` within a name, `**` over folders, `?` one character, `{a,b}` either. Everything
 * else, brackets included, is literal. A pattern without a slash is about the last name of the path. No regular
 * expression is built, so no pattern can make matching slow.
 */
export function matcher(pattern: string): (path: string) => boolean {
  const alternatives = expandBraces(pattern).map((alternative) => alternative.split("/"));
  const bare = !pattern.includes("/");
  return (path) => {
    const names = (bare ? path.slice(path.lastIndexOf("/") + 1) : path).split("/");
    return alternatives.some((segments) => fitsPath(segments, names));
  };
}

const mostAlternatives = 256;

/** `a{b,c}d` as `abd` and `acd`; braces that do not close, or hold no comma, are literal. */
function expandBraces(pattern: string): string[] {
  let done = [""];
  let at = 0;
  while (at < pattern.length) {
    const open = pattern.indexOf("{", at);
    const close = open < 0 ? -1 : closingBrace(pattern, open);
    if (close < 0) break;
    const inner = splitOptions(pattern.slice(open + 1, close));
    const options = inner.length > 1 ? inner.flatMap(expandBraces) : [pattern.slice(open, close + 1)];
    const grown = done.flatMap((start) => options.map((option) => start + pattern.slice(at, open) + option));
    if (grown.length > mostAlternatives) break;
    done = grown;
    at = close + 1;
  }
  return done.map((start) => start + pattern.slice(at));
}

function closingBrace(pattern: string, open: number): number {
  let depth = 0;
  for (let i = open; i < pattern.length; i++) {
    if (pattern[i] === "{") depth++;
    else if (pattern[i] === "}" && --depth === 0) return i;
  }
  return -1;
}

function splitOptions(inner: string): string[] {
  const options: string[] = [];
  let depth = 0;
  let start = 0;
  for (let i = 0; i <= inner.length; i++) {
    if (inner[i] === "{") depth++;
    else if (inner[i] === "}") depth--;
    else if (i === inner.length || (inner[i] === "," && depth === 0)) {
      options.push(inner.slice(start, i));
      start = i + 1;
    }
  }
  return options;
}

/** Both in step; `**` takes as few names as it can and one more each time the rest does not fit. */
function fitsPath(segments: readonly string[], names: readonly string[]): boolean {
  return fits(
    segments,
    names,
    (segment) => segment === "**",
    (segment, name) => fitsName(segment, name),
  );
}

function fitsName(pattern: string, name: string): boolean {
  return fits(
    [...pattern],
    [...name],
    (unit) => unit === "*" || unit === "**",
    (unit, character) => unit === "?" || unit === character,
  );
}

/** Matching with wild cards that take any run: one mark to go back to is enough, so time is at most the product. */
function fits(
  pattern: readonly string[],
  given: readonly string[],
  isWild: (unit: string) => boolean,
  equal: (unit: string, item: string) => boolean,
): boolean {
  let p = 0;
  let g = 0;
  let wild = -1;
  let mark = 0;
  while (g < given.length) {
    if (p < pattern.length && isWild(pattern[p]!)) {
      wild = p++;
      mark = g;
    } else if (p < pattern.length && equal(pattern[p]!, given[g]!)) {
      p++;
      g++;
    } else if (wild >= 0) {
      p = wild + 1;
      g = ++mark;
    } else return false;
  }
  while (p < pattern.length && isWild(pattern[p]!)) p++;
  return p === pattern.length;
}

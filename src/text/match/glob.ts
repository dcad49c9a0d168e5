/**
 * A test whether paths match a pattern: `*` within a name, `**` over folders, `?` one character, `{a,b}` either.
 * Everything else, brackets included, is literal. A pattern without a slash is compared with the last name of the path.
 * No regular expression is built, so no pattern can make matching slow.
 */
export function matcher(pattern: string): (path: string) => boolean {
  const alternatives = expandBraces(pattern).map((alternative) => alternative.split("/"));
  const bare = !pattern.includes("/");
  return (path) => {
    const names = (bare ? path.slice(path.lastIndexOf("/") + 1) : path).split("/");
    return alternatives.some((segments) => matchesPath(segments, names));
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

function matchesPath(segments: readonly string[], names: readonly string[]): boolean {
  return matches(
    segments,
    names,
    (segment) => segment === "**",
    (segment, name) => matchesName(segment, name),
  );
}

function matchesName(pattern: string, name: string): boolean {
  return matches(
    [...pattern],
    [...name],
    (unit) => unit === "*" || unit === "**",
    (unit, character) => unit === "?" || unit === character,
  );
}

/**
 * Matches both in step. A wild card takes as few items as possible, and one more each time the rest does not match. Only
 * the last wild card has to be tried again, so time is at most the product of the lengths.
 */
function matches(
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

import type { Region } from "../../text/model/region.ts";

/**
 * The text of a source file with everything but its doc comments (JSDoc, docstrings, rustdoc, Go's and Ruby's
 * comments) put out by spaces, their marks too: what is left stands where it stood. Null for a file that has none, or
 * is in a language whose comments are not known.
 */
export function keepDocComments(path: string, text: string): string | null {
  const family = familyOf(path);
  if (!family) return null;
  const regions = family(text);
  if (regions.length === 0) return null;
  let kept = "";
  let at = 0;
  for (const { start, end } of regions) {
    kept += blank(text.slice(at, start)) + unmark(text.slice(start, end));
    at = end;
  }
  return kept + blank(text.slice(at));
}

/** The text of a source file with its comments and docstrings put out by spaces. */
export function dropComments(path: string, text: string): string {
  const family = familyOf(path, { every: true });
  if (!family) return text;
  let kept = "";
  let at = 0;
  for (const { start, end } of family(text)) {
    kept += text.slice(at, start) + blank(text.slice(start, end));
    at = end;
  }
  return kept + text.slice(at);
}

type Family = (text: string) => Region[];

function familyOf(path: string, { every = false }: { every?: boolean } = {}): Family | null {
  const ending = /\.([a-z]+)$/i.exec(path)?.[1]?.toLowerCase() ?? "";
  if (
    /^(?:ts|tsx|mts|cts|js|jsx|mjs|cjs|java|kt|kts|scala|php|c|h|cc|cpp|hpp|cs|swift|rs|dart|zig)$/.test(
      ending,
    )
  )
    return (text) => scanSlashes(text, (mark) => every || /^\/\*\*|^\/\/[/!]/.test(mark));
  if (ending === "go") return (text) => scanSlashes(text, () => true);
  if (/^(?:py|pyi)$/.test(ending)) return (text) => scanPython(text, every);
  if (/^(?:rb|ex|exs)$/.test(ending)) return scanHashes;
  return null;
}

/** Comments of the C family, strings walked over so that what looks like one inside them is none. */
function scanSlashes(text: string, isWanted: (mark: string) => boolean): Region[] {
  const regions: Region[] = [];
  // A quote that a line leaves open is an apostrophe or a lifetime; a template runs on over lines.
  const piece =
    /\/\*[\s\S]*?(?:\*\/|$)|\/\/[^\n]*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\[\s\S]|[^`\\])*`/g;
  for (const match of text.matchAll(piece)) {
    if (!match[0].startsWith("/") || !isWanted(match[0].slice(0, 3))) continue;
    regions.push({ start: match.index, end: match.index + match[0].length });
  }
  return regions;
}

/** Texts in triple quotes that begin a line; with `every`, comments too. */
function scanPython(text: string, every: boolean): Region[] {
  const regions: Region[] = [];
  const piece = /[rRuUbBfF]{0,2}("""|''')[\s\S]*?(?:\1|$)|#[^\n]*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'/g;
  for (const match of text.matchAll(piece)) {
    const found = match[0];
    if (found.startsWith("#") ? !every : !match[1]) continue;
    if (match[1]) {
      const before = text.slice(text.lastIndexOf("\n", match.index - 1) + 1, match.index);
      if (before.trim() !== "") continue;
    }
    regions.push({ start: match.index, end: match.index + found.length });
  }
  return regions;
}

function scanHashes(text: string): Region[] {
  const regions: Region[] = [];
  for (const match of text.matchAll(/^([ \t]*)#[^\n]*/gm))
    regions.push({ start: match.index + match[1]!.length, end: match.index + match[0].length });
  return regions;
}

function blank(text: string): string {
  return text.replace(/[^\r\n]/g, " ");
}

/** A comment's words where they stood, without what makes it a comment. */
function unmark(text: string): string {
  return text
    .replace(/^(?:\/\*[*!]?|\/\/[/!]?|#|[rRuUbBfF]{0,2}(?:"""|'''))/, blank)
    .replace(/(?:\*\/|"""|''')$/, blank)
    .replace(/(^|\n)([ \t]*)\*(?![*\w])/g, (_, start: string, indent: string) => `${start}${indent} `);
}

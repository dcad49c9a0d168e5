import { HOLE, readLiterals, type TextLiteral } from "../../syntax/source/literals.ts";
import { fileKind } from "../change/file-kind.ts";

/** A line of a text that the code says. */
export type SaidLine = {
  readonly path: string;
  /** The line with single spaces; holes are `HOLE`. */
  readonly text: string;
  /** The line with its own spaces. */
  readonly spaced: string;
  readonly holes: readonly string[];
  /** Which text of the file it belongs to, and which line of it. */
  readonly literal: number;
  readonly line: number;
  /** Where the text begins in the file. */
  readonly start: number;
  /** A line of a data file or a manifest, which may be no text at all: it keeps a quotation true, and proves nothing else. */
  readonly isData?: true;
};

/** How a line of the code is found in a quotation: where, and what stands for its holes. */
export type SaidMatch = {
  readonly said: SaidLine;
  readonly start: number;
  readonly end: number;
  readonly fillers: readonly string[];
  /** The quotation is a part of the line. */
  readonly isPart: boolean;
};

/** What a state says of a quotation. Files that were not read may say it too. */
export type Said = { readonly matches: readonly SaidMatch[]; readonly unread: readonly string[] };

export type SaidLookup = {
  /** The lines of the code that a quotation repeats. */
  readonly find: (quotation: string) => Promise<Said>;
  /** The lines that one file says, in their order. */
  readonly lines: (path: string) => Promise<readonly SaidLine[]>;
  /** Whether some file has the words of a line at all, be it in a form that is not read as a text. */
  readonly isWritten: (line: SaidLine) => Promise<boolean>;
};

/** Files that are read for one quotation at most. */
const MOST_FILES = 40;
/** The share of its words that a file must hold: the others may fill holes. */
const SHARE = 0.5;

export function createSaid({
  holders,
  read,
}: {
  readonly holders: (words: readonly string[]) => Promise<ReadonlyMap<string, readonly string[]>>;
  readonly read: (path: string) => Promise<string | null>;
}): SaidLookup {
  const files = new Map<string, Promise<readonly SaidLine[]>>();
  const indexes = new Map<readonly SaidLine[], LineFinder>();
  const lines = (path: string): Promise<readonly SaidLine[]> => {
    const known = files.get(path) ?? read(path).then((text) => readSaid(path, text ?? ""));
    files.set(path, known);
    return known;
  };
  const candidatesIn = (said: readonly SaidLine[]): LineFinder => {
    const known = indexes.get(said) ?? indexLines(said);
    indexes.set(said, known);
    return known;
  };
  const written = new Map<string, Promise<string>>();
  const plain = (path: string): Promise<string> => {
    const known = written.get(path) ?? read(path).then((text) => normalize(text ?? ""));
    written.set(path, known);
    return known;
  };
  return {
    lines,
    isWritten: async ({ text }) => {
      const piece = text.split(HOLE).reduce((best, one) => (one.length > best.length ? one : best), "");
      if (!isTelling(piece)) return false;
      const words = wordsOf(piece);
      const held = [...(await holders(words)).values()];
      const [first = [], ...others] = held.map((paths) => paths.filter(maySay));
      const paths = others.reduce((all, some) => all.filter((path) => some.includes(path)), first);
      for (const path of paths.slice(0, MOST_FILES))
        if ((await plain(path)).includes(piece.trim())) return true;
      return false;
    },
    find: async (quotation) => {
      const words = wordsOf(quotation);
      const counts = new Map<string, number>();
      for (const [, paths] of await holders(words))
        for (const path of paths) counts.set(path, (counts.get(path) ?? 0) + 1);
      const needed = Math.max(1, Math.ceil(words.length * SHARE));
      const found = [...counts].filter(([path, count]) => count >= needed && maySay(path));
      const paths = found.sort(([, a], [, b]) => b - a).map(([path]) => path);
      const matches: SaidMatch[] = [];
      for (const path of paths.slice(0, MOST_FILES))
        for (const said of candidatesIn(await lines(path))(words))
          matches.push(...matchSaid(said, quotation));
      return { matches, unread: paths.slice(MOST_FILES) };
    },
  };
}

/** Of some lines, those that words may repeat. */
type LineFinder = (words: readonly string[]) => Iterable<SaidLine>;

/** Finds lines by their rarest word, and lines that hold the rarest of the words: a quotation may be a part of them. */
function indexLines(lines: readonly SaidLine[]): LineFinder {
  const byWord = new Map<string, SaidLine[]>();
  for (const line of lines)
    for (const word of wordsOf(line.text)) {
      const held = byWord.get(word);
      if (held) held.push(line);
      else byWord.set(word, [line]);
    }
  const countOf = (word: string): number => byWord.get(word)?.length ?? 0;
  const byRarest = Map.groupBy(lines, ({ text }) => rarestOf(wordsOf(text), countOf));
  return (words) => {
    const held = words.filter((word) => byWord.has(word));
    const rarest = byWord.get(rarestOf(held, countOf)) ?? [];
    return new Set([...held.flatMap((word) => byRarest.get(word) ?? []), ...rarest]);
  };
}

/** The word with the lowest count, the first of them; "" where there is none. */
export function rarestOf(words: readonly string[], countOf: (word: string) => number): string {
  return words.reduce((best, word) => (best === "" || countOf(word) < countOf(best) ? word : best), "");
}

/** The words of a text that a file must hold to say it, each once. */
export function wordsOf(text: string): string[] {
  return [...new Set(text.match(/\p{L}{3,}/gu) ?? [])];
}

const ASIDE: ReadonlySet<string> = new Set(["test", "example", "automation"]);

/** Whether a text in this file is one of the product. */
export function maySay(path: string): boolean {
  return !ASIDE.has(fileKind(path));
}

/** The lines that a file says. Every line of a data file may be a text. */
export function readSaid(path: string, text: string): SaidLine[] {
  if (text.length > LARGEST) return [];
  const literals = [...readLiterals(path, text), ...readHelpComments(path, text)];
  const aside = fileKind(path) === "manifest" ? { isData: true as const } : {};
  if (literals.length > 0)
    return literals
      .sort((a, b) => a.region.start - b.region.start)
      .flatMap(({ text: said, holes, region }, literal) =>
        cutLines(said, holes).map((one) => ({ path, literal, start: region.start, ...aside, ...one })),
      );
  let start = 0;
  return text.split("\n").map((line, literal) => {
    const said = {
      path,
      text: normalize(line),
      spaced: line.trim(),
      holes: [],
      literal,
      line: 0,
      start,
      isData: true as const,
    };
    start += line.length + 1;
    return said;
  });
}

/** The comments that a derived parser of Rust prints as help. */
function readHelpComments(path: string, text: string): TextLiteral[] {
  if (
    !path.endsWith(".rs") ||
    !/#\[derive\([^)]*\b(?:Parser|Args|Subcommand|ValueEnum|StructOpt)\b/.test(text)
  )
    return [];
  return Array.from(text.matchAll(/^[ \t]*\/\/\/[ \t]?(.*)$/gm), (match) => {
    const end = match.index + match[0].length;
    return { text: match[1]!, holes: [], region: { start: end - match[1]!.length, end } };
  });
}

const LARGEST = 1_000_000;

function cutLines(
  text: string,
  holes: readonly string[],
): Pick<SaidLine, "text" | "spaced" | "holes" | "line">[] {
  let taken = 0;
  return text.split("\n").map((words, line) => {
    const count = words.split(HOLE).length - 1;
    const own = holes.slice(taken, taken + count);
    taken += count;
    return { text: normalize(words), spaced: words.trim(), holes: own, line };
  });
}

function normalize(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/** Whether a line says enough to be recognised: two words apart, three beside holes, and ten characters. */
export function isTelling(text: string): boolean {
  const fixed = text.replaceAll(HOLE, " ");
  const words = fixed.split(/\s+/).filter((word) => /\p{L}{2}/u.test(word));
  return words.length > (fixed === text ? 1 : 2) && fixed.replace(/[^\p{L}\p{N}]/gu, "").length >= 10;
}

const LONGEST_FILLER = 120;

/** Where a quotation holds a line of the code with its holes filled, or is a part of that line. */
export function matchSaid(said: SaidLine, quotation: string): SaidMatch[] {
  if (said.text === quotation) return [{ said, start: 0, end: quotation.length, fillers: [], isPart: false }];
  const holds = said.text.length > quotation.length && said.text.includes(quotation);
  const [first = "", ...rest] = said.text.split(HOLE);
  const start = first === "" ? 0 : findWhole(quotation, first);
  // Most lines are ruled out here, before their words are counted.
  if ((!holds && start < 0) || !(isTelling(said.text) || isTelling(quotation))) return [];
  if (holds && isTelling(quotation))
    return [{ said, start: 0, end: quotation.length, fillers: [], isPart: true }];
  if (start < 0) return [];
  let end = start + first.length;
  const fillers: string[] = [];
  for (const [at, piece] of rest.entries()) {
    const isLast = at === rest.length - 1;
    const next = piece === "" && isLast ? quotation.length : quotation.indexOf(piece, end + 1);
    if (next < 0 || next - end > LONGEST_FILLER || (piece === "" && !isLast)) return [];
    fillers.push(quotation.slice(end, next));
    end = next + piece.length;
  }
  const isAll = start === 0 && end === quotation.length && isTelling(said.text.replaceAll(HOLE, ""));
  if (!isEdge(quotation, end) || !(isAll || isTelling(said.text))) return [];
  return [{ said, start, end, fillers, isPart: false }];
}

/** The first place at which words stand by themselves. */
function findWhole(text: string, words: string): number {
  for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + 1))
    if (isEdge(text, at) && isEdge(text, at + words.length)) return at;
  return -1;
}

function isEdge(text: string, at: number): boolean {
  return !(/[\p{L}\p{N}]/u.test(text[at - 1] ?? "") && /[\p{L}\p{N}]/u.test(text[at] ?? ""));
}

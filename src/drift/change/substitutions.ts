import { findGaps, type Gap } from "./align.ts";
import type { Comparison, Line, LinePair } from "./comparison.ts";
import { type Token, tokenise } from "./tokens.ts";

/** One place where the change replaced a part of a line. The line is cut out of its file when it is asked for. */
export class Site {
  readonly gap: Gap;
  readonly #line: RewrittenLine;

  constructor(line: RewrittenLine, gap: Gap) {
    this.#line = line;
    this.gap = gap;
  }

  get path(): string {
    return this.#line.file.path;
  }

  get old(): Line {
    return this.#cut.pair.old;
  }

  get new(): Line {
    return this.#cut.pair.new;
  }

  get oldTokens(): readonly Token[] {
    return this.#cut.oldTokens;
  }

  get newTokens(): readonly Token[] {
    return this.#cut.newTokens;
  }

  /** In how many places the line changed. */
  get gaps(): number {
    return this.#line.gaps;
  }

  get #cut(): CutLine {
    return this.#line.cuts.of(this.#line);
  }
}

/** What the sites of one line share. */
type RewrittenLine = {
  readonly file: Comparison;
  /** Which pair of the file it is. */
  readonly pair: number;
  readonly gaps: number;
  readonly cuts: CutLines;
};

/** A rewritten line, and its tokens once a rule needs them. */
class CutLine {
  readonly pair: LinePair;
  #oldTokens: readonly Token[] | undefined;
  #newTokens: readonly Token[] | undefined;

  constructor(pair: LinePair) {
    this.pair = pair;
  }

  get oldTokens(): readonly Token[] {
    this.#oldTokens ??= tokenise(this.pair.old.text);
    return this.#oldTokens;
  }

  get newTokens(): readonly Token[] {
    this.#newTokens ??= tokenise(this.pair.new.text);
    return this.#newTokens;
  }
}

/** The lines that were asked for last. Their tokens are many times as large, so those of a large change are cut again. */
class CutLines {
  readonly #known = new Map<RewrittenLine, CutLine>();

  of(line: RewrittenLine): CutLine {
    let cut = this.#known.get(line);
    if (cut === undefined) {
      cut = new CutLine(line.file.pairAt(line.pair));
      if (this.#known.size >= mostLines) this.#known.clear();
      this.#known.set(line, cut);
    }
    return cut;
  }
}

const mostLines = 2000;

export function findSites(comparisons: readonly Comparison[]): Site[] {
  const cuts = new CutLines();
  const sites: Site[] = [];
  for (const file of comparisons)
    for (const [pair, { old: line, new: next }] of file.rewrites.flatMap(({ pairs }) => pairs).entries()) {
      const old = tokenise(line.text);
      const fresh = tokenise(next.text);
      if (old.length > 400 || fresh.length > 400) continue;
      const gaps = findGaps(
        old.map((token) => token.text),
        fresh.map((token) => token.text),
      );
      const rewritten = { file, pair, gaps: gaps.length, cuts };
      for (const gap of gaps) sites.push(new Site(rewritten, gap));
    }
  return sites;
}

export type Substitutions = ReadonlyMap<string, ReadonlyMap<string, readonly Site[]>>;

/** Names that replaced names on rewritten lines; worked out once for all rules. */
export function findSubstitutions(sites: readonly Site[]): Substitutions {
  let found = substitutions.get(sites);
  if (found === undefined) {
    found = pairNames(sites);
    substitutions.set(sites, found);
  }
  return found;
}

const substitutions = new WeakMap<readonly Site[], Substitutions>();

function pairNames(sites: readonly Site[]): Substitutions {
  const found = new Map<string, Map<string, Site[]>>();
  for (const site of sites) {
    const { gap } = site;
    const isName = (token: Token): boolean => token.kind === "name";
    const old = site.oldTokens.slice(gap.oldStart, gap.oldEnd).filter(isName);
    const fresh = site.newTokens.slice(gap.newStart, gap.newEnd).filter(isName);
    if (old.length !== fresh.length || old.length === 0) continue;
    if (isFilledIn(site)) continue;
    old.forEach((token, index) => {
      const successors = found.get(token.text) ?? new Map<string, Site[]>();
      const successor = fresh[index]!.text;
      if (successor === token.text || isHidden(successor, token.text)) return;
      const known = successors.get(successor);
      if (known) known.push(site);
      else successors.set(successor, [site]);
      found.set(token.text, successors);
    });
  }
  return found;
}

/** Words that were replaced by a placeholder (`${hash}`): nothing was renamed. */
function isFilledIn({ oldTokens, newTokens, gap }: Site): boolean {
  const opens = (tokens: readonly Token[], start: number, end: number): boolean =>
    tokens
      .slice(start, end)
      .some((token, index) => token.text === "$" && tokens[start + index + 1]?.text === "{");
  return opens(newTokens, gap.newStart, gap.newEnd) && !opens(oldTokens, gap.oldStart, gap.oldEnd);
}

/** A public name is never renamed to a private one: the replacement is another thing. */
function isHidden(successor: string, name: string): boolean {
  return successor.startsWith("_") && !name.startsWith("_");
}

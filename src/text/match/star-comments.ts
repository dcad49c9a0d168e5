import { indentOf } from "./indentation.ts";
import type { LineSwap } from "./layout.ts";

/**
 * Lines of comments that begin with a star at the margin, where the file has a blank before it or the caller lost one: they
 * follow their opening and not the shift of the code. `indent`: what the file has before those that are quoted.
 */
export type MarginStars = {
  readonly quoted: ReadonlySet<number>;
  readonly asked: ReadonlySet<number>;
  readonly indent: string | null;
};

export function starsAtMargin({ quoted, own, asked }: LineSwap): MarginStars {
  const stars = findStars(quoted);
  const indents = new Set([...stars].map((i) => indentOf(own[i]!)));
  const [indent = null] = indents;
  return { quoted: stars, asked: findStars(asked), indent: indents.size === 1 ? indent : null };
}

/** The quoted lines and those of the file, without such lines. */
export function withoutStars(
  { quoted, own }: LineSwap,
  { quoted: stars, indent }: MarginStars,
): [quoted: readonly string[], own: readonly string[]] {
  if (indent === null) return [quoted, own];
  const without = (lines: readonly string[]): readonly string[] => lines.filter((_, i) => !stars.has(i));
  return [without(quoted), without(own)];
}

/** Runs of lines with a star at the margin, below the opening of a comment or down to its end. */
function findStars(lines: readonly string[]): Set<number> {
  const found = new Set<number>();
  for (let from = 0, to = 0; from < lines.length; from = to + 1) {
    to = from;
    while (to < lines.length && /^\*(?:[\s/]|$)/.test(lines[to]!)) to++;
    const isComment = lines[from - 1]?.startsWith("/*") || lines[to - 1]?.trimEnd().endsWith("*/");
    for (let i = from; isComment && i < to; i++) found.add(i);
  }
  return found;
}

import { isDistinct } from "../../change/names.ts";
import { nameOf } from "../../confidence/notice-name.ts";
import type { Notice } from "../../findings.ts";
import { findMentions, type Mention } from "../../pages/mentions.ts";
import type { RuleName } from "../../rules.ts";

const NAMING: ReadonlySet<RuleName> = new Set(["rename", "removal", "sample", "phrase"]);

/** A page that has a word more often than this uses it as an everyday word. */
const MOST = 40;

/**
 * Further mentions of a lost name on its page: the same word as code, in a sample or in a table. It may mean another
 * thing there, so these notices are shown only with the possible findings.
 */
export function findFurtherMentions(found: readonly Notice[]): Notice[] {
  const named = found.filter(
    ({ kind, message }) => NAMING.has(kind) && message.what !== "dropped" && nameOf(message.old) !== null,
  );
  const byPage = Map.groupBy(named, ({ page }) => page);
  return [...byPage].flatMap(([page, own]) => {
    const causes = new Map(own.map((notice) => [nameOf(notice.message.old)!, notice]));
    const noticed = new Set(own.map(({ line, message }) => `${line}\0${nameOf(message.old)}`));
    const mentions = findMentions([page], new Set(causes.keys()));
    return [...mentions].flatMap(([name, places]) => {
      if (places.length > MOST) return [];
      const open = places.filter((place) => !noticed.has(`${place.line}\0${name}`) && isMarked(place, name));
      return onePerLine(open).map(({ line }) => repeat(causes.get(name)!, line));
    });
  });
}

function isMarked({ page, line, index }: Mention, name: string): boolean {
  const { place, spans } = page.read().lines[line]!;
  if (place === "code" || isDistinct(name)) return true;
  const { start, end } = page.tokens(line)[index]!;
  return spans.some((span) => span.start <= start && end <= span.end);
}

function onePerLine(places: readonly Mention[]): Mention[] {
  return [...new Map(places.map((place) => [place.line, place])).values()];
}

function repeat({ splice: _, features: __, ...notice }: Notice, line: number): Notice {
  return { ...notice, line, endLine: line, tier: "possible", features: { "further mention": 1 } };
}

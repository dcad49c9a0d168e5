import { fold, isCommon, isDistinct, partsOf } from "../../drift/change/names.ts";
import type { ChangeSource } from "../context/change-context.ts";
import { namesIn } from "./notice-terms.ts";

/** Names, each with its weight. */
export type NameWeights = ReadonlyMap<string, number>;

const mostNames = 60;
/** A name beside a changed line, or a plain word of a commit message, counts less than a name that changes. */
const nearby = 0.5;

/** Words that every page and most commit messages have. They say nothing about a change. */
const plainWords = new Set(
  "about above added adding adds after again against allow allowed allows almost along already also always among another around based became because become before being below between both cannot change changed changes come could depending doing does during each either else ensure every existed exists first fixed fixes following further given gives handle handled handling having however improve improved instead into itself just keep later least less like made make makes making maybe might more most much need needed needs never next none nothing often once only other others otherwise ought over part previously properly rather really remove removed removes same several shall should since some something still such support supported supports take takes than that their them then there therefore these they thing things this those though through thus together turn under unless until update updated updates upon used uses using usually various want wants were what when where whether which while whole whose will with within without work works would your".split(
    " ",
  ),
);

/**
 * Names of code that a change is about, the weightiest first: those of changed lines, then those of the lines around
 * them and of the commit messages. Of comments and messages, names that no sentence has by chance count most.
 */
export function changedNames({
  files,
  messages,
  declarations = [],
}: Pick<ChangeSource, "files" | "messages"> & {
  /** The declarations around the changed lines. */
  readonly declarations?: readonly { readonly name: string }[];
}): NameWeights {
  const counts = new Map<string, number>();
  /** Values in quotation marks: those of a list stand beside each other. */
  const said = new Set<string>();
  const count = (name: string, more: number): void => {
    counts.set(name, (counts.get(name) ?? 0) + more);
  };
  for (const line of files.flatMap(({ patch }) => patch.match(/^[ +-](?![+-]{2} ).*$/gm) ?? [])) {
    const isChanged = !line.startsWith(" ");
    const code = withoutComment(line);
    for (const name of namesIn(line)) {
      if (!isChanged && isDistinct(name)) count(name, nearby);
      else if (isChanged && (isDistinct(name) || namesIn(code).includes(name))) count(name, 1);
    }
    for (const [, name] of code.matchAll(/["'`]([\p{L}][\p{L}\p{N}_-]{2,})["'`]/gu)) {
      said.add(name!);
      if (!isChanged) count(name!, nearby);
    }
  }
  for (const message of messages)
    for (const name of namesIn(message)) count(name, isDistinct(name) ? 1 : nearby);
  for (const { name } of declarations) count(name, 1);
  const weighed = [...counts]
    .filter(
      ([name]) =>
        !isCommon(name) &&
        !plainWords.has(name.toLowerCase()) &&
        (isDistinct(name) || name.length > 4 || said.has(name)),
    )
    .map(([name, times]) => [name, Math.log2(1 + times) * (isDistinct(name) ? 3 : 1)] as const);
  return new Map(weighed.sort(([, a], [, b]) => b - a));
}

/** A line of a diff without its comment. */
function withoutComment(line: string): string {
  return /^.\s*(?:\/\/|\/?\*|#|--|;|"""|''')/.test(line) ? "" : line.replace(/\s(?:\/\/|#)\s.*$/, "");
}

/**
 * The changed names as pages spell them: in another style, or as a part of a longer name of the code. A name that is on
 * most pages tells little.
 */
export function namesOnPages(changed: NameWeights, pages: readonly { readonly text: string }[]): NameWeights {
  const vocabulary = new Map<string, number>();
  for (const { text } of pages)
    for (const name of namesIn(text)) vocabulary.set(name, (vocabulary.get(name) ?? 0) + 1);
  const weigh = createWeigh(changed);
  const rarity = (count: number): number => Math.log2(1 + pages.length / count) / Math.log2(1 + pages.length);
  const found = [...vocabulary]
    .map(([name, count]) => [name, weigh(name) * rarity(count)] as const)
    .filter(([, weight]) => weight > 0)
    .sort(([, a], [, b]) => b - a);
  return new Map(found.slice(0, mostNames));
}

/** The weight of a name of a page: its own, that of the same name in another style, or a share of a longer one. */
function createWeigh(changed: NameWeights): (name: string) => number {
  const folded = new Map<string, number>();
  const longer = new Map<string, number>();
  const keep = (map: Map<string, number>, key: string, weight: number): void => {
    map.set(key, Math.max(map.get(key) ?? 0, weight));
  };
  for (const [name, weight] of changed) {
    if (!isDistinct(name)) continue;
    keep(folded, fold(name), weight);
    const parts = partsOf(name);
    for (let start = 0; start < parts.length; start++)
      for (let end = start + 2; end <= parts.length; end++)
        if (end - start < parts.length) keep(longer, parts.slice(start, end).join(""), weight * nearby);
  }
  return (name) => {
    const own = changed.get(name) ?? 0;
    if (!isDistinct(name)) return own;
    return Math.max(own, folded.get(fold(name)) ?? 0, longer.get(fold(name)) ?? 0);
  };
}

/** The names by which a question chooses its code: the weightiest of the change, and those that a page has. */
export function namesOfCode(changed: NameWeights, onPages: NameWeights): string[] {
  return [...new Set([...[...changed.keys()].slice(0, mostNames), ...onPages.keys()])];
}

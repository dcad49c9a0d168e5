import { isCommon, isDistinct } from "../../drift/change/names.ts";
import { readFrontMatter } from "../../syntax/formats/front-matter.ts";
import { isMarkdownPath } from "../../syntax/formats/registry.ts";
import { createWordFinder } from "../../syntax/words/words.ts";
import type { Edit } from "../../text/model/edit.ts";
import { endingAt } from "../../text/model/lines.ts";
import type { Survey } from "./survey.ts";

/** A page and the sources it is about, the best match first. */
export type PageLinks = { readonly path: string; readonly sources: readonly string[] };

const mostSources = 5;
const mostNames = 200;
const mostPlaces = 3;
const largestSource = 1_000_000;

/**
 * Finds the sources that each page is about: those whose path it names, and those that hold names it uses. A name that
 * occurs in fewer sources counts more.
 */
export async function findLinks({ pages, sources, read }: Survey): Promise<PageLinks[]> {
  const names = pages.map(({ text }) => findNames(text));
  const places = await findPlaces([...new Set(names.flat())], sources, read);
  return pages.flatMap(({ path, text }, i) => {
    const scores = new Map<string, number>();
    const add = (source: string, score: number) => scores.set(source, (scores.get(source) ?? 0) + score);
    for (const name of names[i]!)
      for (const source of places.get(name) ?? []) add(source, 1 / places.get(name)!.length);
    for (const source of findNamedSources(text, sources)) add(source, enough);
    const chosen = [...scores]
      .filter(([, score]) => score >= enough)
      .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
    return chosen.length === 0
      ? []
      : [{ path, sources: chosen.slice(0, mostSources).map(([source]) => source) }];
  });
}

/** One shared name may be chance; two that occur in no other source are enough. */
const enough = 1.5;

/** Names in inline code that are unlikely to be ordinary words. */
function findNames(text: string): string[] {
  const spans = Array.from(text.matchAll(/`([^`\n]{2,80})`/g), ([, span]) => span!);
  const words = spans.flatMap((span) => span.match(/[A-Za-z_][A-Za-z0-9_]{3,}/g) ?? []);
  return [...new Set(words.filter((word) => isDistinct(word) && !isCommon(word)))].slice(0, mostNames);
}

function findNamedSources(text: string, sources: readonly string[]): string[] {
  const known = new Set(sources);
  const paths = text.match(/(?<![A-Za-z0-9_.-])[A-Za-z0-9_.-]+(?:\/[A-Za-z0-9_.-]+)+/g) ?? [];
  return [...new Set(paths.map((path) => path.replace(/^\.\//, "").replace(/(?<![.:])[.:]+$/, "")))].filter(
    (path) => known.has(path),
  );
}

/** The sources that contain each name; names in too many sources are left out. */
async function findPlaces(
  names: readonly string[],
  sources: readonly string[],
  read: Survey["read"],
): Promise<Map<string, string[]>> {
  const places = new Map<string, string[]>(names.map((name) => [name, []]));
  if (names.length === 0) return places;
  const find = createWordFinder(names);
  for (const source of sources) {
    const text = await read(source);
    if (text === null || text.length > largestSource) continue;
    for (const name of new Set(find(text).map((mention) => mention.name))) places.get(name)?.push(source);
  }
  for (const [name, found] of places) if (found.length > mostPlaces) places.delete(name);
  return places;
}

/**
 * The edit that writes the links into the page's front matter. Pages that say something there already are left alone,
 * and so are those where front matter would be seen: readmes, and formats that have none.
 */
export function linkEdit({ path, sources }: PageLinks, text: string): Edit | null {
  if (!isMarkdownPath(path)) return null;
  const lines = [
    "attention:",
    ...sources.flatMap((source) => ["  - op: file", `    path: ${JSON.stringify(source)}`]),
  ];
  const ending = endingAt(text, 0);
  const written = lines.map((line) => `${line}${ending}`).join("");
  const shared = { path, reason: "look at this page when a source it is about changes", evidence: [] };
  const matter = readFrontMatter(text);
  if (matter === undefined) {
    if (/(^|\/)readme[^/]*$/i.test(path) || !path.includes("/") || text.startsWith("\ufeff")) return null;
    return {
      ...shared,
      target: { region: { start: 0, end: 0 } },
      text: `---${ending}${written}---${ending}${ending}`,
    };
  }
  const { value, language, content } = matter;
  if (language !== "yaml" || (value !== null && (typeof value !== "object" || Array.isArray(value))))
    return null;
  if (value !== null && value !== undefined && Object.hasOwn(value, "attention")) return null;
  if (value === undefined) return null;
  return { ...shared, target: { region: { start: content.end, end: content.end } }, text: written };
}

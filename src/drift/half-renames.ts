import { nameOf } from "./confidence/notice-name.ts";
import type { Notice } from "./findings.ts";
import { bindsName, sampleAround } from "./pages/samples.ts";

const LARGEST = 20_000;

/**
 * The same notices, without edits that would rename a variable of a sample in some places only. The sample itself
 * declares the name, so all mentions must change or none. `isMade` tells which edits are made.
 */
export function dropHalfRenames(
  notices: readonly Notice[],
  isMade: (notice: Notice) => boolean = () => true,
): Notice[] {
  const renames = notices.filter((notice) => isMade(notice) && isRename(notice));
  const samples = Map.groupBy(renames, keyOf);
  const half = new Set([...samples.values()].flatMap((own) => (isHalf(own) ? own : [])));
  return notices.map((notice) => {
    if (!half.has(notice)) return notice;
    const { splice: _, ...pointing } = notice;
    return pointing;
  });
}

/** Whether the edit replaces one name with another. */
function isRename({ page, splice }: Notice): boolean {
  if (!splice || nameOf(splice.text) === null) return false;
  return nameOf(page.text.slice(splice.region.start, splice.region.end)) !== null;
}

function keyOf({ page, line, splice }: Notice): string {
  const sample = sampleAround(page, line);
  const name = page.text.slice(splice!.region.start, splice!.region.end);
  return sample ? `${page.path}\0${sample.region.start}\0${name}` : "";
}

function isHalf(own: readonly Notice[]): boolean {
  const { page, line, splice } = own[0]!;
  const sample = sampleAround(page, line);
  if (!sample || sample.text.length > LARGEST) return false;
  const name = page.text.slice(splice!.region.start, splice!.region.end);
  if (!bindsName(sample, name)) return false;
  const edited = new Set(own.map((notice) => notice.splice!.region.start));
  const word = name.replace(/\W/g, "\\$&");
  const mentions = sample.text.matchAll(new RegExp(`(?<![\\w$-])${word}(?![\\w$-])`, "g"));
  return [...mentions].some(({ index }) => !edited.has(sample.region.start + index));
}

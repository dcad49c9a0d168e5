import type { Region } from "../../text/model/region.ts";
import type { DocumentPage } from "../change/change-model.ts";
import type { PageLine } from "./page.ts";

/** Longer samples are listings: what stands far apart in them is not read together. */
const MOST_LINES = 1000;

/** The sample that a line of a page stands in, and its language; null where the line is no code of a known language. */
export function sampleAround(
  page: DocumentPage,
  line: number,
): { readonly region: Region; readonly language: string } | null {
  const { lines } = page.read();
  const here = lines[line];
  if (here?.place !== "code" || !here.language) return null;
  let first = line;
  let last = line;
  while (line - first < MOST_LINES && isSame(lines[first - 1], here)) first--;
  while (last - line < MOST_LINES && isSame(lines[last + 1], here)) last++;
  const end = lines[last]!.start + lines[last]!.text.length;
  return { region: { start: lines[first]!.start, end }, language: here.language };
}

function isSame(line: PageLine | undefined, { language }: PageLine): boolean {
  return line?.place === "code" && line.language === language;
}

/** Whether a sample declares a variable of that name: then the name is the reader's own. */
export function bindsName(sample: string, name: string): boolean {
  const word = name.replace(/\W/g, "\\$&");
  return new RegExp(
    `\\b(?:const|let|var|val)\\s+(?:mut\\s+)?${word}(?![\\w$-])|^\\s*${word}\\s*:=`,
    "m",
  ).test(sample);
}

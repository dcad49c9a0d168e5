import { LANGUAGES } from "../../syntax/languages/registry.ts";
import type { Region } from "../../text/model/region.ts";
import type { DocumentPage } from "../change/change-model.ts";
import type { PageLine } from "./page.ts";

/** Longer samples are listings: their distant lines are not related. */
const MOST_LINES = 1000;

/** The sample around a line of a page, and its language; null if the line is not code of a known language. */
export function sampleAround(
  page: DocumentPage,
  line: number,
): { readonly region: Region; readonly language: string; readonly text: string } | null {
  const { lines } = page.read();
  const here = lines[line];
  if (here?.place !== "code" || !here.language) return null;
  let first = line;
  let last = line;
  while (line - first < MOST_LINES && isSame(lines[first - 1], here)) first--;
  while (last - line < MOST_LINES && isSame(lines[last + 1], here)) last++;
  const region = { start: lines[first]!.start, end: lines[last]!.start + lines[last]!.text.length };
  return { region, language: here.language, text: page.text.slice(region.start, region.end) };
}

function isSame(line: PageLine | undefined, { language }: PageLine): boolean {
  return line?.place === "code" && line.language === language;
}

/**
 * The variables that a sample declares: their names are the reader's own. In Python, Ruby and shells, an assignment
 * declares a variable, except that a name in capitals is more likely a setting.
 */
export function namesBoundBy({ text, language }: { text: string; language: string }): ReadonlySet<string> {
  const declared = Array.from(text.matchAll(BOUND), ({ groups }) => Object.values(groups!).find(Boolean)!);
  if (!isShell(language) && !/^(?:py|python\d?|rb|ruby)$/i.test(language)) return new Set(declared);
  const assigned = Array.from(text.matchAll(ASSIGNED), (match) => match[1]!);
  return new Set([...declared, ...assigned.filter((name) => /\p{Ll}/u.test(name))]);
}

const BOUND =
  /\b(?:const|let|var|val)\s+(?:mut\s+)?(?<variable>[\w$-]+)|^[ \t]*(?<short>[\w$]+)\s*:=|^[ \t]*#\s*define\s+(?<macro>\w+)/gm;
const ASSIGNED =
  /^[ \t]*(?:(?:export|local|set(?: -[\w-]+)*)\s+(?=\w+[= ]))?\$?([\w$]+)(?:\s*=(?!=)|(?<=set [^\n=]*)\s)/gm;

/** Whether a fence is marked as the input of some shell. */
export function isShell(language: string): boolean {
  return /^(?:(?:ba|z|fi|nu|pw)?sh|(?:nu|power)?shell|elvish)$/i.test(language);
}

const DATA: Readonly<Record<string, string>> = {
  json: "json",
  jsonc: "jsonc",
  json5: "jsonc",
  yaml: "yaml",
  yml: "yaml",
  toml: "toml",
};

/** Languages that a fence's language may also mean: pages label TypeScript and JSX as JavaScript. */
const WIDER: Readonly<Record<string, readonly string[]>> = {
  js: ["ts", "tsx"],
  ts: ["tsx"],
};

/** The language of a sample: as it is marked, or where it is not, the one whose imports it begins with. */
export function languageOf(marked: string | undefined, text: string): string | undefined {
  if (marked) return marked;
  return IMPORTING.find(({ begins }) => begins.test(text))?.language;
}

const IMPORTING: readonly { readonly language: string; readonly begins: RegExp }[] = [
  { language: "python", begins: /^[ \t]*(?:>>> )?(?:from [\w.]+ import \w|import [a-z_][\w.]*\s*$)/m },
  { language: "js", begins: /^[ \t]*import\s[^'"\n]*["'][^"'\n]+["'];?\s*$|=\s*require\(["']/m },
];

/** File names that select the parsers for a fence's language, the most usual first; none for an unknown language. */
export function fileNamesFor(language: string): string[] {
  const name = language.toLowerCase();
  const data = DATA[name];
  if (data) return [`sample.${data}`];
  const found = LANGUAGES.find(
    (one) => one.name === name || one.extensions.includes(name) || one.fences?.includes(name),
  );
  const [extension] = found?.extensions ?? [];
  return extension ? [extension, ...(WIDER[extension] ?? [])].map((one) => `sample.${one}`) : [];
}

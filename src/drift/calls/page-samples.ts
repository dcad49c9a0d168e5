import type { SampleHabits } from "../../syntax/languages/language.ts";
import { parsedLanguageAt } from "../../syntax/languages/registry.ts";
import { type Fragment, type Made, readFragment } from "../../syntax/source/fragment.ts";
import { type ImportedName, readJavaScriptImports } from "../../syntax/source/imports.ts";
import type { Region } from "../../text/model/region.ts";
import type { DocumentPage } from "../change/change-model.ts";
import { fileNamesFor } from "../pages/samples.ts";

/** A sample of a page: its calls, and what this sample and those before it import and keep in variables. */
export type CodeSample = {
  readonly page: DocumentPage;
  /** Where its code is on the page. */
  readonly region: Region;
  readonly family: string;
  readonly fragment: Fragment;
  readonly imports: readonly ImportedName[];
  /** Whether the sample has imports of its own. */
  readonly isWhole: boolean;
  readonly variables: ReadonlyMap<string, { readonly made: Made; readonly fragment: Fragment }>;
  /** Whether its section or the sentence before it tells of another time. */
  readonly isPast: boolean;
};

const read = new WeakMap<DocumentPage, Promise<readonly CodeSample[]>>();

/** The samples of a page in languages with a grammar, in their order. */
export function readSamples(page: DocumentPage): Promise<readonly CodeSample[]> {
  const known = read.get(page) ?? parseSamples(page);
  read.set(page, known);
  return known;
}

async function parseSamples(page: DocumentPage): Promise<CodeSample[]> {
  const { blocks } = page.outline();
  const samples: CodeSample[] = [];
  const before = new Map<string, Pick<CodeSample, "imports" | "variables">>();
  const scripts = page.path.endsWith(".mdx") ? readJavaScriptImports(page.text) : [];
  for (const [at, { kind, language = "", content, section }] of blocks.entries()) {
    const name = kind === "code-fence" ? (fileNamesFor(firstWord(language)).at(-1) ?? "") : "";
    const family = familyOf(name);
    if (family === null) continue;
    const text = page.text.slice(content.start, content.end);
    const fragment = await readFragment(name, text);
    const own = habitsOf(name)?.imports(text) ?? [];
    const past = before.get(family) ?? {
      imports: family === "javascript" ? scripts : [],
      variables: new Map(),
    };
    const imports = [...own, ...past.imports];
    const variables = new Map(past.variables);
    for (const [variable, made] of fragment.variables) variables.set(variable, { made, fragment });
    before.set(family, { imports, variables });
    const isPast = tellsPast(leadOf(page, at)) || chainOf(page, section).some(isPastHeading);
    samples.push({
      page,
      region: content,
      family,
      fragment,
      imports,
      isWhole: own.length > 0,
      variables,
      isPast,
    });
  }
  return samples;
}

function firstWord(language: string): string {
  return /^[{.]*([\w#+-]+)/.exec(language)?.[1] ?? "";
}

/** How samples in the language of a file name things and pass arguments. */
export function habitsOf(path: string): SampleHabits | undefined {
  return parsedLanguageAt(path)?.samples;
}

/** Languages that share their declarations; null for a language without a grammar. */
export function familyOf(path: string): string | null {
  const language = parsedLanguageAt(path);
  if (!language) return null;
  if (/^(?:javascript|typescript|tsx|component)$/.test(language.name)) return "javascript";
  return language.name === "cpp" ? "c" : language.name;
}

const PAST_HEADING =
  /\b(?:change ?logs?|release notes|what['’]?s new|migrat\w*|upgrad\w*|deprecat\w*|breaking|history|before|legacy|old|removed)\b|\bv?\d+\.(?:\d+|x)\b/i;

/** Whether a heading opens a section about another time. */
export function isPastHeading(words: string): boolean {
  return PAST_HEADING.test(words);
}

/** Whether words before a sample say that it is of another time. */
export function tellsPast(words: string): boolean {
  return /\b(?:before|previous(?:ly)?|old(?:er)?|earlier|deprecated|used to|no longer|formerly|was|were|v\d+(?:\.\d+)*)\b[^.]*$/i.test(
    words,
  );
}

/** The end of the paragraph directly before a block. */
function leadOf(page: DocumentPage, at: number): string {
  const { blocks } = page.outline();
  const previous = blocks[at - 1];
  if (previous?.kind !== "paragraph") return "";
  return page.text.slice(Math.max(previous.content.start, previous.content.end - 160), previous.content.end);
}

/** The words of the headings above, the nearest first. */
export function chainOf(page: DocumentPage, section: number): string[] {
  const { blocks } = page.outline();
  const found: string[] = [];
  let deepest = Number.POSITIVE_INFINITY;
  for (let at = section; at >= 0; at = blocks[at]!.section) {
    const { content, depth = 1 } = blocks[at]!;
    if (depth < deepest) found.push(page.text.slice(content.start, content.end));
    deepest = Math.min(deepest, depth);
  }
  return found;
}

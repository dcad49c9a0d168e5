import type { Block } from "../../syntax/formats/document.ts";
import type { SampleHabits } from "../../syntax/languages/language.ts";
import { parsedLanguageAt } from "../../syntax/languages/registry.ts";
import { type Fragment, type Made, readFragment, type SampleType } from "../../syntax/source/fragment.ts";
import { type ImportedName, readJavaScriptImports } from "../../syntax/source/imports.ts";
import type { Region } from "../../text/model/region.ts";
import type { DocumentPage } from "../change/change-model.ts";
import { fileNamesFor, languageOf } from "../pages/samples.ts";

/** A sample of a page: its calls, and what this sample and those before it import and keep in variables. */
export type CodeSample = {
  readonly page: DocumentPage;
  /** Where its code is on the page. */
  readonly region: Region;
  readonly family: string;
  readonly writesModules: boolean;
  readonly overloads: boolean;
  readonly unwraps?: RegExp | undefined;
  readonly fragment: Fragment;
  readonly imports: readonly ImportedName[];
  /** Whether the sample has imports of its own. */
  readonly isWhole: boolean;
  readonly variables: ReadonlyMap<string, { readonly made: Made; readonly fragment: Fragment }>;
  /** The types that this sample and those before it declare. */
  readonly types: ReadonlyMap<string, SampleType>;
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
  const isPastSection = createPast(page.text, blocks);
  const samples: CodeSample[] = [];
  const before = new Map<string, Pick<CodeSample, "imports" | "variables" | "types">>();
  const scripts = page.path.endsWith(".mdx") ? readJavaScriptImports(page.text) : [];
  for (const [at, { kind, language: marked, content, section }] of blocks.entries()) {
    if (kind !== "code-fence") continue;
    const text = page.text.slice(content.start, content.end);
    const name = fileNamesFor(firstWord(languageOf(marked, text) ?? "")).at(-1) ?? "";
    const family = familyOf(name);
    if (family === null) continue;
    const fragment = await readFragment(name, text);
    const habits = habitsOf(name);
    const own = withoutRivals(habits?.imports(text) ?? []);
    const past = before.get(family) ?? {
      imports: family === "javascript" ? scripts : [],
      variables: new Map(),
      types: new Map(),
    };
    const imports = [...own, ...past.imports];
    const variables = new Map(past.variables);
    for (const [variable, made] of fragment.variables) variables.set(variable, { made, fragment });
    const types = new Map([...past.types, ...fragment.types]);
    before.set(family, { imports, variables, types });
    const isPast = tellsPast(leadOf(page, blocks[at - 1])) || isPastSection(section);
    samples.push({
      page,
      region: content,
      family,
      writesModules: habits?.writesModules ?? false,
      overloads: parsedLanguageAt(name)?.overloads ?? false,
      unwraps: habits?.unwraps,
      fragment,
      imports,
      isWhole: own.length > 0,
      variables,
      types,
      isPast,
    });
  }
  return samples;
}

/** A sample that imports one name from two modules shows two programs: which of them calls it is not known. */
function withoutRivals(imports: readonly ImportedName[]): readonly ImportedName[] {
  return imports.map((one) =>
    one.local !== "*" && imports.some(({ local, module }) => local === one.local && module !== one.module)
      ? { ...one, module: "" }
      : one,
  );
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

/** Says of a section whether its heading, or one above it, tells of another time. */
export function createPast(text: string, blocks: readonly Block[]): (section: number) => boolean {
  const known = new Map<number, boolean>();
  const isPast = (section: number, deepest: number): boolean => {
    if (section < 0) return false;
    const { content, depth = 1, section: above } = blocks[section]!;
    const isAbove = depth < deepest;
    const tells = isAbove && PAST_HEADING.test(text.slice(content.start, content.end));
    return tells || isPast(above, Math.min(deepest, depth));
  };
  return (section) => {
    const answer = known.get(section) ?? isPast(section, Number.POSITIVE_INFINITY);
    known.set(section, answer);
    return answer;
  };
}

/** Whether words before a sample say that it is of another time, or not as it should be. */
export function tellsPast(words: string): boolean {
  return /\b(?:incorrect|wrong|before|previous(?:ly)?|old(?:er)?|earlier|deprecated|used to|no longer|formerly|was|were|v\d+(?:\.\d+)*)\b[^.]*$/i.test(
    words,
  );
}

/** The end of the paragraph directly before a block. */
function leadOf({ text }: DocumentPage, previous: Block | undefined): string {
  if (previous?.kind !== "paragraph") return "";
  return text.slice(Math.max(previous.content.start, previous.content.end - 160), previous.content.end);
}

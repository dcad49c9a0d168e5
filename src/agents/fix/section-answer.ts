import { FORMAT_WORDS } from "../../syntax/formats/registry.ts";
import type { NamedLines } from "../gates/section/post-conditions.ts";

/** The decision on one notice, and the model's reason. */
export type Verdict = { readonly word: "keep" | "fix" | "add"; readonly reason: string };

/** An answer to a question about a section: a verdict for each notice, and the section where it should change. */
export type SectionAnswer = {
  /** By the position of the notice. */
  readonly verdicts: ReadonlyMap<number, Verdict>;
  /** Lines of the section, counted from 0, that change although no notice is about them, each with a reason. */
  readonly also: readonly NamedLines[];
  /** `null`: the answer holds no section. */
  readonly section: string | null;
};

/** The question that an answer belongs to. */
export type AskedSection = {
  readonly notices: number;
  /** The section as it was asked about, and the page around it. */
  readonly section?: string;
  readonly above?: string;
  readonly below?: string;
};

const verdictLine =
  /^[\s>*_`#|[(-]*(?:notice\s*)?#?(\d{1,3})[\s.):*_`|\]-]*(KEEP|FIX|ADD)\b[\s*_`]*[:.,–—|-]*(?:[\s*_]|`(?=\s|$))*(.*?)[\s|]*$/i;
const bareVerdict = /^[\s>*_`#-]*(KEEP|FIX|ADD)\b[\s*_`]*[:.,–—-]+(?:[\s*_]|`(?=\s|$))*(.*)$/i;

/** The marks around a section. A section that holds the usual ones gets others. */
export function marksFor(section: string): { readonly begin: string; readonly end: string } {
  let suffix = "";
  for (let i = 2; section.toUpperCase().includes(`SECTION${suffix}`) && holdsMark(section, suffix); i++)
    suffix = ` ${i}`;
  return { begin: `BEGIN SECTION${suffix}`, end: `END SECTION${suffix}` };
}

function holdsMark(section: string, suffix: string): boolean {
  return section
    .split("\n")
    .some((line) => ["BEGIN", "END"].some((word) => markLine(`${word} SECTION${suffix}`).test(line)));
}

/** A line that is the mark, in whatever decoration. */
function markLine(mark: string): RegExp {
  const words = mark.replace(/ /g, "[ _]+");
  return new RegExp(`^[\\s>*_\`=#</|\\[-]*${words}[\\s*_\`=#>/|\\]:-]*$`, "i");
}

/**
 * Reads an answer. Models decorate lines, wrap the section in a fence, repeat the question before they answer, change
 * their mind, or send the whole page; all of it is understood. The last word counts.
 */
export function parseSectionAnswer(text: string, asked: AskedSection): SectionAnswer {
  const lines = text.split(/\r?\n/);
  const marks = marksFor(asked.section ?? "");
  const from = lines.findLastIndex((line) => markLine(marks.begin).test(line));
  const to = from < 0 ? -1 : lines.findIndex((line, i) => i > from && markLine(marks.end).test(line));
  const outside = from < 0 ? lines : lines.filter((_, i) => i < from || (to >= 0 && i > to));
  const verdicts = findVerdicts(outside, asked.notices);
  const written = to < 0 ? null : lines.slice(from + 1, to);
  const section = written ? unwrap(written, asked.section ?? "") : from < 0 ? findFenced(lines) : null;
  const also = outside.flatMap(namedLinesIn);
  return { verdicts, also, section: section === null ? null : cutToSection(section, asked) };
}

/** `ALSO line 6: why`, in a line of its own or in the reason of a verdict. */
function namedLinesIn(line: string): NamedLines[] {
  return Array.from(line.matchAll(alsoLines), ([, first, last, reason]) => ({
    firstLine: Number(first) - 1,
    lastLine: Number(last ?? first) - 1,
    reason: reason!.trim(),
  }));
}

const alsoLines =
  /\balso[\s*_:]{1,5}lines?\s(\d{1,5})(?:\s?(?:[-–]|to|and)\s?(\d{1,5}))?[\s*_:.,–—-]{1,5}((?:(?!\balso lines?\s)[^\n]){3,})/gi;

/** Verdicts by number, the last one for each. A question that comes back offers all three words, which is no verdict. */
function findVerdicts(lines: readonly string[], notices: number): Map<number, Verdict> {
  const verdicts = new Map<number, Verdict>();
  if (/^\W*(?:all )?KEEP\W*$/i.test(lines.join("\n")))
    for (let i = 0; i < notices; i++) verdicts.set(i, verdictOf("keep", ""));
  const bare = notices === 1 ? lines.flatMap((line) => bareVerdict.exec(line)?.slice(1) ?? []) : [];
  if (new Set(bare.filter((_, i) => i % 2 === 0).map((word) => word.toUpperCase())).size === 1)
    verdicts.set(0, verdictOf(bare.at(-2)!, bare.at(-1)!));
  for (const line of lines) {
    const [, number, word, reason] = verdictLine.exec(line) ?? [];
    const index = Number(number) - 1;
    if (word !== undefined && index >= 0 && index < notices)
      verdicts.set(index, verdictOf(word, reason ?? ""));
  }
  return verdicts;
}

function verdictOf(word: string, reason: string): Verdict {
  return { word: word.toLowerCase() as Verdict["word"], reason: reason.trim() };
}

const documents = FORMAT_WORDS.join("|");
const wrapping = new RegExp(`^\\s*(\`{3,}|~{3,})(?:${documents}|text)?\\s*$`);
const documentFence = new RegExp(`^(\`{3,}|~{3,})(?:${documents})\\s*$`);

/** The lines of a section without a fence around the whole, unless the section is one. */
function unwrap(lines: readonly string[], asked: string): string {
  const first = lines.findIndex((line) => line.trim() !== "");
  const last = lines.findLastIndex((line) => line.trim() !== "");
  const mark = wrapping.exec(lines[first] ?? "")?.[1];
  const isWrapped = mark !== undefined && last > first && lines[last]!.trim() === mark;
  if (!isWrapped || wrapping.test(asked.trimStart().split("\n", 1)[0] ?? "")) return lines.join("\n");
  const inside = lines.slice(first + 1, last);
  const isNested = inside.filter((line) => line.trim().startsWith(mark)).length % 2 === 0;
  return (isNested ? inside : lines).join("\n");
}

/** The text of a fence around a document that ends an answer without marks. */
function findFenced(lines: readonly string[]): string | null {
  const last = lines.findLastIndex((line) => line.trim() !== "");
  const first = lines.findIndex((line) => documentFence.test(line));
  if (first < 0 || last <= first + 1 || lines[last]!.trim() !== wrapping.exec(lines[first]!)?.[1])
    return null;
  return lines.slice(first + 1, last).join("\n");
}

/** A section without the rest of its page, where an answer holds the page as a whole. */
function cutToSection(text: string, { above = "", below = "" }: AskedSection): string {
  const [head, tail] = [fold(above).trim(), fold(below).trim()];
  const whole = fold(text).trim();
  if (head === "" && tail === "") return text;
  if (!whole.startsWith(head) || !whole.endsWith(tail) || whole.length < head.length + tail.length)
    return text;
  return whole.slice(head.length, whole.length - tail.length);
}

function fold(text: string): string {
  return text.replace(/\r\n?/g, "\n").replace(/(?<![ \t])[ \t]+$/gm, "");
}

import { namesIn } from "../../src/agents/fix/notice-terms.ts";
import {
  isInsideFence,
  type Piece,
  piecesOf,
  type SectionStart,
} from "../../src/agents/gates/section/pieces.ts";
import { fold } from "../../src/drift/change/names.ts";
import type { HumanEdit } from "./human-edits.ts";

/** Wrong versions of a person's section; none where the section offers no place for it. */
export type Mutation = {
  readonly name: string;
  readonly mutate: (edit: HumanEdit) => string | null | readonly string[];
};

export const mutations: readonly Mutation[] = [
  { name: "invented name in inline code", mutate: (edit) => renameSpan(edit, inventName(edit)) },
  { name: "another, existing name", mutate: (edit) => renameSpan(edit, edit.otherNames[0]) },
  { name: "invented flag in prose", mutate: (edit) => appendToProse(edit, ` Pass --${inventFlag(edit)}.`) },
  { name: "invented method in a fence", mutate: (edit) => changeCode(edit, /\.([A-Za-z_]\w{2,})(?=\()/) },
  {
    name: "invented key in a fence",
    mutate: (edit) => changeCode(edit, /(?<=^\s*(?:-\s+)?|[{,(]\s*)([A-Za-z_]\w{2,})(?=\s*:\s|=(?![=>]))/),
  },
  { name: "changed number in a new line", mutate: (edit) => changeNumbers(edit, newNumberLines(edit)) },
  { name: "changed number in an old line", mutate: (edit) => changeNumbers(edit, oldNumberLines(edit)) },
  { name: "added number", mutate: addNumber },
  { name: "negated sentence", mutate: negate },
  { name: "unrelated paragraph deleted", mutate: deleteParagraph },
  { name: "section deleted", mutate: deleteSection },
  {
    name: "one sentence of chatter",
    mutate: ({ after }) => `${after.trimEnd()}\n\nI have updated this section as requested.\n`,
  },
  { name: "25 lines of chatter", mutate: ({ after }) => `${after.trimEnd()}\n\n${chatter()}\n` },
  { name: "unrelated sentences restyled", mutate: restyle },
];

function inventName({ facts, after }: HumanEdit): string {
  const known = namesIn(after);
  const base = known.find((name) => /^[a-z]\w{3,}$/i.test(name)) ?? "retry";
  const endings = ["Strategy", "Window", "Policy", "Budget", "Quota", "Zeal"];
  return endings.map((ending) => base + ending).find((name) => !facts.knows(name)) ?? "frobnicateLater";
}

function inventFlag({ facts }: HumanEdit): string {
  const flags = ["retry-budget", "with-quota", "soft-limit", "zealous-mode"];
  return flags.find((flag) => !facts.knows(flag)) ?? "frobnicate-later";
}

/** The lines that the person wrote, by their number in the new section. */
function addedLines({ before, after }: HumanEdit): number[] {
  const old = new Set(before.split("\n").map((line) => line.trim()));
  const lines = after.split("\n");
  return [...lines.keys()].filter((i) => lines[i]!.trim() !== "" && !old.has(lines[i]!.trim()));
}

function startOf({ path, page, region }: HumanEdit): SectionStart {
  return { path, above: page.slice(0, region.start) };
}

function codeLines(edit: HumanEdit): Set<number> {
  return new Set(
    piecesOf(edit.after, startOf(edit))
      .filter(isInsideFence)
      .map(({ line }) => line),
  );
}

function onLine(after: string, line: number, change: (text: string) => string): string | null {
  const lines = after.split("\n");
  const changed = change(lines[line]!);
  if (changed === lines[line]) return null;
  return [...lines.slice(0, line), changed, ...lines.slice(line + 1)].join("\n");
}

/** The first of some lines that a change applies to. */
function onFirst(after: string, lines: readonly number[], change: (text: string) => string): string | null {
  for (const line of lines) {
    const changed = onLine(after, line, change);
    if (changed !== null) return changed;
  }
  return null;
}

function proseLines(edit: HumanEdit): number[] {
  const code = codeLines(edit);
  return addedLines(edit).filter((line) => !code.has(line));
}

function renameSpan(edit: HumanEdit, name: string | undefined): string | null {
  if (name === undefined) return null;
  return onFirst(edit.after, proseLines(edit), (text) =>
    text.replace(/`[A-Za-z_$][\w$]{2,}(\(\))?`/, (_, call: string | undefined) => `\`${name}${call ?? ""}\``),
  );
}

function appendToProse(edit: HumanEdit, words: string): string | null {
  return onFirst(edit.after, proseLines(edit), (text) =>
    /[a-z]\.\s*$/.test(text) ? text.trimEnd() + words : text,
  );
}

/** Changes a name in a sample: in a line that the person wrote, or in the first one that has such a name. */
function changeCode(edit: HumanEdit, shape: RegExp): string | null {
  const code = codeLines(edit);
  const added = addedLines(edit).filter((line) => code.has(line));
  // A name that a sample declares is the author's, and a comment is no code.
  const isFree = (text: string): boolean =>
    /\b(?:const|let|var|def|func|fn|type)\s|:=|^\s*(?:\/\/|#|\*)/.test(text);
  return onFirst(edit.after, [...added, ...code], (text) =>
    isFree(text)
      ? text
      : text.replace(shape, (found: string, name: string) => found.replace(name, `${name}Zeal`)),
  );
}

/** Prose that the person wrote, and lines of code that were there with another number: new samples are free. */
function newNumberLines(edit: HumanEdit): number[] {
  const code = codeLines(edit);
  const shapeOf = (text: string): string => text.replace(/\d+/g, "0").trim();
  const old = new Set(edit.before.split("\n").map(shapeOf));
  const lines = edit.after.split("\n");
  return addedLines(edit).filter((line) => !code.has(line) || old.has(shapeOf(lines[line]!)));
}

/** Lines of prose and code that the person left alone. */
function oldNumberLines(edit: HumanEdit): number[] {
  const added = new Set(addedLines(edit));
  return [...edit.after.split("\n").keys()].filter((line) => !added.has(line));
}

const mostNumbers = 4;

/** One version for each number of some lines, each with another number in its place. */
function changeNumbers({ after }: HumanEdit, lines: readonly number[]): string[] {
  const shape = /(?<![\w.#/-])\d+(?:\.\d+)?(?![\w/-]|\.\d|[.)]\s)/g;
  const texts = after.split("\n");
  return lines
    .flatMap((line) =>
      Array.from(texts[line]!.matchAll(shape), ({ 0: digits, index }) => ({ line, digits, index })),
    )
    .slice(0, mostNumbers)
    .map(({ line, digits, index }) => {
      const text = texts[line]!;
      const other = text.slice(0, index) + Number(digits) * 10 + 7 + text.slice(index + digits.length);
      return texts.with(line, other).join("\n");
    });
}

/** A sentence of the person that says one number more. */
function addNumber(edit: HumanEdit): string | null {
  return onFirst(edit.after, proseLines(edit), (text) =>
    /[a-z]\.\s*$/.test(text) ? `${text.trimEnd().slice(0, -1)}, at most 7319 times.` : text,
  );
}

function negate(edit: HumanEdit): string | null {
  return onFirst(edit.after, proseLines(edit), (text) =>
    text.replace(/\b(is|are|can|will|must|should|may|does)\b (?!not)/, "$1 not "),
  );
}

/** Paragraphs, list entries and samples that the person left as they were. */
function untouchedBlocks(edit: HumanEdit): Piece[][] {
  const start = startOf(edit);
  const old = new Set(piecesOf(edit.before, start).map(({ text }) => text));
  const blocks = [...Map.groupBy(piecesOf(edit.after, start), ({ block }) => block).values()];
  return blocks.filter((pieces) =>
    pieces.every(({ text }) => old.has(text) && !text.startsWith("#") && text.length > 20),
  );
}

function deleteParagraph(edit: HumanEdit): string | null {
  const victim = untouchedBlocks(edit).find((pieces) => !mentions(edit, pieces));
  if (!victim) return null;
  const lines = edit.after.split("\n");
  const first = victim[0]!.line;
  const others = piecesOf(edit.after, startOf(edit))
    .filter(({ block }) => block !== victim[0]!.block)
    .map(({ line }) => line);
  // A sentence may go over several lines: all of them, up to a blank line or the next paragraph.
  let end = Math.max(...victim.map(({ line }) => line)) + 1;
  while (
    end < lines.length &&
    lines[end]!.trim() !== "" &&
    !others.includes(end) &&
    !/^\s*[`~]{3}/.test(lines[end]!)
  )
    end++;
  return [...lines.slice(0, first), ...lines.slice(end)].join("\n");
}

/** Whether a notice is about some of these sentences, or points at them; to change such sentences may be right. */
function mentions(edit: HumanEdit, pieces: readonly Piece[]): boolean {
  const { before, notices } = edit;
  const terms = new Set(notices.flatMap((notice) => notice.terms.map(fold)));
  const old = piecesOf(before, startOf(edit));
  const isNoticed = (text: string): boolean =>
    old.some(
      (one) =>
        one.text === text &&
        notices.some(({ firstLine, lastLine }) => one.line >= firstLine && one.line <= lastLine),
    );
  // A plural, or a name with another word at its end, is a form of the name.
  const isForm = (name: string): boolean =>
    terms.has(name) || [...terms].some((term) => term.length > 4 && name.startsWith(term));
  return pieces.some(({ text }) => isNoticed(text) || namesIn(text).map(fold).some(isForm));
}

function deleteSection(edit: HumanEdit): string | null {
  if (untouchedBlocks(edit).every((pieces) => mentions(edit, pieces))) return null;
  const [first = ""] = edit.after.split("\n", 1);
  return first.startsWith("#") ? `${first}\n` : null;
}

function chatter(): string {
  const sentences = [
    "It is always a good idea to keep an eye on performance.",
    "Many teams like to start small and grow from there.",
    "Remember that good defaults make life easier for everyone.",
    "When in doubt, read the rest of this guide first.",
    "Feel free to adapt these ideas to your own project.",
  ];
  return Array.from({ length: 25 }, (_, i) => sentences[i % sentences.length]!).join("\n");
}

/** Ways to say the same in other words, or less of it. */
const restylings: readonly ((sentence: string) => string)[] = [
  (sentence) => `Please note that ${sentence[0]!.toLowerCase()}${sentence.slice(1)}`,
  (sentence) => sentence.replace(/\bcan\b/g, "is able to").replace(/\buse\b/g, "make use of"),
  (sentence) => sentence.replace(/, [^,]{8,}(?=[.!?]$)/, ""),
];

/** Up to twelve sentences that the person left alone get other words, in each way that fits one of them. */
function restyle(edit: HumanEdit): string[] {
  const sentences = untouchedBlocks(edit)
    .filter((pieces) => !pieces.some(isInsideFence) && !mentions(edit, pieces))
    .flat()
    .filter(({ text }) => /^[A-Z][a-z]+ /.test(text) && edit.after.includes(text))
    .slice(0, 12);
  return restylings.map((way) =>
    sentences.reduce((text, { text: sentence }) => {
      const at = text.indexOf(sentence);
      return text.slice(0, at) + way(sentence) + text.slice(at + sentence.length);
    }, edit.after),
  );
}

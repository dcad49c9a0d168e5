import { namesIn } from "../../src/agents/fix/notice-terms.ts";
import { isInsideFence, type Piece, piecesOf } from "../../src/agents/gates/pieces.ts";
import type { HumanEdit } from "./human-edits.ts";

/** A wrong version of a person's section; `null` where the section offers no place for it. */
export type Mutation = { readonly name: string; readonly mutate: (edit: HumanEdit) => string | null };

export const mutations: readonly Mutation[] = [
  { name: "invented name in inline code", mutate: (edit) => renameSpan(edit, inventName(edit)) },
  { name: "another, existing name", mutate: (edit) => renameSpan(edit, edit.otherNames[0]) },
  { name: "invented flag in prose", mutate: (edit) => appendToProse(edit, ` Pass --${inventFlag(edit)}.`) },
  { name: "invented method in a fence", mutate: (edit) => changeCode(edit, /\.([A-Za-z_]\w{2,})(?=\()/) },
  {
    name: "invented key in a fence",
    mutate: (edit) => changeCode(edit, /(?<=^|[{,(\s])([A-Za-z_]\w{2,})(?=\s*:\s|=(?![=>]))/),
  },
  { name: "changed number", mutate: changeNumber },
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

function codeLines(after: string): Set<number> {
  return new Set(
    piecesOf(after)
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
  const code = codeLines(edit.after);
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
  const code = codeLines(edit.after);
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

/** Changes a number in prose, or in a line of code that was there with another number: new samples are free. */
function changeNumber(edit: HumanEdit): string | null {
  const code = codeLines(edit.after);
  const shapeOf = (text: string): string => text.replace(/\d+/g, "0").trim();
  const old = new Set(edit.before.split("\n").map(shapeOf));
  const lines = edit.after.split("\n");
  const places = addedLines(edit).filter((line) => !code.has(line) || old.has(shapeOf(lines[line]!)));
  return onFirst(edit.after, places, (text) =>
    text.replace(/(?<![\w.#/-])\d+(?![\w./-]|\.\d|[.)]\s)/, (digits) => String(Number(digits) * 10 + 7)),
  );
}

function negate(edit: HumanEdit): string | null {
  return onFirst(edit.after, proseLines(edit), (text) =>
    text.replace(/\b(is|are|can|will|must|should|may|does)\b (?!not)/, "$1 not "),
  );
}

/** Paragraphs, list entries and samples that the person left as they were. */
function untouchedBlocks({ before, after }: HumanEdit): Piece[][] {
  const old = new Set(piecesOf(before).map(({ text }) => text));
  const blocks = [...Map.groupBy(piecesOf(after), ({ block }) => block).values()];
  return blocks.filter((pieces) =>
    pieces.every(({ text }) => old.has(text) && !text.startsWith("#") && text.length > 20),
  );
}

function deleteParagraph(edit: HumanEdit): string | null {
  const victim = untouchedBlocks(edit).find((pieces) => !mentions(edit, pieces));
  if (!victim) return null;
  const gone = new Set(victim.map(({ line }) => line));
  return edit.after
    .split("\n")
    .filter((_, i) => !gone.has(i))
    .join("\n");
}

/** Whether a notice is about some of these sentences; to delete such sentences may be right. */
function mentions({ notices }: HumanEdit, pieces: readonly Piece[]): boolean {
  const terms = new Set(notices.flatMap((notice) => notice.terms.map((term) => term.toLowerCase())));
  return pieces.some(({ text }) => namesIn(text).some((name) => terms.has(name.toLowerCase())));
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

/** Up to twelve sentences that the person left alone get other words of the same meaning. */
function restyle(edit: HumanEdit): string | null {
  const sentences = untouchedBlocks(edit)
    .filter((pieces) => !pieces.some(isInsideFence) && !mentions(edit, pieces))
    .flat()
    .filter(({ text }) => /^[A-Z][a-z]+ /.test(text) && edit.after.includes(text))
    .slice(0, 12);
  if (sentences.length === 0) return null;
  return sentences.reduce((text, { text: sentence }) => {
    const other = `Please note that ${sentence[0]!.toLowerCase()}${sentence.slice(1)}`;
    const at = text.indexOf(sentence);
    return text.slice(0, at) + other + text.slice(at + sentence.length);
  }, edit.after);
}

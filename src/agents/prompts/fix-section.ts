import { marksFor } from "../fix/section-answer.ts";
import { aboutData, fenceData, oneLine } from "./data.ts";
import { type Prompt, sections } from "./prompt.ts";

/** One thing that the check noticed in a section. */
export type SectionNotice = {
  readonly lines: string;
  readonly kind: string;
  readonly message: string;
  /** The lines that the notice is about. */
  readonly words: string;
  readonly evidence: readonly {
    readonly place: string;
    readonly before: string | undefined;
    readonly after: string | undefined;
  }[];
  /** For something that is gone: its name, and lines of the changed files that still have it. */
  readonly standing?: { readonly name: string; readonly lines: readonly string[]; readonly more: number };
  /** The lines that a rule would change, marked with minus and plus; empty where no rule can. */
  readonly proposal: string;
};

export type SectionQuestion = {
  readonly path: string;
  readonly headings: readonly string[];
  readonly tableHeader: string;
  readonly section: string;
  readonly commits: string;
  readonly code: readonly { readonly label: string; readonly text: string }[];
  readonly notices: readonly SectionNotice[];
  /** Objections that code made to the last answer. They are not opinions. */
  readonly musts?: readonly string[] | undefined;
  /** The answer that they are about. */
  readonly lastAnswer?: string | undefined;
  /** Whether the model can read files. */
  readonly reads?: boolean | undefined;
  /** Remarks of a reviewer on the last answer. */
  readonly suggestions?: readonly string[] | undefined;
};

/** The version of the question. Remembered verdicts of other versions do not count. */
export const sectionPromptVersion = 8;

const verdicts = `For each notice decide one of three:

- KEEP: after the change a reader of the section is not misled, and misses nothing.
- FIX: words of the section are false or no longer work after the change, or teach what the change deprecates; or a signature, a type or an output that the section copies is another now.
- ADD: the section lists or explains things of one kind, and the change adds one that its readers need.

A notice comes from a program that compares names and values. Its place is usually right; its explanation and its proposed words may be wrong. Judge by the code and by what the commit says. Some notices are false alarms: the name belongs to something else, the words tell of the past, or the section says it already. The section is shown as it reads now; the commit may have edited it. Judge only what this change does, and only what a notice is about. The lines of a notice count from the first line of the section as it is shown.`;

const writing = `Then write the section as it should read, between the two marks. Copy everything that no FIX or ADD is about character for character: blank lines, indentation, links, table columns. Change as few words as make it true; write an added entry the way its neighbours are written, in the place where a reader looks for it. State only what the code, the commit or the section shows: a program refuses names and numbers that stand nowhere there, new addresses, links to what does not exist, new comments, active HTML and commands that harm. A name that only other code of the project has must stand in your reason. If a line must change or go that no notice is about, because it repeats what is false or would contradict the new words, say so in a line of its own: ALSO line 6: why. A person then looks at it; other lines must stay. Do not mention the change itself ("now", "updated", "as requested") unless the section is a history. If every notice is KEEP, leave the marks out.`;

const example = `An example. Notices: 1. "the value of \`retries\` is now 5, not 3"; 2. "\`jitter\` is new and missing here"; 3. "\`get\` was renamed to \`fetch\`". Answer:

1 FIX: src/options.ts sets retries to 5.
2 ADD: src/options.ts adds the option jitter, and this section lists the options.
3 KEEP: this \`get\` is the HTTP method.
BEGIN SECTION
## Options

- \`retries\`: how often a request is repeated. Default: 5.
- \`jitter\`: whether delays vary at random. Default: \`false\`.

They hold for every \`get\`.
END SECTION`;

const verdictForm = "Answer with one line for each notice: its number, the word, a colon and one sentence.";

/** Intent: one question for a section; verdicts on its notices, and the section as it should read. */
export function fixSection(question: SectionQuestion): Prompt {
  const { musts = [], lastAnswer = "", suggestions = [], reads = false } = question;
  const { begin, end } = marksFor(question.section);
  const look = reads
    ? "If the code above does not settle it, read on with `read_file` or `search_files`. "
    : "";
  const parted = /^\(section 2[,)]/m.test(question.section)
    ? " Lines such as (section 2) part the sections of the page: copy each of them to its place."
    : "";
  return {
    name: "fix-section",
    version: sectionPromptVersion,
    instructions: `You keep documentation true to its code. A change of the code, a section of a page and some notices follow.

${verdicts}

${verdictForm} ${writing}

${example}

${aboutData}`,
    prompt: sections([
      ...material(question),
      ["Your last answer", lastAnswer === "" ? "" : fenceData("answer", lastAnswer)],
      ["It must be corrected", numbered(musts)],
      ["A reviewer suggests", numbered(suggestions)],
      [
        "Now answer",
        `${look}${countOf(question)} first, then, unless all are KEEP, the section between ${begin} and ${end}. Only lines that a FIX, ADD or ALSO is about may differ from the section above.${parted}`,
      ],
    ]),
  };
}

/** Intent: the same question without the writing, for checks that report and change nothing. */
export function judgeSection(question: SectionQuestion): Prompt {
  return {
    name: "judge-section",
    version: sectionPromptVersion,
    instructions: `You keep documentation true to its code. A change of the code, a section of a page and some notices follow.

${verdicts}

${verdictForm} Write nothing else. An answer to two notices:

1 KEEP: this \`get\` is the HTTP method.
2 FIX: src/options.ts sets retries to 5.

${aboutData}`,
    prompt: sections([...material(question), ["Now answer", `${countOf(question)}.`]]),
  };
}

/** The part that several questions of a run share comes first: the change, then the section and its notices. */
function material(question: SectionQuestion): [string, string][] {
  const { path, headings, tableHeader, section, commits, code, notices } = question;
  const place = [oneLine(path), ...headings.map((name) => oneLine(name))].join(" › ");
  return [
    ["Commits", commits === "" ? "" : fenceData("commits", commits)],
    ["Code", code.map(({ label, text }) => fenceData(label, text)).join("\n\n")],
    ["Section", `${place}\n\n${fenceData(path, section)}`],
    ["Header of its table", tableHeader === "" ? "" : fenceData("header", tableHeader)],
    ["Notices", notices.map((_, i) => printNotice(question, i)).join("\n\n")],
  ];
}

/** A notice with its proof. Notices of one cause share the proof, so it is printed once. */
function printNotice({ notices, section, code }: SectionQuestion, index: number): string {
  const notice = notices[index]!;
  const { lines, kind, message, words, proposal } = notice;
  const above = code.map(({ text }) => text).join("\n");
  const proof = printProof(notice, above);
  const first = notices.findIndex((other) => other.message === message && printProof(other, above) === proof);
  const shown = first === index ? proof : `(the proof of notice ${first + 1})`;
  const isAll = words === section.trim();
  const parts = [`Words of the section: ${isAll ? "all of it" : words}`, ...(proof === "" ? [] : [shown])];
  if (proposal !== "") parts.push(`A rule would change:\n${proposal}`);
  return `Notice ${index + 1}, ${lines} (${kind}):\n${fenceData("notice", `${message}\n${parts.join("\n")}`)}`;
}

const longProof = 200;

/** A long change that stands in the code above is named and not printed again. */
function printProof({ evidence, standing }: SectionNotice, above: string): string {
  const isAbove = (text = ""): boolean => above.includes(text.trim());
  return [
    ...evidence.map((proof) => {
      const at = `In the code, at ${oneLine(proof.place)}`;
      const change = printChange(proof);
      const isLong = change.length > longProof && isAbove(proof.before) && isAbove(proof.after);
      return isLong ? `${at}, as shown above` : `${at}:\n${change}`;
    }),
    ...(standing ? [printStanding(standing)] : []),
  ].join("\n");
}

function printStanding({ name, lines, more }: NonNullable<SectionNotice["standing"]>): string {
  if (lines.length === 0) return `After the change, no changed file of the code has \`${oneLine(name)}\`.`;
  const others = more === 0 ? "" : `\n  (${more} more ${more === 1 ? "line" : "lines"})`;
  const shown = lines.map((line) => `  ${line}`).join("\n");
  return `After the change, the changed files still have \`${oneLine(name)}\`:\n${shown}${others}`;
}

/** One side of a change may be missing: then words say so, which no reader takes for code. */
function printChange({ place, before, after }: SectionNotice["evidence"][number]): string {
  if (after === undefined) return `- ${before}\n(removed)`;
  if (before === undefined) return `+ ${after}\n(added)`;
  if (before !== after) return `- ${before}\n+ ${after}`;
  // A file is named by its path; the page that links to it has moved. Else the change is in another line.
  const isFile = place.startsWith(`${after}:`);
  return `  ${after}\n(${isFile ? "this file stays" : "this line stays; code that it belongs to or uses changes"})`;
}

function countOf({ notices }: SectionQuestion): string {
  return notices.length === 1
    ? "One line for notice 1"
    : `One line for each of the notices 1 to ${notices.length}`;
}

function numbered(items: readonly string[]): string {
  return items.map((item, i) => `${i + 1}. ${item}`).join("\n");
}

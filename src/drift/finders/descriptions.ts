import type { ChangeModel, DocumentPage } from "../change/change-model.ts";
import { isCommon } from "../change/names.ts";
import type { Notice } from "../findings.ts";
import { createPageFinder } from "../pages/mentions.ts";
import type { Fact } from "../surface/compare/fact.ts";
import { plainName } from "../surface/surface-change.ts";

/** A help text or a doc comment that changed, in words. */
type Rewording = {
  readonly fact: Fact;
  readonly name: string;
  readonly old: ReadonlySet<string>;
  /** Words of the old text that the new one lacks. */
  readonly lost: ReadonlySet<string>;
};

const FEWEST_WORDS = 4;
const SHARE = 0.7;
const MOST = 300;

/**
 * The help text, docstring or schema description of a thing changed, and a passage about that thing paraphrases the
 * old text: it has most of its words and one that the new text lacks.
 */
export async function findDescriptions(change: ChangeModel): Promise<Notice[]> {
  const { facts } = await change.surface();
  const rewordings = facts.filter(isReworded).map(toRewording).filter(isTelling).slice(0, MOST);
  if (!rewordings.length) return [];
  const byName = Map.groupBy(rewordings, ({ name }) => name);
  const find = createPageFinder(byName.keys());
  const notices = change.pages.flatMap((page) => {
    const names = new Set(find(page).map(({ name }) => name));
    return [...names].flatMap((name) =>
      byName.get(name)!.flatMap((rewording) => findPassages(change, page, rewording)),
    );
  });
  return markSaidStill(change, notices);
}

/** Whether another thing still has the old text: the page may mean that one. */
async function markSaidStill(change: ChangeModel, notices: readonly Notice[]): Promise<Notice[]> {
  const texts = new Set(notices.map(({ message }) => message.old!));
  const occurrences = await change.input.occurrences([...texts]);
  return notices.map((notice) => {
    const { old = "", new: fresh = "" } = notice.message;
    const isSaid = !fresh.includes(old) && (occurrences.get(old)?.length ?? 0) > 0;
    return isSaid ? { ...notice, features: { ...notice.features, "text said still": 1 } } : notice;
  });
}

function isReworded({ kind, before, from, to }: Fact): boolean {
  return (
    kind === "description-changed" && before?.exported !== "no" && from !== undefined && to !== undefined
  );
}

function toRewording(fact: Fact): Rewording {
  const old = wordsOf(fact.from!);
  const fresh = wordsOf(fact.to!);
  return {
    fact,
    name: plainName(fact.before!.name),
    old,
    lost: new Set([...old].filter((word) => !fresh.has(word))),
  };
}

function isTelling({ old, lost, name }: Rewording): boolean {
  return old.size >= FEWEST_WORDS && lost.size > 0 && name.length > 1;
}

function wordsOf(text: string): Set<string> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}][\p{L}\p{N}_-]*/gu) ?? [];
  return new Set(words.filter((word) => word.length > 2 && !STOP.has(word) && !isCommon(word)));
}

const STOP = new Set(
  "the and for are was were will with that this from into when then than not can may its it's has have been which what where who how use used using also only any all per via you your they them their there here more most some such each other does did done".split(
    " ",
  ),
);

function findPassages(change: ChangeModel, page: DocumentPage, rewording: Rewording): Notice[] {
  const { lines } = page.read();
  const notices: Notice[] = [];
  for (const [index, { text, place }] of lines.entries()) {
    if (place === "blank" || place === "comment" || text.length > 2000) continue;
    const words = wordsOf(text);
    const shared = [...rewording.old].filter((word) => words.has(word)).length;
    const share = shared / rewording.old.size;
    if (share < SHARE || ![...rewording.lost].some((word) => words.has(word))) continue;
    const isNamed = isNearby(page, index, rewording.name);
    if (!isNamed) continue;
    notices.push(toNotice(change, page, index, { rewording, share, extra: words.size - shared }));
  }
  return notices;
}

/** Whether the thing is named on the line or on one of the few lines above it. */
function isNearby(page: DocumentPage, line: number, name: string): boolean {
  const { lines } = page.read();
  for (let at = line; at >= 0 && at > line - 6; at--) if (lines[at]!.text.includes(name)) return true;
  return false;
}

type RewordedLine = { readonly rewording: Rewording; readonly share: number; readonly extra: number };

function toNotice(change: ChangeModel, page: DocumentPage, line: number, passage: RewordedLine): Notice {
  const { fact, name } = passage.rewording;
  const whole = spliceOf(page, line, fact);
  return {
    page,
    line,
    endLine: line,
    tier: "possible",
    kind: "description",
    cause: `description:${fact.id}`,
    message: { what: "described", old: fact.from!, new: fact.to!, owner: name },
    evidence: [
      {
        path: fact.after!.path,
        revision: change.input.head,
        startLine: fact.after!.line,
        endLine: fact.after!.line,
        before: fact.from!,
        after: fact.to!,
      },
    ],
    features: {
      "description share": passage.share,
      "description whole": whole ? 1 : 0,
      "description extra words": Math.min(1, passage.extra / 10),
      [`thing ${fact.before!.kind}`]: 1,
    },
    ...whole,
  };
}

/** The edit that replaces the old text, if the page has it to the letter. */
function spliceOf(page: DocumentPage, line: number, { from, to }: Fact): Pick<Notice, "splice"> | null {
  const here = page.read().lines[line]!;
  const old = from!.trim().replace(/\.$/, "");
  const at = here.text.indexOf(old);
  if (at < 0 || old.length < 8 || /[`|\n\\$]/.test(to!)) return null;
  const region = { start: here.start + at, end: here.start + at + old.length };
  return { splice: { region, text: to!.trim().replace(/\.$/, "") } };
}

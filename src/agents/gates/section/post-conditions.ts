import { gateText } from "../../../wording/agents.ts";
import { findUnseenNames } from "../names.ts";
import { type GateVerdict, merge, type Objection, type Risk } from "../objection.ts";
import { type Changes, findChanges } from "./changes.ts";
import { otherLanguageThan } from "./language.ts";
import { findNewNumbers } from "./numbers.ts";
import { isInsideFence, type Piece } from "./pieces.ts";
import type { SectionPlace } from "./relation.ts";
import { checkSentences, type NamedLines } from "./sentences.ts";
import { compareWords, isAlike, rawWordsOf, shorten } from "./words.ts";

export type { SectionPlace } from "./relation.ts";
export type { NamedLines } from "./sentences.ts";

/** A section that a model wrote, and everything that its new words may come from. */
export type EditedSection = {
  readonly path: string;
  readonly before: string;
  readonly after: string;
  /** The page above the section, which may leave a sample open. */
  readonly above?: string;
  /** The notices that the edit is about: their lines in the section, counted from 0, and the names they are about. */
  readonly notices: readonly SectionPlace[];
  /** Other lines of the section that the model names with a reason. */
  readonly named?: readonly NamedLines[];
  /** The model's reasons for its edit. */
  readonly reasons?: readonly string[];
  /** The code, the commits, the evidence and the proposals that the model was shown. */
  readonly sources: readonly string[];
  /** The whole change of the code: its names count also where the question had no room for them. */
  readonly change?: readonly string[] | undefined;
  /** Whether the code knows a name. */
  readonly knows: (name: string) => boolean;
  /** Whether other pages of the repository use a name. */
  readonly documents?: (name: string) => boolean;
  /** Whether the repository calls or declares a name as a function; without it, every name may be one. */
  readonly calls?: (name: string) => boolean;
};

/**
 * What must hold after a model has edited a section, decided by code: only sentences that a notice is about change, new
 * numbers and names come from what the model was shown, and it does not speak of the edit.
 */
export function checkPostConditions(edited: EditedSection): Partial<GateVerdict> {
  const changes = findChanges(edited);
  const rewrite = checkRewrite(edited, changes);
  if (rewrite.length > 0) return { objections: rewrite };
  const shown = new Set(edited.sources.flatMap(rawWordsOf));
  return merge([
    checkSentences({ ...edited, shown }, changes),
    checkOrigin(edited, changes),
    { objections: [...checkTalk(edited, changes), ...checkLanguage(edited, changes)] },
    { risks: findNegations(edited, changes) },
  ]);
}

const mostPieces = 300;

/** An edit that changes hundreds of sentences, rows or lines is a rewrite, and takes long to judge. */
function checkRewrite({ path }: EditedSection, { removed, added }: Changes): Objection[] {
  if (Math.max(removed.length, added.length) <= mostPieces) return [];
  return [{ gate: "size", path, detail: gateText.rewritten(removed.length, added.length) }];
}

/**
 * New numbers and names must stand in the section as it was or in what the model was shown. A name that only the rest of
 * the repository has may be used where the model's reasons name it. A person is told of such names, and of versions.
 */
function checkOrigin(edited: EditedSection, changes: Changes): Partial<GateVerdict> {
  const { path, before, above, sources, change = [], knows, documents, calls } = edited;
  const numbers = findNewNumbers(edited, changes);
  const unknown = new Set(numbers.filter(({ isVersion }) => !isVersion).map(({ number }) => number));
  const shown = [before, ...sources, ...change].join("\n");
  const given = { added: changes.added, shown, above, knows, documents, calls };
  const reasons = new Set((edited.reasons ?? []).flatMap(rawWordsOf));
  const names = Map.groupBy(findUnseenNames(given), (name) => knows(name) && reasons.has(name));
  return {
    objections: [
      ...[...unknown].map(
        (number) => ({ gate: "numbers", path, detail: gateText.unknownNumber(number) }) as const,
      ),
      ...(names.get(false) ?? []).map(
        (name) => ({ gate: "names", path, detail: gateText.unseenName(name) }) as const,
      ),
    ].slice(0, 6),
    risks: [
      ...numbers
        .filter(({ isVersion }) => isVersion)
        .map(({ text }) => ({ path, what: "version", detail: shorten(text) })),
      ...(names.get(true) ?? []).map((name) => ({ path, what: "name of other code", detail: name })),
    ],
  };
}

const talk =
  /\b(?:I(?:'ve| have)? (?:updated|changed|fixed|rewritten|added|removed|made|corrected)|as (?:you )?(?:requested|asked|instructed)|per your (?:request|instructions)|(?:this|the) (?:section|page|document|text|passage) (?:has been|was|is now) (?:updated|changed|rewritten|revised|corrected)|(?:updated|revised) (?:section|version)\s*:|here is the (?:updated|corrected|revised)|the (?:notice|notices) (?:above|below)|hope this helps|let me know if|certainly!|sure!|as an ai)\b/i;

function checkTalk({ path }: EditedSection, { added }: Changes): Objection[] {
  const found = added.find(({ text }) => talk.test(text));
  return found ? [{ gate: "talk", path, detail: gateText.talk(shorten(found.text)) }] : [];
}

/** A page speaks one language. Models may answer in that of their users or of their makers. */
function checkLanguage({ path, before, above = "" }: EditedSection, { added }: Changes): Objection[] {
  const isOther = otherLanguageThan(`${above}\n${before}`);
  const found = added.find((piece) => !isInsideFence(piece) && isOther(piece.text));
  return found ? [{ gate: "talk", path, detail: gateText.otherLanguage(shorten(found.text)) }] : [];
}

const negation =
  /\b(?:not|never|no longer|cannot|can't|don't|doesn't|isn't|aren't|won't|without|nor|neither)\b(?:\W+\w+)?/gi;

/** A sentence that denies other words than before may say the opposite. Code cannot tell, so a person is told. */
function findNegations({ path }: EditedSection, { removed, added }: Changes): Risk[] {
  return added
    .filter((piece) => !isInsideFence(piece))
    .flatMap((fresh) => {
      const old = closestTo(fresh, removed);
      const turned = deniedIn(fresh.text) !== deniedIn(old?.text ?? "");
      return turned ? [{ path, what: "negation", detail: shorten(fresh.text) }] : [];
    });
}

/** The old sentence that a new one rewords; `null` where there is none. */
function closestTo(fresh: Piece, removed: readonly Piece[]): Piece | null {
  const alike = removed.filter((piece) => isAlike(piece.text, fresh.text));
  const shared = (piece: Piece): number => compareWords(piece.text, fresh.text).both;
  return alike.reduce<Piece | null>(
    (best, one) => (best === null || shared(one) > shared(best) ? one : best),
    null,
  );
}

/** The words that a sentence denies. */
function deniedIn(text: string): string {
  return (text.toLowerCase().match(negation) ?? []).sort().join();
}

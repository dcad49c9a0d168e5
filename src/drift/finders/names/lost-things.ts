import type { ChangeModel, DocumentPage } from "../../change/change-model.ts";
import { type DefinitionGroup, findDefinitionGroups } from "../../change/definitions.ts";
import { fold, isCommon, isDistinct, partsOf } from "../../change/names.ts";
import { flipsMeaning, type Pairing, pairNames } from "../../change/rename-candidates.ts";
import type { Token } from "../../change/tokens.ts";
import type { Notice } from "../../findings.ts";
import { createPace } from "../../pace.ts";
import { findMentions, isTypeHere, type Mention } from "../../pages/mentions.ts";
import { pageOwners } from "../../pages/owners.ts";
import type { Fact } from "../../surface/compare/fact.ts";
import { plainName } from "../../surface/surface-change.ts";
import { createSurvival, type Survival } from "../../surface/survival.ts";
import type { Thing } from "../../surface/thing.ts";

/** With more passages than this, an everyday word is not used as a name. */
const CROWD = 40;

/**
 * The project no longer offers a flag, a variable, a setting, a symbol or a member, and a page names it in that role.
 * The mention must resolve to the thing: `--name` to a flag, `Owner.name` to a member, a key to a setting.
 */
export async function findLostThings(change: ChangeModel): Promise<Notice[]> {
  const { facts, membersOf } = await change.surface();
  const lost = facts.filter(isLoss);
  const isForeign = createForeignLists(membersOf);
  const byName = Map.groupBy(lost, ({ before }) => plainName(before!.name));
  const mentions = findMentions(change.pages, new Set(byName.keys()));
  const survives = createSurvival(change, [...mentions.keys()]);
  const pace = createPace();
  const pairing = pairNames(change);
  const notices: Notice[] = [];
  for (const [name, places] of mentions) {
    const facts = byName.get(name)!;
    if (!isDistinct(name) && places.length > CROWD && facts.every(({ before }) => !isMarked(before!)))
      continue;
    for (const mention of places) {
      await pace();
      const claim = resolve(mention, facts);
      if (!claim || (!isDistinct(name) && isForeign(mention, claim.fact.before!))) continue;
      const survival = await survives(claim.fact.before!);
      if (survival !== "same")
        notices.push(toNotice({ change, mention, claim, survival, pairing: pairing(name) }));
    }
  }
  return notices;
}

const OFFERED = new Set([
  "symbol",
  "member",
  "flag",
  "environment",
  "setting",
  "command",
  "enum-value",
  "error",
]);

function isLoss({ kind, before, cause }: Fact): boolean {
  if (kind !== "removed" && kind !== "renamed" && kind !== "value-removed") return false;
  if (!before || before.exported === "no" || !OFFERED.has(before.kind)) return false;
  return cause === undefined && plainName(before.name).length > 2;
}

/** The form of a flag or of an environment variable is unambiguous. */
function isMarked({ kind }: Thing): boolean {
  return kind === "flag" || kind === "environment";
}

/** A mention of a lost thing, and how clearly it means the thing. */
type Resolution = { readonly fact: Fact; readonly match: "role" | "owner" | "entry" | "name" };

function resolve({ page, line, index }: Mention, facts: readonly Fact[]): Resolution | null {
  const here = page.read().lines[line]!;
  const token = page.tokens(line)[index]!;
  const context = {
    before: here.text.slice(0, token.start),
    after: here.text.slice(token.end),
    isCode:
      here.place === "code" || here.spans.some((one) => one.start <= token.start && token.end <= one.end),
    place: here.place,
  };
  for (const fact of facts) {
    const match = matchOf(page, line, context, fact.before!);
    if (match) return { fact, match };
  }
  return null;
}

type MentionContext = {
  readonly before: string;
  readonly after: string;
  readonly isCode: boolean;
  readonly place: string;
};

function matchOf(
  page: DocumentPage,
  line: number,
  context: MentionContext,
  thing: Thing,
): Resolution["match"] | null {
  const { before, after, isCode, place } = context;
  const marked = isCode || place === "heading" || place === "table";
  switch (thing.kind) {
    case "flag":
      return before.endsWith(thing.name.startsWith("--") ? "--" : "-") && !/^[\w-]/.test(after)
        ? "role"
        : null;
    case "environment":
      return /[A-Z]/.test(thing.name) && (marked || thing.name.includes("_")) ? "role" : null;
    case "setting":
    case "enum-value":
      return marked ? keyMatch(page, line, context, thing) : null;
    case "member":
      return marked ? memberMatch(page, line, context, thing) : null;
    case "command":
      return isCode ? commandMatch(context, thing) : null;
    default:
      return symbolMatch(context, thing, marked);
  }
}

/** A key has its own entry or a value after it, in a section about its owner. */
function keyMatch(
  page: DocumentPage,
  line: number,
  { before, after, place }: MentionContext,
  thing: Thing,
): Resolution["match"] | null {
  const isGiven = /^["'`]?\s*[:=](?![:=])/.test(after);
  const isFirst = /^[\s|#>*+-]*(?:\d+[.)]\s+)?[`*_[<"'.:-]*(?:\w+\.)*$/.test(before);
  // The first word of a line of code is a command or a value, unless it is assigned; `.word =` sets a field of another
  // thing.
  const isEntry = isFirst && (place !== "code" || (isGiven && !/(?<!\w)\.$/.test(before)));
  const isKey = isGiven || /["'`.]$/.test(before);
  if (!isEntry && !isKey && !isDistinct(thing.name)) return null;
  if (isOwned(page, line, thing)) return "owner";
  return isDistinct(thing.name) ? (isEntry ? "entry" : "name") : isEntry ? "entry" : null;
}

function memberMatch(
  page: DocumentPage,
  line: number,
  { before, after }: MentionContext,
  thing: Thing,
): Resolution["match"] | null {
  const owner = /([\p{L}_$][\p{L}\p{N}_$]*)(?:\(\))?(?:\.|::|#|->)$/u.exec(before)?.[1];
  const holder = thing.owner.at(-1);
  if (owner !== undefined && holder !== undefined) {
    if (fold(owner) === fold(holder)) return "role";
    if (isOwned(page, line, thing)) return "owner";
    return isDistinct(thing.name) ? "name" : null;
  }
  if (isOwned(page, line, thing)) return "owner";
  return isDistinct(thing.name) && (/^\(/.test(after) || /[`.]$/.test(before)) ? "name" : null;
}

function commandMatch({ before }: MentionContext, { owner }: Thing): Resolution["match"] | null {
  const program = owner[0];
  return program !== undefined && new RegExp(`\\b${program.replace(/[^\w-]/g, "")}\\s+$`).test(before)
    ? "role"
    : null;
}

function symbolMatch(
  { before, after, isCode }: MentionContext,
  { name }: Thing,
  marked: boolean,
): Resolution["match"] | null {
  if (isDistinct(name)) return marked ? "name" : null;
  if (!isCode || isCommon(name)) return null;
  if (/^\(/.test(after) && !/[.\w]$/.test(before)) return "role";
  return /^\p{Lu}/u.test(name) && isTypeHere(before, after) ? "name" : null;
}

/** Whether the section, its introductory line or the page itself is about the owner of the thing. */
function isOwned(page: DocumentPage, line: number, { owner, path, name: thing }: Thing): boolean {
  const { headings, stem, introduction } = pageOwners(page, line);
  const about = new Set([...headings, ...stem, ...introduction].filter((name) => name.length > 2));
  const file = path.slice(path.lastIndexOf("/") + 1).replace(/\.\w+$/, "");
  // Many owners have a thing of the same everyday name, so the file name is not enough.
  return [...owner, ...(isDistinct(thing) ? [file] : [])].some((name) => {
    const own = fold(name);
    return (
      own.length > 2 &&
      (about.has(own) || about.has(own.replace(/(?:config|options|settings|args|props)$/, "")))
    );
  });
}

/**
 * Whether a mention is an entry among entries for other things: a table, list or run of headings none of whose other
 * entries belonged to the owner.
 */
function createForeignLists(
  membersOf: (owner: readonly string[]) => ReadonlySet<string>,
): (mention: Mention, thing: Thing) => boolean {
  const known = new Map<DocumentPage, readonly DefinitionGroup[]>();
  return ({ page, line }, { owner, name }) => {
    const groups = known.get(page) ?? findDefinitionGroups(page);
    known.set(page, groups);
    const group = groups.find(({ entries }) => entries.some((entry) => entry.line === line));
    if (!group || group.entries.length < 3) return false;
    const beside = new Set([...membersOf(owner)].filter((other) => other !== name).map(fold));
    return !group.entries.some((entry) => entry.line !== line && beside.has(entry.name));
  };
}

type Resolved = {
  readonly change: ChangeModel;
  readonly mention: Mention;
  readonly claim: Resolution;
  readonly survival: Survival;
  /** The new name by the lines of the change. */
  readonly pairing: Pairing;
};

function toNotice({ change, mention: { page, line, index }, claim, survival, pairing }: Resolved): Notice {
  const { fact, match } = claim;
  const thing = fact.before!;
  const token = page.tokens(line)[index]!;
  // A public name is never renamed to a private one: it was removed.
  const isHidden = fact.after?.name.startsWith("_") && !thing.name.startsWith("_");
  const to = fact.kind === "renamed" && !isHidden ? fact.after : undefined;
  const fresh = to && plainName(to.name);
  const isFlipped = fresh !== undefined && flipsMeaning(partsOf(token.text), partsOf(fresh));
  const isDisputed = pairing.shared || (pairing.successor !== null && pairing.successor.name !== fresh);
  return {
    page,
    line,
    endLine: line,
    tier: "likely",
    kind: to ? "rename" : "removal",
    message: {
      what: to ? "renamed" : "removed",
      old: thing.kind === "flag" ? thing.name : token.text,
      ...(to && { new: thing.kind === "flag" ? to.name : fresh! }),
    },
    evidence: [evidenceOf(change, fact)],
    features: {
      "thing lost": 1,
      [`thing ${thing.kind}`]: 1,
      [`claim by ${match}`]: 1,
      [`thing ${thing.kind} by ${match}`]: 1,
      "thing exported": thing.exported === "yes" ? 1 : 0,
      "thing under another owner": survival === "other" ? 1 : 0,
      "rename score": fact.score ?? 0,
      "rename disputed": fresh !== undefined && isDisputed ? 1 : 0,
    },
    ...(fresh !== undefined && !isFlipped && !isDisputed && spliceOf(page, line, token, fresh)),
  };
}

function spliceOf(page: DocumentPage, line: number, token: Token, text: string): Pick<Notice, "splice"> {
  const start = page.read().lines[line]!.start + token.start;
  return { splice: { region: { start, end: start + token.text.length }, text } };
}

function evidenceOf(
  { input, comparisons }: ChangeModel,
  { before, after }: Fact,
): Notice["evidence"][number] {
  const was = lineOf(comparisons.find(({ from }) => from === before!.path)?.before, before!.line);
  if (!after)
    return {
      path: before!.path,
      revision: input.base,
      startLine: before!.line,
      endLine: before!.line,
      before: was,
    };
  const is = lineOf(comparisons.find(({ path }) => path === after.path)?.after, after.line);
  return {
    path: after.path,
    revision: input.head,
    startLine: after.line,
    endLine: after.line,
    before: was,
    after: is,
  };
}

function lineOf(text: string | null | undefined, line: number): string {
  let start = 0;
  for (let at = 1; at < line && text; at++) {
    const next = text.indexOf("\n", start);
    if (next < 0) return "";
    start = next + 1;
  }
  const end = text?.indexOf("\n", start) ?? -1;
  return (text ?? "").slice(start, end < 0 ? undefined : end).replace(/\r$/, "");
}

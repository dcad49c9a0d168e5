import type { ChangeModel } from "../change/change-model.ts";
import { isLivingPath, isTestPath } from "../change/code-path.ts";
import { createContradiction } from "../change/contradiction.ts";
import { isCommon, isDistinct, isKeyword } from "../change/names.ts";
import { rolesOf } from "../change/roles.ts";
import { findSubstitutions, type Site } from "../change/substitutions.ts";
import type { Token } from "../change/tokens.ts";
import { evidenceOf, type Notice } from "../findings.ts";
import { findMentions, type Mention } from "../pages/mentions.ts";

type PhraseMatch = {
  readonly mention: Mention;
  readonly old: string;
  readonly new: string;
  readonly sites: Site[];
  readonly window: string;
  readonly left: number;
  readonly right: number;
  readonly names: number;
};

// A phrase that matches this many lines is grammar, not a claim.
const CROWD = 10;

// A page's declaration of a name is rewritten by another declaration, not by what replaced a use of the name.
const DECLARES = /^(?:class|def|enum|fn|func|function|interface|struct|trait|type)$/;

/**
 * A document has a part of a removed line: the changed name together with its neighbours. The code no longer has that
 * part. The neighbours show that the document means the same thing.
 */
export async function findPhrases(change: ChangeModel): Promise<Notice[]> {
  const substitutions = findSubstitutions(change.sites);
  const contradicts = createContradiction(change);
  const mentions = findMentions(change.pages, new Set(substitutions.keys()));
  const matches: PhraseMatch[] = [];
  for (const [name, places] of mentions)
    for (const mention of places) {
      const match = bestMatch(name, mention, substitutions.get(name)!);
      if (match && !contradicts(name, match.new, substitutions.get(name)!.get(match.new)!))
        matches.push(match);
    }
  const occurrences = await change.input.occurrences([...new Set(matches.map((match) => match.window))]);
  const vanished = matches.filter((match) => !occurrences.get(match.window)?.some(isLivingPath));
  const crowds = Map.groupBy(vanished, (match) => `${match.old}\0${match.new}`);
  return vanished
    .filter((match) => isDistinct(match.old) || crowds.get(`${match.old}\0${match.new}`)!.length <= CROWD)
    .map((match) => toNotice(change, match));
}

function bestMatch(
  name: string,
  mention: Mention,
  successors: ReadonlyMap<string, readonly Site[]>,
): PhraseMatch | null {
  const tokens = mention.page.tokens(mention.line);
  let best: PhraseMatch | null = null;
  for (const [successor, sites] of successors) {
    if (isKeyword(successor) || !sites.some((site) => !isTestPath(site.path))) continue;
    const steady =
      sites.length > 1 && [...successors.values()].every((rival) => rival.length <= sites.length);
    for (const site of sites.slice(0, 60)) {
      if (isInAddress(site)) continue;
      const context = contextOf(tokens, mention.index, site, name);
      if (!context || context.names < neededNames({ name, steady }, { tokens, at: mention.index }, context))
        continue;
      if (context.left === 0 && DECLARES.test(tokens[mention.index - 1]?.text ?? "")) continue;
      if (!saysName(site, name) && (context.names < 4 || site.gaps > 1)) continue;
      if (best && best.left + best.right >= context.left + context.right) {
        if (best.new === successor) best.sites.push(site);
        continue;
      }
      const line = mention.page.read().lines[mention.line]!.text;
      const window = line.slice(
        tokens[mention.index - context.left]!.start,
        tokens[mention.index + context.right]!.end,
      );
      best = { mention, old: name, new: successor, sites: [site], window, ...context };
    }
  }
  return best;
}

/** Whether the changed word is a piece of an address in the removed line. */
function isInAddress({ old, oldTokens, gap }: Site): boolean {
  const start = oldTokens[gap.oldStart]?.start ?? 0;
  return /\bhttps?:\/\/[^\s"'`)>]*$/.test(old.text.slice(0, start));
}

/** Whether the name is code in the removed line, not a word of a comment or a sentence. */
function saysName({ old, oldTokens, gap }: Site, name: string): boolean {
  const roles = rolesOf(old.text, oldTokens);
  return oldTokens.some(
    (token, i) => i >= gap.oldStart && i < gap.oldEnd && token.text === name && roles[i] !== "text",
  );
}

/** A distinct name, or a member spelt with its owner, needs one agreeing neighbour; any other word needs two. */
function neededNames(
  { name, steady }: { name: string; steady: boolean },
  { tokens, at }: { tokens: readonly Token[]; at: number },
  { left, right }: { left: number; right: number },
): number {
  if (isCommon(name) && tokens[at + 1]?.text !== ".") return 4;
  const member = (left > 1 && tokens[at - 1]?.text === ".") || (right > 1 && tokens[at + 1]?.text === ".");
  return steady && (member || isDistinct(name)) ? 1 : 2;
}

/** How far the document agrees with the removed line to both sides of the name. */
function contextOf(
  doc: readonly Token[],
  at: number,
  site: Site,
  name: string,
): { left: number; right: number; names: number } | null {
  let best: { left: number; right: number; names: number } | null = null;
  for (let i = site.gap.oldStart; i < site.gap.oldEnd; i++) {
    if (site.oldTokens[i]!.text !== name) continue;
    let left = 0;
    let right = 0;
    let names = 0;
    while (at - left > 0 && i - left > 0 && doc[at - left - 1]!.text === site.oldTokens[i - left - 1]!.text) {
      left++;
      if (tells(doc[at - left]!)) names++;
    }
    while (
      at + right + 1 < doc.length &&
      i + right + 1 < site.oldTokens.length &&
      doc[at + right + 1]!.text === site.oldTokens[i + right + 1]!.text
    ) {
      right++;
      if (tells(doc[at + right]!)) names++;
    }
    if (!best || left + right > best.left + best.right) best = { left, right, names };
  }
  return best;
}

/** A keyword before a variable or function matches every line. */
function tells({ kind, text }: Token): boolean {
  return kind === "name" && !/^(?:async|await|const|function|let|new|return|var)$/.test(text);
}

function toNotice(change: ChangeModel, match: PhraseMatch): Notice {
  const { page, line, index } = match.mention;
  const start = page.read().lines[line]!.start + page.tokens(line)[index]!.start;
  return {
    page,
    line,
    endLine: line,
    tier: "likely",
    kind: "phrase",
    message: { what: "rewritten", old: match.old, new: match.new },
    evidence: evidenceOf(change, match.sites),
    splice: { region: { start, end: start + match.old.length }, text: match.new },
  };
}

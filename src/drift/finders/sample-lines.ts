import type { ChangeModel, DocumentPage } from "../change/change-model.ts";
import { isTestPath } from "../change/code-path.ts";
import { createContradiction } from "../change/contradiction.ts";
import { inStyle, isCommon, isDistinct, partsOf } from "../change/names.ts";
import { chooseSuccessor, flipsMeaning, type Successor } from "../change/rename-candidates.ts";
import { findSubstitutions, type Site } from "../change/substitutions.ts";
import type { Token } from "../change/tokens.ts";
import { evidenceOf, type Notice } from "../findings.ts";
import { findMentions } from "../pages/mentions.ts";

const NEAR = 3;
/** An import line: import paths are internal. */
const IMPORT = /^\s*(?:import\b|export\b.*\bfrom\s|from\s.*\bimport\b|use\s|#include|.*\brequire\s*\()/;
const AGREED = 3;

/**
 * In a sample that is known to be stale, other names that the change replaced throughout are stale too, even ordinary
 * words. If most mentions of a name get the same replacement, all of them get it.
 */
export function findSampleLines(change: ChangeModel, found: readonly Notice[]): Notice[] {
  return [...findBeside(change, found), ...findAlike(change, found)];
}

function findBeside(change: ChangeModel, found: readonly Notice[]): Notice[] {
  const steady = steadySuccessors(change);
  const substitutions = findSubstitutions(change.sites);
  const notices: Notice[] = [];
  for (const [page, { near, stale, renames }] of linesNear(found)) {
    const kindred = kindredSuccessors(renames, substitutions);
    for (const line of near) {
      page.tokens(line).forEach((token) => {
        const successor =
          token.kind === "name" ? (steady.get(token.text) ?? kindred.get(token.text)) : undefined;
        if (
          !successor ||
          !(stale.has(line) || isDistinct(token.text) || kindred.has(token.text)) ||
          !isCode(page, line, token)
        )
          return;
        notices.push(
          toNotice(
            { page, line, token },
            { name: successor.name, evidence: evidenceOf(change, successor.sites) },
          ),
        );
      });
    }
  }
  return notices;
}

/** The other mentions, as code, of a distinct name that other rules replace in three passages or more, and in most. */
function findAlike({ pages }: ChangeModel, found: readonly Notice[]): Notice[] {
  const phrases = found.filter(
    ({ kind, splice, tier, message: { old } }) =>
      kind === "phrase" && splice && tier !== "possible" && old !== undefined && isDistinct(old),
  );
  const agreed = new Map<string, { readonly notice: Notice; readonly places: number }>();
  for (const [old, told] of Map.groupBy(phrases, ({ message }) => message.old!)) {
    const successors = new Set(told.map(({ message }) => message.new));
    const places = new Set(told.map(({ page, line }) => `${page.path}\0${line}`));
    if (successors.size === 1 && places.size >= AGREED)
      agreed.set(old, { notice: told[0]!, places: places.size });
  }
  const notices: Notice[] = [];
  for (const [old, mentions] of findMentions(pages, new Set(agreed.keys()))) {
    const {
      notice: { message, evidence },
      places,
    } = agreed.get(old)!;
    const marked = mentions
      .map(({ page, line, index }) => ({ page, line, token: page.tokens(line)[index]! }))
      .filter(({ page, line, token }) => isCode(page, line, token));
    if (places * 2 < marked.length) continue;
    for (const { page, line, token } of marked)
      notices.push(toNotice({ page, line, token }, { name: message.new!, evidence }));
  }
  return notices;
}

function isCode(page: DocumentPage, line: number, token: Token): boolean {
  const { place, spans } = page.read().lines[line]!;
  return place === "code" || spans.some((one) => one.start <= token.start && token.end <= one.end);
}

type NamePlace = { readonly page: DocumentPage; readonly line: number; readonly token: Token };
type NewName = { readonly name: string; readonly evidence: Notice["evidence"] };

function toNotice({ page, line, token }: NamePlace, { name, evidence }: NewName): Notice {
  const start = page.read().lines[line]!.start + token.start;
  return {
    page,
    line,
    endLine: line,
    tier: "likely",
    kind: "sample",
    message: { what: "renamed", old: token.text, new: name },
    evidence,
    splice: { region: { start, end: start + token.text.length }, text: name },
  };
}

/**
 * Where `WSGIDispatch` became `WSGITransport`, a variable `dispatch` that became `transport` too, at any place, is
 * its namesake: the word by which the two names differ, in a spelling that the change replaced the same way.
 */
function kindredSuccessors(
  renames: ReadonlyMap<string, string>,
  substitutions: ReadonlyMap<string, ReadonlyMap<string, readonly Site[]>>,
): Map<string, Successor> {
  const kindred = new Map<string, Successor>();
  for (const [old, fresh] of renames) {
    const was = partsOf(old);
    const is = partsOf(fresh);
    const differing = was.flatMap((part, index) => (part === is[index] ? [] : [index]));
    if (was.length !== is.length || was.length < 2 || differing.length !== 1) continue;
    const [at] = differing;
    for (const [name, successor] of [
      [was[at!]!, is[at!]!],
      [inStyle(was, "camel"), inStyle(is, "camel")],
      [inStyle(was, "snake"), inStyle(is, "snake")],
    ] as const) {
      const sites = substitutions.get(name)?.get(successor);
      if (sites && name !== old && !isCommon(name)) kindred.set(name, { name: successor, sites });
    }
  }
  return kindred;
}

/** Names that one new name replaced almost everywhere in the changed files. */
function steadySuccessors(change: ChangeModel): Map<string, Successor> {
  const steady = new Map<string, Successor>();
  const contradicts = createContradiction(change);
  for (const [name, successors] of findSubstitutions(change.sites)) {
    const successor = chooseSuccessor(successors);
    const { before, after } = change.usage(name);
    if (
      !successor ||
      name.length < 3 ||
      isCommon(name) ||
      flipsMeaning(partsOf(name), partsOf(successor.name))
    )
      continue;
    if (
      successor.sites.length < 3 ||
      successor.sites.every(({ old }) => IMPORT.test(old.text)) ||
      after * 3 > before ||
      !successor.sites.some((site) => !isTestPath(site.path)) ||
      contradicts(name, successor.name, successor.sites)
    )
      continue;
    steady.set(name, successor);
  }
  return steady;
}

type Nearby = { near: Set<number>; stale: Set<number>; renames: Map<string, string> };

/** Stale lines, and their neighbours in the same sample. */
function linesNear(found: readonly Notice[]): Map<DocumentPage, Nearby> {
  const pages = new Map<DocumentPage, Nearby>();
  for (const { page, line, tier, splice, message } of found) {
    if (tier === "possible" || !splice) continue;
    const { lines } = page.read();
    const known = pages.get(page) ?? { near: new Set(), stale: new Set(), renames: new Map() };
    pages.set(page, known);
    if (message.old && message.new && /^[\w$-]+$/.test(message.old) && isDistinct(message.old))
      known.renames.set(message.old, message.new);
    known.stale.add(line);
    known.near.add(line);
    for (const step of [-1, 1])
      for (let i = line + step; Math.abs(i - line) <= NEAR && i >= 0 && i < lines.length; i += step) {
        if (lines[line]!.place !== "code" || lines[i]!.place !== "code") break;
        known.near.add(i);
      }
  }
  return pages;
}

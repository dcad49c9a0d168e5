import type { ChangeModel, DocumentPage, NameUsage } from "../../change/change-model.ts";
import { isLivingPath, isProductPath, isTestPath } from "../../change/code-path.ts";
import { inStyle, isDistinct, partsOf, type Style } from "../../change/names.ts";
import { flipsMeaning, type Pairing, type Partner, pairNames } from "../../change/rename-candidates.ts";
import { rolesOf } from "../../change/roles.ts";
import { splitLines, type Token, tokenise } from "../../change/tokens.ts";
import { evidenceOf, evidenceOfRemoval, type Notice } from "../../findings.ts";
import { findMentions, isTypeHere, type Mention } from "../../pages/mentions.ts";
import type { PageLine } from "../../pages/page.ts";

/**
 * A name the change took out of the code stands in a document still.
 * Certain when it is gone from the whole tree and one partner took its place; likely when it lives on only as a
 * retired alias. Two names with one partner, or a rename that flips a yes into a no: pointed at, not edited.
 */
export async function findRenames(change: ChangeModel): Promise<Notice[]> {
  const pairing = pairNames(change);
  const removed = change.removedNames.filter((name) => name.length > 2 && mayBeGone(change, name, pairing));
  const spellings = spell(change, removed, pairing);
  const mentions = findMentions(change.pages, new Set([...removed, ...spellings.keys()]));
  const names = [...mentions.keys()];
  const occurrences = await change.input.occurrences(names);
  const changed = new Set(change.comparisons.map(({ path }) => path));
  const types = findTypeNames(change);
  const { lost } = await change.surface();
  const notices: Notice[] = [];
  for (const name of names) {
    const pair = spellings.get(name) ?? pairing(name);
    const { partner } = pair;
    const elsewhere = (occurrences.get(name) ?? []).filter((path) => !changed.has(path));
    const fate = judgeName(change, { name, partner, elsewhere });
    if (fate === "alive") continue;
    const evidence = partner ? evidenceOf(change, partner.sites) : evidenceOfRemoval(change, name);
    const isOffered = lost(name).some(({ before }) => before?.exported !== "no");
    const reported = mentions
      .get(name)!
      .filter((mention) => isOffered || !declaresIt(mention))
      .map((mention) => toNotice(change, { name, ...pair, fate, evidence, types }, mention))
      .filter((notice) => notice !== null);
    if (isDistinct(name) || reported.length <= CROWD || (fate === "gone" && types.has(name)))
      notices.push(...reported);
  }
  return notices;
}

const OWN = /\b(?:function\*?|def|fn|func|fun|const|let|var|val|class|type|interface|struct)\s+$/;

/** Whether a sample of the page declares the name itself: then it is the reader's, whatever the project called so. */
function declaresIt({ page, line, index }: Mention): boolean {
  const here = page.read().lines[line];
  return here?.place === "code" && OWN.test(here.text.slice(0, page.tokens(line)[index]?.start));
}

// An everyday word on more lines than this is used as a word.
const CROWD = 10;
const STYLES: readonly Style[] = ["camel", "pascal", "snake", "kebab", "constant"];

/** Other spellings of renamed names (`maxRetries` as `--max-retries`), each with its partner in the same style. */
function spell(
  change: ChangeModel,
  removed: readonly string[],
  pairing: (name: string) => Pairing,
): Map<string, Pairing> {
  const spellings = new Map<string, Pairing>();
  for (const name of removed) {
    if (!isDistinct(name) || change.usage(name).after) continue;
    const { partner, shared } = pairing(name);
    if (!partner) continue;
    for (const style of STYLES) {
      const other = inStyle(partsOf(name), style);
      if (other !== name && !change.usage(other).before)
        spellings.set(other, {
          partner: { name: inStyle(partsOf(partner.name), style), sites: partner.sites },
          shared,
        });
    }
  }
  return spellings;
}

/** `untended`: only tests, examples and comments have it still. `replaced`: every changed file took up the partner, though the word lives on in a few files for its own reasons. */
type NameFate = "gone" | "untended" | "retired" | "replaced" | "alive";

/** Whether the pages need be searched for a name at all: one that code has still, and nothing replaced, is alive. */
function mayBeGone(change: ChangeModel, name: string, pairing: (name: string) => Pairing): boolean {
  const usage = change.usage(name);
  if (!isCode(usage)) return false;
  return usage.after === 0 || usage.living === 0 || pairing(name).partner !== null;
}

function isCode({ removed }: NameUsage): boolean {
  return removed.declared + removed.used > 0;
}

/** A removed name, the name that took its place, and the unchanged files that still have it. */
type RemovedName = {
  readonly name: string;
  readonly partner: Partner | null;
  readonly elsewhere: readonly string[];
};

function judgeName(change: ChangeModel, { name, partner, elsewhere }: RemovedName): NameFate {
  const usage = change.usage(name);
  if (!usage.after && !elsewhere.length) return "gone";
  const living = elsewhere.filter(isLivingPath).length;
  if (!living && !usage.living && usage.removed.declared) return "untended";
  // What only tests replaced, the product has replaced by nothing.
  if (!partner || partner.sites.every(({ path }) => isTestPath(path))) return "alive";
  const { length } = partner.sites;
  if (living)
    return living <= 3 && length >= 3 && usage.after * 10 <= usage.before && length * 10 >= usage.before * 6
      ? "replaced"
      : "alive";
  if (usage.retired > 0 && usage.sound === 0 && isDistinct(name)) return "retired";
  if (!usage.retired && isStillDeclared(change, name)) return "alive";
  if (length >= 2 && usage.after * 2 <= usage.before) return "retired";
  return usage.retired > 0 && usage.after < usage.before ? "retired" : "alive";
}

/** Whether a changed file of the product declares the name still, other than to say that it is retired. */
function isStillDeclared(change: ChangeModel, name: string): boolean {
  return change.comparisons.some(
    ({ path, after }) =>
      isProductPath(path) &&
      after?.includes(name) &&
      splitLines(after).some((line) => {
        if (!line.includes(name) || !DECLARES.test(line)) return false;
        const tokens = tokenise(line);
        const roles = rolesOf(line, tokens);
        return tokens.some((token, index) => token.text === name && roles[index] === "declared");
      }),
  );
}

const DECLARES = /\b(class|interface|struct|trait|enum|type|def|fn|func|function)\s/;

/** A name that is no longer what it was. `types`: capitalised names that the change took out as types. */
type LostName = Pairing & {
  readonly name: string;
  readonly fate: NameFate;
  readonly evidence: Notice["evidence"];
  readonly types: ReadonlySet<string>;
};

function toNotice(change: ChangeModel, lost: LostName, { page, line, index }: Mention): Notice | null {
  const { name, partner, shared, fate, evidence, types } = lost;
  const here = page.read().lines[line]!;
  const token = page.tokens(line)[index]!;
  const span = here.spans.some((one) => one.start <= token.start && token.end <= one.end);
  if (name.startsWith("_") && !here.text.includes(`\`${name}`)) return null;
  if (
    name.includes("-") &&
    here.place !== "code" &&
    !span &&
    here.text.slice(token.start - 2, token.start) !== "--"
  )
    return null;
  if (fate === "replaced") {
    if (!isMember(here.text, token.start, token.end)) return null;
  } else if (!isDistinct(name)) {
    if (fate !== "gone" || !change.usage(name).removed.declared) return null;
    const member =
      /[\w)]\.$/.test(here.text.slice(0, token.start)) || /^\.\w/.test(here.text.slice(token.end));
    if (here.place !== "code" && !span && !member) return null;
    const before = here.text[token.start - 1] ?? "";
    const after = here.text.slice(token.end);
    const declares = DECLARING.test(here.text.slice(0, token.start));
    if (declares && here.place === "code" && types.has(name)) return null;
    const named =
      (types.has(name) && isTypeHere(here.text.slice(0, token.start), after)) ||
      before === "." ||
      here.text.slice(token.start - 2, token.start) === "--" ||
      /^\(|^\s*[:=]/.test(after) ||
      /['"`]/.test(before);
    if (!named) return null;
  }
  const marked = here.place === "code" || here.place === "heading" || span;
  const edit = partner && !shared && !flipsMeaning(partsOf(name), partsOf(partner.name));
  return {
    page,
    line,
    endLine: line,
    tier: fate === "gone" && partner && !shared && isDistinct(name) && marked ? "certain" : "likely",
    kind: partner ? "rename" : "removal",
    message: {
      what: partner ? "renamed" : "removed",
      old: name,
      ...(partner ? { new: partner.name } : {}),
      because: fate,
    },
    evidence,
    ...spliceFor(
      { page, line, token },
      { partner: edit ? partner : null, takeOut: fate === "gone" && !partner },
    ),
  };
}

const DECLARED_TYPE =
  /\b(?:class|interface|struct|trait|enum|type|record|object)\s+(\p{Lu}\p{Ll}[\p{L}\p{N}_]*)/gu;
const DECLARING = /\b(?:class|interface|struct|trait|enum|type|record|object)\s+$/;

/** Capitalised names that the change took out where it declared a type: wherever code has one, it means that type. */
function findTypeNames({ comparisons }: ChangeModel): Set<string> {
  const names = new Set<string>();
  for (const { path, rewrites } of comparisons)
    if (isProductPath(path))
      for (const { removed } of rewrites)
        for (const { text } of removed)
          for (const match of text.slice(0, 400).matchAll(DECLARED_TYPE)) names.add(match[1]!);
  return names;
}

/** `thing.name`, `.name` or `name(`: the word stands for a member or a call, not for itself. */
function isMember(text: string, start: number, end: number): boolean {
  return /[\w)`\s]\.$/.test(text.slice(0, start)) || /^(\(|\.\w|::)/.test(text.slice(end));
}

/** The partner in the name's place; or, for a name that is gone, the row or item that is its entry taken out. */
function spliceFor(
  { page, line, token }: { page: DocumentPage; line: number; token: Token },
  { partner, takeOut }: { partner: Partner | null; takeOut: boolean },
): Pick<Notice, "splice"> {
  const { lines } = page.read();
  const { text, start, place } = lines[line]!;
  if (partner)
    return { splice: { region: { start: start + token.start, end: start + token.end }, text: partner.name } };
  if (!takeOut) return {};
  const before = text.slice(0, token.start);
  const entry =
    place === "table"
      ? /^\s*\|?\s*[`*_[-]*$/.test(before)
      : place === "list" && /^\s*[-*+]\s+[`*_[]+(?:--)?$/.test(before) && !continues(lines[line + 1]);
  const end = lines[line + 1]?.start;
  return entry && end !== undefined ? { splice: { region: { start, end }, text: "" } } : {};
}

/** Whether the next line belongs to the same item, so that taking out one line would tear it. */
function continues(next: PageLine | undefined): boolean {
  return next !== undefined && next.place !== "blank" && next.place !== "list" && next.place !== "heading";
}

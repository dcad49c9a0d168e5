import type { ChangeModel, DocumentPage, NameUsage } from "../../change/change-model.ts";
import { isLivingPath, isProductPath, isTestPath } from "../../change/code-path.ts";
import { inStyle, isDistinct, partsOf, type Style } from "../../change/names.ts";
import { flipsMeaning, type Pairing, pairNames, type Successor } from "../../change/rename-candidates.ts";
import { rolesOf } from "../../change/roles.ts";
import { splitLines, type Token, tokenise } from "../../change/tokens.ts";
import { evidenceOf, evidenceOfRemoval, type Notice } from "../../findings.ts";
import { createPace } from "../../pace.ts";
import { findMentioned, findMentions, isTypeHere, type Mention } from "../../pages/mentions.ts";
import type { PageLine } from "../../pages/page.ts";

/**
 * A document still has a name that the change removed from the code.
 * Certain if the whole tree no longer has it and one new name replaced it; likely if only a deprecated alias is left.
 * Two names with the same new name, or a rename that inverts a boolean, are reported without an edit.
 */
export async function findRenames(change: ChangeModel): Promise<Notice[]> {
  const pace = createPace();
  const pairing = pairNames(change);
  const removed = change.removedNames.filter((name) => name.length > 2 && mayBeGone(change, name, pairing));
  const spellings = spell(change, removed, pairing);
  const names = findMentioned(change.pages, new Set([...removed, ...spellings.keys()]));
  await pace();
  const occurrences = await change.input.occurrences(names);
  const changed = new Set(change.comparisons.map(({ path }) => path));
  const types = findTypeNames(change);
  const { lost } = await change.surface();
  const judged = new Map<string, { readonly pair: Pairing; readonly status: NameStatus }>();
  for (const name of names) {
    await pace();
    const pair = spellings.get(name) ?? pairing(name);
    const elsewhere = (occurrences.get(name) ?? []).filter((path) => !changed.has(path));
    const status = judgeName(change, { name, successor: pair.successor, elsewhere });
    if (status !== "alive") judged.set(name, { pair, status });
  }
  const mentions = findMentions(change.pages, new Set(judged.keys()));
  const notices: Notice[] = [];
  for (const [name, { pair, status }] of judged) {
    await pace();
    const { successor } = pair;
    const evidence = successor ? evidenceOf(change, successor.sites) : evidenceOfRemoval(change, name);
    const isOffered = lost(name).some(({ before }) => before?.exported !== "no");
    const reported = mentions
      .get(name)!
      .filter((mention) => isOffered || !declaresIt(mention))
      .map((mention) => toNotice(change, { name, ...pair, status, evidence, types }, mention))
      .filter((notice) => notice !== null);
    if (isDistinct(name) || reported.length <= CROWD || (status === "gone" && types.has(name)))
      notices.push(...reported);
  }
  return notices;
}

const OWN = /\b(?:function\*?|def|fn|func|fun|const|let|var|val|class|type|interface|struct)\s+$/;

/** Whether a sample of the page declares the name itself: then it is the reader's own name. */
function declaresIt({ page, line, index }: Mention): boolean {
  const here = page.read().lines[line];
  return here?.place === "code" && OWN.test(here.text.slice(0, page.tokens(line)[index]?.start));
}

// On more lines than this, an everyday word is just a word.
const CROWD = 10;
const STYLES: readonly Style[] = ["camel", "pascal", "snake", "kebab", "constant"];

/** Other spellings of renamed names (`maxRetries` as `--max-retries`), each with its new name in the same style. */
function spell(
  change: ChangeModel,
  removed: readonly string[],
  pairing: (name: string) => Pairing,
): Map<string, Pairing> {
  const spellings = new Map<string, Pairing>();
  for (const name of removed) {
    if (!isDistinct(name) || change.usage(name).after) continue;
    const { successor, shared } = pairing(name);
    if (!successor) continue;
    for (const style of STYLES) {
      const other = inStyle(partsOf(name), style);
      if (other !== name && !change.usage(other).before)
        spellings.set(other, {
          successor: { name: inStyle(partsOf(successor.name), style), sites: successor.sites },
          shared,
        });
    }
  }
  return spellings;
}

/** `untended`: only tests, examples and comments still have it. `replaced`: every changed file has the new name, and a few other files have the word in another meaning. */
type NameStatus = "gone" | "untended" | "retired" | "replaced" | "alive";

/** Whether pages have to be searched for a name: a name that the code still has and nothing replaced is in use. */
function mayBeGone(change: ChangeModel, name: string, pairing: (name: string) => Pairing): boolean {
  const usage = change.usage(name);
  if (!isCode(usage)) return false;
  return usage.after === 0 || usage.living === 0 || pairing(name).successor !== null;
}

function isCode({ removed }: NameUsage): boolean {
  return removed.declared + removed.used > 0;
}

/** A removed name, its new name, and the unchanged files that still have it. */
type RemovedName = {
  readonly name: string;
  readonly successor: Successor | null;
  readonly elsewhere: readonly string[];
};

function judgeName(change: ChangeModel, { name, successor, elsewhere }: RemovedName): NameStatus {
  const usage = change.usage(name);
  if (!usage.after && !elsewhere.length) return "gone";
  const living = elsewhere.filter(isLivingPath).length;
  if (!living && !usage.living && usage.removed.declared) return "untended";
  // A replacement that occurs only in tests is no replacement in the product.
  if (!successor || successor.sites.every(({ path }) => isTestPath(path))) return "alive";
  const { length } = successor.sites;
  if (living)
    return living <= 3 && length >= 3 && usage.after * 10 <= usage.before && length * 10 >= usage.before * 6
      ? "replaced"
      : "alive";
  if (usage.retired > 0 && usage.sound === 0 && isDistinct(name)) return "retired";
  if (!usage.retired && isStillDeclared(change, name)) return "alive";
  if (length >= 2 && usage.after * 2 <= usage.before) return "retired";
  return usage.retired > 0 && usage.after < usage.before ? "retired" : "alive";
}

/** Whether a changed file of the product still declares the name without marking it as deprecated. */
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

/** A removed, renamed or deprecated name. `types`: capitalised names that the change removed as types. */
type LostName = Pairing & {
  readonly name: string;
  readonly status: NameStatus;
  readonly evidence: Notice["evidence"];
  readonly types: ReadonlySet<string>;
};

function toNotice(change: ChangeModel, lost: LostName, { page, line, index }: Mention): Notice | null {
  const { name, successor, shared, status, evidence, types } = lost;
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
  if (status === "replaced") {
    if (!isMember(here.text, token.start, token.end)) return null;
  } else if (!isDistinct(name)) {
    if (status !== "gone" || !change.usage(name).removed.declared) return null;
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
  const edit = successor && !shared && !flipsMeaning(partsOf(name), partsOf(successor.name));
  return {
    page,
    line,
    endLine: line,
    tier: status === "gone" && successor && !shared && isDistinct(name) && marked ? "certain" : "likely",
    kind: successor ? "rename" : "removal",
    message: {
      what: successor ? "renamed" : "removed",
      old: name,
      ...(successor ? { new: successor.name } : {}),
      because: status,
    },
    evidence,
    ...spliceFor(
      { page, line, token },
      { successor: edit ? successor : null, takeOut: status === "gone" && !successor },
    ),
  };
}

const DECLARED_TYPE =
  /\b(?:class|interface|struct|trait|enum|type|record|object)\s+(\p{Lu}\p{Ll}[\p{L}\p{N}_]*)/gu;
const DECLARING = /\b(?:class|interface|struct|trait|enum|type|record|object)\s+$/;

/** Capitalised names of removed types: in code, such a name always means that type. */
function findTypeNames({ comparisons }: ChangeModel): Set<string> {
  const names = new Set<string>();
  for (const { path, rewrites } of comparisons)
    if (isProductPath(path))
      for (const { removed } of rewrites)
        for (const { text } of removed)
          for (const match of text.slice(0, 400).matchAll(DECLARED_TYPE)) names.add(match[1]!);
  return names;
}

/** `thing.name`, `.name` or `name(`: the word is a member or a call, not an ordinary word. */
function isMember(text: string, start: number, end: number): boolean {
  return /[\w)`\s]\.$/.test(text.slice(0, start)) || /^(\(|\.\w|::)/.test(text.slice(end));
}

/** The edit: the new name, or, for a removed name, the removal of its row or list item. */
function spliceFor(
  { page, line, token }: { page: DocumentPage; line: number; token: Token },
  { successor, takeOut }: { successor: Successor | null; takeOut: boolean },
): Pick<Notice, "splice"> {
  const { lines } = page.read();
  const { text, start, place } = lines[line]!;
  if (successor)
    return {
      splice: { region: { start: start + token.start, end: start + token.end }, text: successor.name },
    };
  if (!takeOut) return {};
  const before = text.slice(0, token.start);
  const entry =
    place === "table"
      ? /^\s*\|?\s*[`*_[-]*$/.test(before)
      : place === "list" && /^\s*[-*+]\s+[`*_[]+(?:--)?$/.test(before) && !continues(lines[line + 1]);
  const end = lines[line + 1]?.start;
  return entry && end !== undefined ? { splice: { region: { start, end }, text: "" } } : {};
}

/** Whether the next line belongs to the same item, so that removing one line would break it. */
function continues(next: PageLine | undefined): boolean {
  return next !== undefined && next.place !== "blank" && next.place !== "list" && next.place !== "heading";
}

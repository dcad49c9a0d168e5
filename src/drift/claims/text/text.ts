import { HOLE } from "../../../syntax/source/literals.ts";
import { defined } from "../../../text/model/defined.ts";
import { boundTo } from "../../binding/bound-by.ts";
import { hasFile } from "../../binding/same-things.ts";
import { findGaps } from "../../change/align.ts";
import type { ChangeModel } from "../../change/change-model.ts";
import { createPageFinder } from "../../pages/mentions.ts";
import {
  isTelling,
  matchSaid,
  maySay,
  rarestOf,
  readSaid,
  type SaidLine,
  type SaidMatch,
  wordsOf,
} from "../../state/said.ts";
import type { State } from "../../state/state.ts";
import type { Drift, Kind, PastStates, Truth } from "../claim.ts";
import { evidenceOf, lineOfOffset } from "../evidence.ts";
import { readTexts, type TextClaim } from "./read.ts";

export const text: Kind<"text", TextClaim> = {
  name: "text",
  docs: "A page quotes a message, an output or a help text that the program no longer has.",
  mayEdit: true,
  rules: ["description"],
  read: readTexts,
  names: ({ says }) => (isTelling(says) ? wordsOf(says) : []),
  touched: findTouched,
  judge,
  // Without a change at hand, a text that no code says may be anybody's.
  isSuspect: async () => false,
  evaluate,
};

/** The quotations of lines that the change took from a file. */
async function findTouched({ input, pages }: ChangeModel): Promise<TextClaim[]> {
  const lost = findLost(input.files);
  if (lost.length === 0) return [];
  const counts = new Map<string, number>();
  for (const { text: line } of lost)
    for (const word of wordsOf(line)) counts.set(word, (counts.get(word) ?? 0) + 1);
  const byWord = Map.groupBy(lost, ({ text: line }) =>
    rarestOf(wordsOf(line), (word) => counts.get(word) ?? 0),
  );
  const find = createPageFinder([...byWord.keys()].filter((word) => word !== ""));
  return pages
    .filter((page) => find(page).length > 0)
    .flatMap((page) =>
      readTexts(page).filter(({ says }) =>
        wordsOf(says).some((word) => byWord.get(word)?.some((said) => matchSaid(said, says).length > 0)),
      ),
    );
}

type ChangedText = { readonly path: string; readonly before: string | null; readonly after: string | null };

/** The lines of texts that no changed file says any more. */
function findLost(files: readonly ChangedText[]): SaidLine[] {
  const said = files.filter(({ path }) => maySay(path));
  const kept = new Set(
    said.flatMap(({ path, after }) => readSaid(path, after ?? "").map((line) => line.text)),
  );
  const before = said.flatMap(({ path, before: was }) => readSaid(path, was ?? ""));
  return before.filter(({ text: line, isData }) => !isData && !kept.has(line) && isTelling(line));
}

async function judge(claim: TextClaim, { base, head }: PastStates): Promise<Drift<TextClaim> | null> {
  const was = base && (await findWhole(claim, base));
  if (!base || !was) return null;
  const now = await head.said.find(claim.says);
  if (now.matches.some((match) => covers(claim, match)) || now.unread.length > 0) return null;
  const successor = await findSuccessor(was.said, { base, head });
  if (successor && bare(successor.text) === bare(was.said.text)) return null;
  // A line that only got longer holds the old one.
  if (!successor?.text.includes(was.said.text) && (await head.said.isWritten(was.said))) return null;
  const repair = successor && !claim.isWrapped ? repairOf(claim, was, successor) : null;
  const old = claim.says.slice(was.start, was.end);
  return {
    claim,
    tier: (await hasFile(was.said.path, head)) ? "likely" : "possible",
    message: { what: "rewritten", old, ...defined({ new: repair ?? undefined }) },
    evidence: [
      await evidenceOf(await lineOf(was.said, base), successor && (await lineOf(successor, head)), {
        base,
        head,
      }),
    ],
    cause: `text:${was.said.path}:${was.said.text}`,
    ...defined({ repair: repair === null ? undefined : within(claim, was, repair) }),
  };
}

async function evaluate(claim: TextClaim, state: State): Promise<Truth> {
  if (!isTelling(claim.says)) return { is: "none", why: "too short for a text of the program" };
  const { matches, unread } = await state.said.find(claim.says);
  const match = matches.find((one) => covers(claim, one));
  if (match)
    return {
      is: "true",
      ...boundTo([{ name: match.said.text, ...(await lineOf(match.said, state)) }], "text"),
    };
  if (unread.length > 0) return { is: "undecidable", why: "too many files have these words" };
  return { is: "none", why: "no text of the program" };
}

/** The line that the quotation repeats best. */
async function findWhole(claim: TextClaim, state: State): Promise<SaidMatch | null> {
  const { matches } = await state.said.find(claim.says);
  const fitting = matches.filter((match) => !match.said.isData && covers(claim, match));
  return fitting.reduce<SaidMatch | null>(
    (best, match) => (best && best.end - best.start >= match.end - match.start ? best : match),
    null,
  );
}

/** Whether the line is what is quoted. An output may have more on its line; a part of a line has four words. */
function covers({ says, form }: TextClaim, { start, end, isPart }: SaidMatch): boolean {
  if (isPart) return form !== "cell" && form !== "code" && says.split(" ").length >= 4;
  if (form === "output") return true;
  // `RuntimeException: …`: the runtime writes the name of the error.
  const name = /^[\w\\.]*(?:Error|Exception|Warning|error|warning):\s+/.exec(says)?.[0] ?? "";
  const share = (end - start) / (says.length - name.length);
  return form === "cell" ? share > 0.95 : share > 0.6;
}

/** A text without its punctuation and capitals: another full stop makes no page false. */
function bare(words: string): string {
  return words
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim()
    .toLowerCase();
}

/** The line in the place of a lost one: behind the same words of code, at the same place among its neighbours. */
async function findSuccessor(
  said: SaidLine,
  { base, head }: { readonly base: State; readonly head: State },
): Promise<SaidLine | null> {
  const [before, after] = [await base.said.lines(said.path), await head.said.lines(said.path)];
  const known = successors.get(before);
  if (known?.after === after) return known.pairs.get(said) ?? null;
  const [was, is] = [(await base.text(said.path)) ?? "", (await head.text(said.path)) ?? ""];
  const pairs = new Map<SaidLine, SaidLine>();
  const gaps = findGaps(
    before.map((line) => line.text),
    after.map((line) => line.text),
  );
  for (const { oldStart, oldEnd, newStart, newEnd } of gaps) {
    const fresh = Map.groupBy(after.slice(newStart, newEnd), (line) => leadOf(is, line));
    const lost = Map.groupBy(before.slice(oldStart, oldEnd), (line) => leadOf(was, line));
    for (const [lead, own] of lost)
      if (fresh.get(lead)?.length === own.length)
        for (const [at, line] of own.entries()) pairs.set(line, fresh.get(lead)![at]!);
  }
  successors.set(before, { after, pairs });
  return pairs.get(said) ?? null;
}

/** The successors of all lines of a file, kept while its lines are. */
const successors = new WeakMap<
  readonly SaidLine[],
  { readonly after: readonly SaidLine[]; readonly pairs: ReadonlyMap<SaidLine, SaidLine> }
>();

/** The code before a text on its line. */
function leadOf(source: string, { start, line }: SaidLine): string {
  const from = source.lastIndexOf("\n", start - 1) + 1;
  return `${line > 0 ? "\n" : ""}${source.slice(from, start).trim()}`;
}

/** The new line as the page would show it; null where its holes or its marks cannot be written there. */
function repairOf(
  { form }: TextClaim,
  { said, fillers, isPart }: SaidMatch,
  successor: SaidLine,
): string | null {
  if (isPart || !/\p{L}{3}/u.test(successor.text)) return null;
  const isSame = successor.holes.length === 0 || successor.holes.join("\0") === said.holes.join("\0");
  if (!isSame || FORBIDDEN[form].test(successor.text)) return null;
  let taken = 0;
  const words = form === "output" ? successor.spaced : successor.text;
  return words.replaceAll(HOLE, () => fillers[taken++] ?? "");
}

const FORBIDDEN: Readonly<Record<TextClaim["form"], RegExp>> = {
  quoted: /["“”|]/,
  marked: /[`|<*_]/,
  code: /[`|]/,
  output: /^$/,
  cell: /[`|<*_]/,
};

/** The words of the claim's region with the new text in the place of the old one. */
function within({ page, places, region }: TextClaim, { start, end }: SaidMatch, fresh: string): string {
  const [from, to] = [places[start]!, places[end - 1]! + 1];
  return page.text.slice(region.start, from) + fresh + page.text.slice(to, region.end);
}

function lineOf({ path, start, line }: SaidLine, state: State) {
  return lineOfOffset(path, start, state, line);
}

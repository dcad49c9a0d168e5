import { stillParses } from "../syntax/check.ts";
import { formatAt } from "../syntax/formats/registry.ts";
import type { Region } from "../text/model/region.ts";
import { applySplices, inOrder, type Splice } from "../text/model/splice.ts";
import type { DocumentPage } from "./change/change-model.ts";
import type { Notice } from "./findings.ts";
import { createPace } from "./pace.ts";
import { fileNamesFor, sampleAround } from "./pages/samples.ts";

/** The same notices, without edits that would break their passage. The passage is still reported. */
export async function dropBreakingEdits(notices: readonly Notice[]): Promise<Notice[]> {
  const kept: Notice[] = [];
  const pace = createPace();
  const samples = findSamples(notices);
  for (const notice of notices) {
    await pace();
    const isBroken = breaks(notice) || (await breaksSample(notice, samples.get(notice)));
    kept.push(isBroken ? withoutEdit(notice) : notice);
  }
  return kept;
}

function withoutEdit({ splice: _, ...notice }: Notice): Notice {
  return notice;
}

function breaks(notice: Notice): boolean {
  if (!notice.splice) return false;
  return unbalances(notice) || escapesString(notice) || leavesArguments(notice) || lacksAwait(notice);
}

/** Whether an edit of a notebook would touch more than plain characters of one JSON string. */
function escapesString({ splice, page }: Notice): boolean {
  if (formatAt(page.path).name !== "notebook") return false;
  const { region, text } = splice!;
  return /["\\\p{Cc}]/u.test(page.text.slice(region.start, region.end) + text);
}

const PAIRS: readonly (readonly [open: string, close: string])[] = [
  ["(", ")"],
  ["[", "]"],
  ["{", "}"],
];

/** Whether brackets or quotes that were balanced before the edit are unbalanced after it. */
function unbalances({ splice, page }: Notice): boolean {
  const { region, text } = splice!;
  const old = page.text.slice(region.start, region.end);
  if (text === "") return false;
  const isOff = (open: string, close: string): boolean =>
    count(old, open) - count(old, close) !== count(text, open) - count(text, close);
  return (
    PAIRS.some(([open, close]) => isOff(open, close)) ||
    ['"', "`"].some((quote) => isOdd(old, quote) !== isOdd(text, quote))
  );
}

function count(text: string, mark: string): number {
  return text.split(mark).length - 1;
}

function isOdd(text: string, mark: string): boolean {
  return count(text, mark) % 2 === 1;
}

/** Whether a call would get a function's new name but keep arguments that the function no longer takes. */
function leavesArguments({ rule, splice, page, evidence: [proof] }: Notice): boolean {
  if (rule !== "rename") return false;
  const { region, text } = splice!;
  const call = listAfter(page.text.slice(region.end, region.end + 500), "");
  const before = listAfter(proof?.before ?? "", page.text.slice(region.start, region.end));
  const after = listAfter(proof?.after ?? "", text);
  if (!call?.length || !before || !after || before.length === after.length) return false;
  // An optional or a rest parameter allows several numbers of arguments.
  const isOpen = after.some((parameter) => /[=?]|\.{3}|\*/.test(parameter.replace(/\w\s*\*/g, "")));
  return call.length > after.length ? !isOpen : call.length === before.length && !isOpen;
}

/** Whether the code now waits for the call, and the page would not. */
function lacksAwait({ splice, page, evidence }: Notice): boolean {
  const { region, text } = splice!;
  if (!/^\s*\(/.test(page.text.slice(region.end, region.end + 20))) return false;
  const [before = ""] = page.text
    .slice(Math.max(0, region.start - NEAR), region.start)
    .split("\n")
    .slice(-1);
  const [after = ""] = page.text.slice(region.end, region.end + NEAR).split("\n", 1);
  if (AWAIT.test(`${before} ${after}`)) return false;
  return evidence.some(
    ({ before: was = "", after: is = "" }) => is.includes(text) && AWAIT.test(is) && !AWAIT.test(was),
  );
}

const AWAIT = /\bawait\b/;
/** As much of a line as is looked at on each side. */
const NEAR = 500;

/** The items in the brackets directly after a name; null if there are none, or they end on a later line. */
function listAfter(text: string, name: string): string[] | null {
  const at = text.indexOf(name) + name.length;
  if (text[at] !== "(" || !text.includes(name)) return null;
  const items: string[] = [""];
  let depth = 0;
  for (const character of text.slice(at).split("\n", 1)[0]!) {
    if ("([{".includes(character)) depth++;
    if (")]}".includes(character)) depth--;
    if (depth === 0) return items.map((item) => item.trim()).filter((item) => item !== "");
    if (character === "," && depth === 1) items.push("");
    else if (depth > 1 || character !== "(") items[items.length - 1] += character;
  }
  return null;
}

/** A sample of a page with the edits in it. */
type Sample = {
  readonly page: DocumentPage;
  readonly region: Region;
  /** A name by which its language is known. */
  readonly path: string;
  readonly splices: Splice[];
  /** Whether it parses with all of them. */
  isWhole?: Promise<boolean>;
};

const LONGEST_SAMPLE = 20_000;
/** As many edits are tried one by one in a sample that does not parse with all of them. */
const MOST_ALONE = 20;

function findSamples(notices: readonly Notice[]): ReadonlyMap<Notice, Sample> {
  const found = new Map<Notice, Sample>();
  let last: Sample | null = null;
  for (const notice of notices) {
    const { splice, page } = notice;
    if (!splice) continue;
    if (last?.page !== page || !isInside(splice.region, last.region)) last = openSample(notice, splice);
    last?.splices.push(splice);
    if (last) found.set(notice, last);
  }
  return found;
}

function openSample({ page, line }: Notice, { region }: Splice): Sample | null {
  const sample = sampleAround(page, line);
  const [path] = sample ? fileNamesFor(sample.language) : [];
  if (!sample || !path || sample.text.length > LONGEST_SAMPLE || !isInside(region, sample.region))
    return null;
  return { page, region: sample.region, path, splices: [] };
}

function isInside(inner: Region, outer: Region): boolean {
  return inner.start >= outer.start && inner.end <= outer.end;
}

/** Whether the sample around the edit parsed before it and does not parse after it. */
async function breaksSample({ splice }: Notice, sample: Sample | undefined): Promise<boolean> {
  if (!splice || !sample) return false;
  sample.isWhole ??= parsesWith(sample, sample.splices);
  if (await sample.isWhole) return false;
  return sample.splices.length > MOST_ALONE || !(await parsesWith(sample, [splice]));
}

async function parsesWith({ page, region, path }: Sample, splices: readonly Splice[]): Promise<boolean> {
  const moved = inOrder(splices).map(({ region: { start, end }, text }) => ({
    region: { start: start - region.start, end: end - region.start },
    text,
  }));
  const before = page.text.slice(region.start, region.end);
  return (await stillParses(path, before, applySplices(before, moved))).ok;
}

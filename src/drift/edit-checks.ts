import { stillParses } from "../syntax/check.ts";
import { formatAt } from "../syntax/formats/registry.ts";
import type { Notice } from "./findings.ts";
import { createPace } from "./pace.ts";
import { fileNamesFor, sampleAround } from "./pages/samples.ts";

/** The same notices, without edits that would break their passage. The passage is still reported. */
export async function dropBreakingEdits(notices: readonly Notice[]): Promise<Notice[]> {
  const kept: Notice[] = [];
  const pace = createPace();
  for (const notice of notices) {
    await pace();
    kept.push((await breaks(notice)) ? withoutEdit(notice) : notice);
  }
  return kept;
}

function withoutEdit({ splice: _, ...notice }: Notice): Notice {
  return notice;
}

async function breaks(notice: Notice): Promise<boolean> {
  if (!notice.splice) return false;
  return (
    unbalances(notice) ||
    escapesString(notice) ||
    leavesArguments(notice) ||
    lacksAwait(notice) ||
    (await breaksSample(notice))
  );
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
function lacksAwait({ splice, page, line, evidence }: Notice): boolean {
  const { region, text } = splice!;
  if (!/^\s*\(/.test(page.text.slice(region.end, region.end + 20))) return false;
  if (AWAIT.test(page.read().lines[line]!.text)) return false;
  return evidence.some(
    ({ before = "", after = "" }) => after.includes(text) && AWAIT.test(after) && !AWAIT.test(before),
  );
}

const AWAIT = /\bawait\b/;

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

/** Whether the sample around the edit parsed before it and does not parse after it. */
async function breaksSample({ splice, page, line }: Notice): Promise<boolean> {
  const sample = sampleAround(page, line);
  const [path] = sample ? fileNamesFor(sample.language) : [];
  if (!sample || !path) return false;
  const { start, end } = sample.region;
  const { region, text } = splice!;
  if (region.start < start || region.end > end || end - start > 20_000) return false;
  const before = page.text.slice(start, end);
  const after = before.slice(0, region.start - start) + text + before.slice(region.end - start);
  return !(await stillParses(path, before, after)).ok;
}

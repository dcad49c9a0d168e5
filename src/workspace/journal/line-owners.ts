import { alignMarks, carryMarks, guessMarks, type MarkedText, markAll } from "../../text/diff/carry-marks.ts";
import { type EntryFile, fileOf, numbersOf, type TaskLineSources } from "../tasks/task-lines.ts";
import type { Entry } from "./entries.ts";
import { entryOf } from "./transaction-log.ts";
import type { TextVersion } from "./version-path.ts";
import type { FileSide } from "./version-store.ts";
import { decodeAny, splicesOf } from "./versions.ts";

/** The entry that wrote a line. 0: no entry, as far as the journal knows. */
export type LineOwner = number;

type OwnedText = MarkedText<LineOwner>;

const unknown = 0;
const unaligned = -1;
const mostKept = 300;

/** The versions that a file had, in order: the owners of the lines of each. */
type Trail = { readonly known: Map<string, OwnedText>; readonly last: OwnedText };

export type LineOwnerSources = TaskLineSources & { readonly isThere: (path: string) => Promise<boolean> };

/**
 * The entry that wrote each line of a text. Lines are carried along with the known splices of every entry, and over changes
 * that no entry recorded, also where another program moved the file. What an undo brings back has the owner that it had.
 */
export async function findLineOwners(
  sources: LineOwnerSources,
  path: string,
  { version, text }: TextVersion,
): Promise<readonly LineOwner[]> {
  const below = Number.POSITIVE_INFINITY;
  const { known, last } = await followFile(sources, path, below);
  const before = known.size > 0 ? last : await followMoved(sources, path, { below, text });
  return (known.get(version) ?? guessMarks(before, text, unknown)).marks;
}

/** More files that are gone are not looked at. */
const MOST_GONE = 20;

/** What is known of the lines of a file under the name that it had before another program moved it. */
async function followMoved(
  sources: LineOwnerSources,
  path: string,
  { below, text }: { readonly below: number; readonly text: string },
): Promise<OwnedText> {
  const index = await sources.journalIndex.lines();
  const earlier = [...index.values()].filter(({ number, state }) => number < below && state === "committed");
  const paths = new Set(earlier.reverse().flatMap(({ files }) => files.map((file) => file.path)));
  const lines = distinctLines(text);
  let best = { owned: markAll("", unknown), share: 0.5 };
  let gone = 0;
  for (const other of paths) {
    if (other === path || gone === MOST_GONE || (await sources.isThere(other))) continue;
    gone++;
    const { last: owned } = await followFile(sources, other, below);
    const own = distinctLines(owned.text);
    const common = [...own].filter((line) => lines.has(line)).length;
    const share = common / Math.max(own.size, lines.size, 1);
    if (share > best.share) best = { owned, share };
  }
  return best.owned;
}

function distinctLines(text: string): Set<string> {
  return new Set(text.split("\n").map((line) => line.trim()));
}

async function followFile(sources: LineOwnerSources, path: string, below: number): Promise<Trail> {
  const index = await sources.journalIndex.lines();
  const known = new Map<string, OwnedText>();
  let last = markAll("", unknown);
  for (const number of numbersOf(path, index, { from: 1, next: below })) {
    const log = await sources.history.log(number);
    const entry = log && entryOf(log);
    const file = log && fileOf(log, path);
    if (!entry || !file) continue;
    last = await ownersAfter(sources, { entry, file }, { known, last });
    const { after } = file.record;
    if (after) known.set(after.version, last);
    const [oldest] = known.keys();
    if (known.size > mostKept) known.delete(oldest!);
  }
  return { known, last };
}

type FollowedEntry = { readonly entry: Entry; readonly file: EntryFile };

async function ownersAfter(
  sources: LineOwnerSources,
  { entry, file }: FollowedEntry,
  trail: Trail,
): Promise<OwnedText> {
  const { log, index, record } = file;
  const { after } = record;
  if (!after) return markAll("", unknown);
  const before = await ownersBefore(sources, file, trail);
  const same = isReturn(entry, record.path) ? trail.known.get(after.version) : undefined;
  if (same) return same;
  const splices = splicesOf(log, index);
  const text = before && splices ? null : await readText(sources, { log, index, side: "after" });
  // Where the texts of an entry are gone, no line is known.
  if (!before || !splices) return markAll(text ?? "", unknown);
  const owned = carryMarks(before, splices, log.number);
  const back = await textTakenBack(sources, { entry, file }, trail);
  if (!back) return owned;
  const earlier = alignMarks(back, owned.text, unaligned);
  const isBack = (i: number) => owned.marks[i] === log.number && earlier[i] !== unaligned;
  return { ...owned, marks: owned.marks.map((mark, i) => (isBack(i) ? earlier[i]! : mark)) };
}

/** The owners in the text that an entry found, and remembers that version. */
async function ownersBefore(
  sources: LineOwnerSources,
  { log, index, record }: EntryFile,
  { known, last }: Trail,
): Promise<OwnedText | null> {
  if (record.from !== undefined) return (await followFile(sources, record.from, log.number)).last;
  if (!record.before) return markAll("", unknown);
  const { version } = record.before;
  const found = known.get(version);
  if (found) return found;
  const text = await readText(sources, { log, index, side: "before" });
  if (text === null) return null;
  const earlier =
    known.size > 0 ? last : await followMoved(sources, record.path, { below: log.number, text });
  const owned = guessMarks(earlier, text, unknown);
  known.set(version, owned);
  return owned;
}

/** Whether an entry put a whole text back rather than wrote one. */
function isReturn({ kind, edits }: Entry, path: string): boolean {
  return kind !== "edit" || edits.every((edit) => edit.path !== path || edit.target === "rewrite");
}

/** The text before the entries that an undo takes back. */
async function textTakenBack(
  { history }: TaskLineSources,
  { entry, file }: FollowedEntry,
  { known }: Trail,
): Promise<OwnedText | undefined> {
  for (const number of (entry.undoes ?? []).map(Number).sort((a, b) => a - b)) {
    const log = await history.log(number);
    const before = log && fileOf(log, file.record.path)?.record.before;
    if (before) return known.get(before.version);
  }
  return undefined;
}

async function readText({ versions }: TaskLineSources, side: FileSide): Promise<string | null> {
  const read = await versions.readSide(side);
  return read.ok && read.value ? (decodeAny(read.value)?.text ?? null) : null;
}

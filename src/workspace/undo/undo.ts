import { accept, type Outcome, type Refusal, refuse } from "../../text/model/outcome.ts";
import type { Change, Plan } from "../../text/model/plan.ts";
import type { CommitContext } from "../commit/commit-context.ts";
import { describeEdit, describeWhole } from "../commit/describe.ts";
import type { FileChange } from "../commit/targets.ts";
import type { PastEntry } from "../journal/history.ts";
import type { JournalIndex } from "../journal/journal-index.ts";
import { decodeAny } from "../journal/versions.ts";
import type { JournalStores } from "../open-root.ts";
import { gate, type PathPolicy } from "../paths/paths.ts";
import { type FileVersion, planWithout, splicesBetween, type UndoPlan } from "./undo-plan.ts";

/**
 * One entry, all entries of a run that are not undone, or the last entry that is not undone. The last entry can be
 * limited to one author and one task.
 */
export type UndoTarget =
  | { readonly entry: string }
  | { readonly run: string }
  | {
      readonly last: true;
      readonly author?: string | undefined;
      readonly task?: string | undefined;
    };

/** The parts of the journal that an undo needs. */
export type UndoSources = Pick<JournalStores, "history" | "journalIndex" | "versions">;

/** Selects the entries that an undo or a redo reverses, newest first. */
export type SelectEntries = (
  sources: UndoSources,
  target: UndoTarget,
  next?: number,
) => Promise<Outcome<PastEntry[]>>;

/** The entries that an undo reverses. Undos and redos are selected only by id. */
export const selectUndo: SelectEntries = async (sources, target, next) => {
  if ("entry" in target) return selectOne(sources, target, next);
  const found: PastEntry[] = [];
  for await (const past of undoCandidates(sources, target, next)) {
    if (!isPlain(past) || past.entry.state === "aborted" || past.undone) continue;
    if ("last" in target ? isBy(past, target) : past.entry.run === target.run) found.push(past);
    if (found.length > 0 && "last" in target) break;
  }
  return found.length > 0 ? accept(found) : refuse(nothingFound(target));
};

async function selectOne(
  { history }: UndoSources,
  target: Extract<UndoTarget, { entry: string }>,
  next?: number,
): Promise<Outcome<PastEntry[]>> {
  const past = await history.find(target.entry, next);
  if (!past || past.entry.state === "aborted") return refuse(nothingFound(target));
  return past.undone ? refuse({ code: "no-change", why: "nothing-to-undo" }) : accept([past]);
}

async function* undoCandidates(
  { history, journalIndex }: UndoSources,
  target: Exclude<UndoTarget, { entry: string }>,
  next?: number,
): AsyncGenerator<PastEntry> {
  if ("last" in target) return yield* history.walk(next);
  const lines = await journalIndex.linesWith(target.run, next);
  yield* history.pick(
    lines.map(({ number }) => number),
    next,
  );
}

/** The undos that a redo reverses. An undo is selected by its own id or by that of an undone entry. */
export const selectRedo: SelectEntries = async ({ history, journalIndex }, target, next) => {
  const undos = (await journalIndex.undoing(next)).filter(({ kind }) => kind === "undo");
  const ofRun = "run" in target ? await idsOfRun(journalIndex, target.run, next) : new Set<string>();
  const selected = undos.filter(({ number, undoes }) => {
    if ("entry" in target) return String(number) === target.entry || undoes.includes(target.entry);
    return "last" in target || undoes.some((id) => ofRun.has(id));
  });
  const found: PastEntry[] = [];
  const numbers = selected.map(({ number }) => number);
  for await (const past of history.pick(numbers, next)) {
    if (past.undone || past.entry.state === "aborted") continue;
    if (!("last" in target) || isBy(past, target)) found.push(past);
    if (found.length > 0 && !("run" in target)) break;
  }
  return found.length > 0 ? accept(found) : refuse(nothingFound(target));
};

async function idsOfRun(index: JournalIndex, run: string, next?: number): Promise<Set<string>> {
  const lines = await index.linesWith(run, next);
  return new Set(lines.filter((line) => line.run === run).map(({ number }) => String(number)));
}

function isPlain({ entry }: PastEntry): boolean {
  return entry.kind === "edit" || entry.kind === "restore";
}

function isBy({ entry }: PastEntry, { author, task }: Extract<UndoTarget, { last: true }>): boolean {
  return (author === undefined || entry.author === author) && (task === undefined || entry.task === task);
}

function nothingFound(target: UndoTarget): Refusal {
  if ("last" in target) return { code: "no-change", why: "nothing-to-undo" };
  return { code: "not-found", what: "entry", detail: "entry" in target ? target.entry : target.run };
}

/** The changes that undo entries. */
export async function prepareUndo(
  context: CommitContext,
  entries: readonly PastEntry[],
  { sources, policy }: { sources: UndoSources; policy: PathPolicy },
): Promise<Outcome<{ changes: FileChange[]; removes: readonly string[] }>> {
  const planned = await planWithout(context, sources, entries);
  if (!planned.ok) return planned;
  const changes: FileChange[] = [];
  for (const { path, before, after } of planned.value.files) {
    const change = prepareReplacement({ path, before, after }, policy);
    if (!change.ok) return change;
    changes.push(change.value);
  }
  if (changes.length === 0) return refuse({ code: "no-change", why: "nothing-to-undo" });
  return accept({ changes, removes: planned.value.removes });
}

/** The change of one file from one version to another. */
export function prepareReplacement(
  { path, before, after }: UndoPlan["files"][number],
  policy: PathPolicy,
): Outcome<FileChange> {
  // An undo passes the same gate as an edit, except that consent was given when the edit was made.
  const gated = gate(path, "write", { ...policy, consent: true });
  if (!gated.ok) return gated;
  const text = before.bytes ? decodeAny(before.bytes)?.text : undefined;
  const described =
    text !== undefined && after.bytes
      ? describeEdit(text, splicesBetween(before, after), { regions: [], recorded: false })
      : describeWhole(before.bytes === null && after.bytes ? (decodeAny(after.bytes)?.text ?? "") : "");
  const bytes = after.bytes && { bytes: after.bytes, mode: after.mode };
  return accept({ gated: gated.value, expected: before.version, after: bytes, ...described });
}

/** An undo plan as a preview. */
export function showPlan({ files }: UndoPlan): Plan {
  return {
    edits: [],
    landings: [],
    changes: files.map(showChange),
  };
}

export function showChange({ path, before, after }: UndoPlan["files"][number]): Change {
  const [old, fresh] = [textOf(before), textOf(after)];
  const splices = old !== null && fresh !== null ? splicesBetween(before, after) : wholeSplices(old, fresh);
  const executable = (after.mode & 0o111) !== 0;
  const mode =
    before.bytes && after.bytes && before.mode !== after.mode
      ? { mode: executable ? ("executable" as const) : ("regular" as const) }
      : {};
  return { path, before: { path, text: old, version: before.version }, splices, after: fresh, ...mode };
}

function textOf({ bytes }: FileVersion): string | null {
  return bytes ? (decodeAny(bytes)?.text ?? "") : null;
}

function wholeSplices(old: string | null, fresh: string | null): Change["splices"] {
  return [{ region: { start: 0, end: old?.length ?? 0 }, text: fresh ?? "" }];
}

import { accept, type Outcome, type Refusal, refuse } from "../../text/model/outcome.ts";
import type { Change, Plan } from "../../text/model/plan.ts";
import type { CommitContext } from "../commit/commit-context.ts";
import { describeEdit, describeWhole } from "../commit/describe.ts";
import type { FileChange } from "../commit/targets.ts";
import type { History, PastEntry } from "../journal/history.ts";
import { decodeAny } from "../journal/versions.ts";
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

/** The entries that an undo reverses, newest first. Undos and redos are selected only by id. */
export async function selectUndo(
  history: History,
  target: UndoTarget,
  next?: number,
): Promise<Outcome<PastEntry[]>> {
  const found: PastEntry[] = [];
  for await (const past of history.walk(next)) {
    const { entry, undone } = past;
    const isSelected =
      "entry" in target
        ? entry.id === target.entry
        : isPlain(past) && ("last" in target ? isBy(past, target) : entry.run === target.run);
    if (!isSelected || entry.state === "aborted") continue;
    if (undone && "entry" in target) return refuse({ code: "no-change", why: "already-applied" });
    if (!undone) found.push(past);
    if (found.length > 0 && !("run" in target)) break;
  }
  return found.length > 0 ? accept(found) : refuse(nothingFound(target));
}

/** The undos that a redo reverses, newest first. An undo is selected by its own id or by that of an undone entry. */
export async function selectRedo(
  history: History,
  target: UndoTarget,
  next?: number,
): Promise<Outcome<PastEntry[]>> {
  const found: PastEntry[] = [];
  const ofRun = new Set<string>();
  if ("run" in target)
    for await (const { entry } of history.walk(next)) if (entry.run === target.run) ofRun.add(entry.id);
  for await (const past of history.walk(next)) {
    const { entry, undone } = past;
    if (entry.kind !== "undo" || entry.state === "aborted" || undone) continue;
    const undoes = entry.undoes ?? [];
    const isSelected =
      "entry" in target
        ? entry.id === target.entry || undoes.includes(target.entry)
        : "last" in target
          ? isBy(past, target)
          : undoes.some((id) => ofRun.has(id));
    if (isSelected) found.push(past);
    if (found.length > 0 && !("run" in target)) break;
  }
  return found.length > 0 ? accept(found) : refuse(nothingFound(target));
}

function isPlain({ entry }: PastEntry): boolean {
  return entry.kind === "edit" || entry.kind === "restore";
}

function isBy({ entry }: PastEntry, { author, task }: Extract<UndoTarget, { last: true }>): boolean {
  return (author === undefined || entry.author === author) && (task === undefined || entry.task === task);
}

function nothingFound(target: UndoTarget): Refusal {
  if ("last" in target) return { code: "no-change", why: "nothing-asked" };
  return { code: "not-found", what: "entry", detail: "entry" in target ? target.entry : target.run };
}

/** The changes that undo entries. */
export async function prepareUndo(
  context: CommitContext,
  entries: readonly PastEntry[],
  { history, policy }: { history: History; policy: PathPolicy },
): Promise<Outcome<{ changes: FileChange[]; removes: readonly string[] }>> {
  const planned = await planWithout(context, history, entries);
  if (!planned.ok) return planned;
  const changes: FileChange[] = [];
  for (const { path, before, after } of planned.value.files) {
    const change = prepareReplacement({ path, before, after }, policy);
    if (!change.ok) return change;
    changes.push(change.value);
  }
  if (changes.length === 0) return refuse({ code: "no-change", why: "already-applied" });
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

import { accept, type Outcome, refuse } from "../../text/model/outcome.ts";
import type { Change, Plan } from "../../text/model/plan.ts";
import type { Site } from "../commit/commit-context.ts";
import { describeEdit, describeWhole } from "../commit/describe.ts";
import type { FileChange } from "../commit/targets.ts";
import type { History, Past } from "../journal/history.ts";
import { decodeAny } from "../journal/versions.ts";
import { gate, type PathPolicy } from "../paths/paths.ts";
import { type Draft, planWithout, splicesBetween, type UndoPlan } from "./undo-plan.ts";

/** An entry, all entries of a run that stand, or the last one that stands. */
export type UndoTarget = { readonly entry: string } | { readonly run: string } | { readonly last: true };

/** The entries that an undo is about, newest first. Undos and redos are undone by redoing and undoing. */
export async function selectUndo(
  history: History,
  target: UndoTarget,
  next?: number,
): Promise<Outcome<Past[]>> {
  const found: Past[] = [];
  for await (const past of history.walk(next)) {
    const { entry, undone } = past;
    const isMeant =
      "entry" in target
        ? entry.id === target.entry
        : isPlain(past) && ("last" in target || entry.run === target.run);
    if (!isMeant || entry.state === "aborted") continue;
    if (undone && "entry" in target) return refuse({ code: "no-change", why: "already-applied" });
    if (!undone) found.push(past);
    if (found.length > 0 && !("run" in target)) break;
  }
  return found.length > 0 ? accept(found) : refuse(nothingFound(target));
}

/** The undos that a redo takes back, newest first: one by its own id or by an entry that it has undone. */
export async function selectRedo(
  history: History,
  target: UndoTarget,
  next?: number,
): Promise<Outcome<Past[]>> {
  const found: Past[] = [];
  const ofRun = new Set<string>();
  if ("run" in target)
    for await (const { entry } of history.walk(next)) if (entry.run === target.run) ofRun.add(entry.id);
  for await (const past of history.walk(next)) {
    const { entry, undone } = past;
    if (entry.kind !== "undo" || entry.state === "aborted" || undone) continue;
    const undoes = entry.undoes ?? [];
    const isMeant =
      "entry" in target
        ? entry.id === target.entry || undoes.includes(target.entry)
        : "last" in target || undoes.some((id) => ofRun.has(id));
    if (isMeant) found.push(past);
    if (found.length > 0 && !("run" in target)) break;
  }
  return found.length > 0 ? accept(found) : refuse(nothingFound(target));
}

function isPlain({ entry }: Past): boolean {
  return entry.kind === "edit" || entry.kind === "restore";
}

function nothingFound(target: UndoTarget): Parameters<typeof refuse>[0] {
  if ("last" in target) return { code: "no-change", why: "nothing-asked" };
  return { code: "not-found", what: "entry", detail: "entry" in target ? target.entry : target.run };
}

/** What undoing entries would do, as changes that can be committed. */
export async function readyUndo(
  site: Site,
  history: History,
  entries: readonly Past[],
  policy: PathPolicy,
): Promise<Outcome<{ changes: FileChange[]; removes: readonly string[] }>> {
  const planned = await planWithout(site, history, entries);
  if (!planned.ok) return planned;
  const changes: FileChange[] = [];
  for (const { path, before, after } of planned.value.files) {
    const change = readyDraft(path, before, after, policy);
    if (!change.ok) return change;
    changes.push(change.value);
  }
  if (changes.length === 0) return refuse({ code: "no-change", why: "already-applied" });
  return accept({ changes, removes: planned.value.removes });
}

/** A change of one file from one draft to another. */
export function readyDraft(
  path: string,
  before: Draft,
  after: Draft,
  policy: PathPolicy,
): Outcome<FileChange> {
  // Nothing is undone that could not be done: the gate is the same, except that consent was given then.
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

/** The same for people to look at. */
export function showPlan({ files }: UndoPlan): Plan {
  return {
    edits: [],
    landings: [],
    changes: files.map(({ path, before, after }) => showChange(path, before, after)),
  };
}

export function showChange(path: string, before: Draft, after: Draft): Change {
  const [old, fresh] = [textOf(before), textOf(after)];
  const splices = old !== null && fresh !== null ? splicesBetween(before, after) : wholeSplices(old, fresh);
  const executable = (after.mode & 0o111) !== 0;
  const mode =
    before.bytes && after.bytes && before.mode !== after.mode
      ? { mode: executable ? ("executable" as const) : ("regular" as const) }
      : {};
  return { path, before: { path, text: old, version: before.version }, splices, after: fresh, ...mode };
}

function textOf({ bytes }: Draft): string | null {
  return bytes ? (decodeAny(bytes)?.text ?? "") : null;
}

function wholeSplices(old: string | null, fresh: string | null): Change["splices"] {
  return [{ region: { start: 0, end: old?.length ?? 0 }, text: fresh ?? "" }];
}

import { defined } from "../../text/model/defined.ts";
import { accept, type Outcome, refuse } from "../../text/model/outcome.ts";
import { absent, versionOf } from "../files/content.ts";
import { backupPath } from "../journal/backup-files.ts";
import type { Entry, FileRecord, FileState } from "../journal/entries.ts";
import type { EntryMetadata } from "../journal/entry-metadata.ts";
import { type JournalRecord, printRecord } from "../journal/records.ts";
import { isSound } from "../journal/saved-copies.ts";
import { entryFrom, type Intent, logName, type Texts } from "../journal/transaction-log.ts";
import { decodeAny } from "../journal/versions.ts";
import { gate, type PathPolicy } from "../paths/paths.ts";
import { replaceFile } from "../state/state.ts";
import { currentVersion, type FileVersion, splicesBetween } from "../undo/undo-plan.ts";
import { type CommitContext, lookAt } from "./commit-context.ts";
import { type ChangeDescription, describeEdit, describeWhole } from "./describe.ts";
import type { HeldLock } from "./lock.ts";

/** A file that another program has changed: its bytes and mode before. `null`: there was no file. */
export type OutsideChange = {
  readonly path: string;
  readonly before: { readonly bytes: Uint8Array; readonly mode: number } | null;
};

export type OutsideRequest = {
  readonly number: number;
  readonly previous: string;
  readonly metadata: EntryMetadata;
  readonly changes: readonly OutsideChange[];
  readonly policy: PathPolicy;
};

export type RecordedOutside = { readonly entry: Entry; readonly head: string; readonly grown: number };

type ObservedChange = {
  readonly path: string;
  readonly before: FileVersion;
  readonly after: FileVersion;
  readonly described: ChangeDescription;
};

/**
 * Puts changes that another program has made into the journal, so that they can be shown and undone. No file of the
 * user is written. The old bytes are durable before the entry, and the entry appears whole, under its final name.
 */
export async function recordOutside(
  context: CommitContext,
  lock: HeldLock,
  request: OutsideRequest,
): Promise<Outcome<RecordedOutside>> {
  const seen: ObservedChange[] = [];
  for (const change of request.changes) {
    const found = await observeChange(context, change, request.policy);
    if (!found.ok) return found;
    if (found.value) seen.push(found.value);
  }
  if (seen.length === 0) return refuse({ code: "no-change", why: "same-text" });
  let grown = 0;
  for (const { before } of seen) grown += await saveBefore(context, before);
  const intent = intentOf(context, request, seen);
  const { bytes, head } = printLog(
    lock.epoch,
    intent,
    seen.map(({ described }) => described.texts),
  );
  const { files, state, durability, backups } = context;
  const flush = durability === "full" ? "both" : "none";
  const name = logName(request.number, { pending: false });
  await replaceFile(files, { dir: state.journal, name, bytes, flush });
  for (const { path, before } of seen)
    if (before.bytes) await backups.add({ id: intent.id, path, version: before.version });
  return accept({ entry: entryFrom(intent, "committed"), head, grown: grown + bytes.length });
}

/** A change as the disk shows it; `null` where the file is as it was. */
async function observeChange(
  context: CommitContext,
  { path, before }: OutsideChange,
  policy: PathPolicy,
): Promise<Outcome<ObservedChange | null>> {
  const gated = gate(path, "write", policy);
  if (!gated.ok) return gated;
  const looked = await lookAt(context, gated.value.names);
  if (!looked.ok) return looked;
  const after: FileVersion = { ...currentVersion(looked.value.content), splices: null };
  const old: FileVersion = before
    ? { bytes: before.bytes, version: versionOf(before.bytes), mode: before.mode, splices: [] }
    : { bytes: null, version: absent, mode: 0, splices: [] };
  if (old.version === after.version && (old.mode === after.mode || !old.bytes)) return accept(null);
  return accept({ path: gated.value.path, before: old, after, described: describe(old, after) });
}

function describe(before: FileVersion, after: FileVersion): ChangeDescription {
  const text = before.bytes ? decodeAny(before.bytes)?.text : undefined;
  if (text === undefined || !after.bytes)
    return describeWhole(before.bytes === null && after.bytes ? (decodeAny(after.bytes)?.text ?? "") : "");
  const splices = splicesBetween(before, after);
  return describeEdit(text, splices, { regions: splices.map(({ region }) => region), recorded: true });
}

async function saveBefore(context: CommitContext, { bytes, version }: FileVersion): Promise<number> {
  if (!bytes || (await isSound(context, version))) return 0;
  const { files, state, durability } = context;
  const flush = durability === "full" ? "both" : "none";
  await replaceFile(files, { dir: state.blobs, name: version, bytes, flush });
  return bytes.length;
}

function intentOf(
  { durability, limits }: CommitContext,
  { number, previous, metadata }: OutsideRequest,
  seen: readonly ObservedChange[],
): Intent {
  const id = String(number);
  const files = seen.map(
    ({ path, before, after, described }): FileRecord => ({
      path,
      before: stateOf(before),
      after: stateOf(after),
      ...described.details,
      ...defined({ backup: before.bytes ? backupPath(id, path) : undefined }),
    }),
  );
  return {
    ...metadata,
    id,
    format: 1,
    previous,
    durability: { level: durability, limits },
    files,
    steps: files.map(() => ({})),
    makes: [],
    removes: [],
  };
}

function stateOf({ bytes, version, mode }: FileVersion): FileState | null {
  return bytes ? { version, mode, size: bytes.length } : null;
}

/** A finished log: the records that a transaction of ours would leave. */
function printLog(epoch: number, intent: Intent, texts: Texts): { bytes: Uint8Array; head: string } {
  const records: readonly Pick<JournalRecord, "type" | "body">[] = [
    { type: "begin", body: intent },
    { type: "texts", body: texts },
    { type: "commit", body: {} },
    { type: "done", body: {} },
  ];
  let [text, head] = ["", ""];
  for (const { type, body } of records) {
    const record = printRecord({ type, epoch, body, previous: head });
    text += record.text;
    head = record.hash;
  }
  return { bytes: new TextEncoder().encode(text), head };
}

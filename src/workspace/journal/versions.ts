import { decode, type Encoding, spliceBytes } from "../../text/model/encoding.ts";
import { accept, type Outcome, refuse } from "../../text/model/outcome.ts";
import { applySplices, type Splice } from "../../text/model/splice.ts";
import { versionOf } from "../files/content.ts";
import type { StateAccess } from "../state/state.ts";
import { readGcHorizon } from "./gc-horizon.ts";
import type { History } from "./history.ts";
import { readSavedCopy } from "./saved-copies.ts";
import type { TransactionLog } from "./transaction-log.ts";

/** A text with its bytes and encoding, so that it can be written back byte for byte. */
export type DecodedFile = { readonly bytes: Uint8Array; readonly text: string; readonly encoding: Encoding };

/** The text of bytes. Stray bytes are kept, so that every text file can be decoded. */
export function decodeAny(bytes: Uint8Array): DecodedFile | null {
  const strict = decode(bytes);
  const decoded = strict.ok ? strict : decode(bytes, { strayBytes: "keep" });
  return decoded.ok ? { bytes, ...decoded.value } : null;
}

/** The splices of an entry's `index`-th file with their texts; `null` where the log does not have them. */
export function splicesOf({ intent, texts }: TransactionLog, index: number): Splice[] | null {
  const record = intent?.files[index];
  const inserted = texts?.[index]?.inserted;
  if (!record || !inserted || inserted.length !== record.splices.length) return null;
  return record.splices.map(({ start, end }, i) => ({ region: { start, end }, text: inserted[i] ?? "" }));
}

/** One file of an entry, before or after it. */
export type FileSide = {
  readonly log: TransactionLog;
  readonly index: number;
  readonly side: "before" | "after";
};

/** The bytes of one file before or after an entry; `null` where there was no file. */
export async function readSide(
  access: StateAccess,
  { log, index, side }: FileSide,
): Promise<Outcome<Uint8Array | null>> {
  const wanted = log.intent?.files[index]?.[side];
  if (!wanted) return accept(null);
  const copy = await readSavedCopy(access, wanted.version);
  if (copy.ok) return copy;
  const derived = side === "after" ? await deriveAfter(access, log, index) : null;
  if (derived && versionOf(derived) === wanted.version) return accept(derived);
  if (log.number >= (await readGcHorizon(access))) return copy;
  return refuse({ code: "unavailable", detail: `gc has removed the saved copies of entry ${log.number}` });
}

/** The text of a version that an entry found or wrote. */
export async function textOfVersion(
  access: StateAccess,
  history: History,
  { path, version }: { readonly path: string; readonly version: string },
): Promise<string | null> {
  for await (const { entry, log } of history.walk()) {
    const index = entry.files.findIndex((file) => file.path === path);
    for (const side of ["before", "after"] as const) {
      if (entry.files[index]?.[side]?.version !== version) continue;
      const copy = await readSide(access, { log, index, side });
      if (copy.ok && copy.value) return decodeAny(copy.value)?.text ?? null;
    }
  }
  return null;
}

/** Rebuilds the new bytes from the old ones and the inserted texts. */
async function deriveAfter(
  access: StateAccess,
  log: TransactionLog,
  index: number,
): Promise<Uint8Array | null> {
  const splices = splicesOf(log, index);
  const record = log.intent?.files[index];
  if (!splices || !record) return null;
  if (!record.before && !record.from) return new TextEncoder().encode(applySplices("", splices));
  const base = await readBase(access, log, index);
  const before = base && decodeAny(base);
  if (!before) return null;
  const after = spliceBytes(before.bytes, before.text, before.encoding, splices);
  return after.ok ? after.value : null;
}

/** The bytes that the splices apply to: the file's own, or those of the file it was copied from. */
async function readBase(
  access: StateAccess,
  { intent }: TransactionLog,
  index: number,
): Promise<Uint8Array | null> {
  const record = intent?.files[index];
  const source = record?.from === undefined ? record : intent?.files.find(({ path }) => path === record.from);
  const copy = source?.before ? await readSavedCopy(access, source.before.version) : null;
  return copy?.ok ? copy.value : null;
}

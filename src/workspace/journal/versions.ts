import { decode, type Encoding, spliceBytes } from "../../text/model/encoding.ts";
import { compose, type Splice } from "../../text/model/splice.ts";
import { absent, versionOf } from "../files/content.ts";
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

/** The splices of the text after an entry that bring back the text before it; `null` where the log has none. */
export function inverseOf({ intent, texts }: TransactionLog, index: number): Splice[] | null {
  const record = intent?.files[index];
  const removed = texts?.[index]?.removed;
  if (!record || !removed || removed.length !== record.splices.length) return null;
  let shift = 0;
  return record.splices.map(({ start, end, length }, i) => {
    const region = { start: start + shift, end: start + shift + length };
    shift += length - (end - start);
    return { region, text: removed[i] ?? "" };
  });
}

/** The change of one file by one entry, and the direction in which it is taken. */
export type DirectedStep = {
  readonly log: TransactionLog;
  readonly index: number;
  readonly toward: "before" | "after";
};

/** The version that a step leads to. */
export function versionAfter({ log, index, toward }: DirectedStep): string {
  return log.intent?.files[index]?.[toward]?.version ?? absent;
}

/** The bytes at the end of some steps; `null` unless they have the hash that the journal has for them. */
export function replaySteps(bytes: Uint8Array, steps: readonly DirectedStep[]): Uint8Array | null {
  const last = steps.at(-1);
  if (!last) return bytes;
  const start = decodeAny(bytes);
  if (!start) return null;
  let all: Splice[] = [];
  for (const { log, index, toward } of steps) {
    const splices = toward === "after" ? splicesOf(log, index) : inverseOf(log, index);
    if (!splices) return null;
    all = compose(all, splices);
  }
  const end = spliceBytes(bytes, start.text, start.encoding, all);
  return end.ok && versionOf(end.value) === versionAfter(last) ? end.value : null;
}

import { decode, type Encoding, spliceBytes } from "../../text/model/encoding.ts";
import { accept, type Outcome, refuse } from "../../text/model/outcome.ts";
import { applySplices, type Splice } from "../../text/model/splice.ts";
import { versionOf } from "../files/content.ts";
import type { Files } from "../files/files.ts";
import type { State } from "../state/state.ts";
import type { FileRecord } from "./entries.ts";
import { readForgotten } from "./gc-horizon.ts";
import type { Volume } from "./journal.ts";
import { readImage } from "./saved-copies.ts";

/** A text with what it takes to write it back byte for byte. */
export type Decoded = { readonly bytes: Uint8Array; readonly text: string; readonly encoding: Encoding };

/** The text of bytes; stray bytes are kept as they are, so that every text file can be spoken of. */
export function decodeAny(bytes: Uint8Array): Decoded | null {
  const strict = decode(bytes);
  const decoded = strict.ok ? strict : decode(bytes, { strayBytes: "keep" });
  return decoded.ok ? { bytes, ...decoded.value } : null;
}

/** What an entry did to the text of its `index`-th file, in full; `null` where it is not known as splices. */
export function splicesOf({ intent, texts }: Volume, index: number): Splice[] | null {
  const record = intent?.files[index];
  const inserted = texts?.[index]?.inserted;
  if (!record || !inserted || inserted.length !== record.splices.length) return null;
  return record.splices.map(({ start, end }, i) => ({ region: { start, end }, text: inserted[i]! }));
}

/** The bytes of one file before or after an entry; `null` where there was none. */
export async function readSide(
  files: Files,
  state: State,
  volume: Volume,
  index: number,
  side: "before" | "after",
): Promise<Outcome<Uint8Array | null>> {
  const record = volume.intent!.files[index]!;
  const wanted = record[side];
  if (!wanted) return accept(null);
  const image = await readImage(files, state, wanted.version);
  if (image.ok) return image;
  const derived = side === "after" ? await deriveAfter(files, state, volume, index, record) : null;
  if (derived && versionOf(derived) === wanted.version) return accept(derived);
  const forgotten = volume.number < (await readForgotten(files, state));
  return forgotten ? refuse({ code: "unavailable", detail: `entry ${volume.number} was forgotten` }) : image;
}

/** The new bytes again, from the old ones and the texts that were put in. */
async function deriveAfter(
  files: Files,
  state: State,
  volume: Volume,
  index: number,
  record: FileRecord,
): Promise<Uint8Array | null> {
  const splices = splicesOf(volume, index);
  if (!splices) return null;
  if (!record.before && !record.from) return new TextEncoder().encode(applySplices("", splices));
  const base = await baseImage(files, state, volume, record);
  const before = base && decodeAny(base);
  if (!before) return null;
  const after = spliceBytes(before.bytes, before.text, before.encoding, splices);
  return after.ok ? after.value : null;
}

/** The bytes that the splices are about: the file's own, or those of the file it came from. */
async function baseImage(
  files: Files,
  state: State,
  { intent }: Volume,
  record: FileRecord,
): Promise<Uint8Array | null> {
  const source = record.from === undefined ? record : intent!.files.find(({ path }) => path === record.from);
  const image = source?.before ? await readImage(files, state, source.before.version) : null;
  return image?.ok ? image.value : null;
}

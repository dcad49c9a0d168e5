import { compareTexts } from "../../text/diff/compare.ts";
import { rebase } from "../../text/merge/rebase.ts";
import { spliceBytes } from "../../text/model/encoding.ts";
import { accept, type Outcome, type Refusal, refuse } from "../../text/model/outcome.ts";
import { compose, invert, type Splice } from "../../text/model/splice.ts";
import { lookAt, type Site } from "../commit/commit-context.ts";
import { absent, versionOf } from "../files/content.ts";
import type { FileRecord } from "../journal/entries.ts";
import type { History, Past } from "../journal/history.ts";
import { wayBetween } from "../journal/version-path.ts";
import { decodeAny, readSide, splicesOf } from "../journal/versions.ts";
import { lineHunks, linesClash } from "../tasks/tasks.ts";

/** A file as it would be. `splices`: how its text came from the one on disk; `null` where that is not known. */
export type Draft = {
  readonly bytes: Uint8Array | null;
  readonly version: string;
  readonly mode: number;
  readonly splices: readonly Splice[] | null;
};

/** Looking is enough to work it out. */
export type UndoSite = Omit<Site, "views">;

/** What taking entries back would do, file by file. */
export type UndoPlan = {
  readonly files: readonly { readonly path: string; readonly before: Draft; readonly after: Draft }[];
  /** Directories that those entries made, children first. */
  readonly removes: readonly string[];
};

type Drafts = Map<string, { readonly before: Draft; after: Draft }>;

/**
 * Works out, newest first, what the files are without certain entries. An entry's own bytes are taken out only where
 * they still are what it wrote: exactly, or after being carried over what happened to the file since.
 */
export async function planWithout(
  site: UndoSite,
  history: History,
  entries: readonly Past[],
): Promise<Outcome<UndoPlan>> {
  const drafts: Drafts = new Map();
  const removes: string[] = [];
  for (const past of entries) {
    for (const [index, record] of [...past.entry.files.entries()].reverse()) {
      if (record.sibling) continue;
      const draft = await draftOf(site, drafts, record.path);
      if (!draft.ok) return draft;
      const after = await without(site, history, past, index, draft.value.after);
      if (!after.ok) return refuse({ path: record.path, ...after.refusal });
      draft.value.after = after.value;
    }
    removes.push(...[...past.volume.intent!.makes].reverse());
  }
  const changed = [...drafts].filter(
    ([, { before, after }]) => before.version !== after.version || before.mode !== after.mode,
  );
  return accept({ files: changed.map(([path, draft]) => ({ path, ...draft })), removes });
}

async function draftOf(
  site: UndoSite,
  drafts: Drafts,
  path: string,
): Promise<Outcome<{ before: Draft; after: Draft }>> {
  const known = drafts.get(path);
  if (known) return accept(known);
  const looked = await lookAt(site, path.split("/"));
  if (!looked.ok) return refuse({ path, ...looked.refusal });
  const { content } = looked.value;
  const before: Draft = content
    ? { bytes: content.bytes, version: content.version, mode: content.stat.mode, splices: [] }
    : { bytes: null, version: absent, mode: 0, splices: [] };
  const draft = { before, after: before };
  drafts.set(path, draft);
  return accept(draft);
}

/** One file without what one entry did to it. */
async function without(
  site: UndoSite,
  history: History,
  past: Past,
  index: number,
  now: Draft,
): Promise<Outcome<Draft>> {
  const record = past.entry.files[index]!;
  const { before, after } = record;
  if (now.version === (before?.version ?? absent) && before?.version !== after?.version) return accept(now);
  const mode = modeWithout(record, now);
  if (mode === null)
    return refuse(await conflict(site, past, index, now, "its permission was changed since"));
  if (now.version === (after?.version ?? absent)) return exactly(site, past, index, now, mode);
  if (!before) return refuse(await conflict(site, past, index, now, "it was changed after it was created"));
  if (!after) return refuse(await conflict(site, past, index, now, "another file stands there now"));
  if (now.bytes === null) return refuse(await conflict(site, past, index, now, "it was deleted since"));
  return carried(site, history, past, index, now, mode);
}

/** `null`: neither what the entry made it nor what it was. */
function modeWithout({ before, after }: FileRecord, now: Draft): number | null {
  if (!before || !after || before.mode === after.mode || now.bytes === null) return before?.mode ?? now.mode;
  if (now.mode === after.mode) return before.mode;
  return now.mode === before.mode ? now.mode : null;
}

/** Nothing has happened since: the old bytes themselves come back. */
async function exactly(
  site: UndoSite,
  past: Past,
  index: number,
  now: Draft,
  mode: number,
): Promise<Outcome<Draft>> {
  const { before, after } = past.entry.files[index]!;
  const image = await readSide(site.files, site.state, past.volume, index, "before");
  if (!image.ok) return image;
  const kept = before && after && before.mode === after.mode ? now.mode : mode;
  if (image.value === null) return accept({ bytes: null, version: absent, mode: 0, splices: null });
  const old = decodeAny(image.value);
  const splices = old && after && splicesOf(past.volume, index);
  const back = splices && now.splices ? compose(now.splices, invert(old.text, splices)) : null;
  return accept({ bytes: image.value, version: versionOf(image.value), mode: kept, splices: back });
}

/** Something has happened since: what the entry put in is taken out where it is now, if nobody has touched it. */
async function carried(
  site: UndoSite,
  history: History,
  past: Past,
  index: number,
  now: Draft,
  mode: number,
): Promise<Outcome<Draft>> {
  const { path, after } = past.entry.files[index]!;
  const [oldImage, newImage] = [
    await readSide(site.files, site.state, past.volume, index, "before"),
    await readSide(site.files, site.state, past.volume, index, "after"),
  ];
  if (!oldImage.ok) return oldImage;
  const [old, fresh, current] = [oldImage.value, newImage.ok ? newImage.value : null, now.bytes].map(
    (bytes) => (bytes ? decodeAny(bytes) : null),
  );
  const splices = splicesOf(past.volume, index);
  if (!old || !fresh || !current || !splices)
    return refuse(await conflict(site, past, index, now, "it was changed since, and is not text"));
  const then = { version: after!.version, text: fresh.text };
  const since = await wayBetween(history, path, then, { version: now.version, text: current.text });
  const inverse = invert(old.text, splices);
  const back = rebase(inverse, since.splices);
  // Two edits can lie side by side in one line; without one of them it would be a line that nobody wrote.
  const marked = past.entry.files[index]!.lines.map((line) => line.after);
  const clash = linesClash(
    [...marked, ...lineHunks(fresh.text, inverse)],
    lineHunks(fresh.text, since.splices),
  );
  if (!back.ok || clash)
    return refuse(await conflict(site, past, index, now, "the same lines were changed since"));
  const bytes = spliceBytes(current.bytes, current.text, current.encoding, back.splices);
  if (!bytes.ok) return bytes;
  return accept({
    bytes: bytes.value,
    version: versionOf(bytes.value),
    mode,
    splices: now.splices && compose(now.splices, back.splices),
  });
}

/** Both versions, so that nobody has to look them up. */
async function conflict(
  site: UndoSite,
  past: Past,
  index: number,
  now: Draft,
  detail: string,
): Promise<Refusal> {
  const image = await readSide(site.files, site.state, past.volume, index, "before");
  const ours = image.ok && image.value ? (decodeAny(image.value)?.text ?? null) : null;
  const theirs = now.bytes ? (decodeAny(now.bytes)?.text ?? null) : null;
  return { code: "conflict", detail, versions: { ours, theirs } };
}

/** How one draft's text became another's. */
export function splicesBetween(before: Draft, after: Draft): readonly Splice[] {
  if (after.splices) return after.splices;
  const [old, fresh] = [before.bytes && decodeAny(before.bytes), after.bytes && decodeAny(after.bytes)];
  return old && fresh ? compareTexts(old.text, fresh.text) : [];
}

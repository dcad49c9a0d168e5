import { compareTexts } from "../../text/diff/compare.ts";
import { rebase } from "../../text/merge/rebase.ts";
import { spliceBytes } from "../../text/model/encoding.ts";
import { accept, type Outcome, refuse } from "../../text/model/outcome.ts";
import { compose, invert, type Splice } from "../../text/model/splice.ts";
import { lookAt, type ReadContext } from "../commit/commit-context.ts";
import { absent, type Content, versionOf } from "../files/content.ts";
import type { FileRecord, FileState } from "../journal/entries.ts";
import type { PastEntry } from "../journal/history.ts";
import { versionPathBetween } from "../journal/version-path.ts";
import { decodeAny, splicesOf } from "../journal/versions.ts";
import type { JournalStores } from "../open-root.ts";
import { lineHunks, linesClash } from "../tasks/tasks.ts";

/** A version of a file. `splices`: how its text results from the one on disk; `null` where that is unknown. */
export type FileVersion = {
  readonly bytes: Uint8Array | null;
  readonly version: string;
  readonly mode: number;
  readonly splices: readonly Splice[] | null;
};

const noFile = { bytes: null, version: absent, mode: 0 } as const;

/** The current version of a file. */
export function currentVersion(content: Content | null): FileVersion {
  if (!content) return { ...noFile, splices: [] };
  return { bytes: content.bytes, version: content.version, mode: content.stat.mode, splices: [] };
}

export type UndoPlanSources = Pick<JournalStores, "history" | "versions">;

/** The changes of an undo, file by file. */
export type UndoPlan = {
  readonly files: readonly {
    readonly path: string;
    readonly before: FileVersion;
    readonly after: FileVersion;
  }[];
  /** The directories that the undone entries created, children first. */
  readonly removes: readonly string[];
};

/**
 * Works out, newest first, what the files are without certain entries. The text of an entry is removed only where it is
 * still what the entry wrote: exactly, or after a rebase over later changes.
 */
export function planWithout(
  context: ReadContext,
  sources: UndoPlanSources,
  entries: readonly PastEntry[],
): Promise<Outcome<UndoPlan>> {
  return new UndoPlanner(context, sources).plan(entries);
}

/** The change of one file by one entry, and the version of the file from which the change is removed. */
type Reversal = {
  readonly past: PastEntry;
  readonly index: number;
  readonly record: FileRecord;
  readonly now: FileVersion;
};

class UndoPlanner {
  readonly #context: ReadContext;
  readonly #sources: UndoPlanSources;
  readonly #files = new Map<string, { readonly before: FileVersion; after: FileVersion }>();

  constructor(context: ReadContext, sources: UndoPlanSources) {
    this.#context = context;
    this.#sources = sources;
  }

  async plan(entries: readonly PastEntry[]): Promise<Outcome<UndoPlan>> {
    const removes: string[] = [];
    for (const past of entries) {
      const removed = await this.#removeEntry(past);
      if (!removed.ok) return removed;
      removes.push(...[...(past.log.intent?.makes ?? [])].reverse());
    }
    const changed = [...this.#files].filter(
      ([, { before, after }]) => before.version !== after.version || before.mode !== after.mode,
    );
    return accept({ files: changed.map(([path, versions]) => ({ path, ...versions })), removes });
  }

  async #removeEntry(past: PastEntry): Promise<Outcome<true>> {
    for (const [index, record] of [...past.entry.files.entries()].reverse()) {
      if (record.sibling) continue;
      const { path } = record;
      const file = await this.#file(path);
      if (!file.ok) return file;
      const after = await this.#without({ past, index, record, now: file.value.after });
      if (!after.ok) return refuse({ path, ...after.refusal });
      file.value.after = after.value;
    }
    return accept(true);
  }

  async #file(path: string): Promise<Outcome<{ before: FileVersion; after: FileVersion }>> {
    const known = this.#files.get(path);
    if (known) return accept(known);
    const looked = await lookAt(this.#context, path.split("/"));
    if (!looked.ok) return refuse({ path, ...looked.refusal });
    const before = currentVersion(looked.value.content);
    const file = { before, after: before };
    this.#files.set(path, file);
    return accept(file);
  }

  /** The file without the change of one entry. */
  async #without(reversal: Reversal): Promise<Outcome<FileVersion>> {
    const { record, now } = reversal;
    const { before, after } = record;
    if (now.version === (before?.version ?? absent) && before?.version !== after?.version) return accept(now);
    const mode = modeWithout(record, now);
    if (mode === null) return this.#conflict(reversal, "its mode has changed since");
    if (now.version === (after?.version ?? absent)) return this.#restoreExactly(reversal, mode);
    if (!before) return this.#conflict(reversal, "it has changed since it was created");
    if (!after) return this.#conflict(reversal, "another file has this path now");
    if (now.bytes === null) return this.#conflict(reversal, "it was deleted since");
    return this.#removeRebased(reversal, { mode, after });
  }

  /** The file has not changed since, so it gets the old bytes. */
  async #restoreExactly(reversal: Reversal, mode: number): Promise<Outcome<FileVersion>> {
    const { past, index, record, now } = reversal;
    const { before, after } = record;
    const copy = await this.#readSide(reversal, "before");
    if (!copy.ok) return copy;
    const kept = before && after && before.mode === after.mode ? now.mode : mode;
    if (copy.value === null) return accept({ ...noFile, splices: null });
    const old = decodeAny(copy.value);
    const splices = old && after && splicesOf(past.log, index);
    const back = splices && now.splices ? compose(now.splices, invert(old.text, splices)) : null;
    return accept({ bytes: copy.value, version: versionOf(copy.value), mode: kept, splices: back });
  }

  /** The file has changed since. Removes the entry's text where it is now, if no later change touches it. */
  async #removeRebased(
    reversal: Reversal,
    { mode, after }: { mode: number; after: FileState },
  ): Promise<Outcome<FileVersion>> {
    const { past, index, record, now } = reversal;
    const oldCopy = await this.#readSide(reversal, "before");
    const newCopy = await this.#readSide(reversal, "after");
    if (!oldCopy.ok) return oldCopy;
    const [old, fresh, current] = [oldCopy.value, newCopy.ok ? newCopy.value : null, now.bytes].map(
      (bytes) => (bytes ? decodeAny(bytes) : null),
    );
    const splices = splicesOf(past.log, index);
    if (!old || !fresh || !current || !splices)
      return this.#conflict(reversal, "it has changed since, and is not text");
    const since = await versionPathBetween(this.#sources, record.path, {
      from: { version: after.version, text: fresh.text },
      to: { version: now.version, text: current.text },
    });
    const inverse = invert(old.text, splices);
    const back = rebase(inverse, since.splices);
    // Two edits can be adjacent in one line. Without one of them the line would be one that no author wrote.
    const own = [...record.lines.map((line) => line.after), ...lineHunks(fresh.text, inverse)];
    if (!back.ok || linesClash(own, lineHunks(fresh.text, since.splices)))
      return this.#conflict(reversal, "the same lines have changed since");
    const bytes = spliceBytes(current.bytes, current.text, current.encoding, back.splices);
    if (!bytes.ok) return bytes;
    return accept({
      bytes: bytes.value,
      version: versionOf(bytes.value),
      mode,
      splices: now.splices && compose(now.splices, back.splices),
    });
  }

  /** A refusal with both texts, so that the caller need not read them. */
  async #conflict(reversal: Reversal, detail: string): Promise<Outcome<never>> {
    const copy = await this.#readSide(reversal, "before");
    const textOf = (bytes: Uint8Array | null): string | null => bytes && (decodeAny(bytes)?.text ?? null);
    const versions = { ours: textOf(copy.ok ? copy.value : null), theirs: textOf(reversal.now.bytes) };
    return refuse({ code: "conflict", detail, versions });
  }

  #readSide({ past, index }: Reversal, side: "before" | "after"): Promise<Outcome<Uint8Array | null>> {
    return this.#sources.versions.readSide({ log: past.log, index, side });
  }
}

/** The mode without the entry; `null` if the current mode is neither the old nor the new one. */
function modeWithout({ before, after }: FileRecord, now: FileVersion): number | null {
  if (!before || !after || before.mode === after.mode || now.bytes === null) return before?.mode ?? now.mode;
  if (now.mode === after.mode) return before.mode;
  return now.mode === before.mode ? now.mode : null;
}

/** The splices that turn the text of one version into that of another. */
export function splicesBetween(before: FileVersion, after: FileVersion): readonly Splice[] {
  if (after.splices) return after.splices;
  const [old, fresh] = [before.bytes && decodeAny(before.bytes), after.bytes && decodeAny(after.bytes)];
  return old && fresh ? compareTexts(old.text, fresh.text) : [];
}

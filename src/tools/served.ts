import { compareTexts } from "../text/diff/compare.ts";
import { findQuote } from "../text/match/quote.ts";
import type { Edit } from "../text/model/edit.ts";
import { indexLines, type Lines, lineAt } from "../text/model/lines.ts";
import type { Plan } from "../text/model/plan.ts";
import type { Region } from "../text/model/region.ts";
import type { Snapshot } from "../text/model/snapshot.ts";
import { mapOffset } from "../text/model/splice.ts";

/** A text of a file of which a session has seen some lines: `known` has a 1 for each of them. */
type Serving = { readonly version: string; readonly lines: Lines; readonly known: Uint8Array };

type ShownRange = { readonly first: number; readonly last: number; readonly anchored?: boolean };

const mostFiles = 200;
const mostServings = 3;
const largestText = 2_000_000;

/**
 * The lines of files that a session was shown, with the text that they were part of. An edit that quotes or numbers such
 * lines was made for that text, whatever the file is now.
 */
export class ServedTexts {
  readonly #files = new Map<string, readonly Serving[]>();
  /** The texts whose lines were shown with anchors, newest first. */
  readonly #anchored = new Map<string, readonly Snapshot[]>();

  /** Some lines were shown, counted from 1. */
  note(path: string, { text, version }: Snapshot, shown: ShownRange): void {
    if (text === null) return;
    if (shown.anchored) this.#noteAnchored({ path, text, version });
    const lines = indexLines(text);
    const [newest, ...older] = this.#files.get(path) ?? [];
    const known = newest ? carryKnown(newest, lines) : new Uint8Array(lines.starts.length);
    known.fill(1, shown.first - 1, shown.last);
    const isSame = newest?.version === version;
    const kept = known.every(Boolean) ? [] : newest && !isSame ? [newest, ...older] : older;
    this.#keep(path, [{ version, lines, known }, ...kept]);
  }

  /** The session has made these changes, so it knows the lines that it wrote. */
  noteWritten({ changes, landings }: Plan, versionOf: (path: string) => string | undefined): void {
    for (const { path, before, after } of changes) {
      const [newest, ...older] = this.#files.get(path) ?? [];
      const version = versionOf(path);
      this.#files.delete(path);
      if (after === null || version === undefined) continue;
      if (this.isAnchored(path)) this.#noteAnchored({ path, text: after, version });
      const lines = indexLines(after);
      const known = newest ? carryKnown(newest, lines) : new Uint8Array(lines.starts.length);
      const own = before.text === null ? [{ start: 0, end: after.length }] : [];
      for (const landing of landings) if (landing.path === path) own.push(...landing.after);
      for (const region of own) known.fill(1, ...lineRange(lines, region));
      this.#keep(path, [{ version, lines, known }, ...older]);
    }
  }

  forget(paths: readonly string[]): void {
    for (const path of paths) this.#files.delete(path);
    for (const path of paths) this.#anchored.delete(path);
  }

  /** Whether the session reads a file with anchors, so that answers have to show them too. */
  isAnchored(path: string): boolean {
    return this.#anchored.has(path);
  }

  /** The texts that anchors of a file may mean, newest first. */
  anchoredTexts(path: string): readonly Snapshot[] {
    return this.#anchored.get(path) ?? [];
  }

  #noteAnchored(snapshot: Snapshot): void {
    const { path, version } = snapshot;
    const others = this.anchoredTexts(path).filter((other) => other.version !== version);
    this.#anchored.delete(path);
    if ((snapshot.text?.length ?? 0) > largestText) return;
    this.#anchored.set(path, [snapshot, ...others].slice(0, mostServings));
    for (const oldest of this.#anchored.keys())
      if (this.#anchored.size > mostFiles) this.#anchored.delete(oldest);
      else break;
  }

  /** The served text with a version, or with one that begins so. */
  ofVersion(path: string, version: string): Snapshot | null {
    const found = this.#files.get(path)?.find((serving) => serving.version.startsWith(version));
    return found ? { path, text: found.lines.text, version: found.version } : null;
  }

  /** The newest text of a file whose served lines the edits quote or number. */
  baseOf(path: string, edits: readonly Edit[]): Snapshot | null {
    const own = edits.filter((edit) => edit.path === path);
    const found = this.#files.get(path)?.find((serving) => own.some((edit) => pointsInto(serving, edit)));
    return found ? { path, text: found.lines.text, version: found.version } : null;
  }

  #keep(path: string, servings: readonly Serving[]): void {
    this.#files.delete(path);
    if (servings[0]!.lines.text.length > largestText) return;
    this.#files.set(path, servings.slice(0, mostServings));
    for (const oldest of this.#files.keys())
      if (this.#files.size > mostFiles) this.#files.delete(oldest);
      else break;
  }
}

/** Which lines of another text a session knows, because they have not changed. */
function carryKnown({ lines: old, known }: Serving, lines: Lines): Uint8Array {
  const carried = new Uint8Array(lines.starts.length);
  const splices = compareTexts(old.text, lines.text);
  let next = 0;
  for (const [i, start] of old.starts.entries()) {
    while (next < splices.length && splices[next]!.region.end <= start) next++;
    const splice = splices[next];
    const isChanged = splice !== undefined && splice.region.start <= start && start < splice.region.end;
    if (known[i] && !isChanged) carried[lineAt(lines, mapOffset(start, splices, "after"))] = 1;
  }
  return carried;
}

function pointsInto({ lines, known }: Serving, { target }: Edit): boolean {
  const isKnown = (first: number, end: number): boolean =>
    end > first && known.subarray(first, end).every(Boolean);
  if ("quote" in target) {
    if (target.within) return false;
    const { regions } = findQuote(lines.text, target.quote, { fit: target.fit, limit: mostPlaces });
    return regions.some((region) => isKnown(...lineRange(lines, region)));
  }
  if ("line" in target) return target.line > 0 && isKnown(target.line - 1, target.line);
  if (!("hunks" in target)) return false;
  return target.hunks.some(({ line, lines: body }) => {
    const old = body.filter(({ kind }) => kind !== "added").length;
    return line !== undefined && line > 0 && isKnown(line - 1, Math.min(line - 1 + old, known.length));
  });
}

const mostPlaces = 20;

function lineRange(lines: Lines, { start, end }: Region): [first: number, end: number] {
  return [lineAt(lines, start), lineAt(lines, Math.max(start, end - 1)) + 1];
}

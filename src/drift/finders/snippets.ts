import type { Gap } from "../change/align.ts";
import type { ChangeModel, DocumentPage } from "../change/change-model.ts";
import type { Comparison } from "../change/comparison.ts";
import { fileKind } from "../change/file-kind.ts";
import { isCommon } from "../change/names.ts";
import { isLayoutOnly, splitLines, tokenise } from "../change/tokens.ts";
import type { Notice } from "../findings.ts";
import { createPageFinder } from "../pages/mentions.ts";

/** A source file that changed, both sides in lines. */
type ChangedSource = {
  readonly file: Comparison;
  readonly old: readonly string[];
  readonly fresh: readonly string[];
  readonly gaps: readonly Gap[];
};

/** The inside of a fence: lines of the page, the first and the one after the last. */
type Fence = { readonly page: DocumentPage; readonly first: number; readonly end: number };

/** A line of an old file, from which a copy may begin. */
type Copy = { readonly source: ChangedSource; readonly start: number };

const LEAST_NAMES = 4;
// Lines that occur in more places than this identify no copy.
const CROWD = 20;

/**
 * A sample that was a copy of lines of the code, indentation aside, is a copy no longer.
 * Certain if the page names the file; likely if only the lines agree. A change that extends beyond the copied lines
 * gives no result.
 */
export async function findSnippets(change: ChangeModel): Promise<Notice[]> {
  const sources = change.comparisons.filter(isComparable).map(toSource);
  if (!sources.length) return [];
  const isTouching = createTouch(sources);
  const namedOn = createNamed(sources);
  const index = createLineIndex(sources);
  const notices: Notice[] = [];
  for (const page of change.pages) {
    const named = namedOn(page);
    if (!named.length && !isTouching(page)) continue;
    for (const fence of findFences(page)) {
      const marked = named.filter(({ file }) => isMarked(fence, file.from));
      const copies = findCopies(fence, index, marked.length > 0).filter(({ source }) =>
        marked.length > 0 ? marked.includes(source) : mayBeCopied(source),
      );
      const [only, second] = copies;
      if (only && !second) notices.push(...compare(change, fence, only, marked.length > 0));
    }
  }
  return notices;
}

function isComparable({ before, after }: Comparison): boolean {
  return before !== null && after !== null && before !== after && before.length < 400_000;
}

/** Lines of a manifest say what this project needs or is; a sample with the same lines is the reader's manifest. */
function mayBeCopied({ file: { from } }: ChangedSource): boolean {
  return fileKind(from) !== "manifest";
}

function toSource(file: Comparison): ChangedSource {
  const old = splitLines(file.before!);
  const fresh = splitLines(file.after!);
  return { file, old, fresh, gaps: file.rewrites.map(({ gap }) => gap) };
}

/** Whether a page may contain a line that the change removed, or a line next to an added one. */
function createTouch(sources: readonly ChangedSource[]): (page: DocumentPage) => boolean {
  const anchors = new Set<string>();
  for (const { old, gaps } of sources)
    for (const { oldStart, oldEnd } of gaps)
      for (let i = oldStart === oldEnd ? oldStart - 1 : oldStart; i < Math.max(oldEnd, oldStart); i++) {
        const names = namesOf(old[i] ?? "").sort((a, b) => b.length - a.length);
        if (names[0]) anchors.add(names[0]);
      }
  const find = createPageFinder(anchors);
  return (page) => anchors.size > 0 && page.text.includes("```") && find(page).length > 0;
}

function namesOf(line: string): string[] {
  return tokenise(line)
    .filter(({ kind, text }) => kind === "name" && text.length > 2 && !isCommon(text))
    .map(({ text }) => text);
}

function findFences(page: DocumentPage): Fence[] {
  const fences: Fence[] = [];
  const { lines } = page.read();
  for (let at = 0; at < lines.length; at++) {
    if (lines[at]!.place !== "comment" || !/^\s*(?:`{3}|~{3})/.test(lines[at]!.text)) continue;
    let end = at + 1;
    while (lines[end]?.place === "code") end++;
    if (end > at + 1) fences.push({ page, first: at + 1, end });
    at = end;
  }
  return fences;
}

/** The changed files that a page names, found in one pass. */
function createNamed(sources: readonly ChangedSource[]): (page: DocumentPage) => readonly ChangedSource[] {
  const byName = Map.groupBy(sources, ({ file: { from } }) => from.slice(from.lastIndexOf("/") + 1));
  const find = createPageFinder(byName.keys());
  return (page) => {
    const names = new Set(find(page).map(({ name }) => name));
    return [...names].flatMap((name) => byName.get(name) ?? []);
  };
}

/** `file=src/a.ts` after the fence's language, or a comment with embed, include or snippet directly above it. */
function isMarked({ page, first }: Fence, path: string): boolean {
  const { lines } = page.read();
  const info = lines[first - 1]!.text;
  let above = first - 2;
  while (above >= 0 && lines[above]!.place === "blank") above--;
  const comment = above >= 0 && lines[above]!.place === "comment" ? lines[above]!.text : "";
  const said =
    /\b(?:file|src|source|path)=["']?([^\s"'}]+)/.exec(info)?.[1] ??
    /^\s*(?:<!--|\{\/\*)\s*(?:embed(?:me|md)?|include|snippet|code|file|source)\b[\s:=("']*([^\s"')*]+)/i.exec(
      comment,
    )?.[1];
  if (said === undefined) return false;
  const wanted = said.replace(/^(?:\.{0,2}\/)+/, "").replace(/[#:].*$/, "");
  return wanted !== "" && foldersAbove(page.path).some((folder) => path === folder + wanted);
}

/** The folders above a page, each with its slash, and the root: a path on the page may be relative to any of them. */
function foldersAbove(path: string): string[] {
  const pieces = path.split("/").slice(0, -1);
  return [...pieces.map((_, at) => `${pieces.slice(0, at + 1).join("/")}/`), ""];
}

/** The places of the lines of all old files, by their trimmed text; computed on first use. */
function createLineIndex(sources: readonly ChangedSource[]): (line: string) => readonly Copy[] {
  let index: Map<string, Copy[]> | undefined;
  return (line) => {
    if (!index) {
      index = new Map();
      for (const source of sources)
        for (const [start, text] of source.old.entries()) {
          const known = index.get(text.trim());
          if (known) known.push({ source, start });
          else index.set(text.trim(), [{ source, start }]);
        }
    }
    return index.get(line) ?? [];
  };
}

/** The places in the old files where the fence's lines are consecutive and the change touched them. */
function findCopies(
  { page, first, end }: Fence,
  index: (line: string) => readonly Copy[],
  marked: boolean,
): Copy[] {
  const lines = page
    .read()
    .lines.slice(first, end)
    .map(({ text }) => text);
  const trimmed = lines.map((line) => line.trim());
  if (!marked && lines.reduce((sum, line) => sum + namesOf(line).length, 0) < LEAST_NAMES) return [];
  let rarest = { at: -1, places: [] as readonly Copy[] };
  for (const [at, line] of trimmed.entries()) {
    if (!line) continue;
    const places = index(line);
    if (!places.length) return [];
    if (rarest.at < 0 || places.length < rarest.places.length) rarest = { at, places };
  }
  if (rarest.places.length > CROWD) return [];
  return rarest.places
    .map(({ source, start }) => ({ source, start: start - rarest.at }))
    .filter(({ source: { old, gaps }, start }) => {
      const last = start + lines.length;
      if (start < 0 || last > old.length) return false;
      return (
        trimmed.every((line, i) => old[start + i]!.trim() === line) &&
        shiftOf(lines, old.slice(start, last)) !== null &&
        gaps.some(({ oldStart, oldEnd }) => oldStart < last && oldEnd > start)
      );
    });
}

/** The difference in indentation between the page and the code; null if it is not the same for all lines. */
function shiftOf(lines: readonly string[], old: readonly string[]): { cut: string; add: string } | null {
  let shift: { cut: string; add: string } | null = null;
  for (const [i, line] of lines.entries()) {
    if (!line.trim()) continue;
    const here = /^\s*/.exec(line)![0];
    const there = /^\s*/.exec(old[i]!)![0];
    const one = there.endsWith(here)
      ? { cut: there.slice(0, there.length - here.length), add: "" }
      : here.endsWith(there)
        ? { cut: "", add: here.slice(0, here.length - there.length) }
        : null;
    if (!one || (shift && (shift.cut !== one.cut || shift.add !== one.add))) return null;
    shift = one;
  }
  return shift ?? { cut: "", add: "" };
}

/** One notice for each stretch of the copied lines that changed. */
function compare(
  change: ChangeModel,
  { page, first, end }: Fence,
  { source, start }: Copy,
  marked: boolean,
): Notice[] {
  const { lines } = page.read();
  const { old, fresh, gaps, file } = source;
  const last = start + end - first;
  const whole = marked && start === 0 && old.slice(last).every((line) => line === "");
  const inside = gaps.filter(
    ({ oldStart, oldEnd }) =>
      oldEnd > start && oldStart < last && !(oldStart === oldEnd && oldStart === start),
  );
  if (inside.some(({ oldStart, oldEnd }) => oldStart < start || (oldEnd > last && !whole))) return [];
  const shift = shiftOf(
    lines.slice(first, end).map(({ text }) => text),
    old.slice(start, last),
  )!;
  return inside.flatMap((gap) => {
    const from = first + gap.oldStart - start;
    const to = first + Math.min(gap.oldEnd, last) - start;
    const replaced = fresh.slice(gap.newStart, gap.newEnd).map((line) => indent(line, shift));
    if (replaced.some((line) => line === null)) return [];
    const ending = page.text.includes("\r\n") ? "\r\n" : "\n";
    const text = replaced.map((line) => `${line}${ending}`).join("");
    const region = { start: lines[from]!.start, end: lines[to]!.start };
    if (isLayoutOnly(page.text.slice(region.start, region.end), text) && !marked) return [];
    if (page.text.slice(region.start, region.end) === text) return [];
    const shown = Math.max(gap.newEnd, gap.newStart + 1);
    return [
      {
        page,
        line: from,
        endLine: Math.max(from, to - 1),
        tier: marked ? ("certain" as const) : ("likely" as const),
        kind: "snippet" as const,
        message: {
          what: "rewritten",
          old: old.slice(gap.oldStart, gap.oldEnd).join("\n").trim(),
          new: text.trim(),
        },
        evidence: [
          {
            path: file.path,
            revision: change.input.head,
            startLine: Math.min(gap.newStart + 1, fresh.length),
            endLine: Math.min(shown, fresh.length),
            before: old.slice(gap.oldStart, gap.oldEnd).join("\n"),
            after: fresh.slice(gap.newStart, gap.newEnd).join("\n"),
          },
        ],
        features: { "copy is named": marked ? 1 : 0 },
        splice: { region, text },
      },
    ];
  });
}

function indent(line: string, { cut, add }: { cut: string; add: string }): string | null {
  if (!line.trim()) return "";
  return line.startsWith(cut) ? add + line.slice(cut.length) : null;
}

import type { DriftCase, DriftHunk } from "./cases.ts";
import { SequenceMatcher } from "./sequence-matcher.ts";

/** A finding as the set's scorer wants it: lines of the page, and their new text where there is an edit. */
export type Predicted = {
  readonly path: string;
  readonly start_line: number;
  readonly end_line: number;
  readonly replacement?: string;
};

/** The lines of a page as a case's parent has it; null where the clone has no such page. */
export type PageLines = (one: DriftCase, path: string) => readonly string[] | null;

export type Figures = Readonly<Record<string, number | null>>;

/** Counts by name; a name without a count is 0. */
export type Counts = Map<string, number>;

/** The counts of one case, as `score_drift.py` takes them. */
export function countCase(one: DriftCase, findings: readonly Predicted[], pages: PageLines): Counts {
  const counts: Counts = new Map();
  if (one.label === "negative") countNegative(one, findings, counts);
  else {
    countRecall(one, findings, counts);
    countPrecision(one, findings, counts);
    countLines(one, findings, counts);
  }
  const replaced = findings.filter(({ replacement }) => replacement !== undefined);
  const outside = countOutside(one, replaced, pages);
  add(counts, one.label === "negative" ? "out_neg" : "out_pos", outside);
  add(counts, "replaced", replaced.length);
  if (one.label === "positive" && one.has_mechanical) countExact(one, { replaced, outside, pages }, counts);
  return counts;
}

/** The figures of `score_drift.py --json` for the sum of these counts. */
export function figuresOf(all: readonly Counts[]): Figures {
  const sum: Counts = new Map();
  for (const counts of all) for (const [name, count] of counts) add(sum, name, count);
  const n = (name: string): number => sum.get(name) ?? 0;
  const share = (part: number, whole: number): number | null =>
    whole ? Math.round((part / whole) * 1e4) / 1e4 : null;
  return {
    positives: n("pos"),
    negatives: n("neg"),
    stale_hunks: n("stale"),
    addition_hunks: n("add"),
    recall_stale: share(n("stale_hit"), n("stale")),
    recall_case: share(n("case_s_hit"), n("case_s")),
    recall_case_all: share(n("case_s_all"), n("case_s")),
    recall_addition: share(n("add_hit"), n("add")),
    findings_per_pos: share(n("pos_findings_all"), n("pos")),
    neutral_findings: n("find_neutral"),
    precision: share(n("find_any"), n("find")),
    precision_target: share(n("find_t"), n("find")),
    line_precision: share(n("flines_in"), n("flines")),
    precision_overall: share(n("find_any"), n("find") + n("neg_findings")),
    fa_per_neg: share(n("neg_findings"), n("neg")),
    fa_share: share(n("neg_hit"), n("neg")),
    fa_per_neg_clean: share(n("negc_findings"), n("negc")),
    fa_share_clean: share(n("negc_hit"), n("negc")),
    fa_lines_per_neg: share(n("neg_lines"), n("neg")),
    mech_cases: n("mcase"),
    mech_hunks: n("mhunk"),
    exact_case: share(n("mcase_ok"), n("mcase")),
    exact_hunk: share(n("mhunk_ok"), n("mhunk")),
    exact_made: share(n("mhunk_ok"), n("mhunk_made")),
    exact_clean: share(n("mclean_ok"), n("mcase")),
    chars_outside_pos: n("out_pos"),
    chars_outside_neg: n("out_neg"),
    replacements: n("replaced"),
  };
}

/** Whether a finding touches a hunk; an insertion point reaches two lines to both sides. */
export function overlaps(finding: Predicted, hunk: DriftHunk): boolean {
  const { first, last } = spanOf(hunk);
  return finding.path === hunk.path && finding.start_line <= last && finding.end_line >= first;
}

function spanOf({ old_start, old_count }: DriftHunk): { first: number; last: number } {
  if (old_count > 0) return { first: old_start, last: old_start + old_count - 1 };
  return { first: old_start - 2, last: old_start + 3 };
}

function countNegative(one: DriftCase, findings: readonly Predicted[], counts: Counts): void {
  for (const set of one.suspect || one.feat ? ["neg"] : ["neg", "negc"]) {
    add(counts, set, 1);
    add(counts, `${set}_findings`, findings.length);
    add(counts, `${set}_hit`, findings.length > 0);
  }
  for (const { start_line, end_line } of findings)
    add(counts, "neg_lines", Math.max(0, end_line - start_line + 1));
}

function countRecall(one: DriftCase, findings: readonly Predicted[], counts: Counts): void {
  const isHit = (hunk: DriftHunk): boolean => findings.some((finding) => overlaps(finding, hunk));
  const targets = one.hunks.filter(({ role }) => role === "target");
  const stale = targets.filter((hunk) => hunk.stale);
  const added = targets.filter((hunk) => !hunk.stale);
  add(counts, "pos", 1);
  add(counts, "stale", stale.length);
  add(counts, "stale_hit", stale.filter(isHit).length);
  add(counts, "add", added.length);
  add(counts, "add_hit", added.filter(isHit).length);
  if (stale.length === 0) return;
  add(counts, "case_s", 1);
  add(counts, "case_s_hit", stale.some(isHit));
  add(counts, "case_s_all", stale.every(isHit));
}

function countPrecision(one: DriftCase, findings: readonly Predicted[], counts: Counts): void {
  const isNeutral = neutralIn(one);
  const counted = findings.filter((finding) => !isNeutral(finding));
  const hits = (hunks: readonly DriftHunk[]): number =>
    counted.filter((finding) => hunks.some((hunk) => overlaps(finding, hunk))).length;
  add(counts, "find_neutral", findings.length - counted.length);
  add(counts, "pos_findings_all", findings.length);
  add(counts, "find", counted.length);
  add(counts, "find_any", hits(one.hunks));
  add(counts, "find_t", hits(one.hunks.filter(({ role }) => role === "target")));
}

/** Findings on lines that the human probably forgot count neither way. */
function neutralIn(one: DriftCase): (finding: Predicted) => boolean {
  const unresolved = new Set((one.unresolved ?? []).map(({ path, line }) => `${path}:${line}`));
  return (finding) => {
    if (unresolved.size === 0 || one.hunks.some((hunk) => overlaps(finding, hunk))) return false;
    const { path, start_line, end_line } = finding;
    return (
      end_line - start_line < 40 && linesOf(start_line, end_line).some((n) => unresolved.has(`${path}:${n}`))
    );
  };
}

function countLines(one: DriftCase, findings: readonly Predicted[], counts: Counts): void {
  const human = new Set(
    one.hunks.flatMap((hunk) => {
      const { first, last } = spanOf(hunk);
      return linesOf(first, last).map((line) => `${hunk.path}:${line}`);
    }),
  );
  const flagged = new Set(
    findings.flatMap(({ path, start_line, end_line }) =>
      linesOf(start_line, Math.min(end_line, start_line + 20_000)).map((line) => `${path}:${line}`),
    ),
  );
  add(counts, "flines", flagged.size);
  add(counts, "flines_in", [...flagged].filter((line) => human.has(line)).length);
}

/** Characters that the replacements change outside every hunk of the human. */
function countOutside(one: DriftCase, replaced: readonly Predicted[], pages: PageLines): number {
  let outside = 0;
  for (const finding of replaced) {
    const lines = pages(one, finding.path);
    if (lines === null) outside += lengthOf(finding.replacement!);
    else outside += charactersOutside(one, finding, lines);
  }
  return outside;
}

function charactersOutside(one: DriftCase, finding: Predicted, lines: readonly string[]): number {
  const old = lines.slice(finding.start_line - 1, finding.end_line);
  const fresh = replacementLines(finding);
  let outside = 0;
  for (const { tag, i1, i2, j1, j2 } of new SequenceMatcher(fresh, { autojunk: false }).opcodes(old)) {
    if (tag === "equal") continue;
    const at = finding.start_line + i1;
    const changed: Predicted =
      i2 > i1
        ? { path: finding.path, start_line: at, end_line: finding.start_line + i2 - 1 }
        : { path: finding.path, start_line: at - 1, end_line: at };
    if (one.hunks.some((hunk) => overlaps(changed, hunk))) continue;
    for (const line of [...old.slice(i1, i2), ...fresh.slice(j1, j2)]) outside += lengthOf(line) + 1;
  }
  return outside;
}

type Replaced = {
  readonly replaced: readonly Predicted[];
  readonly outside: number;
  readonly pages: PageLines;
};

function countExact(one: DriftCase, { replaced, outside, pages }: Replaced, counts: Counts): void {
  const hunks = one.hunks.filter(({ role, mechanical }) => role === "target" && mechanical);
  const made = hunks.filter((hunk) => replaced.some((finding) => overlaps(finding, hunk)));
  const exact = made.filter((hunk) => {
    const lines = pages(one, hunk.path);
    const own = replaced.filter(({ path }) => path === hunk.path);
    return lines !== null && isExact(one, { hunk, own, lines });
  }).length;
  add(counts, "mhunk", hunks.length);
  // Not a figure of the set's own scorer: the hunks that an edit touches.
  add(counts, "mhunk_made", made.length);
  add(counts, "mhunk_ok", exact);
  if (!one.mechanical) return;
  const isGood = hunks.length > 0 && exact === hunks.length;
  add(counts, "mcase", 1);
  add(counts, "mcase_ok", isGood);
  add(counts, "mclean_ok", isGood && outside === 0);
}

type Attempt = {
  readonly hunk: DriftHunk;
  readonly own: readonly Predicted[];
  readonly lines: readonly string[];
};

/** Whether the page reads as the human left it, in the lines of the hunk and of the findings that touch it. */
function isExact(one: DriftCase, { hunk, own, lines }: Attempt): boolean {
  const touching = own.filter((finding) => overlaps(finding, hunk));
  if (touching.length === 0) return false;
  const first = Math.max(1, Math.min(hunk.old_start, ...touching.map(({ start_line }) => start_line)));
  const bottom = Math.max(hunk.old_start + hunk.old_count - 1, ...touching.map(({ end_line }) => end_line));
  const last = Math.min(bottom, lines.length);
  const within = (edits: readonly LineEdit[]): string =>
    JSON.stringify(applyTo(lines, { first, last, edits }));
  const near = one.hunks.filter(
    ({ path, old_start, old_count }) =>
      path === hunk.path && old_start <= last && old_start + Math.max(old_count, 1) - 1 >= first,
  );
  const got = within(
    own
      .filter(({ start_line, end_line }) => start_line <= last && end_line >= first)
      .map((finding) => ({
        first: finding.start_line,
        last: finding.end_line,
        fresh: replacementLines(finding),
      })),
  );
  // The lines may hold other changes of the human, which are not part of the case.
  const needed = near.filter(({ role, mechanical }) => role === "target" && mechanical);
  return got === within(near.map(hunkEdit)) || got === within(needed.map(hunkEdit));
}

type LineEdit = { readonly first: number; readonly last: number; readonly fresh: readonly string[] };
type LineWindow = { readonly first: number; readonly last: number; readonly edits: readonly LineEdit[] };

function applyTo(lines: readonly string[], { first, last, edits }: LineWindow): string[] {
  const result: string[] = [];
  let at = first;
  for (const edit of [...edits].sort((a, b) => a.first - b.first || a.last - b.last)) {
    if (edit.first < at && edit.last < at - 1) continue;
    result.push(...lines.slice(at - 1, Math.max(at - 1, edit.first - 1)), ...edit.fresh);
    at = Math.max(at, edit.last + 1);
  }
  return [...result, ...lines.slice(at - 1, Math.max(at - 1, last))];
}

function hunkEdit({ old_start, old_count, new_count, new_text }: DriftHunk): LineEdit {
  const fresh = new_count ? new_text.split("\n") : [];
  if (old_count) return { first: old_start, last: old_start + old_count - 1, fresh };
  return { first: old_start + 1, last: old_start, fresh };
}

function replacementLines({ replacement = "" }: Predicted): string[] {
  return replacement === "" ? [] : replacement.replace(/\n$/, "").split("\n");
}

function linesOf(first: number, last: number): number[] {
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => first + i);
}

function lengthOf(text: string): number {
  return [...text].length;
}

function add(counts: Counts, name: string, count: number | boolean): void {
  counts.set(name, (counts.get(name) ?? 0) + Number(count));
}

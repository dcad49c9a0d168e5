import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { conjoin } from "../../src/drift/confidence/features.ts";
import { suppressionOf } from "../../src/drift/confidence/suppressions.ts";
import type { RuleName } from "../../src/drift/rules.ts";
import type { AskedCandidate } from "../drift/ask.ts";
import type { DriftCase } from "../drift/cases.ts";
import type { LateCase } from "../drift/late-case.ts";
import type { Example } from "./logistic.ts";

/** Where an example comes from, for folds and for tables. */
export type LabelledExample = Example & {
  readonly set: "drift" | "innocent" | "late" | "stream";
  readonly repo: string;
  /** The id of the case, or of the commit where the set has no cases. */
  readonly id: string;
  readonly commit: string;
  readonly candidate: AskedCandidate;
};

type Collected = {
  readonly repo: string;
  readonly id: string;
  readonly commit: string;
  readonly candidates: readonly AskedCandidate[];
};

/** The share of commits that drift: 171 of 34,877 are known to, from reading, and about half of the drift is found. */
const DRIFT_RATE = 0.01;

export type LabelOptions = {
  /** The folder of collected candidates. */
  readonly from: string;
  /** The folder of the benchmark sets. */
  readonly data: string;
  /** Files of verdicts from reading, the later ones first to be believed. */
  readonly verdicts: readonly string[];
};

/**
 * What is known about every candidate. In the chosen commits a candidate is right when it touches lines that people
 * rewrote, or when a reader said so; in late repairs when it touches the passage; in histories when a reader said so,
 * or when people repaired the passage later. The sets are weighed so that together they look like a history in which
 * one commit in a hundred drifts.
 */
export function labelAll(options: LabelOptions): LabelledExample[] {
  const drift = labelDrift(options);
  const stream = labelStream(options);
  const late = labelLate(options);
  return shareByCause([...drift, ...late, ...stream]);
}

/** Suppressed candidates are no findings, whatever their confidence. */
export function dropHeld(examples: readonly LabelledExample[]): LabelledExample[] {
  return examples.filter(
    ({ candidate }) => suppressionOf(candidate.kind as RuleName, candidate.features) === null,
  );
}

/** Passages of one cause are right or wrong together: a cause with many counts little more than one with few. */
function shareByCause(examples: readonly LabelledExample[]): LabelledExample[] {
  const causeOf = ({ set, repo, commit, candidate }: LabelledExample): string =>
    [set, repo, commit, candidate.kind, candidate.old, candidate.new].join("\0");
  const sizes = Map.groupBy(examples, causeOf);
  return examples.map((example) => ({
    ...example,
    weight: example.weight / Math.sqrt(sizes.get(causeOf(example))!.length),
  }));
}

function labelDrift({ from, data, verdicts }: LabelOptions): LabelledExample[] {
  const cases = new Map(
    ["pos_dev.jsonl", "neg_dev.jsonl"]
      .flatMap((name) => readLines<DriftCase>(join(data, "drift", name)))
      .map((one) => [one.case_id, one]),
  );
  const positives = [...cases.values()].filter(({ label }) => label === "positive").length;
  const weight = (countAsked(from) * DRIFT_RATE) / positives;
  const repaired = readRepaired(data);
  const read = readVerdicts(verdicts);
  return readCollected(join(from, "drift.jsonl")).flatMap(({ id, repo, commit, candidates }) => {
    const one = cases.get(id)!;
    const isPositive = one.label === "positive";
    return candidates.map((candidate) => ({
      set: isPositive ? ("drift" as const) : ("innocent" as const),
      repo,
      id,
      commit,
      candidate,
      features: candidate.features,
      right:
        (isPositive && one.hunks.some((hunk) => touchesHunk(candidate, hunk))) ||
        repaired(repo, commit, candidate) ||
        verdictOf(read.get(`${repo} ${commit}`) ?? [], candidate) === 1
          ? 1
          : 0,
      // An innocent commit of this set was chosen for naming what it touches.
      weight: isPositive ? weight : 0.5,
    }));
  });
}

/** The commits of all histories that candidates were collected from. */
function countAsked(from: string): number {
  const asked = historiesOf(from).map((file) => readLines<{ asked?: number }>(file)[0]?.asked ?? 0);
  return asked.reduce((sum, one) => sum + one, 0);
}

/** The files of collected histories: `stream.jsonl`, `stream-older.jsonl`… */
function historiesOf(from: string): string[] {
  return globSync("stream*.jsonl", { cwd: from })
    .sort()
    .map((name) => join(from, name));
}

/** Whether people repaired the passage later: then the commit was not innocent of it. */
function readRepaired(data: string): (repo: string, commit: string, candidate: AskedCandidate) => boolean {
  const cases = Map.groupBy(
    readLines<LateCase>(join(data, "late/dev.jsonl")),
    ({ repo, code_commit }) => `${repo} ${code_commit}`,
  );
  return (repo, commit, candidate) =>
    cases.get(`${repo} ${commit}`)?.some((one) => touchesPassage(candidate, one)) ?? false;
}

function touchesPassage({ path, line, endLine }: AskedCandidate, one: LateCase): boolean {
  return one.path === path && line <= one.end_line && endLine >= one.start_line;
}

/** An insertion touches the seam it goes to, as the scorer of the set has it. */
function touchesHunk({ path, line, endLine }: AskedCandidate, hunk: DriftCase["hunks"][number]): boolean {
  if (path !== hunk.path) return false;
  const start = hunk.old_start;
  const end = hunk.old_count === 0 ? start + 1 : start + hunk.old_count - 1;
  return line <= end && endLine >= start;
}

/** Other passages of these commits were not looked at, so they are left out. */
function labelLate({ from, data }: LabelOptions): LabelledExample[] {
  const isRepaired = readRepaired(data);
  return readCollected(join(from, "late.jsonl")).flatMap(({ repo, id, commit, candidates }) =>
    candidates
      .filter((candidate) => isRepaired(repo, commit, candidate))
      .map((candidate) => ({
        set: "late" as const,
        repo,
        id,
        commit,
        candidate,
        features: candidate.features,
        right: 1,
        weight: 0.5,
      })),
  );
}

/** A reader's verdict: of the benchmark set by its message, of our own files by its cause. */
type Read = {
  readonly repo: string;
  readonly commit: string;
  readonly kind: string;
  readonly message?: string;
  /** The names that the finding quotes, joined by ` | `. */
  readonly cause?: string;
  readonly verdict: "right" | "trivial" | "wrong";
};

/** A verdict is about a cause: the same old word, as the same kind of finding or another. */
function labelStream({ from, data, verdicts }: LabelOptions): LabelledExample[] {
  const read = readVerdicts(verdicts);
  const isRepaired = readRepaired(data);
  const collected = historiesOf(from).flatMap(readCollected);
  return collected.flatMap(({ repo, id, commit, candidates }) =>
    candidates.map((candidate) => ({
      set: "stream" as const,
      repo,
      id,
      commit,
      candidate,
      features: candidate.features,
      right: isRepaired(repo, commit, candidate)
        ? 1
        : verdictOf(read.get(`${repo} ${commit}`) ?? [], candidate),
      weight: 1,
    })),
  );
}

function readVerdicts(files: readonly string[]): Map<string, Read[]> {
  return Map.groupBy(
    files.flatMap((file) => readLines<Read>(file)),
    ({ repo, commit }) => `${repo} ${commit}`,
  );
}

/** An unread candidate counts as wrong: in a history nearly all of them are. */
function verdictOf(read: readonly Read[], { old, new: fresh, kind }: AskedCandidate): number {
  const word = old ?? fresh ?? "";
  const named = read.filter(
    ({ message, cause = "" }) =>
      cause === word || cause.startsWith(`${word} | `) || message?.includes(`\`${word}\``),
  );
  const own = named.find((one) => one.kind === kind) ?? named[0];
  return own?.verdict === "right" ? 1 : own?.verdict === "trivial" ? 0.3 : 0;
}

/** Candidates with what follows from their features, so that a new conjunction needs no new collecting. */
function readCollected(file: string): Collected[] {
  const rows = readLines<Partial<Collected>>(file).filter((row): row is Collected => "candidates" in row);
  return rows.map((row) => ({
    ...row,
    candidates: row.candidates.map((one) => ({
      ...one,
      features: { ...one.features, ...conjoin(one.features) },
    })),
  }));
}

function readLines<T>(file: string): T[] {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch {
    return [];
  }
  return text
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as T);
}

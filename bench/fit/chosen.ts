import { join } from "node:path";
import { type DriftCase, loadCases } from "../drift/cases.ts";
import { countCase, type Figures, figuresOf, type Predicted } from "../drift/score-cases.ts";
import type { LabelledExample } from "./label.ts";

/** A candidate of a chosen commit, and what was said of it; `null` where it is suppressed. */
export type Said = { readonly example: LabelledExample; readonly said: number | null };

/** The figures of the chosen commits for everything said from a probability on, candidates of one passage joined. */
export function chosenFigures(all: readonly Said[], options: ChosenOptions): Figures {
  const own = all.filter(({ said, example }) => isChosen(example) && isSaid(said, options.from));
  const byCase = Map.groupBy(own, ({ example }) => example.id);
  const counts = options.cases.map((one) =>
    countCase(one, joinPassages((byCase.get(one.case_id) ?? []).map(({ example }) => example)), () => null),
  );
  return figuresOf(counts);
}

export type ChosenOptions = {
  readonly cases: readonly DriftCase[];
  /** The least probability; `null` for everything, suppressed candidates included. */
  readonly from: number | null;
};

export function loadChosen(data: string): DriftCase[] {
  return loadCases(["pos_dev.jsonl", "neg_dev.jsonl"].map((name) => join(data, "drift", name)));
}

function isChosen({ set }: LabelledExample): boolean {
  return set === "drift" || set === "innocent";
}

function isSaid(said: number | null, from: number | null): boolean {
  return from === null || (said !== null && said >= from);
}

/** One finding for each stretch of lines, as the product joins them. */
function joinPassages(examples: readonly LabelledExample[]): Predicted[] {
  const byPage = Map.groupBy(examples, ({ candidate }) => candidate.path);
  return [...byPage].flatMap(([path, own]) => {
    const isWide = ({ candidate: { hasEdit, line, endLine } }: LabelledExample): boolean =>
      !hasEdit && endLine - line > 1;
    return [own.filter(isWide), own.filter((one) => !isWide(one))].flatMap((each) => joinLines(path, each));
  });
}

function joinLines(path: string, examples: readonly LabelledExample[]): Predicted[] {
  const sorted = examples
    .map(({ candidate }) => candidate)
    .toSorted((a, b) => a.line - b.line || b.endLine - a.endLine);
  const joined: { path: string; start_line: number; end_line: number }[] = [];
  for (const { line, endLine } of sorted) {
    const last = joined.at(-1);
    if (last && line <= last.end_line) last.end_line = Math.max(last.end_line, endLine);
    else joined.push({ path, start_line: line, end_line: endLine });
  }
  return joined;
}

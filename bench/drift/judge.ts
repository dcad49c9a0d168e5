import type { AskedFinding } from "./ask.ts";
import { causeOf, type Joined, type Judgement, type Labels } from "./labels.ts";
import type { Answer } from "./pool.ts";

export type Mark = Judgement | "unlabelled";

export const MARKS: readonly Mark[] = ["right", "trivial", "wrong", "unlabelled"];

/** All findings of one commit that have the same cause, and what a reader thought of it. */
export type Cause = {
  readonly answer: Answer;
  readonly cause: string;
  readonly kind: string;
  readonly tier: string;
  readonly findings: readonly AskedFinding[];
  readonly joined: Joined | null;
  readonly mark: Mark;
};

export function judgeCauses(answers: readonly Answer[], labels: Labels): Cause[] {
  return answers.flatMap((answer) => {
    const groups = Map.groupBy(
      answer.findings,
      (finding) => `${finding.kind} ${finding.tier} ${finding.message}`,
    );
    return [...groups.values()].map((findings) => {
      const [first] = findings;
      const joined = findings.map((finding) => labels.find(answer, finding)).find(Boolean) ?? null;
      const { kind, tier } = first!;
      const mark = joined?.label.verdict ?? "unlabelled";
      return { answer, cause: causeOf(first!), kind, tier, findings, joined, mark };
    });
  });
}

/** The mark of a commit is that of its best cause; an unread cause is better than a wrong one. */
export function markOfCommit(causes: readonly Cause[]): Mark {
  const marks = new Set(causes.map(({ mark }) => mark));
  return (
    (["right", "unlabelled", "trivial", "wrong"] as const).find((mark) => marks.has(mark)) ?? "unlabelled"
  );
}

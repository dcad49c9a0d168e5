import type { DriftCase } from "./cases.ts";
import { gitDirOf } from "./mirror.ts";
import { ObjectReader } from "./objects.ts";
import type { Answer } from "./pool.ts";

/** The pages that the scorer of the cases looks at, as each case's parent has them. */
export type CasePages = {
  readonly text: (one: DriftCase, path: string) => string | null;
  readonly lines: (one: DriftCase, path: string) => readonly string[] | null;
};

/** Reads the pages that have a finding or a hunk, once. */
export async function readCasePages(
  cases: readonly DriftCase[],
  answers: readonly Answer[],
  mirror: string,
): Promise<CasePages> {
  const texts = new Map<string, string | null>();
  const byId = new Map(answers.map((answer) => [answer.id, answer]));
  for (const [repo, own] of Map.groupBy(cases, (one) => one.repo)) {
    const objects = new ObjectReader(gitDirOf(mirror, repo));
    for (const one of own) {
      const touched = [...one.hunks, ...(byId.get(one.case_id)?.findings ?? [])];
      for (const path of new Set(touched.map((each) => each.path)))
        texts.set(
          keyOf(one, path),
          (await objects.read(`${one.parent}:${path}`))?.bytes.toString("utf8") ?? null,
        );
    }
    objects.close();
  }
  const text = (one: DriftCase, path: string): string | null => texts.get(keyOf(one, path)) ?? null;
  return { text, lines: (one, path) => text(one, path)?.split("\n") ?? null };
}

function keyOf({ case_id }: DriftCase, path: string): string {
  return `${case_id}:${path}`;
}

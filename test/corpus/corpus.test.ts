import { describe, expect, test } from "vitest";
import { type Case, corpusIsThere, readCases } from "./cases.ts";
import { type Difference, differences } from "./differences.ts";
import { judge, type Verdict } from "./judge.ts";

type Judged = {
  readonly peer: string;
  readonly each: Case;
  readonly verdict: Verdict;
  readonly listed?: Difference;
};

const missing = corpusIsThere ? "" : ": their corpus is not beside the project";

describe.skipIf(!corpusIsThere)(`the peers' edits${missing}`, () => {
  const judged = corpusIsThere ? judgeAll() : [];
  const failing = judged.filter(({ verdict }) => !verdict.pass);

  test("every case passes or is listed with the reason why we choose otherwise", () => {
    const unlisted = failing.filter(({ listed }) => !listed);
    expect(unlisted.map(({ each, verdict }) => `${each.id}: ${verdict.pass ? "" : verdict.why}`)).toEqual([]);
  });

  test("no listing is stale", () => {
    const used = new Set(failing.map(({ listed }) => listed));
    const failed = new Set(failing.map(({ each }) => each.id));
    const stale = differences.flatMap((difference) => {
      if ("ids" in difference) return difference.ids.filter((id) => !failed.has(id));
      return used.has(difference) ? [] : [difference.reason];
    });
    expect(stale).toEqual([]);
  });

  test("the counts per peer are printed", () => {
    const rows = countPerPeer(judged);
    console.table(rows);
    const total = rows.all!;
    expect(total.passed + total["chosen otherwise"] + total.elsewhere).toBe(total.total);
  });
});

function judgeAll(): Judged[] {
  return [...readCases()].flatMap(([peer, cases]) =>
    cases.map((each) => {
      const listed = differences.find((difference) => covers(difference, each));
      const verdict = listed?.elsewhere ? ({ pass: false, why: "not run here" } as const) : judge(peer, each);
      return { peer, each, verdict, ...(listed ? { listed } : {}) };
    }),
  );
}

function covers(difference: Difference, each: Case): boolean {
  return "ids" in difference ? difference.ids.includes(each.id) : difference.covers(each);
}

type Row = { passed: number; "chosen otherwise": number; elsewhere: number; total: number };

function countPerPeer(judged: readonly Judged[]): Record<string, Row> {
  const rows: Record<string, Row> = {};
  for (const { peer, verdict, listed } of judged)
    for (const name of [peer, "all"]) {
      rows[name] ??= { passed: 0, "chosen otherwise": 0, elsewhere: 0, total: 0 };
      const row = rows[name];
      row.total++;
      if (verdict.pass) row.passed++;
      else if (listed?.elsewhere) row.elsewhere++;
      else if (listed) row["chosen otherwise"]++;
    }
  const { all, ...peers } = rows;
  return { ...peers, ...(all ? { all } : {}) };
}

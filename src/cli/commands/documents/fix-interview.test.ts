import { expect, test } from "vitest";
import type { ReportedFinding } from "../../../docs/check/report.ts";
import type { EditDecision } from "../../../docs/fix/choose.ts";
import type { Terminal } from "../../terminal/terminal.ts";
import { FixInterview } from "./fix-interview.ts";

function finding(line: number, cause: string): ReportedFinding {
  return {
    id: `rename-${line}`,
    path: "README.md",
    startLine: line,
    endLine: line,
    tier: "likely",
    kind: "rename",
    cause,
    message: `\`${cause}\` is now \`b\`.`,
    evidence: [{ path: "src/a.ts", revision: "worktree", startLine: 1, endLine: 1 }],
    edits: [],
  };
}

/** A hundred findings of six causes, answered with these keys. */
async function interview(keys: readonly (string | undefined)[]) {
  const left = [...keys];
  let asked = 0;
  const remarks: string[] = [];
  const terminal = {
    ask: async () => {
      asked++;
      return left.shift();
    },
    remark: (text: string) => remarks.push(text),
  } as unknown as Terminal;
  const person = new FixInterview(terminal);
  const answers: EditDecision[] = [];
  for (let i = 0; i < 100; i++)
    answers.push(await person.ask(finding(i, `cause ${i % 6}`), { concern: null }));
  const count = (wanted: EditDecision): number => answers.filter((one) => one === wanted).length;
  return { asked, yes: count(true), no: count(false), unasked: count(undefined), remarks: remarks.length };
}

const rows: [
  name: string,
  keys: (string | undefined)[],
  result: Partial<Awaited<ReturnType<typeof interview>>>,
][] = [
  ["one answer for each cause", ["a", "d", "a", "d", "a", "d"], { asked: 6, yes: 50, no: 50 }],
  ["everything after the first", ["w"], { asked: 1, yes: 100 }],
  ["nothing after the second", ["y", "q"], { asked: 2, yes: 1, no: 99 }],
  [
    "each by itself",
    [...Array.from({ length: 50 }, () => "y"), ...Array.from({ length: 50 }, () => "")],
    { asked: 100, yes: 50, no: 50 },
  ],
  ["a key that is none is explained and asked again", ["?", "x", "w"], { asked: 3, yes: 100, remarks: 2 }],
  ["never of this rule: one key for all", ["r"], { asked: 1, no: 100 }],
  ["never because of this source: one key for all", ["s"], { asked: 1, no: 100 }],
  ["without a person nothing is decided", [], { asked: 100, unasked: 100 }],
];

test("a person's own words take the place of the proposed text; an empty text is asked about again", async () => {
  const texts = [undefined, " ", "the guide"];
  const keys = ["e", "e", "e"];
  const remarks: string[] = [];
  const terminal = {
    ask: async () => keys.shift(),
    edit: async () => texts.shift(),
    remark: (text: string) => remarks.push(text),
  } as unknown as Terminal;
  const edit = { path: "README.md", old_string: "old page", new_string: "new page", reason: "it moved" };
  const one = { ...finding(3, "cause"), edits: [edit] };
  expect(await new FixInterview(terminal).ask(one, { concern: null })).toEqual([
    { ...edit, new_string: "the guide", original: "new page" },
  ]);
  expect(remarks).toHaveLength(2);
});

test.each(rows)("%s", async (_, keys, result) => {
  expect(await interview(keys)).toMatchObject(result);
});

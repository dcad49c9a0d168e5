import { expect, test } from "vitest";
import type { CheckReport, ReportedFinding } from "../docs/check/report.ts";
import type { Evidence } from "../text/model/edit.ts";
import { commitMessage, requestBody, writeComment, writeSummary } from "./ci.ts";

const finding = (i: number, text = "old"): ReportedFinding => ({
  id: `rename-${(i + 0x1000).toString(16).padStart(8, "0")}`,
  path: `docs/${i}.md`,
  startLine: 1,
  endLine: 1,
  tier: "certain",
  kind: "rename",
  message: "`a` is now `b` (src/a.ts:1).",
  evidence: [],
  edits: [{ path: `docs/${i}.md`, old_string: text, new_string: "new", reason: "" }],
});
const reportOf = (findings: ReportedFinding[]): CheckReport => ({
  base: "",
  head: "",
  findings,
  unknown: [],
});

test("ten thousand findings make a short comment with one first line", () => {
  const body = writeComment(reportOf(Array.from({ length: 10_000 }, (_, i) => finding(i))), {}, null)!;
  expect(body.split("\n")[2]).toBe("**Suture:** 10000 passages no longer true.");
  expect(body).toContain("… and 9990 more");
  expect(body.length).toBeLessThan(10_000);
});

test("the comment stays under ten kilobytes, whatever there is to say", () => {
  const findings = Array.from({ length: 300 }, (_, i) => finding(i, `${"long line ".repeat(i)}\n`.repeat(3)));
  const report = {
    ...reportOf(findings),
    unknown: Array.from({ length: 99 }, (_, i) => ({ path: `p${i}.md`, why: "x" })),
  };
  expect(writeComment(report, {}, null)!.length).toBeLessThan(10_000);
});

test("a page of one endless line, and lines that look like ours, leave no block open", () => {
  const findings = [
    finding(1, "x".repeat(1 << 20)),
    finding(2, " <code>y\n- <code>z\n</details>"),
    finding(3),
  ];
  for (const body of [writeComment(reportOf(findings), {}, null)!, writeSummary(reportOf(findings), {})]) {
    expect(body.length).toBeLessThan(1_000_000);
    expect(body.match(/^```/gm)!.length % 2).toBe(0);
    expect(body).toContain("docs/3.md:1");
  }
});

test("lines that an edit quotes only to be found are not shown as changed", () => {
  const edit = {
    path: "a.md",
    old_string: "one\ntwo\nthree\n",
    new_string: "one\n2\n2\nthree\n",
    reason: "",
  };
  const body = writeComment(reportOf([{ ...finding(1), edits: [edit] }]), {}, null)!;
  expect(body).toContain("```diff\n-two\n+2\n+2\n```");
});

test("the comment and the summary say how many claims were asked, and what came out", () => {
  const asked = { claims: 1930, false: 7, undecidable: [{ why: "several fit", count: 112 }] };
  const looked = {
    against: { is: "main branch", name: "main" },
    commits: 1,
    files: 2,
    pages: 9,
    unread: [],
  } as const;
  const report = { ...reportOf([finding(1)]), scope: { ...looked, ...asked, leftOut: [] } };
  const line = "1,930 claims about the change, 7 false, 112 undecidable";
  expect(writeComment(report, {}, null)!.split("\n").slice(2, 5)).toEqual([
    "**Suture:** 1 passage no longer true.",
    "",
    line,
  ]);
  expect(writeSummary(report, {}).split("\n")[2]).toBe(line);
});

test("a comment remembers what it has named, and counts each once", () => {
  const first = writeComment(reportOf([finding(1), finding(2)]), {}, null);
  const second = writeComment(reportOf([finding(2), finding(3)]), {}, first);
  expect(second).toContain("2 passages no longer true, 1 was fixed.");
  expect(writeComment(reportOf([]), {}, second)).toContain("nothing left to fix, 3 were fixed.");
  expect(writeComment(reportOf([]), {}, null)).toBeNull();
});

const one: ReportedFinding = {
  ...finding(1),
  evidence: [
    {
      path: "src/a.ts",
      revision: "c".repeat(40),
      startLine: 1,
      endLine: 1,
      before: "let a;",
      after: "let b;",
    },
  ],
  edits: [{ path: "docs/1.md", old_string: "Call `a` first.", new_string: "Call `b` first.", reason: "" }],
};
const links = {
  page: ({ path, startLine }: ReportedFinding) => `https://host.example/${path}#L${startLine}`,
  code: ({ path, startLine }: Evidence) => `https://host.example/${path}#L${startLine}`,
  text: () => "Call `a` first.",
};

test("one finding is not folded: the line of code, the text, what to write instead, and links to both", () => {
  const body = writeComment(reportOf([one]), {}, null, links)!;
  expect(body).not.toContain("<details>");
  expect(body.split("\n").slice(2)).toEqual([
    "**Suture:** 1 passage no longer true.",
    "",
    "<code>a</code> is now <code>b</code>: [<code>src/a.ts:1</code>](https://host.example/src/a.ts#L1).",
    "",
    "```diff",
    "-let a;",
    "+let b;",
    "```",
    "",
    "[<code>docs/1.md:1</code>](https://host.example/docs/1.md#L1) (certain, <code>rename-00001001</code>), what to write instead:",
    "",
    "```diff",
    "-Call `a` first.",
    "+Call `b` first.",
    "```",
    "",
    "`suture fix` can fix it. If a passage is right as it is: mark it with a comment `suture-ignore`, or run `suture dismiss ID --reason TEXT`.",
    "",
    "",
    expect.stringMatching(/^<sub>Suture compares the documents of a project with its code/),
  ]);
});

test("a passage without an edit is quoted, and the advice says that a person is needed", () => {
  const body = writeComment(reportOf([{ ...one, edits: [] }]), {}, null, links)!;
  expect(body).toContain("```\nCall `a` first.\n```");
  expect(body).toContain("No rule can fix it; a person has to.");
  const two = writeComment(reportOf([one, { ...one, edits: [], path: "docs/2.md" }]), {}, null)!;
  expect(two).toContain("`suture fix` can fix 1 of these 2; 1 needs a person.");
});

test("several findings are folded by cause, with the cause as the title", () => {
  const other = { ...one, message: "`x` no longer exists (src/a.ts:1).", cause: "x", edits: [] };
  const body = writeComment(reportOf([one, { ...one, path: "docs/2.md" }, other]), {}, null)!;
  expect(body.match(/<summary>.*<\/summary>/g)).toEqual([
    "<summary><code>a</code> is now <code>b</code> (src/a.ts:1): 2 places in 2 pages</summary>",
    "<summary><code>x</code> no longer exists (src/a.ts:1): 1 place in 1 page</summary>",
  ]);
  expect(body.match(/let b/g)).toHaveLength(2);
});

test("several findings: their pages are named before anything is folded", () => {
  const findings = [
    one,
    { ...one, startLine: 9, id: "rename-2" },
    { ...one, path: "docs/2.md", id: "rename-3" },
  ];
  const [, , first, , pages, , fold] = writeComment(reportOf(findings), {}, null, links)!.split("\n");
  expect(first).toBe("**Suture:** 3 passages no longer true.");
  expect(pages).toBe(
    "In [<code>docs/1.md</code>](https://host.example/docs/1.md#L1) (2) and [<code>docs/2.md</code>](https://host.example/docs/2.md#L1).",
  );
  expect(fold).toContain("<details>");
  const many = Array.from({ length: 12 }, (_, i) => finding(i));
  expect(writeComment(reportOf(many), {}, null)).toContain("<code>docs/9.md</code> and 2 more.");
});

test("the comment gives the command of the job, which needs no installation", () => {
  const suture = "npx --yes --package 'git+https://git.example/suture.git#0a1b' -- suture";
  const body = writeComment(reportOf([one]), {}, null, { ...links, suture })!;
  expect(body).toContain(`\`${suture} fix\` can fix it.`);
});

test("findings that are only possible get no comment", () => {
  expect(writeComment(reportOf([{ ...finding(1), tier: "possible" }]), {}, null)).toBeNull();
});

const fixedPages = (findings: readonly ReportedFinding[], rewritten?: readonly string[]) => ({
  fixed: findings,
  left: [],
  pages: [],
  ...(rewritten && { byModel: { model: "openai:gpt@5", fixed: new Set(rewritten) } }),
});
const wanted = { about: ["main"], takesCommands: false };

test("edits that only rules made are said to be derived again", () => {
  const fixed = fixedPages([finding(1), finding(2)]);
  expect(commitMessage(fixed)).toContain("edited by rule; `suture verify` derives the edits again.");
  expect(requestBody(fixed, wanted)).toContain("A rule made each edit.");
});

test("a commit message and a pull request say which passages a model rewrote", () => {
  const fixed = fixedPages([finding(1), finding(2), finding(3)], [finding(2).id]);
  const message = commitMessage(fixed);
  expect(message).toContain(
    "Rules fixed 2 passages; `suture verify` derives these edits again. A model rewrote 1 passage.",
  );
  expect(message).not.toContain("@");
  const body = requestBody(fixed, wanted);
  expect(body).toMatch(
    /Rules fixed 2 passages\. The model <code>\S+<\/code> rewrote 1 passage, marked below\./,
  );
  expect(body).not.toContain("@");
  expect(body).not.toContain("A rule made each edit.");
  expect(body.split("\n").filter((line) => line.includes("rewritten by the model"))).toEqual([
    expect.stringContaining("docs/2.md"),
  ]);
});

test("if a model rewrote all passages, no rule is named", () => {
  const fixed = fixedPages([finding(1)], [finding(1).id]);
  expect(commitMessage(fixed)).toContain("A model rewrote 1 passage.");
  expect(commitMessage(fixed)).not.toContain("Rules fixed");
});

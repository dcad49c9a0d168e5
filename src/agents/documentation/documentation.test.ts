import { describe, expect, test } from "vitest";
import { z } from "zod";
import published from "../../../schemas/audit.schema.json" with { type: "json" };
import { fixFindings } from "../../docs/fix/fix.ts";
import {
  type AuditRecord,
  auditJsonSchema,
  auditSchema,
  parseAudit,
} from "../../docs/record/audit-schema.ts";
import { parseState, printState, whySkip } from "../../docs/record/documentation-state.ts";
import { emptyLineage, parseLineage, printLineage, withPages } from "../../docs/record/lineage.ts";
import { createRedact } from "../../text/match/secrets.ts";
import { openDesk } from "../../tools/testing.ts";
import { parseAnswer } from "../model/structured.ts";
import { checkRecord } from "../run/audit.ts";
import { mapConcurrently } from "../run/concurrency.ts";
import { decideMode } from "./page-mode.ts";
import { checkPlan } from "./page-plan.ts";

describe("existence and force alone decide how a page is written", () => {
  test.each([
    ["the page exists and is not forced", false, "text", null, "surgical-update", "text"],
    ["the page is missing", false, null, null, "full-generation", ""],
    ["the page exists and is forced", true, "text", null, "full-generation", ""],
    ["the page is missing and was moved from another page", false, null, "old", "surgical-update", "old"],
    ["the page exists and is planned as moved", false, "text", "old", "surgical-update", "text"],
    ["the page and its original are missing", false, null, null, "full-generation", ""],
    ["the page is empty", false, "", null, "full-generation", ""],
    ["the page holds only white space", false, " \n\t", null, "full-generation", ""],
    ["the page is empty and was moved from another page", false, "\n", "old", "surgical-update", "old"],
    ["the page is forced and moved", true, null, "old", "full-generation", ""],
  ] as const)("%s", (_, force, target, original, mode, content) => {
    expect(decideMode({ force, target, original })).toEqual({ mode, content });
  });
});

describe("skipping by state", () => {
  const state = {
    version: 1,
    checkedAt: "2026-01-01T00:00:00.000Z",
    base: null,
    head: "abc",
    hasDrift: false,
  } as const;
  const calm = { state, force: false, head: "abc", uncommitted: 0, changed: 0, covered: true, stale: 0 };
  const checked = { ...state, base: "aaa" } as const;

  test("a run is skipped, with the reason, when no drift is recorded at the current commit", () => {
    expect(whySkip({ ...calm, state: parseState(printState(state)) })).toMatch(/no drift was found at abc/);
  });

  test("committing the pages that a run wrote ends no skip", () => {
    expect(whySkip({ ...calm, head: "def" })).not.toBeNull();
  });

  test.each([
    ["force", { force: true }],
    ["drift is recorded", { state: { ...state, hasDrift: true } }],
    ["a commit changed a source since", { changed: 1 }],
    ["the recorded source of a page changed, though rules found nothing", { state: checked, stale: 1 }],
    ["a check of another commit", { state: checked, head: "def" }],
    ["a file changed since", { uncommitted: 1 }],
    ["Suture cannot tell what changed", { uncommitted: null }],
    ["no state", { state: null }],
    ["no repository", { head: null }],
    ["the check started from a later commit", { state: checked, covered: false }],
    ["no run was asked about the given base", { asked: false }],
  ])("%s is none", (_, change) => {
    expect(whySkip({ ...calm, ...change })).toBeNull();
  });

  test.each([
    "",
    "{",
    "[]",
    "null",
    '{"version":2}',
    '{"version":1,"head":"","checkedAt":"x","hasDrift":false}',
    '{"version":1,"hasDrift":"no"}',
  ])("%j counts as no state and does not fail the run", (text) => {
    expect(parseState(text)).toBeNull();
  });
});

describe("a plan of pages", () => {
  const paths = ["docs/a.md", "docs/old.md", "src/a.ts", "README.md"];
  const page = (path: string, more = {}) => ({
    path,
    description: "d",
    type: "guide",
    relevantPaths: ["src/a.ts", "src/no.ts"],
    ...more,
  });

  test.each([
    "../x.md",
    "docs/../../x.md",
    "/etc/x.md",
    "src/a.md",
    "docs",
    "docs/x.ts",
    "C:\\x.md",
    "docs\\x.md",
    "docs/../README.md",
    "docs-evil/x.md",
    "docs/x.md\0",
  ])("%j is not a page of docs/", (path) => {
    const { pages, refused } = checkPlan([page(path)], "docs", paths);
    expect(pages).toEqual([]);
    expect(refused).toHaveLength(1);
  });

  test("keeps one of each, sources that exist, and an original that is a page", () => {
    const planned = [
      page("./docs/a.md"),
      page("docs/a.md"),
      page("docs/new.md", { originalPath: "docs/old.md" }),
      page("docs/b.md", { originalPath: "README.md" }),
    ];
    expect(checkPlan(planned, "docs", paths).pages).toMatchObject([
      { path: "docs/a.md", relevantPaths: ["src/a.ts"] },
      { path: "docs/new.md", originalPath: "docs/old.md" },
      expect.not.objectContaining({ originalPath: expect.anything() }),
    ]);
  });
});

test("lineage survives printing in order of path, and what is no lineage is told apart from none", () => {
  const grown = withPages(emptyLineage, {
    "docs/b.md": { sources: ["z.ts", "a.ts"], commit: "c", version: "v" },
    "docs/a.md": { sources: [], commit: null, version: "w" },
  });
  const printed = printLineage(grown);
  expect(printed.indexOf("docs/a.md")).toBeLessThan(printed.indexOf("docs/b.md"));
  expect(printed.indexOf("a.ts")).toBeLessThan(printed.indexOf("z.ts"));
  expect(parseLineage(printed)?.pages["docs/b.md"]?.commit).toBe("c");
  for (const text of ["", "{", '{"version":2,"pages":{}}']) expect(parseLineage(text)).toBeNull();
});

describe("an audit record", () => {
  const record: AuditRecord = {
    version: 1,
    id: "r",
    timestamp: "2026-01-01T00:00:00.000Z",
    source: "git",
    command: "documentation",
    trigger: { base: null, head: null, commits: [], changedFiles: [] },
    model: null,
    usage: { inputTokens: 0, outputTokens: 0, costUsd: null },
    toolCalls: { edit_article: 0 },
    articles: [
      {
        jrn: null,
        path: "docs/a.md",
        status: "error",
        evidence: [],
        error: "key sk-0123456789abcdef0123 refused",
        patch: "-sk-0123456789abcdef0123\n",
      },
    ],
  };

  test("the record holds no secrets, and its patch stays exact", () => {
    expect(checkRecord(record, createRedact()).articles[0]).toMatchObject({
      error: "key [secret] refused",
      patch: "-sk-0123456789abcdef0123\n",
    });
  });

  test("is described by the published schema, which says the same as the code", () => {
    expect(published).toEqual(auditJsonSchema());
  });

  test("describes the records of `suture fix`, too", async () => {
    const desk = await openDesk({ "docs/a.md": "Use old.\n" });
    const proof = {
      path: "src/a.ts",
      revision: "h",
      startLine: 1,
      endLine: 1,
      before: "old",
      after: "fresh",
    };
    const finding = {
      id: "rename-1",
      path: "docs/a.md",
      startLine: 1,
      endLine: 1,
      tier: "certain" as const,
      kind: "rename",
      message: "m",
      evidence: [proof],
      edits: [{ path: "docs/a.md", old_string: "old", new_string: "fresh", reason: "r" }],
    };
    const fixed = await fixFindings(
      desk.context,
      { base: "b", head: "h", findings: [finding], unknown: [] },
      { tiers: ["certain"], run: "run-1", time: "2026-01-01T00:00:00.000Z" },
    );
    expect(fixed.ok && auditSchema.safeParse(fixed.value.record).error).toBeUndefined();
    expect(fixed.ok && fixed.value.record?.articles[0]?.editReasons).toEqual(["r"]);
  });

  test("a record loads without reasons, and a malformed record does not load", () => {
    expect(parseAudit(JSON.stringify(record))?.articles[0]?.editReasons).toBeUndefined();
    for (const broken of [
      "",
      "{}",
      JSON.stringify({ ...record, version: 2 }),
      JSON.stringify({ ...record, surplus: 1 }),
    ])
      expect(parseAudit(broken)).toBeNull();
    expect(() => auditSchema.parse({ ...record, timestamp: "yesterday" })).toThrow();
  });
});

describe("an answer in JSON", () => {
  const schema = z.object({ a: z.number() });
  test.each([
    ["alone", '{"a":1}'],
    ["in a fence", 'Here it is:\n```json\n{"a":1}\n```\nDone.'],
    ["among words", 'Sure! {"a":1} is my answer, with a } and a ".'],
    ["after other brackets", 'As in [1] and {x}, the answer is {"a":1}.'],
    ["in the second fence", 'The code:\n```\nrun()\n```\n```json\n{"a":1}\n```'],
    ["with brackets in strings", '{"b":"}{]\\"","a":1}'],
  ])("is found %s", (_, text) => {
    expect(parseAnswer(text, schema)).toEqual({ ok: true, value: { a: 1 } });
  });
  test.each(["", "no", "{", '"a"', "[1]", '{"a":"1"}', "{{{{{{"])("%j is none", (text) => {
    expect(parseAnswer(text, schema).ok).toBe(false);
  });
});

test("work in parallel keeps to its number and to the order of its results", async () => {
  let running = 0;
  let most = 0;
  const results = await mapConcurrently([5, 1, 3, 2, 4], 2, async (item) => {
    most = Math.max(most, ++running);
    await new Promise((resolve) => setTimeout(resolve, item));
    running--;
    return item * 2;
  });
  expect(results).toEqual([10, 2, 6, 4, 8]);
  expect(most).toBe(2);
});

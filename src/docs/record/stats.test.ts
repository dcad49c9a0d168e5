import { expect, test } from "vitest";
import { type Desk, openDesk } from "../../tools/testing.ts";
import { printStats } from "../../wording/stats.ts";
import { createMemoryDisk } from "../../workspace/files/memory-files.ts";
import { writeDecisions, writeProposal } from "../fix/proposal.ts";
import type { AuditRecord } from "./audit.ts";
import { stateFile } from "./documentation-state.ts";
import { countStats } from "./stats.ts";
import { verdictsFile } from "./verdicts.ts";

const usage = { inputTokens: 0, outputTokens: 0, costUsd: 0 };
const trigger = { base: null, head: null, commits: [], changedFiles: [] };

function recordOf(more: Partial<AuditRecord> & Pick<AuditRecord, "id" | "articles">): AuditRecord {
  return {
    version: 1,
    timestamp: "2026-03-01T00:00:00.000Z",
    source: "fix",
    trigger,
    model: null,
    usage,
    toolCalls: {},
    ...more,
  };
}

function pageOf(path: string, entry: string, ...edits: { finding: string; by?: string }[]) {
  return {
    jrn: null,
    path,
    status: "updated" as const,
    evidence: [],
    entries: [entry],
    edits: edits.map((edit) => ({ old_string: "a", new_string: "b", reason: "r", ...edit })),
  };
}

const write = (desk: Desk, name: string, value: unknown) =>
  desk.context.workspace!.writeState(name, new TextEncoder().encode(JSON.stringify(value)));

test("a scripted history gives exactly the expected figures", async () => {
  const desk = await openDesk({ "a.md": "one\n\ntwo\n\nthree\n", "b.md": "b\n" });
  const edit = async (old_content: string, new_content: string): Promise<string> =>
    (await desk.call("edit_file", { path: "a.md", old_content, new_content })).entry!;
  const first = await edit("one", "1");
  const second = await edit("two", "2");
  await edit("three", "3");
  await desk.call("write_file", { path: "b.md", content: "c\n", rewrite: true });
  await desk.call("write_file", { path: "c.md", content: "c\n" });
  await desk.call("undo", { entry: second });
  await write(
    desk,
    "audit/run-1.json",
    recordOf({
      id: "run-1",
      toolCalls: { edit_article: 2, write_file: 0 },
      articles: [pageOf("a.md", first, { finding: "rename-1a" }, { finding: "default-2b" })],
    }),
  );
  await write(
    desk,
    "audit/run-2.json",
    recordOf({
      id: "run-2",
      source: "git",
      model: "openai:m",
      usage: { inputTokens: 100, outputTokens: 10, costUsd: 0.25 },
      toolCalls: { edit_article: 1 },
      articles: [pageOf("a.md", second, { finding: "rename-3c" }, { finding: "passage", by: "openai:m" })],
    }),
  );
  await write(
    desk,
    "audit/run-3.json",
    recordOf({
      id: "run-3",
      source: "git",
      model: "ollama:n",
      usage: { inputTokens: 5, outputTokens: 5, costUsd: null },
      articles: [{ jrn: null, path: "z.md", status: "error", evidence: [] }],
    }),
  );
  await write(desk, "audit/run-4.json", { nonsense: true });
  await write(desk, verdictsFile, { version: 1, verdicts: {} });
  await write(desk, stateFile, { version: 1 });
  await write(desk, "audit/last.json", { run: "run-3" });
  await write(desk, "audit/documentation.planned.json", { version: 1, pages: [] });
  await writeProposal(desk.context.workspace!, {
    version: 1,
    id: "run-5",
    time: "2026-03-02T00:00:00.000Z",
    source: "fix",
    model: null,
    base: "",
    head: "",
    unknown: [],
    findings: [
      {
        id: "rename-4d",
        path: "a.md",
        startLine: 1,
        endLine: 1,
        tier: "likely",
        kind: "rename",
        message: "",
        evidence: [],
        edits: [],
      },
    ],
  });
  await writeDecisions(desk.context.workspace!, "run-5", {
    0: { verdict: "rejected", time: "2026-03-02T00:00:00.000Z" },
  });
  desk.disk.put("suture.config.json", '{"dismissed":[{"id":"flag-5e","reason":"x"}]}');

  const counted = await countStats(desk.context.reader);
  if (!counted.ok) throw new Error(JSON.stringify(counted.refusal));
  const stats = counted.value;
  expect(stats.adoption).toEqual({ edits: 3, rewrites: 1, created: 1, others: 0, share: 0.75 });
  expect(stats.toolCalls).toEqual({ edit_article: 3, write_file: 0 });
  expect(stats.rules).toEqual({
    default: { kept: 1, undone: 0, rejected: 0, share: 1 },
    flag: { kept: 0, undone: 0, rejected: 1, share: 0 },
    rename: { kept: 1, undone: 1, rejected: 1, share: 1 / 3 },
  });
  expect(stats.models).toMatchObject({
    "openai:m": { kept: 0, undone: 1, share: 0, costUsd: 0.25, unpriced: 0 },
    "ollama:n": { share: null, inputTokens: 5, unpriced: 1 },
  });
  expect(stats.commands).toMatchObject({
    fix: { runs: 1, edits: 2, pages: { updated: 1, error: 0 } },
    git: { runs: 2, edits: 2, pages: { updated: 1, error: 1 }, costUsd: 0.25 },
  });
  expect(stats).toMatchObject({
    entries: 6,
    runs: 3,
    unreadable: 1,
    cost: { inputTokens: 105, costUsd: 0.25, unpriced: 1 },
  });
  expect(stats.overTime.reduce((sum, { edits }) => sum + edits, 0)).toBe(3);
  expect(stats.overTime.at(-1)).toMatchObject({ rewrites: 1, undone: 1 });
  const words = printStats(stats);
  expect(words).toContain("75% of the changes to existing files were edits");
  expect(words).toMatch(/rename +█{8} +33% {2}1 kept, 1 undone, 1 rejected/);
  expect(words).toContain("1 record could not be read");

  const later = await countStats(desk.context.reader, { since: "2999-01-01T00:00:00.000Z" });
  expect(later).toMatchObject({ ok: true, value: { entries: 0, runs: 0, rules: {}, overTime: [] } });
});

test("a folder without any history says so", async () => {
  const desk = await openDesk({ "a.md": "x\n" }, {}, createMemoryDisk());
  const counted = await countStats(desk.context.reader);
  expect(counted.ok && printStats(counted.value)).toBe("Nothing has been recorded here yet.");
});

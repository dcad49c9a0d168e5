import type { Reader } from "../../workspace/workspace.ts";
import type { AgentRun } from "../run/agent-run.ts";
import { type AgentRunRecord, type ArticleRecord, addCounts } from "../run/audit.ts";
import { printPageDiff } from "../run/page-diff.ts";
import { buildRecord, nonEmpty, type RunDetails } from "../run/run-record.ts";
import type { TaskResult } from "./do-task.ts";

/** The audit record of a goal: one article for each file that its tasks wrote, one for each failed task. */
export async function recordGoal(
  run: AgentRun,
  goal: string,
  results: readonly TaskResult[],
): Promise<AgentRunRecord> {
  const written = await writtenArticles(run, results);
  const failed = results.flatMap((result) => (result.status === "failed" ? [failedArticle(result)] : []));
  const record = buildRecord(run, await detailsOf(run, goal), [...written, ...failed]);
  return { ...record, toolCalls: addCounts(record.toolCalls, ...results.map(({ toolCalls }) => toolCalls)) };
}

async function detailsOf(run: AgentRun, goal: string): Promise<RunDetails> {
  const head = (await run.repository?.head()) ?? null;
  const trigger = { base: null, head, commits: [], changedFiles: [], goal };
  return { source: "goal", command: "run", trigger, tools: ["edit_file", "write_file"] };
}

/** The journal entries of one file: the first one, all of them, and their reasons. */
type FileHistory = { readonly first: string; readonly reasons: string[]; readonly entries: string[] };

async function writtenArticles(run: AgentRun, results: readonly TaskResult[]): Promise<ArticleRecord[]> {
  const { reader } = run.context;
  const ids = new Set(results.flatMap(({ entries }) => entries));
  const history = await reader.history({ run: run.id, limit: 10_000 });
  const files = new Map<string, FileHistory>();
  for (const entry of history.filter(({ id }) => ids.has(id)).toReversed())
    for (const { path } of entry.files) {
      const file = files.get(path) ?? { first: entry.id, reasons: [], entries: [] };
      const edits = entry.edits.filter((edit) => edit.path === path);
      file.entries.push(entry.id);
      file.reasons.push(...edits.map(({ reason }) => reason || "(no reason given)"));
      files.set(path, file);
    }
  const articles: ArticleRecord[] = [];
  for (const [path, file] of files) articles.push(await writtenArticle(reader, path, file));
  return articles;
}

/** The article of one file, from its bytes before the first entry to its current bytes. */
async function writtenArticle(
  reader: Reader,
  path: string,
  { first, reasons, entries }: FileHistory,
): Promise<ArticleRecord> {
  const image = await reader.readImage(first, path, "before");
  const bytes = image.ok ? image.value : null;
  const before = bytes === null ? null : new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  const current = await reader.read(path);
  const after = current.ok ? current.value.text : null;
  const article: ArticleRecord = {
    jrn: null,
    path,
    status: before === after ? "unchanged" : "updated",
    evidence: [{ changedFile: path, matchType: "goal" }],
    editReasons: reasons,
    entries,
  };
  if (before === after || after === null) return article;
  return { ...article, patch: printPageDiff(path, before, after) };
}

function failedArticle({ task, error, objections }: TaskResult): ArticleRecord {
  return {
    jrn: null,
    path: task.targets[0] ?? task.id,
    status: "error",
    evidence: [],
    error: `${task.id}: ${error}`,
    ...nonEmpty("objections", objections),
  };
}

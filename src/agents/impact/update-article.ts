import { accept, type Outcome } from "../../text/model/outcome.ts";
import { documentationText, impactText } from "../../wording/agents.ts";
import { describeCommits } from "../context/change-context.ts";
import { excerptDiff } from "../context/diff-excerpt.ts";
import { checkDraft } from "../gates/check-draft.ts";
import type { KnownFacts } from "../gates/known-facts.ts";
import type { ModelAnswer } from "../model/model.ts";
import { leftForPerson, whyUnfinished } from "../model/stop-reason.ts";
import type { Prompt } from "../prompts/prompt.ts";
import { updateArticle } from "../prompts/update-article.ts";
import { type AgentRun, type ModelRun, refusalText, writerOf } from "../run/agent-run.ts";
import { AgentTools } from "../run/agent-tools.ts";
import { Assignment, writerDefaults } from "../run/assignment.ts";
import type { ArticleRecord } from "../run/audit.ts";
import { cancelledText, unlessCancelled } from "../run/cancellation.ts";
import { whyCut, whyNoEdit } from "../run/no-edit.ts";
import { printPageDiff } from "../run/page-diff.ts";
import { gateFields, nonEmpty } from "../run/run-record.ts";
import { ScopedWorkspace } from "../run/write-scope.ts";
import type { Impacted } from "./search.ts";

export type ArticleOptions = {
  readonly facts: KnownFacts;
  readonly commits: readonly string[];
  readonly maxSteps?: number | undefined;
};

/**
 * Runs one agent for one article. It may read all files and edit only that article. What was written is `updated`, with
 * an `error` where the agent did not get to its end.
 */
export async function runArticleAgent(
  run: ModelRun,
  impacted: Impacted,
  options: ArticleOptions,
): Promise<ArticleRecord> {
  const { article, evidence } = impacted;
  const { path } = article;
  const found = { jrn: article.jrn, path, evidence: [...evidence] };
  const before = await readText(run, path);
  const { workspace } = run.context;
  if (!before.ok)
    return { ...found, status: "error", error: refusalText(run, before.refusal, "edit_article") };
  if (!workspace) return { ...found, status: "error", error: impactText.readOnly };
  const { facts, commits } = options;
  const checks = { facts, commits, secrets: run.secrets };
  const scoped = new ScopedWorkspace(workspace, {
    mayWrite: (written) => written === path,
    judge: (change, reasons) =>
      checkDraft({ path, before: before.value, after: change.after ?? "", reasons }, checks),
  });
  const agentTools = createTools(run, path, scoped);
  const work = new Assignment(run, {
    subject: path,
    command: "impact",
    about: { documentPath: path, documentType: "article", mode: "surgical-update" },
  });
  work.begin("updating");
  const prompt = await promptFor(run, impacted, { commits, content: before.value ?? "" });
  const { maxSteps = writerDefaults.maxSteps } = options;
  const answered = await unlessCancelled<Answered>(
    run.signal,
    () => run.models.writer.ask({ ...work.request(prompt), ...agentTools.request(maxSteps) }),
    () => "cancelled",
  );
  const done = {
    ...found,
    ...editFields(agentTools),
    ...gateFields({ objections: scoped.objections(), risks: scoped.risks() }),
    ...(answered !== "cancelled" && answered.ok
      ? { reasoning: agentTools.closing.summary() || answered.value.text.trim() }
      : {}),
    usage: work.budget.total(),
    toolCalls: { edit_article: 0, write_file: 0, ...agentTools.counts() },
    mode: "surgical-update",
    ...(await readResult(run, path, { before: before.value, wrote: agentTools.written().length > 0 })),
  };
  const error = whyFailed(run, answered, { scoped, agentTools, page: before.value ?? "" });
  if (error === null) return done;
  if (done.status === "updated") return { ...done, error: documentationText.partial(error) };
  return { ...done, status: "error", error };
}

/** An agent that may write one existing article needs no tool that makes files. */
const offered = ["read_file", "list_files", "search_files", "edit_article"];

function createTools(run: ModelRun, path: string, { workspace }: ScopedWorkspace): AgentTools {
  return new AgentTools(
    { ...run.context, ...writerOf(run), workspace, profile: "docs", task: path, article: path },
    run.redact,
    { only: offered },
  );
}

const diffLength = 15_000;

async function promptFor(
  run: AgentRun,
  { article, evidence, patches }: Impacted,
  { commits, content }: { readonly commits: readonly string[]; readonly content: string },
): Promise<Prompt> {
  return updateArticle({
    content: run.redact(content),
    path: article.path,
    id: article.jrn ?? article.path,
    evidence: evidence.map(
      ({ changedFile, pattern, matchType, source }) =>
        `${changedFile} (${source}) matches ${pattern}, ${matchType}`,
    ),
    ...(await tellCommits(run, commits)),
    diff: run.redact(excerptDiff(patches, diffLength).text),
  });
}

const maxCommits = 20;

/** Commits as git's short log shows them, the id and the subject, and the messages that say more than that. */
async function tellCommits(
  { repository, redact }: AgentRun,
  commits: readonly string[],
): Promise<{ readonly commits: readonly string[]; readonly messages: string }> {
  const shown = commits.slice(-maxCommits);
  const told = await Promise.all(
    shown.map(async (id) => ({ id, message: (await repository?.messages([id]))?.[0] ?? "" })),
  );
  const named = told.map(({ id, message }) =>
    redact(`${id.slice(0, 12)} ${message.split("\n", 1)[0]}`.trim()),
  );
  const missing = commits.length - shown.length;
  const longer = told.map(({ message }) => message.trim()).filter((text) => text.includes("\n"));
  return {
    commits: missing > 0 ? [`(${missing} earlier commits not shown)`, ...named] : named,
    messages: redact(describeCommits(longer)),
  };
}

function editFields(agentTools: AgentTools): Pick<ArticleRecord, "editReasons" | "entries"> {
  const written = agentTools.written();
  const reasons = written.flatMap(({ appliedEdits = [] }) => appliedEdits.map(({ reason }) => reason));
  const entries = written.map(({ entry }) => entry);
  return { ...nonEmpty("editReasons", reasons), ...nonEmpty("entries", entries) };
}

/** The content of the file decides the status; the model's own words do not. */
async function readResult(
  run: AgentRun,
  path: string,
  { before, wrote }: { readonly before: string | null; readonly wrote: boolean },
): Promise<{ readonly status: "updated" | "unchanged"; readonly patch?: string }> {
  const after = await readText(run, path);
  const changed = after.ok ? after.value !== before : wrote;
  const status = changed ? "updated" : "unchanged";
  if (!after.ok || !changed || after.value === null) return { status };
  return { status, patch: printPageDiff(path, before, after.value) };
}

async function readText(run: AgentRun, path: string): Promise<Outcome<string | null>> {
  const read = await run.context.reader.read(path);
  return read.ok ? accept(read.value.text) : read;
}

type Answered = Outcome<Pick<ModelAnswer, "stopReason" | "text">> | "cancelled";

function whyFailed(
  run: AgentRun,
  answered: Answered,
  given: { readonly scoped: ScopedWorkspace; readonly agentTools: AgentTools; readonly page: string },
): string | null {
  const { scoped, agentTools, page } = given;
  if (answered === "cancelled") return cancelledText;
  if (!answered.ok) return refusalText(run, answered.refusal);
  const left = leftForPerson(scoped.objections());
  if (left !== null) return left;
  const results = agentTools.results();
  const last = results.findLast(({ tool }) => tool === "edit_article");
  if (last && !last.success)
    return run.redact(impactText.lastEditRefused(last.error?.split("\n", 1)[0] ?? ""));
  const { stopReason } = answered.value;
  // An edit on the last step is an edit; only the closing words are missing.
  if (last?.success)
    return whyCut(stopReason) ?? (last === results.at(-1) ? null : whyUnfinished(stopReason));
  return whyNoEdit(answered.value, { tool: "edit_article", field: "old_string", page });
}

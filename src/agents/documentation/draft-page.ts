import { findFrontMatter } from "../../syntax/formats/front-matter-fence.ts";
import { compareTexts } from "../../text/diff/compare.ts";
import { printDiff } from "../../text/diff/diff.ts";
import type { Edit } from "../../text/model/edit.ts";
import { accept, type Outcome, refuse } from "../../text/model/outcome.ts";
import { type Checks, checkDraft } from "../gates/check-draft.ts";
import type { Verdict } from "../gates/objection.ts";
import type { Ledger } from "../model/budget.ts";
import { extendMetadata, type Metadata } from "../model/metadata.ts";
import type { Answer, Question } from "../model/model.ts";
import type { Crew } from "../model/models.ts";
import { unfinished } from "../model/stop-reason.ts";
import { answerReview } from "../prompts/answer-review.ts";
import type { Prompt } from "../prompts/prompt.ts";
import { type PageBrief, updatePage } from "../prompts/update-page.ts";
import { writePage } from "../prompts/write-page.ts";
import type { Steps } from "../run/agent-run.ts";
import { addCounts } from "../run/audit.ts";
import { type HeldPage, holdPage } from "../run/page-buffer.ts";
import { decideMode, type PageMode } from "./page-mode.ts";
import { reviewDraft } from "./review.ts";

/** Everything one page needs; nothing in it touches the disk. */
export type PageJob = {
  readonly brief: PageBrief;
  readonly force: boolean;
  /** The page as it is, and the one it moves from; `null` where there is none. */
  readonly target: string | null;
  readonly original: string | null;
  readonly crew: Crew;
  readonly checks: Checks;
  readonly ledger: Ledger;
  readonly metadata: Metadata;
  readonly maxSteps?: number | undefined;
  readonly maxOutputTokens?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly steps?: Steps;
};

/** A draft that passed every gate, or did not: then its objections are for a person, and nothing may be written. */
export type PageDraft = {
  readonly mode: PageMode;
  /** The text the edits start from; empty for a page written whole. */
  readonly base: string;
  readonly after: string;
  readonly edits: readonly Edit[];
  readonly summary: string;
  readonly verdict: Verdict;
  readonly toolCalls: Readonly<Record<string, number>>;
  /** The tool's last word where the writer ended on an error: it saw something wrong and did not put it right. */
  readonly unresolved: string | null;
  readonly review: string | null;
};

export const writerDefaults = { maxSteps: 5, maxOutputTokens: 4000, temperature: 0.1 } as const;

/**
 * Writes one page in memory: update or write, check, review, answer what was found, check again. What a model says
 * at the end is a summary and never the page.
 */
export async function draftPage(job: PageJob): Promise<Outcome<PageDraft>> {
  const { mode, content } = decideMode(job);
  const metadata = extendMetadata(job.metadata, {
    properties: { documentPath: job.brief.path, documentType: job.brief.type, mode },
    tags: [mode],
  });
  const mine = { ...job, metadata };
  const first = mode === "surgical-update" ? await update(mine, content) : await write(mine);
  if (!first.ok) return first;
  const { held, answer } = first.value;
  const started = mode === "surgical-update" ? content : null;
  if (started !== null && held.edits().length === 0)
    return accept({ ...outcome(mode, content, held, [answer]), verdict: clean, review: null });

  const kept = held.edits().length;
  const checked = await check(mine, started, held);
  const review = await findFaults(mine, started, held);
  const faults = [...checked.objections.map(({ detail }) => detail), ...review.findings];
  if (faults.length === 0)
    return accept({ ...outcome(mode, content, held, [answer]), verdict: checked, review: review.error });

  job.steps?.begin("answering objections");
  const answered = await settle(mine, held, faults);
  const answers = answered.ok ? [answer, answered.value] : [answer];
  const again = await check(mine, started, held);
  // Answers that make it worse are not kept: a draft that had passed may still go in as it was.
  if (again.objections.length > 0 && checked.objections.length === 0) {
    held.rewind(kept);
    return accept({ ...outcome(mode, content, held, answers), verdict: checked, review: review.error });
  }
  return accept({ ...outcome(mode, content, held, answers), verdict: again, review: review.error });
}

const clean: Verdict = { objections: [], risks: [] };

type Written = { readonly held: HeldPage; readonly answer: Answer };

/** Exact replacements only: the writer has `patch_file` and nothing else. */
async function update(job: PageJob, content: string): Promise<Outcome<Written>> {
  job.steps?.begin("updating");
  const held = holdPage(job.brief.path, content);
  const answered = await askWriter(job, updatePage({ ...job.brief, content }), held);
  return answered.ok ? accept({ held, answer: answered.value }) : answered;
}

/** A whole page in one answer, which must be a page. */
async function write(job: PageJob): Promise<Outcome<Written>> {
  job.steps?.begin("writing");
  const answered = await askWriter(job, writePage(job.brief), null);
  if (!answered.ok) return answered;
  const { text, end } = answered.value;
  if (end !== "done") return refuse({ code: "unavailable", detail: cutShort[end] });
  const page = withFrontMatter(unwrap(text), job.target ?? job.original ?? "");
  const why = whyNoPage(page);
  if (why !== null) return refuse({ code: "unavailable", detail: `the answer is not a page: ${why}` });
  return accept({ held: holdPage(job.brief.path, page), answer: answered.value });
}

const cutShort: Readonly<Record<Exclude<Answer["end"], "done">, string>> = {
  length: "the page was cut off at the output limit; raise it with --max-tokens",
  steps: "the writer called tools instead of writing the page",
  cost: unfinished.cost,
  stopped: "the provider stopped the writer",
};

function askWriter(job: PageJob, prompt: Prompt, held: HeldPage | null): Promise<Outcome<Answer>> {
  const { maxSteps = writerDefaults.maxSteps, maxOutputTokens = writerDefaults.maxOutputTokens } = job;
  const question: Question = {
    instructions: prompt.instructions,
    prompt: prompt.prompt,
    maxOutputTokens,
    temperature: writerDefaults.temperature,
    ledger: job.ledger,
    metadata: job.metadata,
    ...(job.signal === undefined ? {} : { signal: job.signal }),
    ...(job.steps === undefined ? {} : { onStep: job.steps.answered }),
    ...(held === null ? {} : { tools: { patch_file: held.tool }, maxSteps }),
  };
  return job.crew.writer.ask(question);
}

function check(job: PageJob, before: string | null, held: HeldPage): Promise<Verdict> {
  const reasons = held.edits().map(({ reason }) => reason);
  return checkDraft({ path: job.brief.path, before, after: held.content(), reasons }, job.checks);
}

async function findFaults(job: PageJob, before: string | null, held: HeldPage) {
  const { reviewer } = job.crew;
  if (!reviewer) return { findings: [], error: null };
  job.steps?.begin("reviewing");
  const { path, source } = job.brief;
  const patch = before === null ? "" : diffOf(path, before, held.content());
  const { findings, error = null } = await reviewDraft(
    reviewer,
    { path, source, patch, draft: held.content() },
    job,
  );
  return { findings, error };
}

/** One more round, through the same tool: an objection never leads to a page written anew. */
function settle(job: PageJob, held: HeldPage, objections: readonly string[]): Promise<Outcome<Answer>> {
  const { path, source } = job.brief;
  return askWriter(job, answerReview({ path, source, objections, content: held.content() }), held);
}

function outcome(mode: PageMode, content: string, held: HeldPage, answers: readonly Answer[]) {
  const surgical = mode === "surgical-update";
  return {
    mode,
    base: content,
    after: held.content(),
    // A page written whole has one edit, whatever was patched before it was first saved.
    edits: surgical ? held.edits() : [],
    summary: surgical ? firstWords(answers[0]!.text) : "",
    toolCalls: addCounts(...answers.map(({ toolCalls }) => toolCalls)),
    unresolved: held.unresolved() ?? (answers.some(({ end }) => end === "cost") ? cutShort.cost : null),
  };
}

const longestSummary = 600;

function firstWords(text: string): string {
  const trimmed = text.trim();
  return trimmed.length > longestSummary ? `${trimmed.slice(0, longestSummary)}…` : trimmed;
}

export function diffOf(path: string, before: string | null, after: string): string {
  return printDiff({ path, before, splices: compareTexts(before ?? "", after) });
}

/** A page inside one fence, taken out of it. */
function unwrap(text: string): string {
  const fenced = /^\s*(`{3,}|~{3,})(?:markdown|mdx?)[ \t]*\r?\n([\s\S]*?)\r?\n?\1[ \t]*\s*$/.exec(text);
  const page = (fenced ? fenced[2]! : text).replace(/^\s*\n/, "").trimEnd();
  return `${page}\n`;
}

/** Front matter says what a page is to other programs; a page written anew keeps that of the old one. */
function withFrontMatter(page: string, old: string): string {
  const kept = findFrontMatter(old);
  if (!kept) return page;
  const own = findFrontMatter(page);
  const body = own ? page.slice(own.region.end).replace(/^\s+/, "") : page;
  return `${old.slice(kept.region.start, kept.region.end)}\n\n${body}`;
}

/** Talk about a page, or a tool's output, must never become one. */
function whyNoPage(page: string): string | null {
  if (page.trim().length < 20) return "it is empty";
  if (!/^(?:---\r?\n[\s\S]*?\r?\n---\r?\n\s*)?(?:<[^\n]*\n\s*)*#{1,2} \S/.test(page))
    return "it does not begin with a heading";
  return null;
}

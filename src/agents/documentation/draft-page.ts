import { findFrontMatter } from "../../syntax/formats/front-matter-fence.ts";
import type { Edit } from "../../text/model/edit.ts";
import { accept, type Outcome, refuse } from "../../text/model/outcome.ts";
import { documentationText } from "../../wording/agents.ts";
import { type Checks, checkDraft } from "../gates/check-draft.ts";
import type { GateVerdict } from "../gates/objection.ts";
import type { ModelAnswer } from "../model/model.ts";
import type { Models } from "../model/models.ts";
import { answerReview } from "../prompts/answer-review.ts";
import { fenceData } from "../prompts/data.ts";
import type { Prompt } from "../prompts/prompt.ts";
import { readByWriter } from "../prompts/review-page.ts";
import { type PageBrief, updatePage } from "../prompts/update-page.ts";
import { writePage } from "../prompts/write-page.ts";
import { type Assignment, writerDefaults } from "../run/assignment.ts";
import { addCounts } from "../run/audit.ts";
import { whyCut, whyNoEdit } from "../run/no-edit.ts";
import { PageBuffer } from "../run/page-buffer.ts";
import { printPageDiff } from "../run/page-diff.ts";
import type { ReadTools } from "../run/read-tools.ts";
import { decideMode, type PageMode } from "./page-mode.ts";
import { holdsQuote, type ReviewRemark, reviewDraft, showRemark } from "./review.ts";

/** The input of one page. Nothing in it touches the disk. */
export type PageJob = {
  readonly brief: PageBrief;
  readonly force: boolean;
  /** The page as it is, and the one it moves from; `null` where there is none. */
  readonly target: string | null;
  readonly original: string | null;
  readonly models: Models;
  readonly checks: Checks;
  readonly work: Assignment;
  readonly maxSteps?: number | undefined;
  readonly maxOutputTokens?: number | undefined;
  /** Tools for the writer of a full page. */
  readonly reading?: ReadTools;
};

/** A draft. With objections, a person decides and nothing may be written. */
export type PageDraft = {
  readonly mode: PageMode;
  /** The text that the edits start from; empty for a full page. */
  readonly base: string;
  readonly after: string;
  readonly edits: readonly Edit[];
  readonly summary: string;
  readonly verdict: GateVerdict;
  readonly toolCalls: Readonly<Record<string, number>>;
  /** The tool's last answer if the writer ended on an error: it found a fault and did not fix it. */
  readonly unresolved: string | null;
  readonly review: string | null;
  /** The reviewer's remarks, where the writer did not change the words they quote. */
  readonly remarks: readonly string[];
};

/**
 * Writes one page in memory: update or write, check, review, answer the objections, check again. The model's last
 * text is a summary and never becomes the page.
 */
export async function draftPage(job: PageJob): Promise<Outcome<PageDraft>> {
  const { mode, content } = decideMode(job);
  const { path, type } = job.brief;
  const work = job.work.about({ documentPath: path, documentType: type, mode }, [mode]);
  const writer = new DraftWriter({ ...job, work }, { mode, content });
  const written = await writer.write();
  return written.ok ? accept(await writer.finish(written.value)) : written;
}

const noObjections: GateVerdict = { objections: [], risks: [] };

type WriterOutput = { readonly buffer: PageBuffer; readonly answer: ModelAnswer };

class DraftWriter {
  readonly #job: PageJob;
  readonly #mode: PageMode;
  readonly #content: string;
  /** The page before the edits; `null` for a full page. */
  readonly #before: string | null;

  constructor(job: PageJob, { mode, content }: { readonly mode: PageMode; readonly content: string }) {
    this.#job = job;
    this.#mode = mode;
    this.#content = content;
    this.#before = mode === "surgical-update" ? content : null;
  }

  write(): Promise<Outcome<WriterOutput>> {
    return this.#before === null ? this.#writeFull() : this.#update(this.#before);
  }

  /** Checks the writer's page, has it reviewed, and lets the writer answer the objections once. */
  async finish({ buffer, answer }: WriterOutput): Promise<PageDraft> {
    if (this.#before !== null && buffer.edits().length === 0)
      return this.#draft(buffer, [answer], { verdict: noObjections, review: null, remarks: [] });
    const edits = buffer.edits().length;
    const checked = await this.#check(buffer);
    const { findings, error: review } = await this.#review(buffer);
    const musts = checked.objections.map(({ detail }) => detail);
    // A writer can settle only what is on the page; a person reads the rest.
    const onPage = findings.filter(({ quote }) => holdsQuote(buffer.content(), quote));
    const elsewhere = findings.filter((finding) => !onPage.includes(finding));
    if (musts.length + onPage.length === 0)
      return this.#draft(buffer, [answer], { verdict: checked, review, remarks: elsewhere.map(showRemark) });

    this.#job.work.begin("answering objections");
    const answered = await this.#answerObjections(buffer, musts, onPage.map(showRemark));
    const answers = answered.ok ? [answer, answered.value] : [answer];
    const again = await this.#check(buffer);
    const isWorse = again.objections.length > 0 && checked.objections.length === 0;
    // A draft that had passed may still go in as it was.
    if (isWorse) buffer.rewind(edits);
    const open = onPage.filter(({ quote }) => holdsQuote(buffer.content(), quote));
    const remarks = [...open, ...elsewhere].map(showRemark);
    return this.#draft(buffer, answers, { verdict: isWorse ? checked : again, review, remarks });
  }

  /** Exact replacements only: the writer has `patch_file` and nothing else. */
  async #update(content: string): Promise<Outcome<WriterOutput>> {
    const { brief, work } = this.#job;
    work.begin("updating");
    const buffer = new PageBuffer(brief.path, content);
    const answered = await this.#ask(updatePage({ ...brief, content }), buffer);
    return answered.ok ? accept({ buffer, answer: answered.value }) : answered;
  }

  /** A full page in one answer, which must be a page. */
  async #writeFull(): Promise<Outcome<WriterOutput>> {
    const { brief, work, target, original } = this.#job;
    work.begin("writing");
    const reads = this.#job.reading?.request().tools !== undefined;
    const answered = await this.#ask(writePage({ ...brief, reads }), null);
    if (!answered.ok) return answered;
    const { text, stopReason } = answered.value;
    if (stopReason !== "done")
      return refuse({ code: "unavailable", detail: documentationText.cutShort[stopReason] });
    const page = withFrontMatter(unwrap(text), target ?? original ?? "");
    const why = whyNoPage(page);
    if (why !== null) return refuse({ code: "unavailable", detail: documentationText.notAPage(why) });
    return accept({ buffer: new PageBuffer(brief.path, page), answer: answered.value });
  }

  #ask(prompt: Prompt, buffer: PageBuffer | null): Promise<Outcome<ModelAnswer>> {
    const { models, work, reading } = this.#job;
    const { maxSteps = writerDefaults.maxSteps, maxOutputTokens = writerDefaults.maxOutputTokens } =
      this.#job;
    const tools =
      buffer === null
        ? reading?.request()
        : { tools: { patch_file: buffer.tool }, maxSteps, isDone: () => buffer.closing.isDone() };
    return models.writer.ask({ ...work.request(prompt), maxOutputTokens, ...tools });
  }

  #check(buffer: PageBuffer): Promise<GateVerdict> {
    const { brief, checks, target: replaces } = this.#job;
    const reasons = buffer.edits().map(({ reason }) => reason);
    const texts = { before: this.#before, replaces, after: buffer.content() };
    return checkDraft({ path: brief.path, ...texts, reasons }, checks);
  }

  async #review(
    buffer: PageBuffer,
  ): Promise<{ readonly findings: readonly ReviewRemark[]; readonly error: string | null }> {
    const { models, brief, work } = this.#job;
    if (!models.reviewer) return { findings: [], error: null };
    work.begin("reviewing");
    const { path, diff, purpose } = brief;
    const read = this.#job.reading?.texts() ?? [];
    const source = [brief.source, ...read.map((text) => fenceData(readByWriter, text))].join("\n\n");
    const draft = buffer.content();
    const patch = this.#before === null ? "" : printPageDiff(path, this.#before, draft);
    const { findings, error = null } = await reviewDraft(
      models.reviewer,
      { path, purpose, source, diff, patch, draft },
      work,
    );
    return { findings, error };
  }

  /** One more round with the same tool. An objection never leads to a new full page. */
  #answerObjections(
    buffer: PageBuffer,
    musts: readonly string[],
    remarks: readonly string[],
  ): Promise<Outcome<ModelAnswer>> {
    const { path, source } = this.#job.brief;
    return this.#ask(answerReview({ path, source, musts, remarks, content: buffer.content() }), buffer);
  }

  #draft(
    buffer: PageBuffer,
    answers: readonly ModelAnswer[],
    checked: Pick<PageDraft, "verdict" | "review" | "remarks">,
  ): PageDraft {
    const surgical = this.#mode === "surgical-update";
    return {
      mode: this.#mode,
      base: this.#content,
      after: buffer.content(),
      // A full page is one edit, even if the writer patched it before the first save.
      edits: surgical ? buffer.edits() : [],
      summary: surgical ? shorten(buffer.closing.summary() || (answers[0]?.text ?? "")) : "",
      toolCalls: addCounts(...answers.map(({ toolCalls }) => toolCalls)),
      unresolved: buffer.unresolved() ?? this.#whyUnfinished(buffer, answers),
      ...checked,
    };
  }

  /** Why the writer may not have done all it meant to do; `null` where it was done. */
  #whyUnfinished(buffer: PageBuffer, answers: readonly ModelAnswer[]): string | null {
    if (answers.some(({ stopReason }) => stopReason === "cost")) return documentationText.cutShort.cost;
    const [answer] = answers;
    if (this.#before === null || !answer) return null;
    if (buffer.edits().length > 0) return whyCut(answer.stopReason);
    return whyNoEdit(answer, { tool: "patch_file", field: "original_text_snippet", page: this.#before });
  }
}

const longestSummary = 600;

function shorten(text: string): string {
  const trimmed = text.trim();
  return trimmed.length > longestSummary ? `${trimmed.slice(0, longestSummary)}…` : trimmed;
}

/** A page without the fence around it, and without a sentence or two before it. */
function unwrap(text: string): string {
  const fenced =
    /^(?:[^#`~\n]*\n){0,4}\s*(`{3,}|~{3,})(?:markdown|mdx?)[ \t]*\r?\n([\s\S]*?)\r?\n?\1[ \t]*\s*$/.exec(
      withoutClosing(text),
    );
  const page = (fenced?.[2] ?? withoutGreeting(text)).replace(/^\s*\n/, "").trimEnd();
  return `${page}\n`;
}

/** Words after the fence that holds the page. */
function withoutClosing(text: string): string {
  const last = text.lastIndexOf("\n```");
  const closing = last < 0 ? "" : text.slice(last + 4);
  return /^[ \t]*\r?\n[^#`]{0,300}$/.test(closing) ? text.slice(0, last + 4) : text;
}

/** A line that announces the page, such as "Here is the page:". */
function withoutGreeting(text: string): string {
  return text.replace(/^\s*[^#<`\n-][^\n]{0,200}:[ \t]*\r?\n\s*\n(?=#{1,2} \S|---\r?\n)/, "");
}

/** A new full page keeps the front matter of the old one, because other programs read it. */
function withFrontMatter(page: string, old: string): string {
  const kept = findFrontMatter(old);
  if (!kept) return page;
  const own = findFrontMatter(page);
  const body = own ? page.slice(own.region.end).replace(/^\s+/, "") : page;
  return `${old.slice(kept.region.start, kept.region.end)}\n\n${body}`;
}

/** Remarks about a page, or a tool's output, must never become a page. */
function whyNoPage(page: string): string | null {
  if (page.trim().length < 20) return documentationText.empty;
  if (!/^(?:---\r?\n[\s\S]*?\r?\n---\r?\n\s*)?(?:<[^\n]*\n\s*)*#{1,2} \S/.test(page))
    return documentationText.noHeading;
  return null;
}

import type { ReportedFinding } from "../../docs/check/report.ts";
import { compareTexts } from "../../text/diff/compare.ts";
import { indexLines, lineEnd } from "../../text/model/lines.ts";
import type { Outcome } from "../../text/model/outcome.ts";
import type { Change } from "../../text/model/plan.ts";
import type { Region } from "../../text/model/region.ts";
import { mapOffset } from "../../text/model/splice.ts";
import { fixText } from "../../wording/agents.ts";
import { reviewDraft } from "../documentation/review.ts";
import { type Checks, checkDraft } from "../gates/check-draft.ts";
import { type GateVerdict, merge, type Objection, type Risk } from "../gates/objection.ts";
import { extendMetadata } from "../model/metadata.ts";
import type { Model, ModelAnswer, ModelRequest } from "../model/model.ts";
import { leftForPerson, whyUnfinished } from "../model/stop-reason.ts";
import { judgePassage } from "../prompts/judge-passage.ts";
import type { Prompt } from "../prompts/prompt.ts";
import { wordPassage } from "../prompts/word-passage.ts";
import { type ModelRun, metadataOf, refusalText, type StepTracker, trackSteps } from "../run/agent-run.ts";
import { AgentTools } from "../run/agent-tools.ts";
import { addCounts } from "../run/audit.ts";
import { InMemoryWorkspace } from "../run/in-memory-workspace.ts";
import { modelRequest, writerDefaults } from "../run/model-request.ts";
import { printPageDiff } from "../run/page-diff.ts";
import { ScopedWorkspace } from "../run/write-scope.ts";

/** A passage that no rule could fix. */
export type OpenFinding = Pick<
  ReportedFinding,
  "id" | "path" | "startLine" | "endLine" | "message" | "evidence"
>;

export type PassageOptions = {
  readonly checks: Checks;
  readonly maxSteps?: number | undefined;
};

/** One page to edit. */
export type EditedPage = {
  readonly path: string;
  /** The text that the lines of findings count in. */
  readonly seen: string;
  /** The text that gates compare with. */
  readonly before: string;
};

/** The result for one passage, in words. */
export type PassageSummary = { readonly summary: string; readonly error?: string };

type QuotedEvidence = { readonly path: string; readonly before: string; readonly after: string };

/** Replaces a missing side of the evidence: added lines have no before, removed lines no after. */
const absent = "(nothing)";

/** Fixes the passages of one page in memory, one after the other. Its run has the budget of this page. */
export class PassageEditor {
  readonly memory: InMemoryWorkspace;
  readonly #run: ModelRun;
  readonly #page: EditedPage;
  readonly #options: PassageOptions;
  readonly #steps: StepTracker;
  readonly #agentTools: AgentTools[] = [];
  readonly #scoped: ScopedWorkspace[] = [];

  constructor(run: ModelRun, page: EditedPage, options: PassageOptions) {
    this.#run = run;
    this.#page = page;
    this.#options = options;
    this.#steps = trackSteps(run, page.path, run.budget);
    this.memory = new InMemoryWorkspace(run.context.reader, { path: page.path, text: page.before });
  }

  objections(): readonly Objection[] {
    return this.#scoped.flatMap((each) => each.objections());
  }

  risks(): readonly Risk[] {
    return this.#scoped.flatMap((each) => each.risks());
  }

  toolCalls(): Record<string, number> {
    return addCounts({ edit_article: 0 }, ...this.#agentTools.map((each) => each.counts()));
  }

  /** Asks whether the passage is wrong; if it is, edits it and lets a reviewer object once. */
  async fix(finding: OpenFinding): Promise<PassageSummary> {
    const evidence = this.#quote(finding);
    this.#begin(finding, "asking whether it is wrong");
    const judged = await this.#judge(finding, evidence);
    if (!judged.ok) return { summary: "", error: refusalText(this.#run, judged.refusal) };
    const { isWrong, explanation } = parseVerdict(judged.value.text);
    if (!isWrong) return { summary: fixText.leftAsIs(explanation) };

    this.#begin(finding, "wording");
    const text = this.memory.text();
    const error = await this.#reword(finding, evidence, `${finding.message} ${explanation}`);
    if (error !== null) return { summary: "", error };
    if (this.memory.text() === text) return { summary: fixText.unchanged };
    const objections = await this.#review(finding, evidence, text);
    if (objections.length === 0) return { summary: fixText.reworded };
    const again = await this.#reword(finding, evidence, objections.join("\n"));
    return again === null ? { summary: fixText.rewordedTwice } : { summary: fixText.reworded, error: again };
  }

  #begin(finding: OpenFinding, step: string): void {
    this.#steps.begin(`line ${finding.startLine}: ${step}`);
  }

  #quote({ evidence }: OpenFinding): QuotedEvidence[] {
    const { redact } = this.#run;
    return evidence.map(({ path, before = absent, after = absent }) => ({
      path,
      before: redact(before),
      after: redact(after),
    }));
  }

  #judge(finding: OpenFinding, evidence: readonly QuotedEvidence[]): Promise<Outcome<ModelAnswer>> {
    const { reviewer, planner } = this.#run.models;
    const passage = this.#passageText(finding);
    const prompt = judgePassage({ path: this.#page.path, passage, evidence });
    return this.#ask(reviewer ?? planner, prompt, { maxOutputTokens: 300 });
  }

  #reword(finding: OpenFinding, evidence: readonly QuotedEvidence[], why: string): Promise<string | null> {
    const { startLine, endLine } = finding;
    const passage = this.#passageText(finding);
    return this.#edit(
      finding,
      wordPassage({ path: this.#page.path, passage, startLine, endLine, evidence, why }),
    );
  }

  /** The reviewer's objections to the new text; none without a reviewer. */
  async #review(
    finding: OpenFinding,
    evidence: readonly QuotedEvidence[],
    before: string,
  ): Promise<readonly string[]> {
    const { path } = this.#page;
    const { models, budget, signal } = this.#run;
    if (!models.reviewer) return [];
    this.#begin(finding, "reviewing");
    const draft = this.memory.text();
    const source = evidence.map((each) => `${each.path}: ${each.after}`).join("\n");
    const patch = printPageDiff(path, before, draft);
    const request = { budget, signal, metadata: metadataOf(this.#run, "fix") };
    const { findings } = await reviewDraft(models.reviewer, { path, draft, patch, source }, request);
    return findings;
  }

  /** One conversation with `edit_article` about the passage; `null` after a success. */
  async #edit(finding: OpenFinding, prompt: Prompt): Promise<string | null> {
    const { path } = this.#page;
    const { context, models, redact } = this.#run;
    const scoped = new ScopedWorkspace(this.memory.workspace, {
      mayWrite: (written) => written === path,
      judge: (change, reasons) => this.#check(finding, change, reasons),
    });
    const { mode: _, ...rest } = context;
    const author = `agent ${models.writer.name}`;
    const workspace = { reader: this.memory.workspace, workspace: scoped.workspace };
    const agentTools = new AgentTools(
      { ...rest, ...workspace, profile: "docs", author, task: finding.id, article: path },
      redact,
    );
    this.#agentTools.push(agentTools);
    this.#scoped.push(scoped);
    const editsBefore = this.memory.edits().length;
    const answered = await this.#ask(models.writer, prompt, {
      tools: agentTools.tools,
      isEnough: () => this.memory.edits().length > editsBefore,
      maxSteps: this.#options.maxSteps ?? writerDefaults.maxSteps,
    });
    if (!answered.ok) return refusalText(this.#run, answered.refusal);
    return leftForPerson(scoped.objections()) ?? whyUnfinished(answered.value.stopReason);
  }

  #ask(model: Model, prompt: Prompt, fields: Partial<ModelRequest>): Promise<Outcome<ModelAnswer>> {
    const run = this.#run;
    const metadata = extendMetadata(metadataOf(run, "fix"), {
      properties: { documentPath: this.#page.path, documentType: "passage", mode: "surgical-update" },
    });
    const request = modelRequest(run, { prompt, budget: run.budget, steps: this.#steps, metadata });
    return model.ask({ ...request, ...fields });
  }

  /** Only the passage may change, and the new text passes the gates for every model's text. */
  async #check(finding: OpenFinding, change: Change, reasons: readonly string[]): Promise<GateVerdict> {
    const { path, seen, before } = this.#page;
    const passage = passageIn(seen, change.before.text ?? "", finding);
    const stray = change.splices.some(
      ({ region }) => region.start < passage.start || region.end > passage.end,
    );
    const draft = { path, before, after: change.after ?? "", reasons };
    const checked = await checkDraft(draft, this.#options.checks);
    const detail = fixText.onlyPassage(finding.startLine, finding.endLine, path);
    return merge([checked, { objections: stray ? [{ gate: "place", path, detail }] : [] }]);
  }

  #passageText(finding: OpenFinding): string {
    const text = this.memory.text();
    const { start, end } = passageIn(this.#page.seen, text, finding);
    return text.slice(start, end);
  }
}

/** The model answers YES or NO first, then one sentence. Any other answer counts as NO. */
function parseVerdict(text: string): { readonly isWrong: boolean; readonly explanation: string } {
  const [, word = "", explanation = fixText.noClearAnswer] =
    /^\W*(YES|NO)\b[\s.,:;–-]*([\s\S]*)/i.exec(text) ?? [];
  const isWrong = word.toUpperCase() === "YES";
  return { isWrong, explanation: isWrong ? explanation : explanation.trim() };
}

/** The lines of a finding in the current text. Edits by rules and of other passages move them. */
function passageIn(seen: string, now: string, { startLine, endLine }: OpenFinding): Region {
  const lines = indexLines(seen);
  const last = lines.starts.length - 1;
  const start = lines.starts[Math.min(startLine - 1, last)] ?? 0;
  const end = lineEnd(lines, Math.min(endLine - 1, last));
  const splices = compareTexts(seen, now);
  return { start: mapOffset(start, splices, "before"), end: mapOffset(end, splices, "after") };
}

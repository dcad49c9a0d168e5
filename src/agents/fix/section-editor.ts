import type { ReportedEdit } from "../../docs/check/report.ts";
import { compareTexts } from "../../text/diff/compare.ts";
import { findQuote } from "../../text/match/quote.ts";
import { defined } from "../../text/model/defined.ts";
import { indexLines, lineAt } from "../../text/model/lines.ts";
import { accept, type Outcome } from "../../text/model/outcome.ts";
import type { Region } from "../../text/model/region.ts";
import { applySplices, mapOffset, type Splice } from "../../text/model/splice.ts";
import { quoteEdits } from "../../tools/quote-edits.ts";
import { agentText, documentationText, fixText, gateText } from "../../wording/agents.ts";
import { reviewDraft, showRemark } from "../documentation/review.ts";
import { type Checks, checkDraft } from "../gates/check-draft.ts";
import { type GateVerdict, merge, type Objection, type Risk } from "../gates/objection.ts";
import { checkPostConditions } from "../gates/section/post-conditions.ts";
import { sectionSizeLimits } from "../gates/size.ts";
import { whyUnusable } from "../model/answer/refusal.ts";
import type { ModelAnswer } from "../model/model.ts";
import { fenceData } from "../prompts/data.ts";
import { fixSection, type SectionQuestion } from "../prompts/fix-section.ts";
import type { Prompt } from "../prompts/prompt.ts";
import { readByWriter } from "../prompts/review-page.ts";
import { type ModelRun, refusalText } from "../run/agent-run.ts";
import { Assignment } from "../run/assignment.ts";
import { printPageDiff } from "../run/page-diff.ts";
import { ReadTools } from "../run/read-tools.ts";
import { isContents, type OpenFinding, type SourceExcerpt } from "./excerpts.ts";
import { askedKind } from "./find-silent.ts";
import { termsOf } from "./notice-terms.ts";
import { marksFor, parseSectionAnswer, type SectionAnswer, type Verdict } from "./section-answer.ts";
import { addedLines, buildQuestion, type QuestionMaterial, sourcesOf } from "./section-question.ts";
import { findSectionSplices } from "./section-splices.ts";
import { type ShownParts, showParts, splitParts } from "./shown-parts.ts";

/** Findings of a page after an edit, as a check would report them. */
export type Recheck = (page: {
  readonly path: string;
  readonly text: string;
}) => Promise<readonly OpenFinding[]>;

export type SectionOptions = {
  readonly checks: Checks;
  readonly material: QuestionMaterial;
  /** Absent: whether a rule still fires is not asked. */
  readonly recheck?: Recheck | undefined;
};

/** One page to edit. */
export type EditedPage = {
  readonly path: string;
  /** The text that the lines of findings count in. */
  readonly seen: string;
  /** The text that gates compare with. */
  readonly before: string;
};

/** The result for one finding: its edits, or why there are none. */
export type PassageResult = SectionResult & {
  /** The first line of the finding as it was reported. Ids repeat where lines do. */
  readonly startLine: number;
};

export type SectionResult = {
  readonly finding: string;
  readonly summary: string;
  readonly edits: readonly ReportedEdit[];
  /** The model's decision; absent where it gave none. */
  readonly verdict?: Verdict;
  /** The edits of another finding fixed this one too. */
  readonly settled?: true;
  /** The edits are those that the rule proposed. */
  readonly byRule?: true;
  readonly error?: string;
};

/** Fixes the sections of one page in memory. Its run has the budget of this page. */
export class SectionEditor {
  readonly #run: ModelRun;
  readonly #page: EditedPage;
  readonly #options: SectionOptions;
  readonly #work: Assignment;
  readonly #objections: Objection[] = [];
  readonly #risks: Risk[] = [];
  readonly #edits: ReportedEdit[] = [];
  readonly #drafts: string[] = [];
  #text: string;

  constructor(run: ModelRun, page: EditedPage, options: SectionOptions) {
    this.#run = run;
    this.#page = page;
    this.#options = options;
    this.#work = new Assignment(run, {
      subject: page.path,
      command: "fix",
      budget: run.budget,
      about: { documentPath: page.path, documentType: "section", mode: "surgical-update" },
    });
    this.#text = page.before;
  }

  text(): string {
    return this.#text;
  }

  /** Every edit so far, in order. Each applies to the text that the previous ones left. */
  edits(): readonly ReportedEdit[] {
    return [...this.#edits];
  }

  objections(): readonly Objection[] {
    return [...this.#objections];
  }

  risks(): readonly Risk[] {
    return [...this.#risks];
  }

  /** The sections that code refused, as diffs, for a person. They were not written. */
  drafts(): readonly string[] {
    return [...this.#drafts];
  }

  /**
   * Asks about some sections in one question; the results are in the order of their findings. What code refuses is asked
   * for once more, with the reasons.
   */
  async fix(excerpts: readonly SourceExcerpt[]): Promise<SectionResult[]> {
    const done = new Map<SourceExcerpt, readonly SectionResult[]>();
    const reading = new ReadTools(this.#run);
    let open: readonly OpenSection[] = excerpts.map((excerpt) => ({ excerpt }));
    for (let turn = 0; turn < mostTurns && open.length > 0; turn++) {
      const asked = await this.#askAbout(open, reading);
      if (!asked.ok) {
        const error = refusalText(this.#run, asked.refusal);
        for (const { excerpt } of open) done.set(excerpt, failuresOf(excerpt, error));
        open = [];
      } else open = await this.#take(asked.value, done);
    }
    for (const { excerpt, last } of open) done.set(excerpt, this.#leave(excerpt, last!));
    return excerpts.flatMap((excerpt) => done.get(excerpt)!);
  }

  /** One question about the open sections, and what its answer says of each. */
  async #askAbout(open: readonly OpenSection[], reading: ReadTools): Promise<Outcome<AnsweredSection[]>> {
    const { redact } = this.#run;
    const sections = open.map(({ excerpt }) => this.#move(excerpt));
    const regions = sections.map(({ region }) => region);
    const page = { path: this.#page.path, text: this.#text };
    const question = await buildQuestion(sections, page, this.#options.material);
    const shown = showParts(this.#text, regions);
    this.#work.begin(question.headings.at(-1) ?? "section");
    const reads = reading.request().tools !== undefined;
    const again = open[0]?.last && {
      musts: [...new Set(open.flatMap(({ last }) => last?.musts ?? []))],
      lastAnswer: redact(printAnswers(open, question.section, shown.marks)),
    };
    const asked = await this.#ask(fixSection({ ...question, ...again, reads }), reading);
    if (!asked.ok) return asked;
    const answer = parseSectionAnswer(asked.value.text, {
      notices: sections.reduce((sum, { findings }) => sum + findings.length, 0),
      section: question.section,
      above: redact(this.#text.slice(0, regions[0]!.start)),
      below: redact(this.#text.slice(regions.at(-1)!.end)),
    });
    const answers = splitAnswer(answer, { sections, shown, page: this.#text });
    return accept(
      open.map(({ excerpt }, i) => ({ excerpt, question, reading, said: asked.value, answer: answers[i]! })),
    );
  }

  /** Makes the edits that pass: a list of contents last, and once more those whose links may lead somewhere then. */
  async #take(
    answered: readonly AnsweredSection[],
    done: Map<SourceExcerpt, readonly SectionResult[]>,
  ): Promise<OpenSection[]> {
    const isLast = ({ excerpt: { region } }: AnsweredSection): boolean =>
      isContents(this.#page.seen.slice(region.start, region.end));
    let waiting = [...answered.filter((one) => !isLast(one)), ...answered.filter(isLast)];
    for (;;) {
      const left = new Map<AnsweredSection, TriedAnswer>();
      for (const one of waiting) {
        const { excerpt, answer, said } = one;
        const moved = this.#move(excerpt);
        const session = { ...one, excerpt: moved, region: moved.region };
        const tried = { ...(await this.#judge(session, answer, said)), said };
        if (tried.accepted) done.set(excerpt, await this.#commit(session, answer, tried.accepted));
        else left.set(one, tried);
      }
      const isStuck = left.size === waiting.length;
      waiting = [...left.keys()];
      if (
        isStuck ||
        ![...left.values()].some(({ objections }) => objections.some(({ gate }) => gate === "links"))
      )
        return answered.flatMap((one) =>
          left.has(one) ? [{ excerpt: one.excerpt, last: left.get(one)! }] : [],
        );
    }
  }

  /** A section that is left for a person. */
  #leave(excerpt: SourceExcerpt, { answer, said, musts, objections, refused }: TriedAnswer): SectionResult[] {
    this.#objections.push(...objections);
    if (refused) this.#drafts.push(this.#draftOf(this.#move(excerpt).region, refused));
    const error =
      objections.length > 0 ? agentText.leftForPerson(musts) : this.#unusable(said, musts[0] ?? "");
    return excerpt.findings.map(({ id }, i) => unchanged(id, answer.verdicts.get(i), error));
  }

  /** What a refused answer would have changed. */
  #draftOf({ start }: Region, splices: readonly Splice[]): string {
    const moved = splices.map(({ region, text }) => ({
      region: { start: region.start + start, end: region.end + start },
      text,
    }));
    return printPageDiff(this.#page.path, this.#text, applySplices(this.#text, moved));
  }

  #unusable(said: ModelAnswer, why: string): string {
    return this.#run.redact(whyUnusable(this.#run.models.writer.name, said, why));
  }

  /** What is wrong with an answer, or the splices it comes to. */
  async #judge(
    session: SectionSession,
    answer: SectionAnswer,
    { stopReason }: ModelAnswer,
  ): Promise<JudgedAnswer> {
    const refused = (why: string): JudgedAnswer => ({ answer, musts: [why], objections: [], accepted: null });
    if (answer.verdicts.size === 0) return refused(stopReason === "length" ? fixText.cut : fixText.noVerdict);
    if (![...answer.verdicts.values()].some(({ word }) => word !== "keep"))
      return { answer, musts: [], objections: [], accepted: [] };
    if (answer.section === null) return refused(stopReason === "length" ? fixText.cut : fixText.noSection);
    if (answer.section === lostMark) return refused(fixText.lostMark);
    const { start, end } = session.region;
    const section = this.#text.slice(start, end);
    const splices = findSectionSplices(section, answer.section, this.#run.redact);
    if (splices.length === 0) return refused(fixText.sameSection);
    const { objections, risks } = await this.#check(session, answer, splices);
    if (objections.length > 0)
      return {
        answer,
        musts: objections.map(({ detail }) => detail),
        objections,
        accepted: null,
        refused: splices,
      };
    this.#risks.push(...risks);
    return { answer, musts: [], objections: [], accepted: splices };
  }

  /** The gates for every model's text, the post-conditions of a section, and the rule itself. */
  async #check(
    session: SectionSession,
    answer: SectionAnswer,
    splices: readonly Splice[],
  ): Promise<GateVerdict> {
    const { path, before } = this.#page;
    const { region, question, excerpt } = session;
    const section = this.#text.slice(region.start, region.end);
    const after = applySplices(section, splices);
    const text = this.#text.slice(0, region.start) + after + this.#text.slice(region.end);
    const changing = excerpt.findings.filter((_, i) => isChange(answer.verdicts.get(i)));
    const isAdded = (finding: OpenFinding): boolean =>
      answer.verdicts.get(excerpt.findings.indexOf(finding))?.word === "add";
    const first = lineAt(indexLines(this.#text), region.start);
    const reasons = [...answer.verdicts.values()].flatMap((verdict) =>
      isChange(verdict) && verdict.reason !== "" ? [verdict.reason] : [],
    );
    const post = checkPostConditions({
      path,
      before: section,
      after,
      above: this.#text.slice(0, region.start),
      notices: changing.map((finding) => ({
        firstLine: finding.startLine - 1 - first,
        lastLine: finding.endLine - 1 - first,
        terms: termsOf(finding),
        adds: isAdded(finding),
      })),
      named: answer.also,
      reasons,
      sources: [...sourcesOf(question), ...session.reading.texts()],
      change: addedLines(this.#options.material),
      knows: (name) => this.#options.checks.facts.knows(name),
      documents: (name) => this.#options.checks.facts.documents(name),
      calls: (name) => this.#options.checks.facts.calls(name),
    });
    // What a rule derived from the code is not the model's invention: the model has only confirmed it.
    const isRules = isSameEdit(this.#text, rulesEdits(changing), text);
    const checked = merge([
      await checkDraft(
        { path, before, after: text, reasons },
        { ...this.#options.checks, limits: sectionSizeLimits },
      ),
      isRules ? { risks: post.risks ?? [] } : post,
    ]);
    if (checked.objections.length > 0) return checked;
    const fixing = changing.filter((finding) => !isAdded(finding));
    const objections = [...(await this.#stillReported(text, changing)), ...this.#untouched(text, fixing)];
    return merge([checked, { objections }]);
  }

  /** What only a model noticed is fixed where its words changed: no rule can look again. */
  #untouched(text: string, fixing: readonly OpenFinding[]): Objection[] {
    const splices = compareTexts(this.#text, text);
    const { path } = this.#page;
    return fixing.flatMap(({ kind, startLine, endLine }) => {
      const lines = linesRegion(this.#text, startLine, endLine);
      const isTouched = splices.some(({ region }) => region.start < lines.end && region.end > lines.start);
      if (kind !== askedKind || isTouched) return [];
      const words = this.#text.slice(lines.start, lines.end).trim();
      return [{ gate: "drift", path, detail: gateText.untouched(words) } as const];
    });
  }

  /** A finding counts as fixed only when the check no longer reports it. */
  async #stillReported(text: string, changing: readonly OpenFinding[]): Promise<Objection[]> {
    const { path } = this.#page;
    const reported = (await this.#options.recheck?.({ path, text })) ?? [];
    const splices = compareTexts(this.#text, text);
    return changing.flatMap((finding) => {
      const [start, end] = this.#linesAfter(finding, splices, text);
      const again = reported.find(
        (one) =>
          one.kind === finding.kind &&
          one.tier !== "possible" &&
          one.startLine <= end &&
          one.endLine >= start &&
          termsOf(one).some((term) => termsOf(finding).includes(term)),
      );
      return again ? [{ gate: "drift", path, detail: gateText.stillReported(again.message) } as const] : [];
    });
  }

  #linesAfter(
    { startLine, endLine }: OpenFinding,
    splices: readonly Splice[],
    text: string,
  ): [number, number] {
    const region = linesRegion(this.#text, startLine, endLine);
    const lines = indexLines(text);
    const start = mapOffset(region.start, splices, "before");
    const end = mapOffset(region.end, splices, "after");
    return [lineAt(lines, start) + 1, lineAt(lines, Math.max(start, end - 1)) + 1];
  }

  /** Makes the edits of an accepted answer and says what became of each finding. */
  async #commit(
    session: SectionSession,
    answer: SectionAnswer,
    splices: readonly Splice[],
  ): Promise<SectionResult[]> {
    const { region, excerpt } = session;
    const { findings } = excerpt;
    const before = this.#text;
    const shifted = splices.map(({ region: at, text }) => ({
      region: { start: at.start + region.start, end: at.end + region.start },
      text,
    }));
    const owned = this.#attribute(findings, answer, shifted);
    this.#text = applySplices(before, shifted);
    this.#edits.push(...owned.map(({ edit }) => edit));
    await this.#review(session, before);
    return findings.map((finding, i) => {
      const verdict = answer.verdicts.get(i);
      if (!isChange(verdict))
        return unchanged(
          finding.id,
          verdict,
          fixText.noUsableAnswer(this.#run.models.writer.name, fixText.noVerdict),
        );
      const edits = owned.filter(({ owner }) => owner === i).map(({ edit }) => edit);
      const summary =
        verdict.word === "add" ? fixText.added(verdict.reason) : fixText.reworded(verdict.reason);
      const result = { finding: finding.id, summary, edits, verdict };
      if (edits.length === 0) return { ...result, settled: true };
      const isRule = isSameEdit(before, finding.edits, applyQuoted(before, edits));
      return isRule ? { ...result, edits: finding.edits, byRule: true } : result;
    });
  }

  /** Quoted edits, each with the finding it stands nearest to. */
  #attribute(findings: readonly OpenFinding[], answer: SectionAnswer, splices: readonly Splice[]) {
    const { path } = this.#page;
    const lines = indexLines(this.#text);
    return quoteEdits(this.#text, splices).map(({ splices: members, ...quoted }) => {
      const at = splices[members[0] ?? 0]!.region;
      const line = lineAt(lines, at.start) + 1;
      const last = lineAt(lines, Math.max(at.start, at.end - 1)) + 1;
      const ranked = findings
        .map((finding, owner) => ({ finding, owner }))
        .filter(({ owner }) => isChange(answer.verdicts.get(owner)))
        .sort((a, b) => distance(a.finding, line, last) - distance(b.finding, line, last));
      const owner = ranked[0]?.owner ?? 0;
      const reason = answer.verdicts.get(owner)?.reason || findings[owner]!.message;
      return { owner, edit: { path, ...quoted, reason } };
    });
  }

  /**
   * A second model's remarks on the new words, where one was chosen for reviews. They are kept for a person: the passage
   * is written, and stays written.
   */
  async #review({ question, excerpt, reading }: SectionSession, before: string): Promise<void> {
    const { models } = this.#run;
    const { path } = this.#page;
    if (!models.reviewer || models.reviewer.name === models.writer.name || before === this.#text) return;
    this.#work.begin("reviewing");
    const patch = printPageDiff(path, before, this.#text);
    const { start, end } = excerpt.region;
    const words = this.#text.slice(start, end + this.#text.length - before.length);
    const diff = question.code.map(({ label, text }) => fenceData(label, text)).join("\n\n");
    const commits = question.commits === "" ? "" : fenceData("commits", question.commits);
    const source = reading
      .texts()
      .map((text) => fenceData(readByWriter, text))
      .join("\n\n");
    const purpose = question.headings.join(" › ");
    const draft = { path, purpose, draft: words, patch, source, commits, diff };
    const { findings, error } = await reviewDraft(models.reviewer, draft, this.#work);
    if (error !== undefined)
      this.#risks.push({ path, what: "review", detail: documentationText.noReview(path, error) });
    this.#risks.push(...findings.map((remark) => ({ path, what: "review", detail: showRemark(remark) })));
  }

  #ask(prompt: Prompt, reading: ReadTools): Promise<Outcome<ModelAnswer>> {
    return this.#run.models.writer.ask({ ...this.#work.request(prompt), ...reading.request() });
  }

  /** An excerpt as it is now, with its findings. Edits by rules and of other sections move them. */
  #move(excerpt: SourceExcerpt): SourceExcerpt {
    const { seen } = this.#page;
    const splices = compareTexts(seen, this.#text);
    const lines = indexLines(this.#text);
    const move = ({ start, end }: Region): Region => ({
      start: mapOffset(start, splices, "before"),
      end: mapOffset(end, splices, "after"),
    });
    const findings = excerpt.findings.map((finding) => {
      const { start, end } = move(linesRegion(seen, finding.startLine, finding.endLine));
      const endLine = lineAt(lines, Math.max(start, end - 1)) + 1;
      return { ...finding, startLine: lineAt(lines, start) + 1, endLine };
    });
    return { ...excerpt, region: move(excerpt.region), findings };
  }
}

/** A question is asked, and once more with what was wrong. */
const mostTurns = 2;

/** Stands for the section of an answer that lost a line between two sections. */
const lostMark = "\u0000";

/** A section without an edit that could be made. */
type OpenSection = { readonly excerpt: SourceExcerpt; readonly last?: TriedAnswer };

type AnsweredSection = Omit<SectionSession, "region"> & {
  readonly said: ModelAnswer;
  readonly answer: SectionAnswer;
};

function failuresOf({ findings }: SourceExcerpt, error: string): SectionResult[] {
  return findings.map(({ id }) => ({ finding: id, summary: "", edits: [], error }));
}

/** What an answer says of each section: its verdicts, and its lines, counted from its own first one. */
function splitAnswer(
  { verdicts, also, section }: SectionAnswer,
  {
    sections,
    shown,
    page,
  }: { readonly sections: readonly SourceExcerpt[]; readonly shown: ShownParts; readonly page: string },
): SectionAnswer[] {
  const texts = section === null ? null : splitParts(section, shown.marks);
  const known = indexLines(page);
  let notice = 0;
  return sections.map(({ findings, region }, i) => {
    const first = lineAt(known, region.start);
    const own = new Map<number, Verdict>();
    for (const at of findings.keys()) {
      const verdict = verdicts.get(notice + at);
      if (verdict) own.set(at, verdict);
    }
    notice += findings.length;
    const lineOf = (line: number): number => (shown.lines[line] ?? -1) - first;
    const named = also.map(({ firstLine, lastLine, reason }) => ({
      firstLine: lineOf(firstLine),
      lastLine: lineOf(lastLine),
      reason,
    }));
    return { verdicts: own, also: named, section: section === null ? null : (texts?.[i] ?? lostMark) };
  });
}

/** The last answers of some sections, as the answer to one question. */
function printAnswers(open: readonly OpenSection[], section: string, marks: readonly string[]): string {
  const texts = open.flatMap(({ last }) => last?.answer.section ?? []);
  if (texts.length < open.length || texts.includes(lostMark)) return open[0]?.last?.said.text ?? "";
  const verdicts = open.flatMap(({ excerpt, last }) =>
    excerpt.findings.map((_, i) => last?.answer.verdicts.get(i)),
  );
  const { begin, end } = marksFor(section);
  return [
    ...verdicts.flatMap((one, i) => (one ? [`${i + 1} ${one.word.toUpperCase()}: ${one.reason}`] : [])),
    begin,
    ...texts.flatMap((text, i) => (i === 0 ? [text] : [marks[i - 1]!, text])),
    end,
  ].join("\n");
}

type SectionSession = {
  readonly excerpt: SourceExcerpt;
  readonly question: SectionQuestion;
  readonly region: Region;
  readonly reading: ReadTools;
};

type TriedAnswer = JudgedAnswer & {
  /** The answer as the model wrote it. */
  readonly said: ModelAnswer;
};

type JudgedAnswer = {
  readonly answer: SectionAnswer;
  readonly musts: readonly string[];
  readonly objections: readonly Objection[];
  /** `null`: the answer cannot be used. An empty list: nothing is to change. */
  readonly accepted: readonly Splice[] | null;
  /** The edits that code refused. */
  readonly refused?: readonly Splice[];
};

function isChange(verdict: Verdict | undefined): verdict is Verdict {
  return verdict !== undefined && verdict.word !== "keep";
}

/** A finding whose words stay: because the model says so, or because its answer cannot be used. */
function unchanged(finding: string, verdict: Verdict | undefined, error: string): SectionResult {
  if (verdict?.word !== "keep") return { finding, summary: "", edits: [], error, ...defined({ verdict }) };
  return { finding, summary: fixText.leftAsIs(verdict.reason || fixText.noReason), edits: [], verdict };
}

function distance({ startLine, endLine }: OpenFinding, line: number, last: number): number {
  return Math.max(0, startLine - last, line - endLine);
}

function linesRegion(text: string, startLine: number, endLine: number): Region {
  const { starts } = indexLines(text);
  const start = starts[Math.min(startLine, starts.length) - 1] ?? 0;
  return { start, end: starts[endLine] ?? text.length };
}

/** The edits that rules propose for these findings; none where a finding has no edit. */
function rulesEdits(findings: readonly OpenFinding[]): readonly ReportedEdit[] {
  return findings.every(({ edits }) => edits.length > 0) ? findings.flatMap(({ edits }) => edits) : [];
}

/** Whether the edits of rules leave a text as the model does. */
function isSameEdit(text: string, rule: readonly ReportedEdit[], model: string): boolean {
  return rule.length > 0 && applyQuoted(text, rule) === model;
}

function applyQuoted(text: string, edits: readonly ReportedEdit[]): string {
  return edits.reduce((now, { old_string, new_string, occurrence = 1 }) => {
    const at = findQuote(now, old_string).regions[occurrence - 1]?.start ?? -1;
    return at < 0 ? now : now.slice(0, at) + new_string + now.slice(at + old_string.length);
  }, text);
}

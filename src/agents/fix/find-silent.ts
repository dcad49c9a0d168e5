import type { CheckReport, ReportedFinding } from "../../docs/check/report.ts";
import { isInstructions } from "../../docs/fix/choose.ts";
import { isProductPath, isTestPath } from "../../drift/change/code-path.ts";
import { learnPriors, type PastCommit } from "../../drift/change/files/co-change.ts";
import { documentClass, isDocumentPath } from "../../drift/pages/policies.ts";
import { isToolOutputPath } from "../../syntax/file-kinds.ts";
import { formatAt } from "../../syntax/formats/registry.ts";
import { sha256 } from "../../text/model/sha256.ts";
import { fixText } from "../../wording/agents.ts";
import {
  type ChangeParts,
  type ChangeSource,
  describeCode,
  describeCommits,
} from "../context/change-context.ts";
import { findChangedDeclarations } from "../context/changed-declarations.ts";
import { whyUnusable } from "../model/answer/refusal.ts";
import { findPassages } from "../prompts/find-passages.ts";
import type { Prompt } from "../prompts/prompt.ts";
import { type ModelRun, refusalText } from "../run/agent-run.ts";
import { Assignment } from "../run/assignment.ts";
import { mapConcurrently } from "../run/concurrency.ts";
import { ReadTools } from "../run/read-tools.ts";
import { findEvidence, quoteEvidence } from "./asked-evidence.ts";
import { openChange } from "./change-source.ts";
import { changedNames, type NameWeights, namesOfCode, namesOnPages } from "./changed-names.ts";
import { type JudgeOptions, pageReader } from "./judge-findings.ts";
import { findNearestPages, type NearestPages, type PageExcerpt, type SourcePage } from "./nearest-pages.ts";
import { parsePassages, type QuotedPassage, saysNone } from "./passage-answer.ts";
import { questionKey, SilentMemory } from "./silent-memory.ts";

const codeLength = 6000;
const pagesAtOnce = 4;

/** The rule of findings that a model made where the rules were silent. */
export const askedKind = "asked";

/** What a model was asked about beyond the rules, and what it was not. */
export type LookedAt = {
  readonly files: number;
  readonly pages: readonly string[];
  /** Pages that are near the change and were not asked about. */
  readonly notAsked: readonly string[];
  /** Sections of the asked pages that were not shown. */
  readonly partsNotShown: number;
  /** Pages whose question got no usable answer. */
  readonly unanswered: readonly string[];
};

type SilentSearch = {
  readonly findings: readonly ReportedFinding[];
  /** `null`: no product code changed, or the change cannot be read. */
  readonly looked: LookedAt | null;
};

/**
 * Passages that a change may have made false although no rule noticed: one question for each of the nearest pages, with
 * all that changed, asked once for each change. A passage counts only where its words stand on the page and changed
 * lines are behind it. Each is a possible finding, to be judged like any other.
 */
export async function findSilent(
  run: ModelRun,
  report: CheckReport,
  { read = pageReader(run) }: JudgeOptions = {},
): Promise<SilentSearch> {
  const { change: whole } = await openChange(run, report);
  const files = whole?.files.filter(({ path }) => isTold(path)) ?? [];
  if (whole === null || files.length === 0) return { findings: [], looked: null };
  const change = { ...whole, files };
  const pages = await readPages(run, read);
  const past = (await run.repository?.pastCommits(report.head)) ?? [];
  const topic = await readTopic(past, change, pages);
  const nearest = findNearestPages(pages, topic);
  const memory = await SilentMemory.open(run);
  const search = { change, report, topic, memory };
  const asked = await mapConcurrently(nearest.shown, pagesAtOnce, async (shown) => {
    const passages = await askAboutPage(run, shown, search);
    const text = pages.find(({ path }) => path === shown.path)?.text ?? "";
    return { shown, passages, findings: locateAll(passages ?? [], { path: shown.path, text }, search) };
  });
  await memory.save();
  const found = asked.flatMap(({ findings }) => findings);
  return {
    findings: found.filter(
      (one, i) =>
        found.findIndex(({ id }) => id === one.id) === i &&
        !report.findings.some((known) => known.path === one.path && known.startLine === one.startLine),
    ),
    looked: lookedAt(files.length, nearest, asked),
  };
}

function lookedAt(
  files: number,
  { shown, notShown }: NearestPages,
  asked: readonly { readonly shown: PageExcerpt; readonly passages: readonly QuotedPassage[] | null }[],
): LookedAt {
  return {
    files,
    pages: shown.map(({ path }) => path),
    notAsked: notShown,
    partsNotShown: shown.reduce((sum, { leftOut }) => sum + leftOut, 0),
    unanswered: asked.flatMap((one) => (one.passages === null ? [one.shown.path] : [])),
  };
}

/** Code whose behaviour pages tell of. */
export function isTold(path: string): boolean {
  return isProductPath(path) && !isTestPath(path) && !isToolOutputPath(path) && !isDocumentPath(path);
}

function isPage(path: string): boolean {
  return isDocumentPath(path) && documentClass(path) === "page" && !isInstructions(path);
}

/** Whether a page may be asked about: its words stand in its file as readers see them. */
export function isAskedPage(path: string): boolean {
  return isPage(path) && formatAt(path).name !== "notebook";
}

async function readPages(
  { context }: ModelRun,
  read: NonNullable<JudgeOptions["read"]>,
): Promise<SourcePage[]> {
  const listed = await context.reader.list();
  if (!listed.ok) return [];
  const paths = listed.value.paths.filter(isAskedPage);
  const pages: SourcePage[] = [];
  for (const path of paths) {
    const text = await read(path);
    if (text !== null) pages.push({ path, text });
  }
  return pages;
}

type Topic = {
  readonly changed: NameWeights;
  readonly names: NameWeights;
  readonly words: string;
  prior(page: string): number;
};

/** What the change is about: its names, what commits and comments say of it, and the past of its files. */
export async function readTopic(
  past: readonly PastCommit[],
  change: ChangeSource,
  pages: readonly SourcePage[],
): Promise<Topic> {
  const declarations = await findChangedDeclarations(change);
  const changed = changedNames({ ...change, declarations });
  const priors = learnPriors(past, isPage);
  const paths = change.files.map(({ path }) => path);
  return {
    changed,
    names: namesOnPages(changed, pages),
    words: [...change.messages, ...declarations.map(({ comment }) => comment)].join("\n"),
    prior: (page) => priors(page, paths),
  };
}

type PageSearch = {
  readonly change: ChangeSource;
  readonly report: CheckReport;
  readonly topic: Topic;
  readonly memory: SilentMemory;
};

/** The question about one page, and the code that it shows. */
export async function askPage(
  page: PageExcerpt,
  {
    change,
    topic,
    known,
    reads,
  }: Pick<PageSearch, "change" | "topic"> & {
    readonly known: readonly Pick<ReportedFinding, "startLine" | "message">[];
    readonly reads: boolean;
  },
  { redact, contextLength }: Pick<ModelRun, "redact" | "contextLength">,
): Promise<{ readonly prompt: Prompt; readonly code: ChangeParts }> {
  const names = namesOfCode(topic.changed, topic.names);
  const code = await describeCode(change, { names, places: [] }, contextLength ?? codeLength);
  const prompt = findPassages({
    commits: redact(describeCommits(change.messages)),
    code: code.map(({ label, text }) => ({ label, text: redact(text) })),
    page: { path: page.path, text: redact(page.text) },
    known: known.map(({ startLine, message }) => redact(`line ${startLine}: ${message}`)),
    reads,
  });
  return { prompt, code };
}

/** The passages of one page that a model names; `null` where it did not answer. */
async function askAboutPage(
  run: ModelRun,
  page: PageExcerpt,
  { change, report, topic, memory }: PageSearch,
): Promise<readonly QuotedPassage[] | null> {
  const reading = new ReadTools(run, run.models.researcher);
  const reads = reading.request().tools !== undefined;
  const here = report.findings.filter(({ path }) => path === page.path);
  const { prompt, code } = await askPage(page, { change, topic, known: here, reads }, run);
  const key = questionKey(prompt.version, { commits: change.messages, code, page: page.path });
  const known = memory.recall(key);
  if (known) return known;
  const passages = await askPassages(run, prompt, { subject: page.path, reading });
  if (passages) memory.keep(key, passages);
  return passages;
}

async function askPassages(
  run: ModelRun,
  prompt: Prompt,
  { subject, reading }: { readonly subject: string; readonly reading: ReadTools },
): Promise<readonly QuotedPassage[] | null> {
  const work = new Assignment(run, { subject, command: "check" });
  work.begin(fixText.askingSilent);
  const { researcher } = run.models;
  const answered = await researcher.ask({
    ...work.request(prompt),
    ...reading.request(),
    maxOutputTokens: 1500,
  });
  if (answered.ok) {
    const passages = parsePassages(answered.value.text);
    if (passages.length > 0 || saysNone(answered.value.text)) return passages;
  }
  const text = answered.ok
    ? run.redact(whyUnusable(researcher.name, answered.value, fixText.noPassages))
    : refusalText(run, answered.refusal);
  run.report({ kind: "failed", subject, text });
  return null;
}

function locateAll(
  passages: readonly QuotedPassage[],
  page: SourcePage,
  { change, report, topic }: PageSearch,
): ReportedFinding[] {
  return passages.flatMap((passage) => {
    const lines = findLines(page.text, passage.page);
    if (lines === null) return [];
    const sources = { files: change.files, names: topic.changed, ends: report };
    const words = page.text
      .split("\n")
      .slice(lines.start - 1, lines.end)
      .join("\n");
    const quoted = quoteEvidence(passage.code, sources);
    const evidence = quoted.length > 0 ? quoted : findEvidence(`${passage.now}\n${words}`, sources);
    if (evidence.length === 0) return [];
    return [
      {
        id: `${askedKind}-${sha256(`${page.path}\0${words}`).slice(0, 16)}`,
        path: page.path,
        startLine: lines.start,
        endLine: lines.end,
        tier: "possible",
        kind: askedKind,
        by: "model",
        message: passage.kind === "missing" ? fixText.missingHere(passage.now) : passage.now,
        evidence,
        edits: [],
      },
    ];
  });
}

const shortestQuotation = 8;

/** The lines, from 1, of the one place where a page has these words; a quotation may run over the end of a line. */
function findLines(text: string, quotation: string): { readonly start: number; readonly end: number } | null {
  // A long line is shown with its end cut off.
  const wanted = quotation.replace(/(?<!\s)\s*…\s*$/, "").trim();
  if (wanted.length < shortestQuotation) return null;
  const shape = wanted
    .split(/\s+/)
    .map((word) => word.replace(/\W/g, "\\$&"))
    .join("\\s+");
  const places = [...text.matchAll(new RegExp(shape, "g"))];
  const alone = places.filter(({ 0: words, index }) => isWholeLine(text, index, index + words.length));
  const [place, ...others] = places.length > 1 ? alone : places;
  if (!place || others.length > 0) return null;
  const start = text.slice(0, place.index).split("\n").length;
  return { start, end: start + place[0].split("\n").length - 1 };
}

function isWholeLine(text: string, start: number, end: number): boolean {
  const [before] = text.slice(0, start).split("\n").slice(-1);
  const [after] = text.slice(end).split("\n", 1);
  return before?.trim() === "" && after?.trim() === "";
}

import type { CheckReport, ReportedFinding } from "../../docs/check/report.ts";
import { isProductPath, isTestPath } from "../../drift/change/code-path.ts";
import { documentClass, isDocumentPath } from "../../drift/pages/policies.ts";
import { isToolOutputPath } from "../../syntax/file-kinds.ts";
import { formatAt } from "../../syntax/formats/registry.ts";
import { sha256 } from "../../text/model/sha256.ts";
import { fixText } from "../../wording/agents.ts";
import { type ChangeSource, describeCode, describeCommits } from "../context/change-context.ts";
import { findPassages, type PageOutline } from "../prompts/find-passages.ts";
import type { Prompt } from "../prompts/prompt.ts";
import { type ModelRun, metadataOf, trackSteps } from "../run/agent-run.ts";
import { modelRequest } from "../run/model-request.ts";
import { findEvidence } from "./asked-evidence.ts";
import { openChange } from "./change-source.ts";
import { changedNames, type NameWeights, namesOfCode, namesOnPages } from "./changed-names.ts";
import { type JudgeOptions, pageReader } from "./judge-findings.ts";
import { namesIn } from "./notice-terms.ts";
import { outlinePage } from "./page-outline.ts";
import { type QuotedPassage, questionKey, SilentMemory } from "./silent-memory.ts";

const codeLength = 4000;
const mostPages = 6;
/** Characters of all pages of a question, and of one. */
const pagesLength = 6000;
const longestOutline = 2500;
const shortestOutline = 500;
/** The part of the best page's weight that another page needs. */
const leastShare = 0.15;
const mostGroups = 4;

/** The rule of findings that a model made where the rules were silent. */
export const askedKind = "asked";

/**
 * Passages that a change may have made false although no rule noticed anything: one question for each group of changed
 * files that no finding is about, asked once for each change. A quotation counts only where it stands on its page. Each
 * is a possible finding, to be judged like any other.
 */
export async function findSilent(
  run: ModelRun,
  report: CheckReport,
  { read = pageReader(run) }: JudgeOptions = {},
): Promise<ReportedFinding[]> {
  const { change } = await openChange(run, report);
  if (change === null) return [];
  const noticed = new Set(report.findings.flatMap(({ evidence }) => evidence.map(({ path }) => path)));
  const silent = change.files.filter(({ path }) => isTold(path) && !noticed.has(path));
  const folders = [...Map.groupBy(silent, ({ path }) => folderOf(path)).values()];
  const groups = folders.sort((a, b) => changedLength(b) - changedLength(a)).slice(0, mostGroups);
  if (groups.length < folders.length)
    run.report({
      kind: "note",
      subject: "changed files",
      text: fixText.foldersNotAsked(folders.length - groups.length),
    });
  const pages = groups.length === 0 ? [] : await readPages(run, read);
  const memory = await SilentMemory.open(run);
  const found: ReportedFinding[] = [];
  for (const files of groups)
    found.push(...(await findInGroup(run, { change: { ...change, files }, ends: report, pages, memory })));
  await memory.save();
  return found.filter(
    (one, i) =>
      found.findIndex(({ id }) => id === one.id) === i &&
      !report.findings.some((known) => known.path === one.path && known.startLine === one.startLine),
  );
}

/** Code whose behaviour pages tell of. */
function isTold(path: string): boolean {
  return isProductPath(path) && !isTestPath(path) && !isToolOutputPath(path) && !isDocumentPath(path);
}

function folderOf(path: string): string {
  return path.split("/").slice(0, -1).slice(0, 2).join("/");
}

function changedLength(files: ChangeSource["files"]): number {
  return files.reduce((sum, { patch }) => sum + patch.length, 0);
}

type ShownPage = { readonly path: string; readonly text: string };

async function readPages(
  { context }: ModelRun,
  read: NonNullable<JudgeOptions["read"]>,
): Promise<ShownPage[]> {
  const listed = await context.reader.list();
  if (!listed.ok) return [];
  const paths = listed.value.paths.filter(
    (path) => isDocumentPath(path) && documentClass(path) === "page" && formatAt(path).name !== "notebook",
  );
  const pages: ShownPage[] = [];
  for (const path of paths) {
    const text = await read(path);
    if (text !== null) pages.push({ path, text });
  }
  return pages;
}

async function findInGroup(
  run: ModelRun,
  given: {
    readonly change: ChangeSource;
    readonly ends: Pick<CheckReport, "base" | "head">;
    readonly pages: readonly ShownPage[];
    readonly memory: SilentMemory;
  },
): Promise<ReportedFinding[]> {
  const { change, ends, pages, memory } = given;
  const changed = changedNames(change);
  const names = namesOnPages(changed, pages);
  const shown = choosePages(pages, names);
  if (shown.length === 0) return [];
  const code = await describeCode(
    change,
    { names: namesOfCode(changed, names), places: [] },
    run.contextLength ?? codeLength,
  );
  const { redact } = run;
  const question = {
    commits: redact(describeCommits(change.messages)),
    code: code.map(({ label, text }) => ({ label, text: redact(text) })),
    pages: shown.map(({ path, lines }) => ({ path, lines: redact(lines) })),
  };
  const prompt = findPassages(question);
  const key = questionKey(prompt.version, question);
  const known = memory.recall(key);
  const passages = known ?? (await askPassages(run, prompt, change.files[0]?.path ?? ""));
  if (!passages) return [];
  if (!known) memory.keep(key, passages);
  return passages.flatMap((passage) => {
    const evidence = (sentence: string) =>
      findEvidence(sentence, { files: change.files, names: changed, ends });
    return locate(passage, { pages, shown, names, evidence });
  });
}

/** The passages that a model names; `null` where it did not answer. */
async function askPassages(
  run: ModelRun,
  prompt: Prompt,
  subject: string,
): Promise<readonly QuotedPassage[] | null> {
  const budget = run.budget.child();
  const steps = trackSteps(run, subject, budget);
  steps.begin(fixText.askingSilent);
  const request = modelRequest(run, { prompt, budget, steps, metadata: metadataOf(run, "check") });
  const answered = await run.models.researcher.ask({ ...request, maxOutputTokens: 1000 });
  if (answered.ok) {
    const passages = parsePassages(answered.value.text);
    if (passages.length > 0 || saysNone(answered.value.text)) return passages;
  }
  const detail = answered.ok
    ? fixText.noPassages(run.models.researcher.name)
    : "detail" in answered.refusal
      ? (answered.refusal.detail ?? "")
      : "";
  run.report({ kind: "failed", subject, text: detail });
  return null;
}

/**
 * The pages that hold the weightiest of the changed names, each in outline. Pages share the room by their weight, and those
 * that hold hardly anything are left out.
 */
function choosePages(pages: readonly ShownPage[], names: NameWeights): PageOutline[] {
  const ranked = pages
    .map((page) => ({
      ...page,
      score: namesIn(page.text).reduce((sum, name) => sum + (names.get(name) ?? 0), 0),
    }))
    .sort((a, b) => b.score - a.score)
    .slice(0, mostPages);
  const best = ranked[0]?.score ?? 0;
  const chosen = ranked.filter(({ score }) => score > 0 && score >= best * leastShare);
  const all = chosen.reduce((sum, { score }) => sum + score, 0);
  return chosen.map(({ path, text, score }) => {
    const length = Math.round(Math.min(longestOutline, (pagesLength * score) / all));
    return outlinePage(path, text, names, { length: Math.max(shortestOutline, length) });
  });
}

/** Whether an answer says that no page is concerned. */
function saysNone(text: string): boolean {
  return /^\W*NONE\b|\bNONE\W*$/i.test(text.trim());
}

/** The passages of an answer. A line of another form is no passage. */
export function parsePassages(text: string): QuotedPassage[] {
  return text.split(/\r?\n/).flatMap((line) => {
    const found = /^[\s*>\d.)-]*[`*]*([^\s:`*]+)[`*]*:(?:\d+:)?\s*["“](.+)["”]\s*(?::|[-–—]+)\s*(\S.*)$/.exec(
      line,
    );
    return found ? [{ path: found[1]!, quote: found[2]!, why: found[3]! }] : [];
  });
}

/** The words of a line that it writes as code. */
function codeOf(line: string): string {
  return Array.from(line.matchAll(/`([^`]+)`/g), ([, code]) => code).join(" ");
}

/** A finding for a quotation that stands on one line of a page that was shown. */
function locate(
  { path, quote, why }: QuotedPassage,
  given: {
    readonly pages: readonly ShownPage[];
    readonly shown: readonly PageOutline[];
    readonly names: NameWeights;
    readonly evidence: (sentence: string) => ReportedFinding["evidence"];
  },
): ReportedFinding[] {
  const page = given.pages.find((one) => one.path === path);
  // A long line is shown with its end cut off.
  const wanted = quote.replace(/\s*…\s*$/, "").trim();
  if (!page || wanted.length < 8 || !given.shown.some((one) => one.path === path)) return [];
  const lines = page.text.split("\n");
  const places = [...lines.keys()].filter((i) => lines[i]!.includes(wanted));
  const [at] = places;
  if (at === undefined || places.length > 1) return [];
  const said = new Set(namesIn(why));
  const held = namesIn(codeOf(lines[at]!)).filter((name) => given.names.has(name) && !said.has(name));
  const about = held.length === 0 ? "" : ` (${held.map((name) => `\`${name}\``).join(", ")})`;
  return [
    {
      id: `${askedKind}-${sha256(`${path}\0${lines[at]}`).slice(0, 16)}`,
      path,
      startLine: at + 1,
      endLine: at + 1,
      tier: "possible",
      kind: askedKind,
      message: `${why.trim()}${about}`,
      evidence: given.evidence(`${why}\n${lines[at]}`),
      edits: [],
    },
  ];
}

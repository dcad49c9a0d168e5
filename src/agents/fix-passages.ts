import { compareTexts } from "../text/compare.ts";
import type { Edit } from "../text/edit.ts";
import { indexLines, lineEnd } from "../text/lines.ts";
import { accept, type Outcome, refuse } from "../text/outcome.ts";
import type { Change } from "../text/plan.ts";
import type { Region } from "../text/region.ts";
import { mapOffset } from "../text/splice.ts";
import type { ReportedEdit, ReportedFinding } from "../tools/check.ts";
import { addCounts } from "./audit.ts";
import { type Bench, followSteps, type Progress, type Steps, sessionOf, worded } from "./bench.ts";
import { commitPage } from "./commit-page.ts";
import { type Confined, confine } from "./confine.ts";
import type { Crew } from "./crew.ts";
import { diffOf, writerDefaults } from "./draft-page.ts";
import { type Checks, checkDraft } from "./gates/check-draft.ts";
import { merge, type Objection, type Risk, type Verdict } from "./gates/objection.ts";
import { giveHands, type Hands } from "./hands.ts";
import { inParallel } from "./limited.ts";
import { extendMetadata } from "./metadata.ts";
import type { Usage } from "./prices.ts";
import { judgePassage } from "./prompts/judge-passage.ts";
import type { Prompt } from "./prompts/prompt.ts";
import { wordPassage } from "./prompts/word-passage.ts";
import { reviewDraft } from "./review.ts";
import { type StagedPage, stagePage } from "./staged-page.ts";
import { stoppedWords, unlessStopped } from "./stopping.ts";

/** A passage that no rule could mend. */
export type OpenFinding = Pick<
  ReportedFinding,
  "id" | "path" | "startLine" | "endLine" | "message" | "evidence"
>;

/** What became of one passage: the edits that went in, or why there are none. */
export type PassageResult = {
  readonly finding: string;
  readonly said: string;
  readonly edits: readonly ReportedEdit[];
  readonly error?: string;
};

/** One page and its passages. Without an `entry` nothing of it was written. */
export type PassagePage = {
  readonly path: string;
  readonly before: string;
  readonly after: string;
  readonly passages: readonly PassageResult[];
  readonly entry?: string;
  readonly objections: readonly Objection[];
  readonly risks: readonly Risk[];
  readonly usage: Usage;
  readonly toolCalls: Readonly<Record<string, number>>;
};

export type PassageOptions = {
  readonly checks: Checks;
  readonly maxSteps?: number | undefined;
  readonly dryRun?: boolean | undefined;
  /** Pages that rules have just edited: as the findings saw them, and as they are by now, if only in a preview. */
  readonly edited?: ReadonlyMap<string, { readonly seen: string; readonly now: string }>;
};

const pagesAtOnce = 4;

/**
 * What rules leave over, passage by passage: a small question first, an edit of that passage alone if the answer is
 * yes, and a reviewer whose objections go through the same tool. A page is written once, in one transaction.
 */
export function fixPassages(
  bench: Bench,
  crew: Crew,
  findings: readonly OpenFinding[],
  options: PassageOptions,
): Promise<PassagePage[]> {
  const pages = [...Map.groupBy(findings, ({ path }) => path)];
  return inParallel(pages, pagesAtOnce, ([path, open]) => fixPage(bench, crew, path, open, options));
}

async function fixPage(
  bench: Bench,
  crew: Crew,
  path: string,
  findings: readonly OpenFinding[],
  options: PassageOptions,
): Promise<PassagePage> {
  const ledger = bench.ledger.sub();
  const read = await bench.context.reader.read(path);
  const edited = options.edited?.get(path);
  const before = (options.dryRun ? edited?.now : undefined) ?? (read.ok ? read.value.text : null);
  if (!read.ok || before === null) {
    const error = read.ok ? "the page is gone" : worded(bench, read.refusal);
    return unread(path, findings, error, ledger.total());
  }
  const staged = stagePage(bench.context.reader, path, before);
  const desk: Desk = {
    bench: { ...bench, ledger },
    crew,
    path,
    seen: edited?.seen ?? before,
    before,
    staged,
    options,
    hands: [],
    steps: followSteps(bench, path, ledger),
  };
  const passages: PassageResult[] = [];
  const confined: Confined[] = [];
  for (const finding of findings) {
    const already = staged.edits().length;
    const done = await unlessStopped(
      bench.signal,
      () => fixPassage(desk, finding, confined),
      () => ({ said: "", error: stoppedWords }),
    );
    const edits = staged.edits().slice(already).map(toReported);
    passages.push({ finding: finding.id, edits, ...done });
  }
  const page = {
    path,
    before,
    after: staged.text(),
    objections: confined.flatMap((each) => each.objections()),
    risks: confined.flatMap((each) => each.risks()),
    usage: ledger.total(),
    toolCalls: addCounts({ edit_article: 0 }, ...desk.hands.map((hands) => hands.counts())),
  };
  const written = await writePage(desk, read.value.version);
  bench.report(endOf(desk, written.ok && passages.every(({ error }) => error === undefined)));
  if (written.ok) return { ...page, passages, ...(written.value === null ? {} : { entry: written.value }) };
  const error = worded(bench, written.refusal);
  const lost = passages.map((each) => (each.edits.length > 0 ? { ...each, edits: [], error } : each));
  return { ...page, after: before, passages: lost };
}

function endOf({ path, before, staged, options }: Desk, sound: boolean): Progress {
  if (!sound) return { kind: "failed", subject: path, text: `✖ ${path}: not every passage could be mended` };
  if (staged.text() === before) return { kind: "done", subject: path, text: `○ No update needed: ${path}` };
  const text = options.dryRun ? `· Would write ${path}` : `✔ Wrote ${path}`;
  return { kind: "done", subject: path, text };
}

function unread(path: string, findings: readonly OpenFinding[], error: string, usage: Usage): PassagePage {
  const passages = findings.map(({ id }) => ({ finding: id, said: "", edits: [], error }));
  return { path, before: "", after: "", passages, objections: [], risks: [], usage, toolCalls: {} };
}

/** The journal's name for what was written; `null` where there was nothing to write. */
async function writePage(
  { bench, crew, path, before, staged, options }: Desk,
  version: string,
): Promise<Outcome<string | null>> {
  const after = staged.text();
  // A page in hand when somebody stops the run stays as it was.
  if (after === before || options.dryRun) return accept(null);
  if (bench.signal?.aborted) return refuse({ code: "unavailable", detail: stoppedWords });
  const committed = await commitPage(
    { ...bench.context, author: `agent ${crew.writer.name}`, task: path },
    {
      path,
      draft: { mode: "surgical-update", base: before, after, edits: staged.edits(), summary: "" },
      version,
      checks: options.checks,
      dryRun: false,
    },
  );
  return committed.ok ? accept(committed.value.entry?.id ?? null) : committed;
}

function toReported(edit: Edit): ReportedEdit {
  const old_string = "quote" in edit.target ? edit.target.quote : "";
  const new_string = "text" in edit && edit.text !== null ? edit.text : "";
  return { path: edit.path, old_string, new_string, reason: edit.reason };
}

/** One page while its passages are worked on. */
type Desk = {
  readonly bench: Bench;
  readonly crew: Crew;
  readonly path: string;
  /** The page that the lines of findings count in, and the page that gates compare with. */
  readonly seen: string;
  readonly before: string;
  readonly staged: StagedPage;
  readonly options: PassageOptions;
  readonly hands: Hands[];
  readonly steps: Steps;
};

type Said = { readonly said: string; readonly error?: string };

async function fixPassage(desk: Desk, finding: OpenFinding, confined: Confined[]): Promise<Said> {
  const { bench, crew, path, staged } = desk;
  const evidence = finding.evidence.map(({ path: file, before = absent, after = absent }) => ({
    path: file,
    before: bench.redact(before),
    after: bench.redact(after),
  }));
  const text = staged.text();
  const passage = passageText(desk, finding);
  const step = (what: string) => desk.steps.begin(`line ${finding.startLine}: ${what}`);
  step("asking whether it is wrong");
  const judge = crew.reviewer ?? crew.planner;
  const judged = await ask(desk, judge, judgePassage({ path, passage, evidence }), 300);
  if (!judged.ok) return { said: "", error: worded(bench, judged.refusal) };
  const verdict = /^\W*(YES|NO)\b[\s.,:;–-]*([\s\S]*)/i.exec(judged.value.text);
  if (verdict?.[1]?.toUpperCase() !== "YES")
    return { said: `left as it is: ${(verdict?.[2] ?? "no clear answer").trim()}` };

  step("wording");
  const shown = { path, passage, startLine: finding.startLine, endLine: finding.endLine, evidence };
  const why = `${finding.message} ${verdict[2]}`;
  const first = await edit(desk, finding, wordPassage({ ...shown, why }), confined);
  if (first !== null) return { said: "", error: first };
  const now = staged.text();
  if (now === text || !crew.reviewer) return { said: now === text ? "nothing was changed" : "reworded" };
  step("reviewing");
  const source = evidence.map(({ path: file, after }) => `${file}: ${after}`).join("\n");
  const draft = { path, draft: now, patch: diffOf(path, text, now), source };
  const { findings: objections } = await reviewDraft(crew.reviewer, draft, {
    ledger: bench.ledger,
    metadata: sessionOf(bench, "fix"),
    signal: bench.signal,
  });
  if (objections.length === 0) return { said: "reworded" };
  const answer = wordPassage({ ...shown, passage: passageText(desk, finding), why: objections.join("\n") });
  const again = await edit(desk, finding, answer, confined);
  return again === null ? { said: "reworded, and again after review" } : { said: "reworded", error: again };
}

/** What stands for a side of the evidence that has no text: added lines have no before, removed ones no after. */
const absent = "(nothing)";

/** A conversation with `edit_article` over the passage; `null` when it went well. */
async function edit(
  desk: Desk,
  finding: OpenFinding,
  prompt: Prompt,
  all: Confined[],
): Promise<string | null> {
  const { bench, crew, path, staged } = desk;
  const confined = confine(staged.workspace, {
    mayWrite: (written) => written === path,
    judge: (change, reasons) => judgeChange(desk, finding, change, reasons),
  });
  const { mode: _, ...context } = bench.context;
  const hands = giveHands(
    {
      ...context,
      reader: staged.workspace,
      workspace: confined.workspace,
      profile: "docs",
      author: `agent ${crew.writer.name}`,
      task: finding.id,
      article: path,
    },
    bench.redact,
  );
  desk.hands.push(hands);
  all.push(confined);
  const already = staged.edits().length;
  const isEnough = (): boolean => staged.edits().length > already;
  const answered = await ask(desk, crew.writer, prompt, writerDefaults.maxOutputTokens, { hands, isEnough });
  if (!answered.ok) return worded(bench, answered.refusal);
  const objections = confined.objections();
  if (objections.length > 0) return `left for a person: ${objections.map(({ detail }) => detail).join("; ")}`;
  return endings[answered.value.end] ?? null;
}

const endings: Readonly<Record<string, string>> = {
  cost: "the cost ceiling was reached before the writer was done",
  steps: "the writer's steps ran out before it was done",
};

function ask(
  { bench, path, options, steps }: Desk,
  model: Crew["writer"],
  prompt: Prompt,
  maxOutputTokens: number,
  work?: { readonly hands: Hands; readonly isEnough: () => boolean },
) {
  return model.ask({
    instructions: prompt.instructions,
    prompt: prompt.prompt,
    maxOutputTokens,
    temperature: writerDefaults.temperature,
    ledger: bench.ledger,
    onStep: steps.answered,
    metadata: extendMetadata(sessionOf(bench, "fix"), {
      properties: { documentPath: path, documentType: "passage", mode: "surgical-update" },
    }),
    ...(bench.signal === undefined ? {} : { signal: bench.signal }),
    ...(work === undefined
      ? {}
      : {
          tools: work.hands.tools,
          isEnough: work.isEnough,
          maxSteps: options.maxSteps ?? writerDefaults.maxSteps,
        }),
  });
}

/** The passage and nothing else may change; what it becomes passes the same gates as every text of a model's. */
async function judgeChange(
  { path, seen, before, options }: Desk,
  finding: OpenFinding,
  change: Change,
  reasons: readonly string[],
): Promise<Verdict> {
  const given = passageIn(seen, change.before.text ?? "", finding);
  const stray = change.splices.some(({ region }) => region.start < given.start || region.end > given.end);
  const where = `only lines ${finding.startLine} to ${finding.endLine} of ${path}, as it was, may change`;
  const checked = await checkDraft({ path, before, after: change.after ?? "", reasons }, options.checks);
  return merge([checked, { objections: stray ? [{ gate: "place", path, detail: where }] : [] }]);
}

/** Where the lines of a finding stand by now: edits of rules and of other passages move them. */
function passageIn(seen: string, now: string, { startLine, endLine }: OpenFinding): Region {
  const lines = indexLines(seen);
  const last = lines.starts.length - 1;
  const start = lines.starts[Math.min(startLine - 1, last)] ?? 0;
  const end = lineEnd(lines, Math.min(endLine - 1, last));
  const splices = compareTexts(seen, now);
  return { start: mapOffset(start, splices, "before"), end: mapOffset(end, splices, "after") };
}

function passageText({ seen, staged }: Desk, finding: OpenFinding): string {
  const now = staged.text();
  const { start, end } = passageIn(seen, now, finding);
  return now.slice(start, end);
}

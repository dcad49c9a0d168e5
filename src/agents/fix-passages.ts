import { compareTexts } from "../text/compare.ts";
import type { Evidence } from "../text/edit.ts";
import { indexLines, lineEnd } from "../text/lines.ts";
import type { Change } from "../text/plan.ts";
import type { Region } from "../text/region.ts";
import { mapOffset } from "../text/splice.ts";
import type { ReportedFinding } from "../tools/check.ts";
import type { AuditArticle } from "./audit.ts";
import { type Bench, sessionOf, worded } from "./bench.ts";
import { type Confined, confine } from "./confine.ts";
import type { Crew } from "./crew.ts";
import { diffOf, writerDefaults } from "./draft-page.ts";
import { checkDraft } from "./gates/check-draft.ts";
import type { Ground } from "./gates/ground.ts";
import { merge, type Verdict } from "./gates/objection.ts";
import { giveHands, type Hands } from "./hands.ts";
import { extendMetadata } from "./metadata.ts";
import { judgePassage } from "./prompts/judge-passage.ts";
import type { Prompt } from "./prompts/prompt.ts";
import { wordPassage } from "./prompts/word-passage.ts";
import { reviewDraft } from "./review.ts";

/** A passage that no rule could mend. */
export type OpenFinding = Pick<
  ReportedFinding,
  "id" | "path" | "startLine" | "endLine" | "message" | "evidence"
>;

export type PassageOptions = {
  readonly ground: Ground;
  readonly commits: readonly string[];
  readonly maxSteps?: number | undefined;
};

/**
 * What rules leave over, passage by passage: a small question first, an edit of that passage alone if the answer is
 * yes, and a reviewer whose objections go through the same tool. One article of the record for each page.
 */
export async function fixPassages(
  bench: Bench,
  crew: Crew,
  findings: readonly OpenFinding[],
  options: PassageOptions,
): Promise<AuditArticle[]> {
  const articles: AuditArticle[] = [];
  for (const [path, open] of Map.groupBy(findings, (finding) => finding.path))
    articles.push(await fixPage(bench, crew, path, open, options));
  return articles;
}

async function fixPage(
  bench: Bench,
  crew: Crew,
  path: string,
  findings: readonly OpenFinding[],
  options: PassageOptions,
): Promise<AuditArticle> {
  const base = {
    jrn: null,
    path,
    evidence: findings.flatMap(({ evidence }) => evidence.map((each) => ({ ...each }))),
  };
  const read = await bench.context.reader.read(path);
  if (!read.ok || read.value.text === null)
    return { ...base, status: "error", error: read.ok ? "the page is gone" : worded(bench, read.refusal) };
  const before = read.value.text;
  const ledger = bench.ledger.sub();
  const desk: Desk = { bench: { ...bench, ledger }, crew, path, before, options, hands: [], confined: [] };
  const said: string[] = [];
  const errors: string[] = [];
  for (const finding of findings) {
    const outcome = await fixPassage(desk, finding);
    said.push(`${finding.startLine}: ${outcome.said}`);
    if (outcome.error !== undefined) errors.push(`line ${finding.startLine}: ${outcome.error}`);
  }
  const after = await readText(desk);
  const done = desk.hands
    .flatMap((hands) => hands.results())
    .filter(({ success, entry }) => success && entry !== undefined);
  const reasons = done.flatMap(({ appliedEdits = [] }) => appliedEdits.map(({ reason }) => reason));
  const objections = desk.confined.flatMap((each) => each.objections());
  const risks = desk.confined.flatMap((each) => each.risks());
  return {
    ...base,
    status: errors.length > 0 ? "error" : after === before ? "unchanged" : "updated",
    ...(after === before ? {} : { patch: diffOf(path, before, after) }),
    ...(reasons.length > 0 ? { editReasons: reasons } : {}),
    ...(done.length > 0 ? { entries: done.map(({ entry }) => entry!) } : {}),
    ...(objections.length > 0 ? { objections } : {}),
    ...(risks.length > 0 ? { risks } : {}),
    ...(errors.length > 0 ? { error: errors.join("; ") } : {}),
    reasoning: said.join("\n"),
    mode: "surgical-update",
    usage: ledger.total(),
    toolCalls: { edit_article: done.length },
  };
}

/** One page while its passages are worked on. */
type Desk = {
  readonly bench: Bench;
  readonly crew: Crew;
  readonly path: string;
  readonly before: string;
  readonly options: PassageOptions;
  readonly hands: Hands[];
  readonly confined: Confined[];
};

async function fixPassage(desk: Desk, finding: OpenFinding): Promise<{ said: string; error?: string }> {
  const { bench, crew, path } = desk;
  const evidence = finding.evidence.map(({ path: file, before = "", after = "" }: Evidence) => ({
    path: file,
    before,
    after,
  }));
  const text = await readText(desk);
  const region = passageIn(desk.before, text, finding);
  const passage = text.slice(region.start, region.end);
  const judged = await ask(
    desk,
    crew.reviewer ?? crew.planner,
    judgePassage({ path, passage, evidence }),
    300,
  );
  if (!judged.ok) return { said: "", error: worded(bench, judged.refusal) };
  const verdict = /^\W*(YES|NO)\b[\s.,:;–-]*([\s\S]*)/i.exec(judged.value.text);
  if (verdict?.[1]?.toUpperCase() !== "YES")
    return { said: `left as it is: ${(verdict?.[2] ?? "no clear answer").trim()}` };

  const shown = { path, passage, startLine: finding.startLine, endLine: finding.endLine, evidence };
  const first = await edit(desk, finding, wordPassage({ ...shown, why: `${finding.message} ${verdict[2]}` }));
  if (first !== null) return { said: "", error: first };
  const now = await readText(desk);
  if (now === text || !crew.reviewer) return { said: now === text ? "nothing was changed" : "reworded" };
  const source = evidence.map(({ path: file, after }) => `${file}: ${after}`).join("\n");
  const draft = { path, draft: now, patch: diffOf(path, text, now), source };
  const { findings: objections } = await reviewDraft(crew.reviewer, draft, {
    ledger: bench.ledger,
    metadata: sessionOf(bench, "fix"),
  });
  if (objections.length === 0) return { said: "reworded" };
  const again = await edit(
    desk,
    finding,
    wordPassage({ ...shown, passage: passageText(desk, now, finding), why: objections.join("\n") }),
  );
  return again === null ? { said: "reworded, and again after review" } : { said: "reworded", error: again };
}

/** A conversation with `edit_article` over the passage; `null` when it went well. */
async function edit(desk: Desk, finding: OpenFinding, prompt: Prompt): Promise<string | null> {
  const { bench, crew, path } = desk;
  const confined = confine(bench.context.workspace!, {
    mayWrite: (written) => written === path,
    judge: (change, reasons) => judge(desk, finding, change, reasons),
  });
  const context = {
    ...bench.context,
    workspace: confined.workspace,
    profile: "docs" as const,
    author: `agent ${crew.writer.name}`,
    task: finding.id,
    article: path,
  };
  const hands = giveHands(context, bench.redact);
  desk.hands.push(hands);
  desk.confined.push(confined);
  const answered = await ask(desk, crew.writer, prompt, writerDefaults.maxOutputTokens, hands);
  if (!answered.ok) return worded(bench, answered.refusal);
  const objections = confined.objections();
  return objections.length === 0
    ? null
    : `left for a person: ${objections.map(({ detail }) => detail).join("; ")}`;
}

function ask(
  { bench, options }: Desk,
  model: Crew["writer"],
  prompt: Prompt,
  maxOutputTokens: number,
  hands?: Hands,
) {
  return model.ask({
    instructions: prompt.instructions,
    prompt: prompt.prompt,
    maxOutputTokens,
    temperature: writerDefaults.temperature,
    ledger: bench.ledger,
    metadata: extendMetadata(sessionOf(bench, "fix"), { properties: { mode: "surgical-update" } }),
    ...(bench.signal === undefined ? {} : { signal: bench.signal }),
    ...(hands === undefined
      ? {}
      : { tools: hands.tools, maxSteps: options.maxSteps ?? writerDefaults.maxSteps }),
  });
}

/** The passage and nothing else may change; what it becomes passes the same gates as every text of a model's. */
async function judge(
  desk: Desk,
  finding: OpenFinding,
  change: Change,
  reasons: readonly string[],
): Promise<Verdict> {
  const { path, before, bench, options } = desk;
  const text = change.before.text ?? "";
  const given = passageIn(before, text, finding);
  const stray = change.splices.some(({ region }) => region.start < given.start || region.end > given.end);
  const where = `only lines ${finding.startLine} to ${finding.endLine} of ${path}, as it was, may change`;
  const { ground, commits } = options;
  const checked = await checkDraft(
    { path, before, after: change.after ?? "", reasons },
    { ground, commits, secrets: bench.secrets },
  );
  return merge([checked, { objections: stray ? [{ gate: "place", path, detail: where }] : [] }]);
}

/** Where the lines of a finding stand by now: edits of other passages move them. */
function passageIn(original: string, now: string, { startLine, endLine }: OpenFinding): Region {
  const lines = indexLines(original);
  const last = lines.starts.length - 1;
  const start = lines.starts[Math.min(startLine - 1, last)] ?? 0;
  const end = lineEnd(lines, Math.min(endLine - 1, last));
  const splices = compareTexts(original, now);
  return { start: mapOffset(start, splices, "before"), end: mapOffset(end, splices, "after") };
}

function passageText({ before }: Desk, now: string, finding: OpenFinding): string {
  const { start, end } = passageIn(before, now, finding);
  return now.slice(start, end);
}

async function readText({ bench, path, before }: Desk): Promise<string> {
  const read = await bench.context.reader.read(path);
  return read.ok ? (read.value.text ?? "") : before;
}

import { accept, type Outcome } from "../../text/model/outcome.ts";
import type { Result } from "../../tools/tool.ts";
import { excerptDiff } from "../context/diff-excerpt.ts";
import { diffOf, writerDefaults } from "../documentation/draft-page.ts";
import { checkDraft } from "../gates/check-draft.ts";
import type { Ground } from "../gates/ground.ts";
import type { Objection } from "../gates/objection.ts";
import { extendMetadata } from "../model/metadata.ts";
import type { Answer } from "../model/model.ts";
import type { Crew } from "../model/models.ts";
import { leftForPerson, whyUnfinished } from "../model/stop-reason.ts";
import { updateArticle } from "../prompts/update-article.ts";
import { type Bench, followSteps, sessionOf, worded } from "../run/agent-run.ts";
import { giveHands } from "../run/agent-tools.ts";
import type { AuditArticle } from "../run/audit.ts";
import { confine } from "../run/write-scope.ts";
import type { Impacted } from "./search.ts";

/** One agent for one article: it reads what it likes and edits that article alone. */
export async function runArticleAgent(
  bench: Bench,
  crew: Crew,
  impacted: Impacted,
  given: {
    readonly ground: Ground;
    readonly commits: readonly string[];
    readonly maxSteps?: number | undefined;
  },
): Promise<AuditArticle> {
  const { article, evidence, patches } = impacted;
  const { path } = article;
  const ledger = bench.ledger.sub();
  const base = { jrn: article.jrn, path, evidence: [...evidence] };
  const before = await readText(bench, path);
  if (!before.ok) return { ...base, status: "error", error: worded(bench, before.refusal, "edit_article") };

  const checks = { ground: given.ground, secrets: bench.secrets, commits: given.commits };
  const confined = confine(bench.context.workspace!, {
    mayWrite: (written) => written === path,
    judge: (change, reasons) =>
      checkDraft({ path, before: before.value, after: change.after ?? "", reasons }, checks),
  });
  const hands = giveHands(
    {
      ...bench.context,
      reader: bench.context.reader,
      workspace: confined.workspace,
      profile: "docs",
      author: `agent ${crew.writer.name}`,
      task: path,
      article: path,
    },
    bench.redact,
  );
  const prompt = updateArticle({
    path,
    id: article.jrn ?? path,
    evidence: evidence.map(
      ({ changedFile, pattern, matchType, source }) =>
        `${changedFile} (${source}) fits ${pattern}, ${matchType}`,
    ),
    commits: given.commits.map((id) => id.slice(0, 12)),
    diff: bench.redact(excerptDiff(patches, 15_000).text),
  });
  const steps = followSteps(bench, path, ledger);
  steps.begin("updating");
  const answered = await crew.writer.ask({
    instructions: prompt.instructions,
    prompt: prompt.prompt,
    tools: hands.tools,
    maxSteps: given.maxSteps ?? writerDefaults.maxSteps,
    maxOutputTokens: writerDefaults.maxOutputTokens,
    temperature: writerDefaults.temperature,
    ledger,
    onStep: steps.answered,
    metadata: extendMetadata(sessionOf(bench, "impact"), {
      properties: { documentPath: path, documentType: "article", mode: "surgical-update" },
    }),
    ...(bench.signal === undefined ? {} : { signal: bench.signal }),
  });

  const done = hands.results().filter(({ success, entry }) => success && entry !== undefined);
  const reasons = done.flatMap(({ appliedEdits = [] }) => appliedEdits.map(({ reason }) => reason));
  const after = await readText(bench, path);
  const objections = confined.objections();
  const shared = {
    ...base,
    ...(reasons.length > 0 ? { editReasons: reasons } : {}),
    ...(done.length > 0 ? { entries: done.map(({ entry }) => entry!) } : {}),
    ...(objections.length > 0 ? { objections: [...objections] } : {}),
    ...(confined.risks().length > 0 ? { risks: [...confined.risks()] } : {}),
    ...(answered.ok ? { reasoning: answered.value.text.trim() } : {}),
    usage: ledger.total(),
    toolCalls: { edit_article: 0, write_file: 0, ...hands.counts() },
    mode: "surgical-update",
  };
  // What the file holds decides, not what the model says of it.
  const changed = after.ok ? after.value !== before.value : done.length > 0;
  const patch =
    after.ok && changed && after.value !== null ? { patch: diffOf(path, before.value, after.value) } : {};
  const last = hands.results().findLast(({ tool }) => tool === "edit_article" || tool === "write_file");
  const error = whatWentWrong(bench, answered, objections, last);
  if (error !== null) return { ...shared, ...patch, status: "error", error };
  return { ...shared, ...patch, status: changed ? "updated" : "unchanged" };
}

async function readText(bench: Bench, path: string): Promise<Outcome<string | null>> {
  const read = await bench.context.reader.read(path);
  return read.ok ? accept(read.value.text) : read;
}

function whatWentWrong(
  bench: Bench,
  answered: Outcome<Pick<Answer, "end">>,
  objections: readonly Objection[],
  last: Result | undefined,
): string | null {
  if (!answered.ok) return worded(bench, answered.refusal);
  const left = leftForPerson(objections);
  if (left !== null) return left;
  if (last && !last.success)
    return bench.redact(`its last edit was refused: ${last.error?.split("\n", 1)[0] ?? ""}`);
  return whyUnfinished(answered.value.end);
}

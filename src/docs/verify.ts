import { isDocumentPath } from "../drift/pages/policies.ts";
import { accept, type Outcome, refuse } from "../text/model/outcome.ts";
import type { Git } from "../workspace/git/git.ts";
import type { Reader } from "../workspace/workspace.ts";
import type { AuditArticle, AuditRecord } from "./audit.ts";
import { checkDrift, type ReportedFinding } from "./check.ts";

export type VerifiedEdit = {
  readonly path: string;
  readonly finding: string;
  readonly verdict: "derived" | "not-derived" | "cannot-tell";
  readonly why?: string;
};

/**
 * Derives every rule-made edit of a recorded run again, from git alone, and says which do not come out the same. What
 * a model worded comes from no rule, so that nobody can tell.
 */
export async function verifyRun(
  git: Git | null,
  reader: Reader,
  run: string | undefined,
): Promise<Outcome<{ id: string; edits: VerifiedEdit[] }>> {
  const record = await readRecord(reader, run);
  if (!record.ok) return record;
  const { id, articles } = record.value;
  const derived = articles.some(({ edits = [] }) => edits.some(({ by }) => by === undefined))
    ? await deriveAgain(git, record.value)
    : new Map<string, ReportedFinding>();
  return accept({ id, edits: articles.flatMap((article) => verifyArticle(article, record.value, derived)) });
}

function verifyArticle(
  { path, patch, edits = [] }: AuditArticle,
  { model }: AuditRecord,
  derived: Derived,
): VerifiedEdit[] {
  // Runs that are a model's work from end to end answer no findings one by one.
  if (edits.length === 0 && patch !== undefined)
    return [{ path, finding: "page", verdict: "cannot-tell", why: wordedBy(model ?? "a model") }];
  return edits.map(({ finding, old_string, new_string, by }): VerifiedEdit => {
    if (by !== undefined) return { path, finding, verdict: "cannot-tell", why: wordedBy(by) };
    if (typeof derived === "string") return { path, finding, verdict: "cannot-tell", why: derived };
    const same = derived
      .get(finding)
      ?.edits.some((edit) => edit.old_string === old_string && edit.new_string === new_string);
    return same
      ? { path, finding, verdict: "derived" }
      : { path, finding, verdict: "not-derived", why: "the rules give another edit, or none" };
  });
}

function wordedBy(model: string): string {
  return `${model} worded it; no rule gives such an edit`;
}

/** What the rules find in the run's own change, or why that cannot be looked at again. */
type Derived = ReadonlyMap<string, ReportedFinding> | string;

async function deriveAgain(git: Git | null, { trigger, articles }: AuditRecord): Promise<Derived> {
  if (git === null) return "there is no git repository";
  if (trigger.base === null || trigger.head === null || !/^[0-9a-f]{40,64}$/.test(trigger.head))
    return "the run was made on uncommitted code";
  // An edit of a source file can only be one of its doc comments, so they were documents in that run.
  const comments = async (): Promise<boolean> => articles.some(({ path }) => !isDocumentPath(path));
  const checked = await checkDrift(git, null, { base: trigger.base, head: trigger.head, comments });
  if (!checked.ok) return "its revisions are not in this clone";
  return new Map(checked.value.findings.map((finding) => [finding.id, finding]));
}

async function readRecord(reader: Reader, run: string | undefined): Promise<Outcome<AuditRecord>> {
  const id = run ?? (await lastRun(reader));
  if (id === undefined) return refuse({ code: "not-found", what: "entry", detail: "no run is recorded" });
  const read = await reader.readState(`audit/${id}.json`);
  if (!read.ok) return read;
  if (read.value === null) return refuse({ code: "not-found", what: "entry", detail: id });
  return accept(JSON.parse(new TextDecoder().decode(read.value)) as AuditRecord);
}

async function lastRun(reader: Reader): Promise<string | undefined> {
  for (const entry of await reader.history({ limit: 200 })) if (entry.run !== undefined) return entry.run;
  return undefined;
}

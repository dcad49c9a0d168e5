import { isDocumentPath } from "../../drift/pages/policies.ts";
import { accept, type Outcome, refuse } from "../../text/model/outcome.ts";
import { verifyWords } from "../../wording/drift.ts";
import type { Git } from "../../workspace/git/git.ts";
import type { Reader } from "../../workspace/workspace.ts";
import { auditWhole, compare } from "../check/check.ts";
import type { OtherDocuments } from "../check/other-pages.ts";
import { locateRange } from "../check/range.ts";
import { readConfig } from "../check/read-config.ts";
import { rememberGit } from "../check/remembered-git.ts";
import type { ReportedFinding } from "../check/report.ts";
import type { Project } from "../project.ts";
import type { AuditArticle, AuditRecord } from "./audit.ts";

export type VerifiedEdit = {
  readonly path: string;
  readonly finding: string;
  readonly verdict: "derived" | "not-derived" | "cannot-tell";
  readonly why?: string;
};

/**
 * Derives every rule-made edit of a recorded run again, from git alone, and says which do not come out the same. Edits
 * that a model wrote come from no rule, so they cannot be derived.
 */
export async function verify(
  { git, docs, ...code }: Pick<Project, "git" | "reader" | "docs">,
  run: string | undefined,
): Promise<Outcome<{ id: string; edits: VerifiedEdit[] }>> {
  const { reader } = docs ?? code;
  if (reader === null)
    return refuse({ code: "unavailable", detail: "verify needs a work tree, where the records of runs are" });
  const record = await readRecord(reader, run);
  if (!record.ok) return record;
  const { id, articles } = record.value;
  const derived = articles.some(({ edits = [] }) => edits.some(({ by }) => by === undefined))
    ? await deriveAgain({ git, docs }, record.value)
    : new Map<string, ReportedFinding>();
  return accept({ id, edits: articles.flatMap((article) => verifyArticle(article, record.value, derived)) });
}

function verifyArticle(
  { path, patch, edits = [] }: AuditArticle,
  { model }: AuditRecord,
  derived: Derived,
): VerifiedEdit[] {
  // A run that only a model made has a patch for the page and no edits by finding.
  if (edits.length === 0 && patch !== undefined)
    return [
      { path, finding: "page", verdict: "cannot-tell", why: verifyWords.rewritten(model ?? "a model") },
    ];
  return edits.map(({ finding, old_string, new_string, by }): VerifiedEdit => {
    if (by !== undefined) return { path, finding, verdict: "cannot-tell", why: verifyWords.rewritten(by) };
    if (typeof derived === "string") return { path, finding, verdict: "cannot-tell", why: derived };
    const same = derived
      .get(finding)
      ?.edits.some((edit) => edit.old_string === old_string && edit.new_string === new_string);
    return same
      ? { path, finding, verdict: "derived" }
      : { path, finding, verdict: "not-derived", why: verifyWords.different };
  });
}

/** The findings of the rules in the run's own change, or why it cannot be checked again. */
type Derived = ReadonlyMap<string, ReportedFinding> | string;

async function deriveAgain(
  { git, docs }: { readonly git: Git | null; readonly docs: Project["docs"] },
  { trigger, articles }: AuditRecord,
): Promise<Derived> {
  if (git === null) return verifyWords.noRepository;
  const states = [trigger.head, ...(trigger.documents === undefined ? [] : [trigger.documents])];
  if (trigger.base === null || trigger.head === null || !states.every(isCommit))
    return verifyWords.uncommitted;
  if (trigger.documents !== undefined && docs === undefined) return verifyWords.elsewhere;
  const ends = await locateRange(git, { base: trigger.base, head: trigger.head });
  if (!ends.ok) return verifyWords.absent;
  // An edit of a source file can only be one of its doc comments, so they were documents in that run.
  const comments = articles.some(({ path }) => !isDocumentPath(path));
  const read = await readConfig({ reader: null, settings: "head" }, git, ends.value);
  const { code = {} } = read.ok ? read.value.config : {};
  const config = { docs: { comments }, code };
  const pages = trigger.documents === undefined ? undefined : pagesAt(docs, trigger.documents);
  const question = { git: rememberGit(git), reader: null, ends: ends.value, config, others: pages };
  // A run without a change checked all documents (`check --all`).
  const { findings } = trigger.base === trigger.head ? await auditWhole(question) : await compare(question);
  return new Map(findings.map((finding) => [finding.id, finding]));
}

function isCommit(state: string | null): boolean {
  return state !== null && /^[0-9a-f]{40,64}$/.test(state);
}

/** The pages of another clone as they were at a commit. */
function pagesAt(docs: Project["docs"], commit: string): OtherDocuments | undefined {
  const ends = { base: commit, head: commit, trusted: commit };
  return docs && { git: rememberGit(docs.git), reader: null, ends };
}

async function readRecord(reader: Reader, run: string | undefined): Promise<Outcome<AuditRecord>> {
  const id = run ?? (await lastRun(reader));
  if (id === undefined) return refuse({ code: "not-found", what: "run" });
  const read = await reader.readState(`audit/${id}.json`);
  if (!read.ok) return read;
  if (read.value === null) return refuse({ code: "not-found", what: "run", detail: id });
  return accept(JSON.parse(new TextDecoder().decode(read.value)) as AuditRecord);
}

async function lastRun(reader: Reader): Promise<string | undefined> {
  for (const entry of await reader.history({ limit: 200 })) if (entry.run !== undefined) return entry.run;
  return undefined;
}

/** The same for callers that have opened git and the reader themselves. */
export function verifyRun(git: Git | null, reader: Reader, run: string | undefined) {
  return verify({ git, reader }, run);
}

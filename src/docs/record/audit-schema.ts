import { z } from "zod";
import { parseJson } from "../../text/model/json.ts";

/** Why a page was chosen: a changed file, and the link from the page to it. */
const choice = z.looseObject({
  changedFile: z.string(),
  pattern: z.string().exactOptional(),
  matchType: z.enum(["exact", "glob", "lineage", "planned", "goal"]),
  source: z.string().exactOptional(),
});

/** The code that proves a finding. */
const proof = z.looseObject({
  path: z.string(),
  revision: z.string(),
  startLine: z.int(),
  endLine: z.int(),
  before: z.string().exactOptional(),
  after: z.string().exactOptional(),
});

const objection = z.strictObject({ gate: z.string(), path: z.string(), detail: z.string() });
const risk = z.strictObject({ path: z.string(), what: z.string(), detail: z.string() });
const verdict = z.strictObject({
  finding: z.string(),
  verdict: z.enum(["keep", "fix", "add"]),
  reason: z.string(),
  by: z.string(),
});
const counts = z.record(z.string(), z.int().min(0));
const usage = z.strictObject({
  inputTokens: z.int().min(0),
  outputTokens: z.int().min(0),
  costUsd: z.number().min(0).nullable(),
});

const article = z.strictObject({
  jrn: z.string().nullable(),
  path: z.string(),
  status: z.enum(["updated", "unchanged", "skipped", "error"]),
  evidence: z.array(z.union([choice, proof])),
  /** A unified diff for `git apply`, from the bytes before the run to the bytes after it. */
  patch: z.string().exactOptional(),
  /** One reason for each applied edit, in order. */
  editReasons: z.array(z.string()).exactOptional(),
  /** Each edit with its finding. Edits by rule can be derived again; `by` names the model or the person behind other
   *  edits; `original` is the proposal that a person changed. */
  edits: z
    .array(
      z.strictObject({
        finding: z.string(),
        old_string: z.string(),
        new_string: z.string(),
        reason: z.string(),
        by: z.string().exactOptional(),
        original: z.string().exactOptional(),
      }),
    )
    .exactOptional(),
  reasoning: z.string().exactOptional(),
  error: z.string().exactOptional(),
  mode: z.string().exactOptional(),
  usage: usage.exactOptional(),
  toolCalls: counts.exactOptional(),
  /** Journal entries that hold the edits. */
  entries: z.array(z.string()).exactOptional(),
  objections: z.array(objection).exactOptional(),
  risks: z.array(risk).exactOptional(),
  /** A draft that was refused and not written, as a unified diff. */
  draft: z.string().exactOptional(),
  /** The decision of a model about each finding, and why. */
  verdicts: z.array(verdict).exactOptional(),
});

/** The record of one run: `.suture/audit/<id>.json`. */
export const auditSchema = z.strictObject({
  version: z.literal(1),
  id: z.string(),
  timestamp: z.iso.datetime(),
  /** `git`: a code change; `sync`: articles that follow other articles; `goal`: a person's words; `fix`: findings;
   *  `check`: findings that a model judged and nothing changed. */
  source: z.enum(["git", "sync", "goal", "fix", "check"]),
  command: z.string().exactOptional(),
  trigger: z.strictObject({
    base: z.string().nullable(),
    head: z.string().nullable(),
    commits: z.array(z.string()),
    changedFiles: z.array(z.string()),
    /** The commit of the pages, where they are in another repository than the code; `worktree` if not committed. */
    documents: z.string().exactOptional(),
    goal: z.string().exactOptional(),
    /** The record whose articles started this run. */
    record: z.string().exactOptional(),
  }),
  model: z.string().nullable(),
  usage,
  toolCalls: counts,
  articles: z.array(article),
});

export type AuditRecord = Frozen<z.infer<typeof auditSchema>>;
export type AuditArticle = Frozen<z.infer<typeof article>>;
export type AuditEvidence = Frozen<z.infer<typeof choice>>;

type Frozen<T> = T extends readonly (infer Item)[]
  ? readonly Frozen<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: Frozen<T[Key]> }
    : T;

/** The published schema, made from the one above. */
export function auditJsonSchema(): Record<string, unknown> {
  return {
    title: "Suture audit record",
    description:
      "What one run of `suture fix`, `documentation`, `readme`, `impact agent` or `run` did, and why; for `check` and `ci`, what a model judged.",
    ...z.toJSONSchema(auditSchema),
  };
}

/** `null`: the text is not a record of this version. */
export function parseAudit(text: string): AuditRecord | null {
  return auditSchema.safeParse(parseJson(text)).data ?? null;
}

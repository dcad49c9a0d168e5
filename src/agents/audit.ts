import { z } from "zod";
import type { Redact } from "./redact.ts";

const evidence = z.looseObject({
  changedFile: z.string(),
  pattern: z.string().optional(),
  matchType: z.enum(["exact", "glob", "lineage", "planned", "goal"]),
  source: z.string().optional(),
});

const objection = z.strictObject({ gate: z.string(), path: z.string(), detail: z.string() });
const risk = z.strictObject({ path: z.string(), what: z.string(), detail: z.string() });
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
  evidence: z.array(evidence),
  /** A unified diff that `git apply` takes, from the bytes before the run to those after. */
  patch: z.string().optional(),
  /** One for each applied edit, in order. */
  editReasons: z.array(z.string()).optional(),
  reasoning: z.string().optional(),
  error: z.string().optional(),
  mode: z.string().optional(),
  usage: usage.optional(),
  toolCalls: counts.optional(),
  /** Journal entries that hold the edits. */
  entries: z.array(z.string()).optional(),
  objections: z.array(objection).optional(),
  risks: z.array(risk).optional(),
});

/** What a run did and why: `.suture/audit/<id>.json`. */
export const auditSchema = z.strictObject({
  version: z.literal(1),
  id: z.string(),
  timestamp: z.iso.datetime(),
  /** `git`: a code change; `sync`: articles that follow other articles; `goal`: a person's words. */
  source: z.enum(["git", "sync", "goal"]),
  command: z.string(),
  trigger: z.strictObject({
    base: z.string().nullable(),
    head: z.string().nullable(),
    commits: z.array(z.string()),
    changedFiles: z.array(z.string()),
    goal: z.string().optional(),
    /** The record whose articles set this one off. */
    record: z.string().optional(),
  }),
  model: z.string().nullable(),
  usage,
  toolCalls: counts,
  articles: z.array(article),
});

export type AuditRecord = z.infer<typeof auditSchema>;
export type AuditArticle = z.infer<typeof article>;
export type AuditEvidence = z.infer<typeof evidence>;

/** The published schema, made from the one above. */
export function auditJsonSchema(): Record<string, unknown> {
  return {
    title: "Suture audit record",
    description: "What one run of `suture documentation`, `readme`, `impact agent` or `run` did, and why.",
    ...z.toJSONSchema(auditSchema),
  };
}

/** Reads a record; `null` for what is no record of this version. */
export function parseAudit(text: string): AuditRecord | null {
  try {
    const parsed = auditSchema.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

/** A record as it is stored: checked against the schema, and without secrets. */
export function printAudit(record: AuditRecord, redact: Redact): string {
  return `${JSON.stringify(auditSchema.parse(redactStrings(record, redact)), null, 2)}\n`;
}

/** Patches hold the repository's own text, which is on its disk anyway and must stay exact. */
function redactStrings<T>(value: T, redact: Redact, key = ""): T {
  if (typeof value === "string") return (key === "patch" ? value : redact(value)) as T;
  if (Array.isArray(value)) return value.map((item: unknown) => redactStrings(item, redact)) as T;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, redactStrings(item, redact, name)]),
  ) as T;
}

export function addCounts(...all: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  const sum: Record<string, number> = {};
  for (const counts of all)
    for (const [name, count] of Object.entries(counts)) sum[name] = (sum[name] ?? 0) + count;
  return sum;
}

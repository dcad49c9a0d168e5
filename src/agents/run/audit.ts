import { type AuditRecord, auditSchema } from "../../docs/record/audit-schema.ts";
import type { Redact } from "../../text/match/secrets.ts";

export type {
  AuditArticle as ArticleRecord,
  AuditEvidence as ChoiceEvidence,
  AuditRecord as AgentRunRecord,
} from "../../docs/record/audit-schema.ts";

/** A record ready to be stored: valid, and without secrets. */
export function checkRecord(record: AuditRecord, redact: Redact): AuditRecord {
  return auditSchema.parse(redactStrings(record, redact));
}

/** Patches stay exact: they hold the repository's own text, which is on its disk anyway. */
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

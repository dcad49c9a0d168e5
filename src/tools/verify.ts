import { accept, type Outcome, refuse } from "../text/outcome.ts";
import type { Git } from "../workspace/git.ts";
import type { Reader } from "../workspace/workspace.ts";
import type { AuditRecord } from "./audit.ts";
import { checkDrift } from "./check.ts";

export type VerifiedEdit = {
  readonly path: string;
  readonly finding: string;
  readonly verdict: "derived" | "not-derived" | "cannot-tell";
  readonly why?: string;
};

/** Derives every rule-made edit of a recorded run again, from git alone, and says which do not come out the same. */
export async function verifyRun(
  git: Git | null,
  reader: Reader,
  run: string | undefined,
): Promise<Outcome<{ id: string; edits: VerifiedEdit[] }>> {
  const record = await readRecord(reader, run);
  if (!record.ok) return record;
  const { id, trigger, articles, model } = record.value;
  const recorded = articles.flatMap(({ path, edits = [] }) => edits.map((edit) => ({ path, ...edit })));
  const cannot = (why: string): Outcome<{ id: string; edits: VerifiedEdit[] }> =>
    accept({
      id,
      edits: recorded.map(({ path, finding }) => ({ path, finding, verdict: "cannot-tell" as const, why })),
    });
  if (model !== null) return cannot("a model worded these edits");
  if (git === null) return cannot("there is no git repository");
  if (trigger.base === null || trigger.head === null || !/^[0-9a-f]{40,64}$/.test(trigger.head))
    return cannot("the run was made on uncommitted code");
  const checked = await checkDrift(git, null, { base: trigger.base, head: trigger.head });
  if (!checked.ok) return cannot("its revisions are not in this clone");
  const derived = new Map(checked.value.findings.map((finding) => [finding.id, finding]));
  const edits = recorded.map(({ path, finding, old_string, new_string }): VerifiedEdit => {
    const same = derived
      .get(finding)
      ?.edits.some((edit) => edit.old_string === old_string && edit.new_string === new_string);
    return same
      ? { path, finding, verdict: "derived" }
      : { path, finding, verdict: "not-derived", why: "the rules give another edit, or none" };
  });
  return accept({ id, edits });
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

import { parseJsonBytes } from "../../text/model/json.ts";
import type { Outcome } from "../../text/model/outcome.ts";
import { accept } from "../../text/model/outcome.ts";
import type { Reader, Workspace } from "../../workspace/workspace.ts";
import type { CheckReport, ReportedEdit, ReportedFinding, Unknown } from "../check/report.ts";
import { type Rewritten, withRewritten } from "./conclude.ts";
import type { FixedReport } from "./fix-report.ts";

/** A run that waits for a person: what it found and would edit. Kept in `.suture/proposals/<id>.json`. */
export type Proposal = {
  readonly version: 1;
  /** The run that the approved edits will belong to. */
  readonly id: string;
  readonly time: string;
  /** Which command proposes. */
  readonly source: string;
  readonly model: string | null;
  readonly base: string;
  readonly head: string;
  /** The other clone that has the pages, as in the report. */
  readonly docs?: CheckReport["docs"];
  readonly findings: readonly ProposedFinding[];
  readonly unknown: readonly Unknown[];
  /** Set while the run is still at work. */
  readonly progress?: { readonly done: number; readonly total: number; readonly doing: string };
};

/** A finding, and the model that wrote its edits where no rule did. */
export type ProposedFinding = ReportedFinding & { readonly by?: string };

/** A person's decision about one finding of a proposal. `reworded`: they wrote their own text and have not accepted it yet. */
export type Decision =
  | {
      readonly verdict: "accepted";
      readonly time: string;
      /** The journal's name for the transaction that wrote it. */
      readonly entry: string;
      readonly edits?: readonly ReportedEdit[];
    }
  | {
      readonly verdict: "rejected";
      readonly time: string;
      readonly reason?: string;
      /** The transaction that dismissed the finding for good, where the person wanted that. */
      readonly entry?: string;
      readonly edits?: readonly ReportedEdit[];
    }
  | { readonly verdict: "reworded"; readonly time: string; readonly edits: readonly ReportedEdit[] };

/** Decisions by the position of the finding in its proposal, because equal lines have equal ids. */
export type Decisions = Readonly<Record<string, Decision>>;

export function proposalOf(
  { base, head, findings, unknown, docs }: CheckReport,
  about: { readonly id: string; readonly time: string; readonly source: string; readonly model?: string },
): Proposal {
  const { id, time, source, model = null } = about;
  const elsewhere = docs ? { docs } : {};
  return { version: 1, id, time, source, model, base, head, ...elsewhere, findings, unknown };
}

/** Keeps what a run of `fix` would edit, with the passages that a model wrote, for a person to decide about. */
export async function keepFix(
  workspace: Workspace,
  { report, fixed }: { readonly report: CheckReport; readonly fixed: FixedReport<Rewritten> },
  about: { readonly id: string; readonly time: string },
): Promise<Outcome<Proposal>> {
  const model = fixed.rewritten?.ok ? { model: fixed.rewritten.value.model } : {};
  const proposal = proposalOf(withRewritten(report, fixed), { ...about, source: "fix", ...model });
  const written = await writeProposal(workspace, proposal);
  return written.ok ? accept(proposal) : written;
}

export function writeProposal(workspace: Workspace, proposal: Proposal): Promise<Outcome<true>> {
  return workspace.writeState(`proposals/${proposal.id}.json`, encodeJson(proposal));
}

/** A proposal by its id; `null` where there is none, or none that can be read. */
export async function readProposal(reader: Reader, id: string): Promise<Outcome<Proposal | null>> {
  const read = await readJson(reader, `proposals/${id}.json`);
  return read.ok ? accept(isProposal(read.value) ? read.value : null) : read;
}

export function writeDecisions(
  workspace: Workspace,
  id: string,
  decisions: Decisions,
): Promise<Outcome<true>> {
  return workspace.writeState(`proposals/${id}${decided}.json`, encodeJson(decisions));
}

export async function readDecisions(reader: Reader, id: string): Promise<Outcome<Decisions>> {
  const read = await readJson(reader, `proposals/${id}${decided}.json`);
  if (!read.ok) return read;
  return accept(typeof read.value === "object" && read.value !== null ? (read.value as Decisions) : {});
}

/** The newest proposal with an undecided finding. */
export async function findPending(reader: Reader): Promise<Outcome<Proposal | null>> {
  const names = await reader.listState("proposals");
  if (!names.ok) return names;
  for (const id of names.value.filter((name) => !name.endsWith(decided)).reverse()) {
    const [proposal, decisions] = [await readProposal(reader, id), await readDecisions(reader, id)];
    if (!proposal.ok) return proposal;
    if (!decisions.ok) return decisions;
    if (proposal.value && isPending(proposal.value, decisions.value)) return proposal;
  }
  return accept(null);
}

export function isPending({ findings, progress }: Proposal, decisions: Decisions): boolean {
  return progress !== undefined || findings.some((_, key) => isOpen(decisions[key]));
}

/** Whether no decision was made yet. */
export function isOpen(decision: Decision | undefined): boolean {
  return decision === undefined || decision.verdict === "reworded";
}

/** A finding with the edits that would be made: the person's own where there are any. */
export function decidedFinding({ findings }: Proposal, decisions: Decisions, key: number): ProposedFinding {
  const finding = findings[key]!;
  const edits = decisions[key]?.edits;
  return edits === undefined ? finding : { ...finding, edits, by: person };
}

/** The author of edits that neither a rule nor a model wrote. */
export const person = "person";

const decided = ".decided";

function isProposal(value: unknown): value is Proposal {
  const { version, findings, unknown } = (value ?? {}) as Partial<Proposal>;
  return version === 1 && Array.isArray(findings) && Array.isArray(unknown);
}

async function readJson(reader: Reader, name: string): Promise<Outcome<unknown>> {
  const read = await reader.readState(name);
  return read.ok ? accept(read.value && (parseJsonBytes(read.value) ?? null)) : read;
}

function encodeJson(value: unknown): Uint8Array {
  return new TextEncoder().encode(`${JSON.stringify(value)}\n`);
}

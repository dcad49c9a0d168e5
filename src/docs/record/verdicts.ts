import { sha256 } from "../../text/model/sha256.ts";
import type { Reader, Workspace } from "../../workspace/workspace.ts";
import type { ReportedFinding } from "../check/report.ts";

/** A model's decision on a finding. */
export type Judgement = {
  readonly verdict: "keep" | "fix" | "add";
  readonly reason: string;
  /** The model. */
  readonly by: string;
};

/** Decisions of earlier runs, by the passage, the evidence and the version of the question. */
export type Verdicts = Readonly<Record<string, Judgement>>;

export const verdictsFile = "audit/verdicts.json";

/** The passages that a model named where the rules were silent. */
export const askedFile = "audit/asked.json";

const most = 2000;

/** The key of a decision: it changes with the words, the proof and the question. */
export function verdictKey(
  finding: Pick<ReportedFinding, "path" | "kind" | "message" | "evidence">,
  passage: string,
  promptVersion: number,
): string {
  const { path, kind, message, evidence } = finding;
  const proof = evidence.map(({ path: file, before, after }) => [file, before ?? null, after ?? null]);
  return sha256(JSON.stringify([promptVersion, path, kind, message, passage, proof])).slice(0, 32);
}

/** The remembered decisions; none where the file is missing or damaged. */
export async function readVerdicts(reader: Reader): Promise<Verdicts> {
  const read = await reader.readState(verdictsFile);
  if (!read.ok || read.value === null) return {};
  try {
    const { version, verdicts } = JSON.parse(new TextDecoder().decode(read.value)) as {
      version?: unknown;
      verdicts?: unknown;
    };
    return version === 1 && typeof verdicts === "object" && verdicts !== null ? (verdicts as Verdicts) : {};
  } catch {
    return {};
  }
}

/** Adds decisions to the remembered ones; the oldest are forgotten first. */
export async function rememberVerdicts(
  workspace: Workspace | undefined,
  known: Verdicts,
  fresh: Verdicts,
): Promise<void> {
  if (!workspace || Object.keys(fresh).length === 0) return;
  const kept = Object.entries({ ...known, ...fresh }).slice(-most);
  const text = `${JSON.stringify({ version: 1, verdicts: Object.fromEntries(kept) }, null, 1)}\n`;
  await workspace.writeState(verdictsFile, new TextEncoder().encode(text));
}

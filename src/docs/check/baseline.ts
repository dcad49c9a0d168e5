import { parseJson } from "../../text/model/json.ts";
import { accept, type Outcome, refuse } from "../../text/model/outcome.ts";
import { idsOf } from "../apply-config.ts";
import type { CheckReport } from "./report.ts";

/** Findings that a project has today and lives with for now, by id. A check with a baseline fails on others only. */
export type Baseline = {
  readonly version: 1;
  readonly findings: readonly { readonly id: string; readonly path: string; readonly message: string }[];
};

export function baselineOf({ findings }: CheckReport): Baseline {
  const kept = findings.map(({ id, path, message }) => ({ id, path, message }));
  return { version: 1, findings: kept };
}

export function printBaseline(baseline: Baseline): string {
  return `${JSON.stringify(baseline, null, 2)}\n`;
}

export function parseBaseline(text: string, name: string): Outcome<Baseline> {
  const value = parseJson(text) as Partial<Baseline> | null | undefined;
  const isSound =
    value?.version === 1 &&
    Array.isArray(value.findings) &&
    value.findings.every((one: unknown) => typeof (one as { id?: unknown } | null)?.id === "string");
  if (isSound) return accept(value as Baseline);
  return refuse({
    code: "malformed",
    what: `the file ${name} is not a baseline`,
    hint: `Make one with: suture check --write-baseline ${name}`,
  });
}

/**
 * The findings that the baseline does not accept, and how many it does. Equal lines have equal ids: of those, as many are
 * accepted as there were.
 */
export function applyBaseline(
  report: CheckReport,
  { findings }: Baseline,
): { readonly report: CheckReport; readonly accepted: number } {
  const left = new Map<string, number>();
  for (const { id } of findings) left.set(id, (left.get(id) ?? 0) + 1);
  const fresh = report.findings.filter((finding) => {
    const id = idsOf(finding).find((one) => (left.get(one) ?? 0) > 0);
    if (id === undefined) return true;
    left.set(id, left.get(id)! - 1);
    return false;
  });
  return { report: { ...report, findings: fresh }, accepted: report.findings.length - fresh.length };
}

import { readFileSync } from "node:fs";
import { parentPort, workerData } from "node:worker_threads";
import { findDrift } from "../../src/drift/find-drift.ts";
import type { Finding } from "../../src/drift/findings.ts";
import { type Baseline, predictBaseline } from "./baselines.ts";
import { buildCase, type CloneCache, type DriftCase } from "./case.ts";
import { openClone } from "./git.ts";

export type Prediction = {
  readonly case_id: string;
  readonly findings: readonly PredictedFinding[];
  /** What the simplest reader says of the same case; for comparison. */
  readonly simple: readonly PredictedFinding[];
  readonly unknown: number;
  readonly milliseconds: number;
};

export type PredictedFinding = {
  readonly path: string;
  readonly start_line: number;
  readonly end_line: number;
  readonly tier: string;
  readonly rule: string;
  readonly note: string;
  readonly replacement?: string;
};

/** Predictions for the cases of one clone. */
export async function runClone(
  gitDir: string,
  cases: readonly DriftCase[],
  baseline?: Baseline,
): Promise<Prediction[]> {
  const clone = openClone(gitDir);
  const cache: CloneCache = { words: new Map(), texts: new Map() };
  const predictions: Prediction[] = [];
  for (const one of cases) {
    const input = await buildCase(one, clone, cache);
    if (baseline) {
      predictions.push({
        case_id: one.case_id,
        findings: await predictBaseline(input, baseline),
        simple: [],
        unknown: 0,
        milliseconds: 0,
      });
      continue;
    }
    const began = process.cpuUsage();
    const { findings, unknown } = await findDrift(input);
    const spent = process.cpuUsage(began);
    const texts = new Map(input.documents.map(({ path, text }) => [path, text]));
    predictions.push({
      case_id: one.case_id,
      findings: findings.map((finding) => predict(finding, texts.get(finding.path) ?? "")),
      simple: await predictBaseline(input, "vanished"),
      unknown: unknown.length,
      milliseconds: (spent.user + spent.system) / 1000,
    });
    if (cache.texts.size > 4000) cache.texts.clear();
  }
  clone.close();
  return predictions;
}

/** The finding's lines as they would stand after its edits. */
function predict(finding: Finding, text: string): PredictedFinding {
  const lines = text.split("\n");
  const starts = [0];
  for (const line of lines) starts.push(starts.at(-1)! + line.length + 1);
  const first = starts[finding.startLine - 1]!;
  const last = Math.min(starts[finding.endLine] ?? text.length, text.length);
  const shared = {
    path: finding.path,
    start_line: finding.startLine,
    end_line: finding.endLine,
    tier: finding.tier,
    rule: finding.kind,
    note: JSON.stringify(finding.message),
  };
  if (!finding.edits.length) return shared;
  let replaced = "";
  let at = first;
  for (const edit of finding.edits) {
    if (!("region" in edit.target) || !("text" in edit)) continue;
    replaced += text.slice(at, edit.target.region.start) + edit.text;
    at = edit.target.region.end;
  }
  return { ...shared, replacement: replaced + text.slice(at, Math.max(at, last)) };
}

if (parentPort) {
  const { gitDir, cases, baseline } = workerData as {
    gitDir: string;
    cases: DriftCase[];
    baseline?: Baseline;
  };
  parentPort.postMessage(await runClone(gitDir, cases, baseline));
}

export function loadCases(paths: readonly string[]): DriftCase[] {
  return paths.flatMap((path) =>
    readFileSync(path, "utf8")
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line) as DriftCase),
  );
}

import type { CheckReport } from "../../docs/check/report.ts";
import { sha256 } from "../../text/model/sha256.ts";

const severities = { certain: "major", likely: "minor", possible: "info" } as const;

/** GitLab's code quality report. Fingerprints are unique, as GitLab asks, also where an id repeats. */
export function printCodeQuality({ findings }: CheckReport): string {
  const seen = new Map<string, number>();
  const issues = findings.map(({ id, path, startLine, endLine, tier, kind, message }) => {
    const nth = seen.get(id) ?? 0;
    seen.set(id, nth + 1);
    return {
      description: message,
      check_name: kind,
      fingerprint: sha256(`${id}\0${nth}`),
      severity: severities[tier],
      location: { path, lines: { begin: startLine, end: Math.max(startLine, endLine) } },
    };
  });
  return `${JSON.stringify(issues, null, 2)}\n`;
}

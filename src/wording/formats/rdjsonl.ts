import type { CheckReport } from "../../docs/check/report.ts";

const severities = { certain: "ERROR", likely: "WARNING", possible: "INFO" } as const;

/** Reviewdog's diagnostic format, one JSON object a line. */
export function printRdjsonl({ findings }: CheckReport): string {
  return findings
    .map(({ id, path, startLine, endLine, tier, kind, message }) =>
      JSON.stringify({
        message,
        location: {
          path,
          range: { start: { line: startLine }, end: { line: Math.max(startLine, endLine) } },
        },
        severity: severities[tier],
        source: { name: "suture" },
        code: { value: kind },
        original_output: `${path}:${startLine}: ${message} [${id}]`,
      }),
    )
    .map((line) => `${line}\n`)
    .join("");
}

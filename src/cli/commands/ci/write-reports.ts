import { findCi } from "../../../ci/ci-event.ts";
import type { CheckReport } from "../../../docs/check/report.ts";
import { readProjectClaims } from "../../../docs/claims/claims.ts";
import { openProject } from "../../../docs/project.ts";
import { accept, type Outcome } from "../../../text/model/outcome.ts";
import { isBadge, printBadge } from "../../../wording/formats/badge.ts";
import { printSarif } from "../../../wording/formats/sarif.ts";
import { writeReportFile } from "../../../workspace/files/report-file.ts";
import { appendOutput } from "../../terminal/output.ts";
import { version } from "../../version.ts";

type SarifFile = { readonly file: string | undefined; readonly root: string };

/** Writes SARIF if a file was named for it. */
export function writeSarif(report: CheckReport, { file, root }: SarifFile): Outcome<true> {
  if (file === undefined) return accept(true);
  return writeReportFile(file, printSarif(report, version), {
    own: /sarif-[0-9.]+\.json/,
    root,
    folder: "make",
  });
}

/** Draws the claims of the checkout if a file was named for them. */
export async function writeBadge(file: string | undefined, root: string): Promise<Outcome<true>> {
  if (file === undefined) return accept(true);
  const project = await openProject({ root });
  if (!project.ok) return project;
  const read = await readProjectClaims(project.value);
  await project.value.close();
  if (!read.ok) return read;
  return writeReportFile(file, printBadge(read.value.report.totals), { own: isBadge, root, folder: "make" });
}

type JobReports = {
  readonly summary: string;
  readonly outputs: Readonly<Record<string, string | number>>;
};

/** Adds to the files that the CI reads: the summary of the job, and its outputs. */
export function writeJobReports({ summary, outputs }: JobReports): Outcome<true> {
  const files = findCi(process.env)?.files;
  const summaryFile = process.env[files?.summary ?? ""];
  const added = summaryFile ? appendOutput(summaryFile, summary) : accept(true as const);
  if (!added.ok) return added;
  const lines = Object.entries(outputs).map(
    ([name, value]) => `${name}=${String(value).replace(/[^\x21-\x7e]/g, "")}\n`,
  );
  const outputFile = process.env[files?.outputs ?? ""];
  return outputFile ? appendOutput(outputFile, lines.join("")) : accept(true);
}

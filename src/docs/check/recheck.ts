import type { Project } from "../project.ts";
import { overlay } from "../session/overlay.ts";
import { check } from "./check.ts";
import type { CheckReport, ReportedFinding } from "./report.ts";

/** A page as it would read after an edit that is not written yet. */
export type PageText = { readonly path: string; readonly text: string };

/** The findings that the same check would report for one page if the page had this text. */
export async function recheckPage(
  project: Project,
  { base }: Pick<CheckReport, "base">,
  { path, text }: PageText,
): Promise<readonly ReportedFinding[]> {
  const { git, reader } = project.docs ?? project;
  if (git === null || reader === null) return [];
  const sides = await overlay({ git, reader }, new Map([[path, text]]));
  const changed = project.docs
    ? { ...project, docs: { ...project.docs, ...sides } }
    : { ...project, ...sides };
  const checked = await check(changed, { base });
  return checked.ok ? checked.value.findings.filter((finding) => finding.path === path) : [];
}

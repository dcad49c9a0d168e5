import { fileKind } from "../../drift/change/file-kind.ts";
import type { Tier } from "../../drift/findings.ts";
import { documentClass, isDocumentPath, isGenerated } from "../../drift/pages/policies.ts";
import { accept, type Outcome } from "../../text/model/outcome.ts";
import type { Change } from "../../text/model/plan.ts";
import { openContext } from "../../tools/context.ts";
import { createMemoryDisk } from "../../workspace/files/memory-files.ts";
import type { Git } from "../../workspace/git/git.ts";
import { gate } from "../../workspace/paths/paths.ts";
import type { CheckReport, ReportedFinding } from "../check/report.ts";
import { fixFindings } from "./fix.ts";

/** The pages of a commit as the rules would leave them. Nothing is checked out and nothing is written. */
export type FixedPages = {
  readonly fixed: readonly ReportedFinding[];
  readonly left: readonly ReportedFinding[];
  readonly pages: readonly FixedPage[];
  /** The model that rewrote some of the passages, and their findings. Absent if rules made all edits. */
  readonly byModel?: { readonly model: string; readonly fixed: ReadonlySet<string> };
};

export type FixedPage = {
  readonly path: string;
  /** The blob it is in the commit. */
  readonly before: string;
  readonly content: Uint8Array;
  readonly change: Change;
};

const largestPage = 1 << 20;

/**
 * Makes the edits of a report on the pages of its head, in memory, by the path that every edit takes. `git` is the
 * repository that has the pages.
 */
export async function fixCommit(
  git: Git,
  report: CheckReport,
  tiers: readonly Tier[],
): Promise<Outcome<FixedPages>> {
  const blobs = await readPages(git, report);
  const isOpen = (finding: ReportedFinding): boolean =>
    blobs.has(finding.path) &&
    (mayWritePage(finding.path, blobs.get(finding.path)!.bytes) ||
      (finding.kind === "comment" && mayWrite(finding.path, blobs.get(finding.path)!.bytes)));
  const findings = report.findings.map((finding) => (isOpen(finding) ? finding : { ...finding, edits: [] }));
  const disk = createMemoryDisk();
  for (const [path, { bytes }] of blobs) disk.put(path, bytes);
  const opened = await openContext({
    root: "/",
    files: disk.process(),
    author: "suture",
    task: "ci",
    policy: { writable: (path) => isDocumentPath(path) || (blobs.has(path) && fileKind(path) === "product") },
  });
  if (!opened.ok) return opened;
  const fixed = await fixFindings(
    opened.value,
    { ...report, findings },
    { tiers, run: "run-ci", time: new Date(0).toISOString() },
  );
  await opened.value.reader.close();
  if (!fixed.ok) return fixed;
  const pages = (fixed.value.applied?.plan.changes ?? []).map((change): FixedPage => {
    const { path } = change;
    return { path, before: blobs.get(path)!.id, content: disk.read(path)!.bytes, change };
  });
  // Equal lines have equal ids, so findings are compared as values. `fixFindings` returns the values it was given.
  const done = new Set(fixed.value.fixed);
  return accept({
    fixed: report.findings.filter((finding) => done.has(finding)),
    left: report.findings.filter((finding) => !done.has(finding)),
    pages,
  });
}

/** Whether a program may write a page without a person's consent: no instructions for agents, no generated page. */
export function mayWritePage(path: string, bytes: Uint8Array): boolean {
  return isDocumentPath(path) && documentClass(path) === "page" && mayWrite(path, bytes);
}

/** Whether a program may write a file: of a source it only ever gets the edits of doc comments. */
function mayWrite(path: string, bytes: Uint8Array): boolean {
  return (
    gate(path, "write").ok && bytes.length <= largestPage && !isGenerated(new TextDecoder().decode(bytes))
  );
}

/** The pages that a report wants to edit, as they are at its head. Links and submodules are left out. */
async function readPages(
  git: Git,
  { head: ofCode, docs, findings }: CheckReport,
): Promise<Map<string, { readonly id: string; readonly bytes: Uint8Array }>> {
  const head = docs?.head ?? ofCode;
  const wanted = new Set(findings.filter(({ edits }) => edits.length > 0).map(({ path }) => path));
  const files = (await git.tree(head)).filter(({ path }) => wanted.has(path));
  const blobs = await git.blobs(files.map(({ id }) => id));
  return new Map(
    files.flatMap(({ path, id }) => {
      const bytes = blobs.get(id);
      return bytes ? [[path, { id, bytes }] as const] : [];
    }),
  );
}

import { check } from "../docs/check/check.ts";
import type { CheckReport } from "../docs/check/report.ts";
import { type FixedPages, fixCommit } from "../docs/fix/fix-commit.ts";
import { openProject } from "../docs/project.ts";
import { isDocumentPath } from "../drift/pages/policies.ts";
import type { HostedRepository, PullRequest, UntrustedRun } from "../hosts/host.ts";
import type { Edit } from "../text/model/edit.ts";
import { accept, type Outcome, refuse } from "../text/model/outcome.ts";
import { planEdits } from "../text/model/plan.ts";
import { parseUnified } from "../text/patch/unified.ts";
import type { Git } from "../workspace/git/git.ts";
import { gate } from "../workspace/paths/paths.ts";
import type { Artifact } from "./artifact.ts";

/** The report and the edits to publish. They are derived from git and from the host, never from the artifact. */
export type VerifiedArtifact = {
  readonly request: PullRequest;
  readonly report: CheckReport;
  readonly fixed: FixedPages;
};

/**
 * Verifies every claim of an artifact: the run that made it, the pull request on the host, the commits, the findings and
 * the patch. The result contains only edits that the rules make again from git.
 */
export async function verifyArtifact(
  artifact: Artifact,
  { git, hosted, run }: { readonly git: Git; readonly hosted: HostedRepository; readonly run: UntrustedRun },
): Promise<Outcome<VerifiedArtifact>> {
  if (artifact.repository !== hosted.repository) return deny("it names another repository");
  if (artifact.head !== run.commit) return deny("it names another commit than the run that made it");
  const request = await checkRequest(artifact, hosted, run);
  if (!request.ok) return request;
  const report = await deriveReport(artifact, git, request.value);
  if (!report.ok) return report;
  const fixed = await fixCommit(git, report.value, ["certain", "likely"]);
  if (!fixed.ok) return fixed;
  const patch = await checkPatch(artifact.patch, fixed.value);
  return patch.ok ? accept({ request: request.value, report: report.value, fixed: fixed.value }) : patch;
}

/** The number is only a hint. The host says which commit and which branch the pull request has. */
async function checkRequest(
  { request: number, head }: Artifact,
  hosted: HostedRepository,
  run: UntrustedRun,
): Promise<Outcome<PullRequest>> {
  const found = await hosted.pullRequest(number);
  if (!found.ok) return found;
  const { value: request } = found;
  if (request.head.branch !== run.branch || request.head.repository !== run.branchRepository)
    return deny("it names a pull request that the run did not check");
  if (request.state !== "open") return deny("the pull request is not open");
  if (request.head.commit !== head)
    return refuse({
      code: "stale",
      expected: head,
      actual: request.head.commit,
      detail: "the pull request has a newer commit",
    });
  return found;
}

async function deriveReport(
  artifact: Artifact,
  git: Git,
  request: PullRequest,
): Promise<Outcome<CheckReport>> {
  const base = request.base.commit ?? `origin/${request.base.branch}`;
  const project = await openProject({ git });
  const checked = project.ok
    ? await check(project.value, { head: artifact.head, base, sinceFork: true })
    : project;
  if (!checked.ok) return checked;
  const report = checked.value;
  if (report.base !== artifact.base) return deny("it names another base than the host does");
  const keys = (findings: readonly { id: string; path: string }[]): string =>
    JSON.stringify(findings.map(({ id, path }) => `${id}\0${path}`).sort());
  if (keys(artifact.findings) !== keys(report.findings))
    return deny("its findings are not what the rules find");
  return accept(report);
}

/** The patch may only edit pages. It must apply to the head and give the same text as the rules. */
async function checkPatch(patch: string, { pages }: FixedPages): Promise<Outcome<true>> {
  if (patch === "")
    return pages.length === 0 ? accept(true) : deny("its patch differs from the edits of the rules");
  if (patch.includes("\0")) return deny("its patch holds bytes that are no text");
  if (
    /^(GIT binary patch|(old|new|new file|deleted file) mode |similarity |rename |copy |Binary files )/m.test(
      patch,
    )
  )
    return deny("its patch does more than edit pages");
  const parsed = parseUnified(patch);
  if (!parsed.ok) return parsed;
  for (const edit of parsed.value) {
    const isDerived = pages.some(({ path }) => path === edit.path);
    const flaw = flawOf(edit, isDerived);
    if (flaw) return flaw;
    if (!isDerived) return deny("its patch differs from the edits of the rules");
  }
  const planned = planEdits(
    parsed.value,
    pages.map(({ change }) => change.before),
  );
  if (!planned.ok) return planned;
  const made = new Map(planned.value.changes.map(({ path, after }) => [path, after]));
  const isSame =
    made.size === pages.length && pages.every(({ path, change }) => made.get(path) === change.after);
  return isSame ? accept(true) : deny("its patch differs from the edits of the rules");
}

/** The rules also edit doc comments, so a source that they edit may be in the patch. */
function flawOf(edit: Edit, isDerived: boolean): Outcome<never> | null {
  const gated = gate(edit.path, "write");
  if (!gated.ok) return gated;
  if (!isDocumentPath(edit.path) && !isDerived)
    return refuse({ code: "not-allowed", path: edit.path, detail: "it is no document" });
  if (!("hunks" in edit.target))
    return refuse({ code: "not-allowed", path: edit.path, detail: "the patch may only edit pages" });
  return null;
}

function deny(detail: string): Outcome<never> {
  return refuse({ code: "not-allowed", detail: `the artifact is not used: ${detail}` });
}

import { z } from "zod";
import { check } from "../docs/check/check.ts";
import type { CheckReport } from "../docs/check/report.ts";
import { type FixedPages, fixCommit } from "../docs/fix/fix-commit.ts";
import { openProject } from "../docs/project.ts";
import { isDocumentPath } from "../drift/pages/policies.ts";
import type { ChangeRequest, Forge } from "../hosts/host.ts";
import type { Edit } from "../text/model/edit.ts";
import { accept, type Outcome, refuse } from "../text/model/outcome.ts";
import { planEdits } from "../text/model/plan.ts";
import { parseUnified } from "../text/patch/unified.ts";
import type { Git } from "../workspace/git/git.ts";
import { gate } from "../workspace/paths/paths.ts";
import type { Artefact } from "./artifact.ts";

/** What the event says about the run that made the artefact. */
export type MakingRun = z.infer<typeof runEvent>["workflow_run"];

/** What may be shown and written, derived from git and from what the host says, never from the artefact. */
export type Approved = {
  readonly request: ChangeRequest;
  readonly report: CheckReport;
  readonly mended: FixedPages;
};

export function parseRun(event: unknown): Outcome<MakingRun> {
  const read = runEvent.safeParse(event);
  if (!read.success)
    return refuse({ code: "malformed", what: "the event file is not one of a workflow run" });
  if (read.data.workflow_run.event !== "pull_request")
    return refuse({ code: "not-allowed", detail: "the run was not one of a pull request" });
  return accept(read.data.workflow_run);
}

/**
 * Checks everything an artefact claims, from outside in: the run that made it, the request on the host, the commits,
 * the findings, the patch. Only what the rules give again, from git alone, comes out.
 */
export async function approve(
  artefact: Artefact,
  { git, forge, run }: { readonly git: Git; readonly forge: Forge; readonly run: MakingRun },
): Promise<Outcome<Approved>> {
  if (artefact.repository !== forge.repository) return deny("it names another repository");
  if (artefact.head !== run.head_sha) return deny("it names another commit than the run that made it");
  const request = await checkRequest(artefact, forge, run);
  if (!request.ok) return request;
  const report = await deriveReport(artefact, git, request.value);
  if (!report.ok) return report;
  const mended = await fixCommit(git, report.value, ["certain", "likely"]);
  if (!mended.ok) return mended;
  const patch = await checkPatch(artefact.patch, mended.value);
  return patch.ok ? accept({ request: request.value, report: report.value, mended: mended.value }) : patch;
}

/** The number is only a hint. The host says which commit the request is at, and from where. */
async function checkRequest(
  { request: number, head }: Artefact,
  forge: Forge,
  run: MakingRun,
): Promise<Outcome<ChangeRequest>> {
  const found = await forge.request(number);
  if (!found.ok) return found;
  const { value: request } = found;
  if (
    request.head.branch !== run.head_branch ||
    request.head.repository !== (run.head_repository?.full_name ?? null)
  )
    return deny("the request it names is not the one that was checked");
  if (request.state !== "open") return deny("the request is not open");
  if (request.head.commit !== head)
    return refuse({
      code: "stale",
      expected: head,
      actual: request.head.commit,
      detail: "the request has moved on",
    });
  return found;
}

async function deriveReport(
  artefact: Artefact,
  git: Git,
  request: ChangeRequest,
): Promise<Outcome<CheckReport>> {
  const base = request.base.commit ?? `origin/${request.base.branch}`;
  const project = await openProject({ git });
  const checked = project.ok
    ? await check(project.value, { head: artefact.head, base, sinceFork: true })
    : project;
  if (!checked.ok) return checked;
  const report = checked.value;
  if (report.base !== artefact.base) return deny("it names another base than the host does");
  const keys = (findings: readonly { id: string; path: string }[]): string =>
    JSON.stringify(findings.map(({ id, path }) => `${id}\0${path}`).sort());
  if (keys(artefact.findings) !== keys(report.findings))
    return deny("its findings are not what the rules find");
  return accept(report);
}

/** The patch is nothing but edits of pages, it applies to the head, and it gives what the rules give. */
async function checkPatch(patch: string, { pages }: FixedPages): Promise<Outcome<true>> {
  if (patch === "") return pages.length === 0 ? accept(true) : deny("its patch is not what the rules make");
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
    const flaw = flawOf(edit);
    if (flaw) return flaw;
    if (!pages.some(({ path }) => path === edit.path)) return deny("its patch is not what the rules make");
  }
  const planned = planEdits(
    parsed.value,
    pages.map(({ change }) => change.before),
  );
  if (!planned.ok) return planned;
  const made = new Map(planned.value.changes.map(({ path, after }) => [path, after]));
  const isSame =
    made.size === pages.length && pages.every(({ path, change }) => made.get(path) === change.after);
  return isSame ? accept(true) : deny("its patch is not what the rules make");
}

function flawOf(edit: Edit): Outcome<never> | null {
  const gated = gate(edit.path, "write");
  if (!gated.ok) return gated;
  if (!isDocumentPath(edit.path))
    return refuse({ code: "not-allowed", path: edit.path, detail: "it is no document" });
  if (!("hunks" in edit.target))
    return refuse({ code: "not-allowed", path: edit.path, detail: "the patch may only edit pages" });
  return null;
}

function deny(detail: string): Outcome<never> {
  return refuse({ code: "not-allowed", detail: `the artefact is not used: ${detail}` });
}

const runEvent = z.object({
  workflow_run: z.object({
    event: z.string(),
    head_sha: z.string(),
    head_branch: z.string().nullable(),
    head_repository: z.object({ full_name: z.string() }).nullish(),
  }),
});

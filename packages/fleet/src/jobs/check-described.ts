import { gating } from "suture/service";
import type { CheckReport, ReportedFinding } from "suture/tools";
import { runGit } from "../clones/git-process.ts";
import type { Mirror } from "../clones/mirror.ts";
import { type ComparedCode, type DescribedCode, listDescribed } from "../settings/described.ts";
import type { CheckRequest } from "./check-process.ts";
import type { JobDeps, JobRun } from "./job-run.ts";

/** The code that pages describe, fetched, and the change of it that the pages are compared with. */
export type FetchedCode = {
  readonly described: DescribedCode;
  readonly mirror: Mirror;
  /** Null if there is no earlier commit. */
  readonly base: string | null;
};

/** A finding whose proof is in another repository. */
export type LinkedFinding = ReportedFinding & {
  readonly code: { readonly repository: string; readonly commit: string };
};

/** Fetches the code that the pages of a repository describe. A pull request is compared with its own code only. */
export async function fetchDescribed(
  deps: JobDeps,
  { job, repository, signal }: JobRun,
): Promise<FetchedCode[]> {
  if (job.request !== undefined) return [];
  const fetched: FetchedCode[] = [];
  for (const described of await listDescribed(deps.query, repository)) {
    // The jobs of the code's own repository use its clone, so the pages have a clone of the code to themselves.
    const place = { ...described, usedFor: `pages of ${repository.id}` };
    const mirror = await deps.span("fetch", {}, () => deps.mirrors.fetch(place, { commit: null }, signal));
    if (mirror !== null) fetched.push({ described, mirror, base: await findBase(mirror, described) });
  }
  return fetched;
}

async function findBase({ git, head }: Mirror, { base }: DescribedCode): Promise<string | null> {
  if (base !== null && (await git.resolve(base)) !== null) return base;
  return (await git.parents(head))[0] ?? null;
}

/** Whether the pages were compared with this commit of the code, and were true to it. */
export function isCompared({ described, mirror }: FetchedCode): boolean {
  return described.checked === mirror.head && described.drift === 0;
}

export type DescribedResult = Pick<CheckReport, "findings" | "unknown"> & {
  readonly compared: readonly ComparedCode[];
};

export type RunCheck = (mirror: Mirror, asked: Omit<CheckRequest, "folder">) => Promise<CheckReport>;

/** Compares pages with every change of the code that they describe. */
export async function checkDescribed(
  fetched: readonly FetchedCode[],
  pages: string,
  run: RunCheck,
): Promise<DescribedResult> {
  const results: { readonly code: FetchedCode; readonly report: CheckReport }[] = [];
  for (const code of fetched) {
    const { mirror, base } = code;
    if (isCompared(code) || base === null || base === mirror.head) continue;
    await mirror.fill(base, mirror.head);
    const change = { base, head: mirror.head };
    results.push({ code, report: await run(mirror, { change, docs: pages }) });
  }
  const findings: ReportedFinding[] = [];
  for (const { code, report } of results)
    for (const finding of report.findings) findings.push(await withCode(finding, code, report));
  return {
    findings,
    unknown: results.flatMap(({ report }) => report.unknown),
    compared: results.map(({ code, report }) => comparedOf(code, report)),
  };
}

function comparedOf({ described: { id }, mirror }: FetchedCode, report: CheckReport): ComparedCode {
  const drift = gating(report).length;
  const isOver = drift === 0 && report.unknown.length === 0;
  return { id, drift, checked: mirror.head, base: isOver ? mirror.head : report.base };
}

/** Names the commit that made a passage false: the last one that touched the code that proves it. */
async function withCode(
  finding: ReportedFinding,
  { described: { organisation, name }, mirror }: FetchedCode,
  { base }: CheckReport,
): Promise<LinkedFinding> {
  const paths = finding.evidence.map(({ path }) => path);
  const range = ["log", "-1", "--format=%H", `${base}..${mirror.head}`, "--", ...paths];
  const found = paths.length === 0 ? "" : (await runGit(range, { folder: mirror.git.top })).trim();
  const code = { repository: `${organisation}/${name}`, commit: found || mirror.head };
  const message = `${finding.message} (${code.repository} ${code.commit.slice(0, 12)})`;
  const edits = finding.edits.map((edit) => ({ ...edit, reason: message }));
  return { ...finding, message, edits, code };
}

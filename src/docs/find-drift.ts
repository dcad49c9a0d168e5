import { spell } from "../tools/spelling.ts";
import type { Context, Result } from "../tools/tool.ts";
import { plural, refused } from "../wording/report.ts";
import { openGit } from "../workspace/git/git.ts";
import { checkDrift, type ReportedFinding } from "./check.ts";

export type FindDriftInput = {
  readonly base?: string | undefined;
  readonly head?: string | undefined;
  readonly path?: string | undefined;
};

/** The passages a change made false, with proof and, where a rule is sure, the edit. */
export async function findDriftTool(context: Context, input: FindDriftInput): Promise<Result> {
  const checked = await checkDrift(await openGit(context.reader.root), context.reader, input);
  if (!checked.ok) return refused(checked.refusal, { tool: "find_drift", wording: "files" });
  const { base, head, unknown } = checked.value;
  const only = input.path === undefined ? undefined : spell(input.path);
  const findings = checked.value.findings.filter(({ path }) => only === undefined || path === only);
  const lead =
    findings.length === 0 ? "No drift found." : `${plural(findings.length, "passage")} no longer true:`;
  const rest = unknown.length === 0 ? [] : [`${plural(unknown.length, "file")} could not be looked at.`];
  return {
    success: true,
    output: [lead, ...findings.map(findingLines), ...rest].join("\n"),
    tool: "find_drift",
    base,
    head,
    findings,
    unknown,
  };
}

function findingLines({ path, startLine, tier, message, edits }: ReportedFinding): string {
  const proposed = edits.map(
    ({ old_string, new_string }) =>
      `  replace: ${JSON.stringify(old_string)}\n  with:    ${JSON.stringify(new_string)}`,
  );
  return [`${path}:${startLine} [${tier}] ${message}`, ...proposed].join("\n");
}

import { z } from "zod";
import { tool } from "../../tools/catalog.ts";
import { spell } from "../../tools/spelling.ts";
import type { Context, Result } from "../../tools/tool.ts";
import { driftOutput } from "../../wording/drift.ts";
import { refused } from "../../wording/report.ts";

const input = z.strictObject({
  base: z
    .string()
    .optional()
    .describe("Git revision to compare with; by default where this branch left the main one."),
  head: z.string().optional().describe("Git revision that has the change; the working tree by default."),
  path: z.string().optional().describe("Only this document."),
});

/** `check` as a tool for agents. */
export const findDriftTool = tool<z.infer<typeof input>>({
  name: "find_drift",
  title: "Find drift",
  description:
    "Find the passages of the documentation that a code change made false, each with the line of code that proves it and, where a rule is certain, the edit that fixes it.",
  profiles: ["files", "docs", "slim"],
  access: "read",
  idempotent: true,
  input,
  run,
});

async function run({ reader, code }: Context, { path, ...range }: z.infer<typeof input>): Promise<Result> {
  const [{ openProject }, { check }] = [await import("../project.ts"), await import("./check.ts")];
  const project = await openProject(code === undefined ? { reader } : { root: code, docs: reader.root });
  const checked = project.ok ? await check(project.value, range) : project;
  if (project.ok) await project.value.close();
  if (!checked.ok) return refused(checked.refusal, { tool: "find_drift", wording: "files" });
  const only = path === undefined ? undefined : spell(path);
  const isAsked = (one: { readonly path: string }): boolean => only === undefined || one.path === only;
  const findings = checked.value.findings.filter(isAsked);
  const unknown = checked.value.unknown.filter(isAsked);
  return {
    success: true,
    output: driftOutput(findings, unknown),
    tool: "find_drift",
    ...checked.value,
    findings,
    unknown,
  };
}

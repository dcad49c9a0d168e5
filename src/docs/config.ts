import { z } from "zod";
import { matcher } from "../text/match/glob.ts";
import { accept, type Outcome, refuse } from "../text/model/outcome.ts";
import type { CheckReport, ReportedFinding } from "./check.ts";
import { configPath } from "./config-path.ts";

export { configPath };

const tier = z.enum(["certain", "likely", "possible", "off"]);

/** What a project may say about its checks. It can leave out and tone down; it cannot make a finding surer. */
export const configSchema = z.strictObject({
  $schema: z.string().optional(),
  docs: z
    .strictObject({
      include: z.array(z.string()).optional().describe("Only documents whose path fits one of these globs."),
      exclude: z.array(z.string()).optional().describe("Never documents whose path fits one of these globs."),
      comments: z
        .boolean()
        .optional()
        .describe("Doc comments of the product's sources are documents too. Off where nothing is said."),
    })
    .optional(),
  backup: z
    .literal("sibling")
    .optional()
    .describe("Also leave `FILE.bak` beside each file that a run edits, until the run has succeeded."),
  rules: z.record(z.string(), tier).optional().describe("The highest tier of a rule's findings, or off."),
  dismissed: z
    .array(z.strictObject({ id: z.string(), reason: z.string() }))
    .optional()
    .describe("Findings that were looked at and are right as they are."),
});

export type Config = z.infer<typeof configSchema>;

export function parseConfig(text: string): Outcome<Config> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return refuse({
      code: "malformed",
      path: configPath,
      what: `${configPath} is not JSON: ${(error as Error).message}`,
    });
  }
  const parsed = configSchema.safeParse(value);
  if (parsed.success) return accept(parsed.data);
  const [issue] = parsed.error.issues;
  return refuse({
    code: "malformed",
    path: configPath,
    what: `${configPath}: ${issue?.path.join(".") || "the file"}: ${issue?.message}`,
  });
}

/** The report as the project wants to hear it. */
export function narrowReport(report: CheckReport, config: Config): CheckReport {
  const { include, exclude = [] } = config.docs ?? {};
  const isIn = include?.map(matcher);
  const isOut = exclude.map(matcher);
  const dismissed = new Set(config.dismissed?.map(({ id }) => id));
  const findings = report.findings.flatMap((finding) => {
    if (isIn && !isIn.some((fits) => fits(finding.path))) return [];
    if (isOut.some((fits) => fits(finding.path)) || dismissed.has(finding.id)) return [];
    return toneDown(finding, config.rules?.[finding.kind]);
  });
  return { ...report, findings };
}

const order = ["certain", "likely", "possible"] as const;

function toneDown(finding: ReportedFinding, highest: z.infer<typeof tier> | undefined): ReportedFinding[] {
  if (highest === "off") return [];
  if (highest === undefined || order.indexOf(highest) <= order.indexOf(finding.tier)) return [finding];
  return [{ ...finding, tier: highest }];
}

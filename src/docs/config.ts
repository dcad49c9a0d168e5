import { z } from "zod";
import { accept, type Outcome, refuse } from "../text/model/outcome.ts";
import { configPath } from "../tools/config-path.ts";
import { repositorySettingsSchema } from "./fleet-settings.ts";
import { refuseSettings } from "./refuse-settings.ts";
import { oldRuleNames, ruleNames } from "./rule-names.ts";

export { configPath };

const tier = z.enum(["certain", "likely", "possible", "off"]);

/** The settings of a project for its checks. They can leave findings out or lower their tier, never raise it. */
export const configSchema = z.strictObject({
  $schema: z.string().optional(),
  docs: z
    .strictObject({
      root: z
        .string()
        .optional()
        .describe(
          "The clone that has the documents of this code, as a path from this file. `suture check` reads its pages.",
        ),
      include: z
        .array(z.string())
        .optional()
        .describe("Only documents whose path matches one of these globs."),
      exclude: z
        .array(z.string())
        .optional()
        .describe("Never documents whose path matches one of these globs."),
      current: z
        .array(z.string())
        .optional()
        .describe(
          "Documents that describe the present although their path looks like history (`decisions/`): they are checked too.",
        ),
      comments: z
        .union([z.literal("changed"), z.boolean()])
        .optional()
        .describe(
          "Doc comments of the product's sources: those of the public declarations that a change touched (`changed`, the default), all of them as documents (`true`), or none (`false`).",
        ),
    })
    .optional(),
  code: z
    .strictObject({
      root: z
        .string()
        .optional()
        .describe("The clone that has the code of these documents, as a path from this file."),
      exclude: z
        .array(z.string())
        .optional()
        .describe(
          "Sources that are no evidence: their changes are ignored, and a name that occurs only in them counts as gone.",
        ),
    })
    .optional(),
  backup: z
    .literal("sibling")
    .optional()
    .describe("Also leave `FILE.bak` beside each file that a run edits, until the run has succeeded."),
  agents: z
    .strictObject({
      witness: z
        .boolean()
        .optional()
        .describe("Edits that coding agents make with their own tools go into the journal. On by default."),
    })
    .optional(),
  fleet: repositorySettingsSchema.optional().describe("How a fleet treats this repository."),
  rules: z
    .partialRecord(z.enum(ruleNames), tier)
    .optional()
    .describe("The highest tier of a rule's findings, or off."),
  dismissed: z
    .array(z.strictObject({ id: z.string(), reason: z.string() }))
    .optional()
    .describe("Findings that a person marked as false alarms, by id and reason."),
});

export type Config = z.infer<typeof configSchema>;

/** A deprecated setting. */
export type Warning = {
  readonly path: string;
  readonly warning: "old-rule-name";
  readonly old: string;
  readonly new: string;
};

/** A configuration, and its deprecated settings. */
export type ParsedConfig = { readonly config: Config; readonly warnings: readonly Warning[] };

export function parseConfig(text: string): Outcome<ParsedConfig> {
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
  const { current, warnings } = withCurrentNames(value);
  const parsed = configSchema.safeParse(current);
  return parsed.success ? accept({ config: parsed.data, warnings }) : refuseIssue(parsed.error);
}

function refuseIssue(error: z.ZodError): Outcome<never> {
  const [issue] = error.issues;
  const unknown = issue?.code === "unrecognized_keys" ? issue.keys[0] : undefined;
  const unknownRule = issue?.path.join(".") === "rules" ? unknown : ruleOf(issue);
  if (unknownRule === undefined)
    return refuseSettings(error, { schema: configSchema, name: configPath, path: configPath });
  return refuse({
    code: "malformed",
    path: configPath,
    what: `${configPath}: there is no rule ${JSON.stringify(unknownRule)}`,
    hint: `The rules are ${ruleNames.join(", ")}.`,
  });
}

function ruleOf(issue: z.core.$ZodIssue | undefined): string | undefined {
  const [at, name] = issue?.path ?? [];
  return at === "rules" && issue?.code === "invalid_key" ? String(name) : undefined;
}

function withCurrentNames(value: unknown): { current: unknown; warnings: Warning[] } {
  const rules = (value as { rules?: unknown } | null)?.rules;
  if (typeof rules !== "object" || rules === null) return { current: value, warnings: [] };
  const warnings: Warning[] = [];
  const current: Record<string, unknown> = {};
  for (const [name, highest] of Object.entries(rules)) {
    const now = Object.hasOwn(oldRuleNames, name) ? oldRuleNames[name]! : name;
    if (now !== name) warnings.push({ path: configPath, warning: "old-rule-name", old: name, new: now });
    if (now === name || !Object.hasOwn(rules, now)) current[now] = highest;
  }
  return { current: { ...(value as object), rules: current }, warnings };
}

import { z } from "zod";
import { BOUND_BY } from "../drift/binding/bound-by.ts";
import { configSchema } from "./config.ts";
import { fleetSettingsSchema } from "./fleet-settings.ts";

/* The published shapes of what Suture writes and reads. The files in `schemas/` are printed from here. */

const line = z.int().min(1).describe("Counted from 1.");

const evidence = z.looseObject({
  path: z.string(),
  revision: z.string().describe("A commit, or `worktree`."),
  startLine: line,
  endLine: line,
  before: z.string().optional(),
  after: z.string().optional(),
});

/** What `suture check --json` prints. */
export const findingsSchema = z.looseObject({
  base: z.string(),
  head: z.string(),
  findings: z.array(
    z.looseObject({
      id: z.string().describe("The same for the same finding in every run; what `suture dismiss` takes."),
      path: z.string(),
      startLine: line,
      endLine: line,
      tier: z.enum(["certain", "likely", "possible"]),
      kind: z.string().describe("The rule that found it."),
      confidence: z
        .number()
        .min(0)
        .max(1)
        .optional()
        .describe("How likely the finding is to be right, where the rules can say."),
      cause: z.string().optional().describe("The same for findings with one cause."),
      by: z.string().optional().describe("`model` where only a model noticed it."),
      generator: z
        .string()
        .optional()
        .describe(
          "A program writes these lines: its name, empty where the page does not say it. No edit is made.",
        ),
      says: z.string().optional().describe("The words of the page that are not true."),
      thing: z
        .looseObject({ name: z.string(), path: z.string(), line, declaration: z.string() })
        .optional()
        .describe("What they are about, and the line that declared it when they were true."),
      message: z.string(),
      evidence: z.array(evidence),
      edits: z.array(
        z.looseObject({
          path: z.string(),
          old_string: z.string(),
          new_string: z.string(),
          occurrence: z
            .int()
            .positive()
            .optional()
            .describe("Which match of old_string is meant, from 1, where equal lines stand around it."),
          reason: z.string(),
        }),
      ),
    }),
  ),
  unknown: z
    .array(z.looseObject({ path: z.string(), why: z.string() }))
    .describe("Documents that could not be judged. They do not count as clean."),
  scope: z
    .looseObject({
      against: z
        .looseObject({
          is: z.enum(["revision", "main branch", "last commit", "commit before"]),
          name: z.string().optional().describe("The name of the main branch."),
        })
        .optional()
        .describe("What the head was compared with. Absent: all documents were checked, without a change."),
      commits: z.int().describe("Commits of the change."),
      files: z.int().describe("Files of the change."),
      pages: z.int().describe("Pages that were read."),
      claims: z
        .int()
        .optional()
        .describe(
          "Claims that were asked: those that the change can have made false; with --all, those that may be false.",
        ),
      true: z.int().optional().describe("Those that are true, with --all."),
      false: z.int().optional().describe("Those that became false; with --all, those that are false."),
      undecidable: z
        .array(z.looseObject({ why: z.string(), count: z.int() }))
        .optional()
        .describe("Claims that could not be decided, by reason."),
      leftOut: z
        .array(z.looseObject({ path: z.string(), why: z.string() }))
        .optional()
        .describe("Pages that claim nothing about today: generated, of an older version, history."),
      unread: z
        .array(z.looseObject({ path: z.string(), why: z.string() }))
        .describe("Pages that could not be read."),
    })
    .optional()
    .describe("What the check looked at."),
  docs: z
    .looseObject({ root: z.string(), head: z.string() })
    .optional()
    .describe("The other clone that has the pages, and the state of it that was read."),
  warnings: z.array(z.string()).optional().describe("Deprecated settings that the configuration still uses."),
});

const claimCounts = {
  claims: z.int(),
  true: z.int(),
  false: z.int(),
  undecidable: z.int().describe("Claims about which the code does not say enough."),
};

/** What `suture claims --json` prints. */
export const claimsSchema = z.looseObject({
  head: z.string().describe("The commit whose pages were read, or `worktree`."),
  pages: z.array(
    z.looseObject({
      path: z.string(),
      claims: z.array(
        z.looseObject({
          kind: z.string().describe("The kind of the claim: `exists`, `link`, `value`, …"),
          startLine: line,
          endLine: line,
          startColumn: line,
          endColumn: z.int().min(1).describe("The column behind the last character."),
          says: z.string().describe("The words that would have to change if the claim were false."),
          thing: z
            .looseObject({
              name: z.string(),
              path: z.string(),
              line,
              declaration: z
                .string()
                .optional()
                .describe("Of a false claim: the line as it was when the words were true."),
            })
            .optional()
            .describe("What the claim is about, and the line that declares it."),
          by: z.enum(BOUND_BY).optional().describe("How the words name the thing."),
          truth: z.enum(["true", "false", "undecidable"]),
          why: z.string().optional().describe("What is so instead, or why it cannot be decided."),
        }),
      ),
      totals: z.looseObject(claimCounts),
      findings: z
        .array(z.looseObject({ startLine: line, endLine: line, message: z.string() }))
        .optional()
        .describe("Findings of another program, with `--join`."),
    }),
  ),
  totals: z.looseObject({
    ...claimCounts,
    pages: z.int(),
    kinds: z.record(z.string(), z.looseObject(claimCounts)),
    reasons: z
      .array(z.looseObject({ why: z.string(), count: z.int() }))
      .describe("Why claims are undecidable, the most frequent reason first."),
  }),
  leftOut: z
    .array(z.looseObject({ path: z.string(), why: z.string() }))
    .describe("Pages that claim nothing about today."),
  unknown: z
    .array(z.looseObject({ path: z.string(), why: z.string() }))
    .describe("Pages that could not be read."),
});

const fileState = z.looseObject({ version: z.string(), mode: z.int(), size: z.int() }).nullable();

/** One entry of the journal, as `suture show --json` prints it. */
export const entrySchema = z.looseObject({
  id: z.string(),
  time: z.iso.datetime(),
  kind: z.enum(["edit", "undo", "redo", "restore", "tidy"]),
  state: z.enum(["committed", "aborted"]),
  author: z.string(),
  task: z.string().optional(),
  run: z.string().optional(),
  origin: z
    .looseObject({
      client: z.string().optional(),
      session: z.string().optional(),
      model: z.string().optional(),
      tool: z.string().optional(),
    })
    .optional()
    .describe("The program, conversation, model and tool behind the entry, as far as they are known."),
  reason: z.string(),
  edits: z.array(
    z.looseObject({
      path: z.string(),
      target: z.string(),
      reason: z.string(),
      evidence: z.array(z.unknown()),
    }),
  ),
  files: z.array(
    z.looseObject({
      path: z.string(),
      before: fileState,
      after: fileState,
      backup: z.string().optional().describe("Where the previous bytes lie, for reading by hand."),
    }),
  ),
  undoes: z.array(z.string()).optional(),
});

/** A schema as its file in `schemas/` holds it. */
function printSchema(title: string, description: string, schema: z.ZodType): Record<string, unknown> {
  return { title, description, ...z.toJSONSchema(schema, { io: "input" }) };
}

export const publishedSchemas = {
  "suture.config": () =>
    printSchema("Suture configuration", "suture.config.json of a project.", configSchema),
  "fleet-settings": () =>
    printSchema("Suture fleet settings", "What `suture fleet settings` takes.", fleetSettingsSchema),
  findings: () => printSchema("Suture findings", "What `suture check --json` prints.", findingsSchema),
  claims: () => printSchema("Suture claims", "What `suture claims --json` prints.", claimsSchema),
  journal: () => printSchema("Suture journal entry", "What `suture show --json` prints.", entrySchema),
};

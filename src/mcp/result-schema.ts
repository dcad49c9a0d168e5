import { fits } from "../text/model/edit.ts";

const lines = {
  type: "object",
  properties: { startLine: { type: "integer" }, endLine: { type: "integer" } },
  required: ["startLine", "endLine"],
} as const;

const text = (description: string) => ({ type: "string", description }) as const;
const texts = { type: "array", items: { type: "string" } } as const;

/** The answer of every tool, as `structuredContent`. Tools add fields of their own. */
export const resultSchema = {
  type: "object",
  properties: {
    success: { type: "boolean", description: "Whether the tool did what was asked." },
    output: text("The answer in words; empty when refused."),
    tool: text("The tool that answers."),
    error: text("Why it was refused."),
    hint: text("What to do instead."),
    code: text("The kind of refusal, such as `not-found`, `ambiguous`, `stale` or `conflict`."),
    failures: {
      type: "array",
      items: { type: "object" },
      description: "Every edit that failed, where several did: edit, path, code, error, hint.",
    },
    path: text("The file meant."),
    paths: texts,
    version: text("The version of the file now, for `base_version`."),
    versions: { type: "object", additionalProperties: { type: "string" } },
    region: { ...lines, description: "The changed lines, counted from 1." },
    regions: { type: "array", items: lines },
    fit: { type: "string", enum: fits },
    remaining: { type: "integer", description: "Further places that still have the old text." },
    replacements: { type: "integer" },
    entry: text("The journal's name for the change, for `undo`."),
    backup: text("Where the previous bytes can be read."),
    diff: text("The change as a unified diff."),
    warnings: texts,
    dryRun: { type: "boolean", description: "Nothing was written." },
    replayed: { type: "boolean", description: "The same call was made before; this is its answer." },
    appliedEdits: {
      type: "array",
      items: {
        type: "object",
        properties: { index: { type: "integer" }, reason: { type: "string" } },
        required: ["index", "reason"],
      },
    },
  },
  required: ["success", "output", "tool"],
} as const;

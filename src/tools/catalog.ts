import { z } from "zod";
import type { Access, Context, Profile, Result } from "./tool.ts";
import { applyPatch } from "./verbs/apply-patch.ts";
import { editFile } from "./verbs/edit-file.ts";
import { history } from "./verbs/history.ts";
import { insertAt } from "./verbs/insert-at.ts";
import { listFiles } from "./verbs/list-files.ts";
import { patchFile } from "./verbs/patch-file.ts";
import { readFile } from "./verbs/read-file.ts";
import { retryEdit } from "./verbs/retry-edit.ts";
import { searchFiles } from "./verbs/search-files.ts";
import { redo, undo } from "./verbs/undo.ts";
import { writeFile } from "./verbs/write-file.ts";

/** A verb offered to people and agents: its name, what it is for, what it takes, what it does. */
export type Tool<Input = never> = {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly profiles: readonly Profile[];
  readonly access: Access;
  /** Calling it twice is the same as calling it once. */
  readonly idempotent: boolean;
  readonly input: z.ZodType<Input>;
  readonly run: (context: Context, input: Input) => Promise<Result>;
};

const path = z.string().describe("File path relative to workspace root");

const writer = {
  reason: z.string().optional().describe("Why; kept in the journal."),
  base_version: z
    .string()
    .optional()
    .describe("Version that read_file gave; a file changed since is not overwritten."),
  task: z.string().optional().describe("Task the edit belongs to."),
  dry_run: z.boolean().optional().describe("Only show what would change."),
  idempotency_key: z.string().optional().describe("A second call with this key returns the first result."),
};

const within = z
  .string()
  .optional()
  .describe("A heading (`## Install`) or a symbol (`Client.get`) in which to look.");

const both: readonly Profile[] = ["files", "docs"];
const everywhere: readonly Profile[] = ["files", "docs", "slim"];

/** The verbs of this room, each once. Those that need a parser load it when they are called. */
export const editingTools: readonly Tool<never>[] = [
  tool({
    name: "read_file",
    title: "Read a file",
    description: "Read a file, or some lines of it, with line numbers and its version.",
    profiles: everywhere,
    access: "read",
    idempotent: true,
    input: z.strictObject({
      path,
      start_line: z.int().min(1).optional().describe("First line to show, counted from 1."),
      end_line: z.int().min(1).optional().describe("Last line to show."),
      anchors: z
        .boolean()
        .optional()
        .describe("Show lines as `12:a3f|text`. In apply_patch, `12:a3f|` stands for such a line."),
    }),
    run: readFile,
  }),
  tool({
    name: "list_files",
    title: "List files",
    description: "List the files below a folder. Ignored files are left out.",
    profiles: both,
    access: "read",
    idempotent: true,
    input: z.strictObject({
      path: z.string().optional().describe("Folder to list; the workspace root by default."),
      glob: z.string().optional().describe("Only paths that match: `*`, `**`, `?`, `{a,b}`."),
      limit: z.int().min(1).max(100_000).optional().describe("Most files to list (1000)."),
    }),
    run: listFiles,
  }),
  tool({
    name: "search_files",
    title: "Search files",
    description: "Find every line that holds a text in all files below a folder.",
    profiles: everywhere,
    access: "read",
    idempotent: true,
    input: z.strictObject({
      query: z.string().describe("The text to look for."),
      pattern: z.boolean().optional().describe("In the query, * is any text in a line, and | either side."),
      path: z.string().optional().describe("Folder to search; the root by default."),
      glob: z.string().optional().describe("Only files that match."),
      ignore_case: z.boolean().optional().describe("Ignore upper and lower case."),
      limit: z.int().min(1).max(100_000).optional().describe("Most lines to show (100)."),
    }),
    run: searchFiles,
  }),
  tool({
    name: "edit_file",
    title: "Edit a file",
    description:
      "Make targeted edits to a file by replacing specific content. Requires unique context to identify the edit location. Safer than write_file for modifying existing files.",
    profiles: ["files", "slim"],
    access: "edit",
    idempotent: false,
    input: z.strictObject({
      path,
      old_content: z
        .string()
        .describe(
          "The exact content to find and replace. Include enough context (3-5 lines) to uniquely identify the location.",
        ),
      new_content: z.string().describe("The content to replace old_content with"),
      occurrence: z.int().optional().meta({
        description: "Which occurrence to replace (1 = first, -1 = last, 0 = all). Default: 1",
        default: 1,
      }),
      within,
      fit: z
        .enum(["exact", "white-space", "layout"])
        .optional()
        .describe(
          "How far the text may differ from `old_content` where one place matches. `exact` (default): not at all. `white-space`: in indentation and blanks at line ends. `layout`: in look-alike characters, too.",
        ),
      ...writer,
    }),
    run: editFile,
  }),
  tool({
    name: "patch_file",
    title: "Patch a file",
    description:
      "Apply a unified diff patch to a file. Useful for complex multi-region edits. Creates backup before applying. Every hunk is applied, or none.",
    profiles: ["files"],
    access: "edit",
    idempotent: false,
    input: z.strictObject({
      path,
      patch: z.string().describe("Unified diff format patch (output of diff -u)"),
      ...writer,
    }),
    run: patchFile,
  }),
  tool({
    name: "insert_at",
    title: "Insert lines",
    description:
      "Insert content at a specific line number. Line 0 inserts at the beginning, line -1 appends at end, line n inserts after line n.",
    profiles: ["files"],
    access: "edit",
    idempotent: false,
    input: z.strictObject({
      path,
      line: z.int().describe("Line number to insert at (0 = beginning, -1 = end)"),
      content: z.string().describe("Content to insert"),
      ...writer,
    }),
    run: insertAt,
  }),
  tool({
    name: "write_file",
    title: "Write a file",
    description: "Create a new file. An existing file is refused: use the edit tools to change part of it.",
    profiles: both,
    access: "create",
    idempotent: false,
    input: z.strictObject({
      path,
      content: z.string().describe("The whole text of the file."),
      rewrite: z.boolean().optional().describe("Replace an existing file as a whole. Pass base_version too."),
      ...writer,
    }),
    run: writeFile,
  }),
  tool({
    name: "edit_symbol",
    title: "Edit a symbol or section",
    description:
      "Edit a declaration or a section by name: replace it or its body, insert before, after or into it, rename or delete it. What parsed before must parse after.",
    profiles: ["files"],
    access: "edit",
    idempotent: false,
    input: z.strictObject({
      path,
      symbol: z
        .string()
        .describe("A declaration (`Client.get`, `class Foo > method bar`) or a heading (`## Install`)."),
      action: z
        .enum(["replace", "replace_body", "insert_before", "insert_after", "insert_into", "rename", "delete"])
        .describe("What to do with it."),
      content: z.string().optional().describe("The new text; the new name for rename; none for delete."),
      ...writer,
    }),
    run: async (context, input) => (await import("./verbs/edit-symbol.ts")).editSymbol(context, input),
  }),
  tool({
    name: "apply_patch",
    title: "Apply a patch",
    description:
      "Apply edits to any number of files in one transaction: a unified or git diff, a `*** Begin Patch` envelope, SEARCH/REPLACE blocks, or JSON edits. Everything is written, or nothing.",
    profiles: ["files", "slim"],
    access: "edit",
    idempotent: false,
    input: z.strictObject({
      patch: z.string().describe("The edits, in any of the formats."),
      path: z.string().optional().describe("The file meant, where the edits do not name one."),
      ...writer,
    }),
    run: applyPatch,
  }),
  tool({
    name: "edit_article",
    title: "Edit an article",
    description:
      "Make targeted edits to the documentation article. Each edit must have a unique old_string. All edits are applied in order, or none.",
    profiles: ["docs"],
    access: "edit",
    idempotent: false,
    input: z.strictObject({
      path: z.string().describe("Path to the article"),
      edits: z
        .array(
          z.strictObject({
            old_string: z
              .string()
              .describe(
                "Exact text to find. MUST be unique in the file - include surrounding context if needed",
              ),
            new_string: z.string().describe("Replacement text"),
            reason: z.string().describe("Why this change is needed (reference the code change)"),
          }),
        )
        .min(1)
        .describe("Edits in the order to apply them; counted from 0 in messages."),
      base_version: writer.base_version,
      task: writer.task,
      dry_run: writer.dry_run,
      idempotency_key: writer.idempotency_key,
    }),
    run: async (context, input) => (await import("./verbs/edit-article.ts")).editArticle(context, input),
  }),
  tool({
    name: "retry_edit",
    title: "Retry an edit",
    description:
      "Make the edit that a refusal offers under a handle: corrected, or without the parts that failed. It works once, while the files stay the same.",
    profiles: everywhere,
    access: "edit",
    idempotent: false,
    input: z.strictObject({ handle: z.string().describe("The handle in the refusal, such as `r7`.") }),
    run: retryEdit,
  }),
  tool({
    name: "undo",
    title: "Undo",
    description:
      "Take back an earlier edit by its entry, or the newest. Later edits elsewhere stay; nothing else is touched.",
    profiles: ["files", "slim"],
    access: "restore",
    idempotent: false,
    input: z.strictObject({
      entry: z.string().optional().describe("Entry to undo. Default: the newest that is not undone."),
      run: z.string().optional().describe("Run to undo as a whole."),
      reason: writer.reason,
      dry_run: writer.dry_run,
    }),
    run: undo,
  }),
  tool({
    name: "redo",
    title: "Redo",
    description: "Redo an undone entry. Default: the newest undo.",
    profiles: ["files"],
    access: "restore",
    idempotent: false,
    input: z.strictObject({
      entry: z.string().optional().describe("The undo to take back; the newest by default."),
      run: z.string().optional().describe("Run whose undo to take back."),
      reason: writer.reason,
      dry_run: writer.dry_run,
    }),
    run: redo,
  }),
  tool({
    name: "history",
    title: "History",
    description: "What was changed, by whom and why, newest first.",
    profiles: both,
    access: "read",
    idempotent: true,
    input: z.strictObject({
      path: z.string().optional().describe("Only entries that touched this file."),
      run: z.string().optional().describe("Only entries of this run."),
      task: z.string().optional().describe("Only entries of this task."),
      limit: z.int().min(1).max(10_000).optional().describe("Most entries to show (20)."),
    }),
    run: history,
  }),
];

/**
 * The input of a tool as JSON Schema, for doors that advertise it. Where a match must be the only one, a client must not
 * fill in an occurrence by itself.
 */
export function inputSchema(
  tool: Tool<never>,
  { strict = false }: { readonly strict?: boolean | undefined } = {},
): Record<string, unknown> {
  const { $schema: _, ...schema } = z.toJSONSchema(tool.input, { override: dropIntegerBounds });
  const { occurrence, ...others } = schema.properties ?? {};
  if (!strict || occurrence === undefined) return schema;
  const description = "Which of several matches to replace: 1 = first, -1 = last, 0 = all.";
  return { ...schema, properties: { ...others, occurrence: { type: "integer", description } } };
}

/** Zod states the range of safe integers for every integer, which tells a model nothing. */
function dropIntegerBounds({ jsonSchema }: { readonly jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
}

/** A tool among others, whose inputs differ. */
export function tool<Input>(definition: Tool<Input>): Tool<never> {
  return definition as unknown as Tool<never>;
}

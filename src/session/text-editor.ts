import { callTool } from "../docs/catalog.ts";
import { defined } from "../text/model/defined.ts";
import type { Refusal } from "../text/model/outcome.ts";
import type { Context, Result } from "../tools/tool.ts";
import { nothingTo } from "../tools/verbs/undo.ts";
import { refused } from "../wording/report.ts";
import { belowRoot } from "./root-path.ts";

const tool = "str_replace_based_edit_tool";

type Fields = Readonly<Record<string, unknown>>;

/** Runs a command of Anthropic's text editor tool with the verbs of the catalog. */
export async function runTextEditor(context: Context, input: unknown): Promise<Result> {
  const fields = (typeof input === "object" && input !== null ? input : {}) as Fields;
  const { command, path } = fields;
  if (typeof path !== "string") return malformed("the path is missing", "Every command takes a path.");
  const run = Object.hasOwn(commands, String(command))
    ? commands[command as keyof typeof commands]
    : undefined;
  if (!run)
    return malformed(
      `unknown command ${JSON.stringify(command)}`,
      `A command is one of ${Object.keys(commands).join(", ")}.`,
    );
  const result = await run(context, belowRoot(context.reader.root, path), fields);
  return inEditorWords({ ...result, tool });
}

const commands = {
  view: async (context: Context, path: string, { view_range: range }: Fields): Promise<Result> => {
    if (path === "" || path === ".") return callTool(context, "list_files", {});
    const [first, last] = Array.isArray(range) ? (range as unknown[]) : [];
    const lines = defined({
      start_line: first,
      end_line: last === undefined || last === -1 ? undefined : last,
    });
    const read = await callTool({ ...context, withheld: ["base_version"] }, "read_file", { path, ...lines });
    if (read.success || read.code === "malformed") return read;
    const listed = await callTool(context, "list_files", { path: path.replace(/\/+$/, "") });
    return listed.success && (listed.total as number) > 0 ? listed : read;
  },
  str_replace: async (context: Context, path: string, fields: Fields): Promise<Result> => {
    const { old_str: old_content, new_str: new_content = "" } = fields;
    const result = await callTool({ ...context, strict: true }, "edit_file", {
      path,
      old_content,
      new_content,
    });
    if (result.code !== "not-found") return result;
    const read = await context.reader.read(path);
    const isMissed = read.ok && read.value.text !== null;
    return isMissed ? { ...result, error: `No match found for replacement. ${result.error}` } : result;
  },
  create: (context: Context, path: string, { file_text }: Fields): Promise<Result> =>
    callTool(context, "write_file", { path, content: file_text }),
  insert: (context: Context, path: string, fields: Fields): Promise<Result> => {
    const { insert_line: line, insert_text, new_str } = fields;
    return callTool(context, "insert_at", { path, line, content: insert_text ?? new_str });
  },
  undo_edit: async (context: Context, path: string): Promise<Result> => {
    const { author, task } = context;
    const mine = (await context.reader.history({ path, task })).find(
      (entry) => entry.author === author && entry.kind === "edit" && !entry.undone,
    );
    return mine ? callTool(context, "undo", { entry: mine.id }) : nothingTo("undo");
  },
};

function malformed(what: string, hint: string): Result {
  const refusal: Refusal = { code: "malformed", what, hint };
  return refused(refusal, { tool, wording: "files" });
}

/** The hints of our tools name our fields. These are the same hints with the fields of this tool. */
function inEditorWords(result: Result): Result {
  if (result.success) return result;
  if (result.code === "ambiguous")
    return {
      ...result,
      error: `Found ${String(result.count)} matches for replacement text. ${result.error}`,
      hint: "Provide more context in old_str to make a unique match.",
    };
  if (result.code === "exists") return { ...result, hint: "Use str_replace or insert to change it." };
  if (result.code === "malformed") return { ...result, hint: fieldsHint };
  return result;
}

const fieldsHint =
  "The fields are: view: path, view_range?; str_replace: path, old_str, new_str; create: path, file_text; insert: path, insert_line, insert_text.";

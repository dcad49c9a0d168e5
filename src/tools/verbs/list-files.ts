import { matcher } from "../../text/match/glob.ts";
import { refused } from "../../wording/report.ts";
import { relativePath } from "../spelling.ts";
import type { Context, Result } from "../tool.ts";

export type ListFilesInput = {
  readonly path?: string | undefined;
  readonly glob?: string | undefined;
  readonly limit?: number | undefined;
};

/** The files below a folder, in order of name; what version control ignores is left out. */
export async function listFiles(context: Context, input: ListFilesInput): Promise<Result> {
  const { limit = 1000 } = input;
  const path = relativePath(context, input.path ?? "");
  const listed = await context.reader.list(path === "" ? {} : { under: path });
  if (!listed.ok) return refused(listed.refusal, { tool: "list_files", wording: "files", path });
  const matches = input.glob === undefined ? () => true : matcher(input.glob);
  const all = listed.value.paths.filter(matches);
  const files = all.slice(0, limit);
  const rest =
    all.length > limit ? [`(${all.length - limit} more; narrow with path or glob, or raise limit)`] : [];
  return {
    success: true,
    output: files.length === 0 ? "No files." : [...files, ...rest].join("\n"),
    tool: "list_files",
    files,
    total: all.length,
  };
}

import { defined } from "../../text/model/defined.ts";
import type { Outcome } from "../../text/model/outcome.ts";
import { refused } from "../../wording/report.ts";
import { plural } from "../../wording/sentences.ts";
import { type Applied, applyEdits, findEarlier } from "../apply-edits.ts";
import { firstLine, regionsIn, reportOne } from "../edited.ts";
import { relativePath } from "../spelling.ts";
import { narrow } from "../target.ts";
import type { Context, Result, WriterOptions } from "../tool.ts";

export type EditFileInput = WriterOptions & {
  readonly path: string;
  readonly old_content: string;
  readonly new_content: string;
  readonly occurrence?: number | undefined;
  readonly within?: string | undefined;
  readonly fit?: "exact" | "white-space" | "layout" | undefined;
};

/**
 * Replaces quoted text, which must be in the file exactly, unless the caller asks for a wider fit. Without `occurrence`
 * the first match counts, or, where the caller is strict, the only one.
 */
export async function editFile(context: Context, input: EditFileInput): Promise<Result> {
  const { occurrence = context.strict ? undefined : 1 } = input;
  const path = relativePath(context, input.path);
  const asked = {
    tool: "edit_file",
    wording: "files",
    path,
    ...defined({ occurrence }),
  } as const;
  const applied =
    (await findEarlier(context, input)) ?? (await applyQuote(context, { ...input, path }, occurrence));
  if (!applied.ok) return refused(applied.refusal, asked);
  const count = regionsIn(applied.value, path).length;
  const lead = [
    `✓ Edited ${path}`,
    `Replaced ${plural(count, "occurrence")} at ~line ${firstLine(applied.value, path)}`,
  ];
  return reportOne("edit_file", path, applied.value, lead);
}

async function applyQuote(
  context: Context,
  input: EditFileInput,
  occurrence: number | undefined,
): Promise<Outcome<Applied>> {
  const { path } = input;
  const within = await narrow(context, path, input.within);
  if (!within.ok) return within;
  const target = {
    quote: input.old_content,
    ...defined({ occurrence, within: within.value, fit: input.fit }),
  };
  const edit = { path, target, text: input.new_content, reason: input.reason ?? "", evidence: [] };
  return applyEdits(context, [edit], input);
}

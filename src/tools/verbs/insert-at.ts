import { refused } from "../../wording/report.ts";
import { applyEdits } from "../apply-edits.ts";
import { firstLine, reportOne } from "../edited.ts";
import { relativePath } from "../spelling.ts";
import type { Context, Result, WriterOptions } from "../tool.ts";

export type InsertAtInput = WriterOptions & {
  readonly path: string;
  readonly line: number;
  readonly content: string;
};

/** Inserts whole lines after a line: 0 is the beginning, -1 the end. */
export async function insertAt(context: Context, input: InsertAtInput): Promise<Result> {
  const { line } = input;
  const path = relativePath(context, input.path);
  const edit = { path, target: { line }, text: input.content, reason: input.reason ?? "", evidence: [] };
  const applied = await applyEdits(context, [edit], input);
  if (!applied.ok) return refused(applied.refusal, { tool: "insert_at", wording: "files", path });
  const lead = [`✓ Inserted into ${path}`, `At line ${firstLine(applied.value, path)}`];
  return reportOne("insert_at", path, applied.value, lead);
}

import type { Outcome } from "../../text/model/outcome.ts";
import { type Applied, applyEdits } from "../../tools/apply-edits.ts";
import type { Context } from "../../tools/tool.ts";
import { configPath, parseConfig } from "../config.ts";

/** Remembers in the project's configuration that a finding is right as it is, so that it is not reported again. */
export async function dismissFinding(
  context: Context,
  id: string,
  reason: string,
): Promise<Outcome<Applied>> {
  const read = await context.reader.read(configPath);
  if (!read.ok) return read;
  const parsed = parseConfig(read.value.text ?? "{}");
  if (!parsed.ok) return parsed;
  const others = (parsed.value.config.dismissed ?? []).filter((one) => one.id !== id);
  const asWritten = JSON.parse(read.value.text ?? "{}") as Record<string, unknown>;
  const text = `${JSON.stringify({ ...asWritten, dismissed: [...others, { id, reason }] }, null, 2)}\n`;
  const shared = { path: configPath, text, reason: `dismiss ${id}: ${reason}`, evidence: [] };
  const edit =
    read.value.text === null
      ? { ...shared, target: { file: "create" } as const }
      : { ...shared, target: { file: "rewrite" } as const };
  return applyEdits(context, [edit]);
}

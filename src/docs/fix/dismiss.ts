import type { Outcome } from "../../text/model/outcome.ts";
import { type Applied, applyEdits } from "../../tools/apply-edits.ts";
import type { Context } from "../../tools/tool.ts";
import { type Config, configPath, parseConfig } from "../config.ts";

/** Remembers in the project's configuration that findings are false alarms, so that they are not reported again. */
export function dismissFindings(
  context: Context,
  ids: readonly string[],
  reason: string,
): Promise<Outcome<Applied>> {
  const known = new Set(ids);
  return changeConfig(context, `dismiss ${ids.join(", ")}: ${reason}`, ({ dismissed = [] }) => ({
    dismissed: [...dismissed.filter(({ id }) => !known.has(id)), ...ids.map((id) => ({ id, reason }))],
  }));
}

/** Rules and sources whose findings a person never wants. */
export type Unwanted = { readonly rules: ReadonlySet<string>; readonly sources: ReadonlySet<string> };

/** Switches rules off and leaves sources out, in the project's configuration. */
export function leaveOut(context: Context, { rules, sources }: Unwanted): Promise<Outcome<Applied>> {
  const reason = `leave out ${[...rules, ...sources].join(", ")}`;
  return changeConfig(context, reason, ({ rules: known = {}, code = {} }) => ({
    ...(rules.size === 0
      ? {}
      : { rules: { ...known, ...Object.fromEntries([...rules].map((rule) => [rule, "off" as const])) } }),
    ...(sources.size === 0
      ? {}
      : { code: { ...code, exclude: [...new Set([...(code.exclude ?? []), ...sources])] } }),
  }));
}

/** Changes some settings by one transaction. Everything else in the file stays as it is written. */
async function changeConfig(
  context: Context,
  reason: string,
  change: (config: Config) => Partial<Config>,
): Promise<Outcome<Applied>> {
  const read = await context.reader.read(configPath);
  if (!read.ok) return read;
  const parsed = parseConfig(read.value.text ?? "{}");
  if (!parsed.ok) return parsed;
  const asWritten = JSON.parse(read.value.text ?? "{}") as Record<string, unknown>;
  const text = `${JSON.stringify({ ...asWritten, ...change(parsed.value.config) }, null, 2)}\n`;
  const shared = { path: configPath, text, reason, evidence: [] };
  const edit =
    read.value.text === null
      ? { ...shared, target: { file: "create" } as const }
      : { ...shared, target: { file: "rewrite" } as const };
  return applyEdits(context, [edit]);
}

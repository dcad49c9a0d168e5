import { locateQuote } from "../../text/match/locate.ts";
import type { Outcome, Refusal } from "../../text/model/outcome.ts";
import { refused } from "../../wording/report.ts";
import { plural } from "../../wording/sentences.ts";
import { type Applied, applyEdits, findEarlier, readAnyText } from "../apply-edits.ts";
import { firstLine, regionsIn, reportOne } from "../edited.ts";
import { correctPair } from "../retry.ts";
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
    ...(occurrence === undefined ? {} : { occurrence }),
  } as const;
  const applied =
    (await findEarlier(context, input)) ?? (await applyQuote(context, { ...input, path }, occurrence));
  if (!applied.ok) return refused(applied.refusal, { ...asked, ...(await retryOf(context, input, applied)) });
  const count = regionsIn(applied.value, path).length;
  const lead = [
    `✓ Edited ${path}`,
    `Replaced ${plural(count, "occurrence")} at ~line ${firstLine(applied.value, path)}`,
  ];
  return reportOne("edit_file", path, applied.value, lead);
}

/** The corrected call, where the refusal tells it. */
async function retryOf(
  context: Context,
  input: EditFileInput,
  { refusal }: { readonly refusal: Refusal },
): Promise<{ readonly retry?: Readonly<Record<string, unknown>> }> {
  if (refusal.code !== "not-found" || refusal.what !== "quote") return {};
  const read = await readAnyText(context.reader, relativePath(context, input.path));
  const pair = { old: input.old_content, new: input.new_content };
  const fit = "white-space";
  const isLaidOut = read.ok && locateQuote(read.value.text ?? "", { quote: pair.old, fit }, pair.new).ok;
  if (isLaidOut && input.within === undefined) return { retry: { ...input, fit } };
  // White space that the shared lines do not explain is the caller's to correct.
  if (isBlank(refusal.nearest?.[0]?.difference)) return {};
  const corrected = read.ok ? correctPair(refusal, read.value.text, pair) : null;
  return corrected ? { retry: { ...input, old_content: corrected.old, new_content: corrected.new } } : {};
}

function isBlank(difference: string | undefined): boolean {
  return difference === "indentation" || difference === "white-space";
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
    ...(occurrence === undefined ? {} : { occurrence }),
    ...(within.value ? { within: within.value } : {}),
    ...(input.fit === undefined ? {} : { fit: input.fit }),
  };
  const edit = { path, target, text: input.new_content, reason: input.reason ?? "", evidence: [] };
  return applyEdits(context, [edit], input);
}

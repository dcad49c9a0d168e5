import type { Fit } from "../../../text/model/edit.ts";
import { planPatch } from "../../../text/patch/apply-patch.ts";
import type { PatchFormat } from "../../../text/patch/detect.ts";
import { wordPlainly } from "../../../wording/refusals/plain.ts";

/** What became of a patch. */
export type Attempt =
  | {
      readonly ok: true;
      readonly format: PatchFormat;
      readonly after: string;
      /** How each edit was matched, in the order of the patch. */
      readonly fits: readonly Fit[];
      /** Characters of the file that no edit touched. */
      readonly kept: number;
    }
  | { readonly ok: false; readonly code: string; readonly message: string; readonly hint?: string };

/** Applies a patch to a file, both as texts. */
export function attemptPatch(file: string, patch: string): Attempt {
  const planned = planPatch(file, patch);
  if (!planned.ok) {
    const { error, hint } = wordPlainly(planned.refusal, {
      tool: "",
      wording: "files",
      path: "your file",
      text: file,
    });
    return { ok: false, code: planned.refusal.code, message: error, ...(hint === undefined ? {} : { hint }) };
  }
  const { format, plan } = planned.value;
  const [change] = plan.changes;
  const removed = change?.splices.reduce((sum, { region }) => sum + region.end - region.start, 0) ?? 0;
  return {
    ok: true,
    format,
    after: change ? (change.after ?? "") : file,
    fits: plan.landings.map(({ fit }) => fit),
    kept: file.length - removed,
  };
}

/** A text from a form has line feeds alone; this gives it the endings of the file that it stands for. */
export function withEndings(text: string, ending: "\n" | "\r\n"): string {
  return ending === "\n" ? text : text.replaceAll("\n", ending);
}

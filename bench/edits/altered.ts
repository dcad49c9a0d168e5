import type { Edit } from "../../src/text/model/edit.ts";
import type { Hunk, HunkLine } from "../../src/text/model/hunk.ts";
import type { Refusal } from "../../src/text/model/outcome.ts";
import { planEdits } from "../../src/text/model/plan.ts";
import { parseEdits } from "../../src/text/patch/detect.ts";
import { printBlocks, printEnvelope, printUnified } from "./formats.ts";
import { hunksOf } from "./hunks.ts";
import type { Setting } from "./setting.ts";
import { Tally } from "./tally.ts";

/** Real deletions with one word of a removed line changed, in every format: none may be called applied. */
export function measureAltered(setting: Setting): Tally {
  const tally = new Tally();
  for (const clone of setting.clones())
    for (const context of [1, 3]) {
      let left = setting.cases;
      for (const { before, patch } of clone.patches(commits, context)) {
        if (left === 0) break;
        const text = clone.text(before);
        const altered = text === null ? null : (hunksOf(patch).map(alterDeletion).find(Boolean) ?? null);
        if (text === null || !altered) continue;
        left--;
        for (const [format, edits] of Object.entries(formsOf(altered))) {
          const fate = judge(text, edits);
          const example = (): string => `${clone.name} ${before}`;
          tally.add(`-U${context}, ${format}`, fate, fate === "wrong" ? example : undefined);
        }
      }
    }
  return tally;
}

const commits = 400;

/** A deletion that no longer quotes the text must be refused, and not as one that was made before. */
function judge(text: string, edits: readonly Edit[]): "right" | "wrong" {
  const planned = planEdits(edits, [{ path, text, version: "" }]);
  return planned.ok || saysApplied(planned.refusal) ? "wrong" : "right";
}

function saysApplied(refusal: Refusal): boolean {
  const { why, cause } = refusal as { readonly why?: unknown; readonly cause?: unknown };
  return why === "already-applied" || cause === "already-applied";
}

function alterDeletion(hunk: Hunk): Hunk | null {
  const { base: _, ...rest } = hunk;
  const at = hunk.lines.findIndex(({ kind, text }) => kind === "removed" && /[A-Za-z]{3}/.test(text));
  if (at < 0 || hunk.lines.some(({ kind }) => kind === "added")) return null;
  const lines = hunk.lines.map((line, i) =>
    i === at ? { ...line, text: line.text.replace(/[A-Za-z]{3,}/, "alteredWord") } : line,
  );
  return { ...rest, lines };
}

const path = "file.txt";

/** The same deletion as the formats write it; the quotation also with the context above it only. */
function formsOf(hunk: Hunk): Record<string, readonly Edit[]> {
  const last = hunk.lines.findLastIndex(({ kind }) => kind === "removed");
  const parse = (patch: string): readonly Edit[] => {
    const parsed = parseEdits(patch, { path });
    return parsed.ok ? parsed.value.edits : [];
  };
  const forms = {
    unified: parse(printUnified(path, [hunk])),
    envelope: parse(printEnvelope(path, [hunk])),
    blocks: parse(printBlocks(path, [hunk])),
    quotation: quoteOf(hunk.lines),
    "quotation, context above only": quoteOf(hunk.lines.slice(0, last + 1)),
  };
  return Object.fromEntries(Object.entries(forms).filter(([, edits]) => edits.length > 0));
}

function quoteOf(lines: readonly HunkLine[]): Edit[] {
  const side = (without: string): string =>
    lines
      .filter(({ kind }) => kind !== without)
      .map(({ text }) => `${text}\n`)
      .join("");
  const target = { quote: side("added"), fit: "white-space" as const };
  return [{ path, target, text: side("removed"), reason: "", evidence: [] }];
}

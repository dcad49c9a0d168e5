import type { CheckReport, ReportedFinding } from "../../docs/check/report.ts";
import { defined } from "../../text/model/defined.ts";
import type { ChangeSource } from "../context/change-context.ts";
import { cutHunks } from "../context/diff-excerpt.ts";
import type { NameWeights } from "./changed-names.ts";
import { namesIn } from "./notice-terms.ts";

type EvidenceLine = ReportedFinding["evidence"][number];
type ChangedLine = Pick<EvidenceLine, "before" | "after"> & { readonly path: string; readonly line: number };

const mostProofs = 2;

/** The change that a sentence of a model may be about. */
type ChangedSources = {
  readonly files: ChangeSource["files"];
  readonly names: NameWeights;
  readonly ends: Pick<CheckReport, "base" | "head">;
};

/** The changed lines that a model quotes; none where no changed line has these words. */
export function quoteEvidence(
  quotation: string,
  { files, ends }: Omit<ChangedSources, "names">,
): EvidenceLine[] {
  const wanted = foldSpace(quotation.replace(/^[+-](?=\s|\w)/, ""));
  if (wanted.length < shortestQuotation) return [];
  return files
    .flatMap(changedLines)
    .filter(({ before = "", after = "" }) => [before, after].some((line) => foldSpace(line).includes(wanted)))
    .slice(0, mostProofs)
    .map((line) => evidenceOf(line, ends));
}

const shortestQuotation = 4;

function foldSpace(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/**
 * The changed lines behind a sentence of a model: those that share the weightiest names with it, of the file that it
 * names if it names one. None where no changed line has a name of it.
 */
export function findEvidence(sentence: string, { files, names, ends }: ChangedSources): EvidenceLine[] {
  const told = new Set(namesIn(sentence));
  const named = files.filter(({ path }) => sentence.includes(path));
  const lines = (named.length > 0 ? named : files).flatMap(changedLines);
  return lines
    .map((line) => ({ line, weight: weigh(line, told, names) }))
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight)
    .slice(0, mostProofs)
    .map(({ line }) => evidenceOf(line, ends));
}

function evidenceOf({ path, line, before, after }: ChangedLine, ends: ChangedSources["ends"]): EvidenceLine {
  return {
    path,
    revision: after === undefined ? ends.base : ends.head,
    startLine: line,
    endLine: line,
    ...defined({ before, after }),
  };
}

function weigh(
  { before = "", after = "" }: ChangedLine,
  told: ReadonlySet<string>,
  names: NameWeights,
): number {
  return namesIn(`${before}\n${after}`)
    .filter((name) => told.has(name))
    .reduce((sum, name) => sum + (names.get(name) ?? 0), 0);
}

/** The changed lines of a file. The removed and the added lines of a hunk that stand together are paired in order. */
function changedLines({ path, patch }: ChangeSource["files"][number]): ChangedLine[] {
  return cutHunks(patch).hunks.flatMap((hunk) => {
    const header = /^@@ -(\d+)(?:,\d+)? \+(\d+)/.exec(hunk);
    if (!header) return [];
    let [old, fresh] = [Number(header[1]), Number(header[2])];
    const found: ChangedLine[] = [];
    for (const [run] of hunk.slice(hunk.indexOf("\n") + 1).matchAll(/(?:^[+-].*\n?)+|^ .*\n?/gm)) {
      const removed = (run.match(/^-.*$/gm) ?? []).map((line) => line.slice(1));
      const added = (run.match(/^\+.*$/gm) ?? []).map((line) => line.slice(1));
      for (let i = 0; i < Math.max(removed.length, added.length); i++) {
        const [before, after] = [removed[i], added[i]];
        const line = after === undefined ? old + i : fresh + i;
        found.push({
          path,
          line,
          ...defined({ before, after }),
        });
      }
      old += run.startsWith(" ") ? 1 : removed.length;
      fresh += run.startsWith(" ") ? 1 : added.length;
    }
    return found;
  });
}

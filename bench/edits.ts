/**
 * Edits that do not fit, beside the peers, in one run: `npm run bench:edits -- --mirror DIR [--cases N]`. Changes of real
 * histories are tried on other versions of their files, where git's clean merge says what is right; deletions with one
 * misquoted word must not be called applied; edits with the mistakes that models make must be right or refused.
 */
import { existsSync } from "node:fs";
import { parseArgs } from "node:util";
import { explainMiss } from "../src/text/match/explain.ts";
import { placeHunks } from "../src/text/match/hunks/place-hunks.ts";
import type { Hunk } from "../src/text/model/hunk.ts";
import { parseUnified } from "../src/text/patch/unified.ts";
import { type Clone, driftedChanges, gitMerge, openClones } from "./edits/histories.ts";
import { imperfectEdits, tryEdit } from "./edits/imperfect.ts";
import { type PatchJob, patchEngines } from "./edits/peers.ts";
import { printTable } from "./report.ts";

const { values } = parseArgs({
  options: { mirror: { type: "string" }, cases: { type: "string", default: "12" } },
});
const contexts = [0, 1, 3, 10] as const;

function main(): void {
  const mirror = values.mirror ?? process.env.MIRROR;
  if (!mirror || !existsSync(mirror)) {
    console.info("Nothing measured: the folder of clones (--mirror, MIRROR) is not there.");
    return;
  }
  const tally = new Tally();
  for (const { name, clone } of openClones(mirror)) measureClone(name, clone, tally);
  tally.print();
}

function measureClone(name: string, clone: Clone, tally: Tally): void {
  for (const change of driftedChanges(name, clone, Number(values.cases))) {
    const [base, now, onto] = [change.from, change.to, change.onto].map((id) => clone.text(id));
    if (base == null || now == null || onto == null) continue;
    const wanted = gitMerge(base, onto, now);
    if (wanted === null || wanted === onto || wanted === now) continue;
    for (const context of contexts) {
      const patch = clone.diff(change.from, change.to, context);
      measureDrifted({ patch, onto, base }, { wanted, context, tally });
      if (context === 1 || context === 3) measureAltered(patch, base, { context, tally });
    }
    measureImperfect(base, tally);
  }
}

type Measured = { readonly context: number; readonly tally: Tally };

function measureDrifted(
  job: PatchJob,
  { wanted, context, tally }: Measured & { readonly wanted: string },
): void {
  for (const [engine, run] of Object.entries(patchEngines)) {
    const after = run(job);
    tally.add(
      `drifted -U${context}, ${engine}`,
      after === null ? "refused" : after === wanted ? "right" : "wrong",
    );
  }
}

/** Pure deletions with one word of one removed line changed, as a hunk and as a quotation. */
function measureAltered(patch: string, base: string, { context, tally }: Measured): void {
  const edits = parseUnified(patch);
  const hunks = edits.ok ? edits.value.flatMap(({ target }) => ("hunks" in target ? target.hunks : [])) : [];
  for (const hunk of hunks) {
    const altered = alterDeletion(hunk);
    if (!altered) continue;
    const placed = placeHunks(base, [altered]);
    const isSaid = !placed.ok && saysApplied(placed.refusal);
    tally.add(`altered deletion -U${context}, hunk`, placed.ok || isSaid ? "wrong" : "right");
    const side = (without: string): string =>
      altered.lines
        .filter(({ kind }) => kind !== without)
        .map(({ text }) => `${text}\n`)
        .join("");
    const miss = explainMiss(base, side("added"), side("removed"));
    tally.add(
      `altered deletion -U${context}, quotation`,
      miss.cause === "already-applied" ? "wrong" : "right",
    );
  }
}

function saysApplied(refusal: {
  readonly code: string;
  readonly why?: unknown;
  readonly cause?: unknown;
}): boolean {
  return refusal.why === "already-applied" || refusal.cause === "already-applied";
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

function measureImperfect(text: string, tally: Tally): void {
  const count = text.split("\n").length;
  for (const share of [0.2, 0.5, 0.8])
    for (const edit of imperfectEdits(text, Math.floor(count * share), 4))
      tally.add(`imperfect, ${edit.kind}`, tryEdit(edit));
}

/** How often each thing became what. */
class Tally {
  readonly #rows = new Map<string, Map<string, number>>();

  add(row: string, fate: string): void {
    const fates = this.#rows.get(row) ?? new Map<string, number>();
    fates.set(fate, (fates.get(fate) ?? 0) + 1);
    this.#rows.set(row, fates);
  }

  print(): void {
    const fates = ["right", "refused, then right", "refused", "wrong"];
    const rows = [...this.#rows].sort(([a], [b]) => a.localeCompare(b, "en", { numeric: true }));
    const cells = rows.map(([row, counts]) => [row, ...fates.map((fate) => String(counts.get(fate) ?? 0))]);
    console.log(printTable(["", ...fates], cells));
  }
}

main();

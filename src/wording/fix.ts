import type { CheckReport, ReportedFinding } from "../docs/check/report.ts";
import type { PageConcern } from "../docs/fix/choose.ts";
import type { Rewritten } from "../docs/fix/conclude.ts";
import type { FixedReport } from "../docs/fix/fix-report.ts";
import { defined } from "../text/model/defined.ts";
import { exit } from "./exit-code.ts";
import { gating, scopeText } from "./findings.ts";
import { plural, short } from "./sentences.ts";
import { lookedLine, usageLine } from "./usage-line.ts";

/** What a model wrote, with what it cost and the record of its run. */
export type ModelPart = Rewritten & {
  readonly usage: Parameters<typeof usageLine>[0];
  readonly record?: { readonly id: string } | undefined;
};

/** A run of `fix`, and how it was asked for. */
export type FixRun = {
  readonly report: CheckReport;
  readonly fixed: FixedReport<ModelPart>;
  readonly dryRun: boolean;
  /** `--no-model`: a model is not wanted. */
  readonly rulesOnly: boolean;
  /** The model that was asked, and what it used: also where it found nothing to write. */
  readonly asked?: Pick<ModelPart, "model" | "usage"> | undefined;
  /** What the model was asked about beyond the rules. */
  readonly looked?: Parameters<typeof lookedLine>[0] | undefined;
  /** The same call, for a person to paste with more options. */
  readonly command: string;
};

/** The findings that a run of `fix` leaves for a person. */
export function leftFor({ report, fixed }: FixRun): readonly ReportedFinding[] {
  return gating({ ...report, findings: fixed.left });
}

export type LeftAbout = {
  readonly limit: number | undefined;
  /** How many findings were fixed. */
  readonly done: number;
  /** Why the page needs a person's consent. */
  readonly concern: PageConcern | null;
};

/** Why an edit that a rule has was not made; undefined where there is nothing more to say. */
export function whyLeft(
  finding: ReportedFinding & { readonly why?: string },
  { limit, done, concern }: LeftAbout,
): string | undefined {
  const { why, edits, tier } = finding;
  if (why !== undefined || edits.length === 0) return why;
  if (limit !== undefined && done >= limit) return fixWords.beyondLimit;
  if (concern !== null) return fixWords.needsConsent[concern];
  return tier === "certain" ? fixWords.displaced : undefined;
}

/** What `suture fix` prints with `--json`. */
export function fixValue(fix: FixRun) {
  const { report, fixed, dryRun } = fix;
  const model = modelOf(fix);
  const used = model ?? fix.asked ?? null;
  const run = runOf(fix);
  return {
    success: leftFor(fix).length === 0,
    base: report.base,
    head: report.head,
    fixed: fixed.done,
    left: fixed.left,
    unknown: report.unknown,
    diff: fixed.patches.join(""),
    ...(used === null ? {} : { model: used.model, usage: used.usage }),
    ...defined({ risks: model?.risks?.length ? model.risks : undefined }),
    ...(run === undefined ? {} : { run, entry: fixed.byRule.applied?.entry?.id }),
    ...defined({ dryRun: dryRun || undefined }),
  };
}

/** The text after `suture fix`: the result, the cost, and the next step. */
export function fixRemarks(fix: FixRun): string[] {
  const { done, byRule, rewritten, open } = fix.fixed;
  const left = leftFor(fix);
  const model = modelOf(fix);
  const used = model ?? fix.asked ?? null;
  const isWritten = byRule.applied?.entry !== undefined || (model?.record && model.patches.size > 0);
  const likely = left.filter(({ tier, edits }) => tier === "likely" && edits.length > 0).length;
  const needsModel = !fix.rulesOnly && open.some(({ edits }) => edits.length === 0);
  return [
    fixSummary(done.length, left.length, fix),
    ...(model?.risks ?? []).map(fixWords.lookAt),
    ...(used === null ? [] : [`${used.model}: ${usageLine(used.usage)}`]),
    ...(fix.looked ? [lookedLine(fix.looked)] : []),
    ...(isWritten ? [fixWords.takeBack(runOf(fix) ?? "", fix.report)] : []),
    ...(rewritten === null && likely > 0 ? [fixWords.likely(likely, fix.command)] : []),
    ...(rewritten === null && needsModel ? [fixWords.model] : []),
  ];
}

/** The exit code of `suture fix`: findings are left, something could not be judged or asked, or done. */
export function exitCodeOfFix(fix: FixRun): number {
  const { report, fixed } = fix;
  if (leftFor(fix).length > 0 || fixed.hasFailed) return exit.refused;
  return report.unknown.length > 0 || fixed.rewritten?.ok === false ? exit.failed : exit.done;
}

function modelOf({ fixed: { rewritten } }: FixRun): ModelPart | null {
  return rewritten?.ok ? rewritten.value : null;
}

function runOf(fix: FixRun): string | undefined {
  return (modelOf(fix)?.record ?? fix.fixed.byRule.record)?.id;
}

/** Where nothing was found, the summary says what was looked at. */
function fixSummary(done: number, left: number, { report, dryRun }: FixRun): string {
  const verb = dryRun ? "would be fixed" : done === 1 ? "was fixed" : "were fixed";
  const made = `${plural(done, "passage")} ${verb}`;
  if (left > 0) return `${made}, ${left} left for a person`;
  const looked = done > 0 ? [] : scopeText(report, short(report.base));
  return looked.length === 0 ? made : `${made} (${looked.join("; ")})`;
}

export const fixWords = {
  question: "Make this edit? [y,n,a,d,e,r,s,w,q,?]",
  keys: `y: make this edit
n: leave it
a: make this edit and all others of the same cause
d: leave it and all others of the same cause
e: write the text of this edit yourself, in your editor
r: leave it, and never report anything of this rule again
s: leave it, and never report anything because of this source again
w: make this edit and everything after it
q: leave it and everything after it`,
  concern: {
    instructions: "This file instructs agents: the edit changes what they will do.",
    hidden: "This file is hidden, or has a name that programs read.",
  },
  needsConsent: {
    instructions:
      "not edited: this file instructs agents, so a person has to agree (`--yes`, or at a terminal)",
    hidden: "not edited: this file is hidden, so a person has to agree (`--yes`, or at a terminal)",
  },
  displaced: "not edited: its text is not there exactly once",
  taken: "not edited: another edit changes the same lines",
  unreadable: "not edited: its page cannot be read",
  refused: (why: string): string => `not edited: ${why}`,
  beyondLimit: "not edited: beyond --limit",
  notWorded: "not edited: the editor failed, or the text was left empty",
  lookAt: ({ path, what, detail }: NonNullable<Rewritten["risks"]>[number]): string =>
    `Look at ${path}: ${what}: ${detail}`,
  leftOut: (names: readonly string[]): string => `✓ suture.config.json leaves out ${names.join(", ")}`,
  asking: (count: number): string => `Asking a model about ${plural(count, "passage")}`,
  likely: (count: number, command: string): string =>
    `\`${command} --yes\` makes the ${count === 1 ? "likely edit" : `${count} likely edits`} too.`,
  model: "A model can write what no rule can: pass --model provider:name, or set SUTURE_MODEL.",
  needsWorkTree: "fix needs a work tree to write to",
  onlyCheckedOut: "fix writes to the work tree, so --head can only be what is checked out",
  kept: (count: number, run: string): string => `✓ ${plural(count, "finding")} kept as ${run}`,
  watch: (run: string, { docs }: Pick<CheckReport, "docs">): string =>
    `Watch it with: suture review ${run}${docs ? ` --docs ${docs.root}` : ""}`,
  decide: (run: string, { docs }: Pick<CheckReport, "docs">): string =>
    `Decide with: suture review ${run}${docs ? ` --docs ${docs.root}` : ""}`,
  refusedDrafts: (count: number, run: string): string =>
    `${plural(count, "refused draft")} kept. Read ${count === 1 ? "it" : "them"} with: suture review ${run}`,
  takeBack: (run: string, { docs }: Pick<CheckReport, "docs">): string =>
    `Take it back with: suture undo ${run}${docs ? ` --root ${docs.root}` : ""}`,
};

import type { Tier } from "../../drift/findings.ts";
import { documentClass } from "../../drift/policies.ts";
import { newRunId } from "../../tools/audit.ts";
import type { CheckReport, ReportedFinding } from "../../tools/check.ts";
import { openContext } from "../../tools/context.ts";
import { type Fixed, fixFindings } from "../../tools/fix.ts";
import { gating } from "../../tools/print-findings.ts";
import { plural } from "../../tools/report.ts";
import { type Call, type Command, exit, isSet, numberOf, textOf } from "../command.ts";
import { atSite, check, decline, paintFinding, ranging, type Site } from "../drift.ts";
import { misuse } from "../misuse.ts";
import { paintDiff } from "../paint.ts";

export const command: Command = {
  name: "fix",
  group: "documentation",
  summary: "make the edits that make the documents true again",
  usage: ["[--base REV]"],
  operands: [0, 0],
  options: [
    ...ranging,
    { name: "dry-run", short: "n", text: "show the edits and write nothing" },
    { name: "yes", short: "y", text: "make the likely edits too, without asking" },
    { name: "limit", value: "N", integer: true, text: "most findings to fix" },
    { name: "no-model", text: "rules only" },
    { name: "author", value: "NAME", text: "who makes the edits" },
  ],
  examples: [
    ["what would change", "suture fix --dry-run"],
    ["every edit that a rule can make", "suture fix --base HEAD~1 --yes"],
  ],
  run,
};

function run(call: Call): Promise<number> {
  return atSite(call, "fix", (site) => fixAt(call, site));
}

async function fixAt(call: Call, site: Site): Promise<number> {
  const { options, terminal } = call;
  if (site.git?.isBare) return misuse(terminal, "fix needs a work tree to write to");
  if (isSet(options, "head")) {
    const [head, tip] = [await site.git?.resolve(textOf(options, "head")!), await site.git?.resolve("HEAD")];
    if (head !== tip)
      return misuse(terminal, "fix writes to the work tree, so --head can only be what is checked out");
  }
  const checked = await check(site, options);
  if (!checked.ok) return decline(terminal, "fix", checked.refusal);
  const chosen = await choose(call, checked.value);
  const agreed = new Set(chosen.findings.filter(({ edits }) => edits.length > 0).map(({ path }) => path));
  const opened = await openContext({
    root: site.root,
    author: textOf(options, "author") ?? "suture",
    task: "fix",
    policy: { consent: (path, concern) => concern === "instructions for agents" && agreed.has(path) },
  });
  if (!opened.ok) return decline(terminal, "fix", opened.refusal);
  try {
    const time = new Date().toISOString();
    const run = newRunId(time, process.getBuiltinModule("node:crypto").randomBytes(8).toString("hex"));
    const tiers: Tier[] = ["certain", "likely"];
    const fixed = await fixFindings(opened.value, chosen, {
      tiers,
      run,
      time,
      dryRun: isSet(options, "dry-run"),
    });
    if (!fixed.ok) return decline(terminal, "fix", fixed.refusal);
    return answer(call, checked.value, fixed.value);
  } finally {
    await opened.value.reader.close();
  }
}

/** Certain edits are made; likely ones, and edits of what instructs agents, when somebody agrees; the others are left. */
async function choose({ options, terminal }: Call, report: CheckReport): Promise<CheckReport> {
  const most = numberOf(options, "limit") ?? Number.POSITIVE_INFINITY;
  const findings: ReportedFinding[] = [];
  let taken = 0;
  for (const finding of report.findings) {
    const wanted = taken < most && finding.edits.length > 0 && (await isWanted(finding));
    if (wanted) taken++;
    findings.push(wanted ? finding : { ...finding, edits: [] });
  }
  return { ...report, findings };

  async function isWanted(finding: ReportedFinding): Promise<boolean> {
    if (finding.tier === "possible") return false;
    if (isSet(options, "yes")) return true;
    const instructs = documentClass(finding.path) === "instructions";
    if (finding.tier === "certain" && !instructs) return true;
    if (terminal.json) return false;
    const warning = instructs ? "\nThis file instructs agents: the edit changes what they will do." : "";
    const answer = await terminal.ask(
      `${paintFinding(finding, { colour: false })}${warning}\nMake this edit? [y/N]`,
    );
    return answer?.toLowerCase().startsWith("y") ?? false;
  }
}

function answer({ terminal, options }: Call, report: CheckReport, fixed: Fixed): number {
  const left = report.findings.filter(({ id }) => !fixed.fixed.some((done) => done.id === id));
  const open = gating({ ...report, findings: left });
  const diff = fixed.applied?.diff ?? "";
  const run = fixed.record?.id;
  if (terminal.json)
    terminal.printJson({
      success: open.length === 0,
      base: report.base,
      head: report.head,
      fixed: fixed.fixed,
      left,
      unknown: report.unknown,
      diff,
      ...(run === undefined ? {} : { run, entry: fixed.applied?.entry?.id }),
      ...(isSet(options, "dry-run") ? { dryRun: true } : {}),
    });
  else {
    if (diff !== "") terminal.printPainted(paintDiff(diff, terminal));
    for (const finding of fixed.fixed)
      terminal.print(`✓ ${finding.path}:${finding.startLine} ${finding.message}`);
    for (const finding of open) terminal.printPainted(paintFinding(finding, terminal));
  }
  terminal.remark(summary(fixed, open.length, isSet(options, "dry-run")));
  if (run !== undefined) terminal.remark(`Take it back with: suture undo ${run}`);
  if (open.some(({ tier, edits }) => tier === "likely" && edits.length > 0))
    terminal.remark("`suture fix --yes` makes the likely edits too.");
  return open.length > 0 ? exit.refused : report.unknown.length > 0 ? exit.failed : exit.done;
}

function summary({ fixed }: Fixed, open: number, dryRun: boolean): string {
  const done = `${plural(fixed.length, "passage")} ${dryRun ? "would be" : fixed.length === 1 ? "was" : "were"} made true`;
  return open === 0 ? done : `${done}, ${open} left for a person`;
}

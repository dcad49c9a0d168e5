import { rememberCheck } from "../../docs/remember-check.ts";
import { gating, printAnnotations, printMarkdown, summaryOf, toSarif } from "../../wording/print-findings.ts";
import { atSite, check, decline, paintFinding, ranging, type Site } from "../check-repository.ts";
import { type Call, type Command, exit, isSet } from "../command.ts";
import { misuse } from "../usage-error.ts";
import { version } from "../version.ts";

export const command: Command = {
  name: "check",
  group: "documentation",
  summary: "find the passages that a change made false",
  usage: ["[--base REV]", "--all"],
  operands: [0, 0],
  options: [
    ...ranging,
    {
      name: "all",
      text: "look at everything as it stands: links, paths, tasks and flags that are not there",
    },
    { name: "sarif", text: "print SARIF for code scanning" },
    { name: "github", text: "print GitHub annotations" },
    { name: "markdown", text: "print Markdown for a pull request" },
    { name: "no-strict", text: "report, and end with 0 all the same" },
  ],
  examples: [
    ["what this branch made false", "suture check"],
    ["what the last commit made false", "suture check --base HEAD~1"],
    ["before you commit", "suture check --staged"],
    ["without a change: what leads nowhere", "suture check --all"],
    ["for a program", "suture check --base origin/main --json"],
  ],
  run,
};

async function run(call: Call): Promise<number> {
  const formats = ["json", "sarif", "github", "markdown"].filter((name) => isSet(call.options, name));
  if (formats.length > 1)
    return misuse(call.terminal, `--${formats[0]} and --${formats[1]} exclude each other`);
  const ranged = ranging.find(({ name }) => isSet(call.options, name));
  if (isSet(call.options, "all") && ranged)
    return misuse(call.terminal, `--all and --${ranged.name} exclude each other`);
  return atSite(call, "check", (site) => checkAt(call, site));
}

async function checkAt({ options, terminal }: Call, site: Site): Promise<number> {
  const checked = await check(site, options);
  if (!checked.ok) return decline(terminal, "check", checked.refusal);
  const report = checked.value;
  await rememberCheck(site, report);
  if (terminal.json) terminal.printJson(report);
  else if (isSet(options, "sarif"))
    terminal.printExactly(`${JSON.stringify(toSarif(report, version), null, 2)}\n`);
  else if (isSet(options, "github")) terminal.printExactly(printAnnotations(report));
  else if (isSet(options, "markdown")) terminal.printExactly(printMarkdown(report));
  else for (const finding of report.findings) terminal.printPainted(`${paintFinding(finding, terminal)}\n`);
  const range = isSet(options, "all") ? [report.head] : [report.base, report.head];
  terminal.remark(`${summaryOf(report)} (${range.map((end) => end.slice(0, 12)).join("..")})`);
  for (const { path, why } of report.unknown) terminal.remark(`not looked at: ${path}: ${why}`);
  if (gating(report).some(({ edits }) => edits.length > 0))
    terminal.remark("`suture fix` makes these edits.");
  if (gating(report).length > 0) return isSet(options, "no-strict") ? exit.done : exit.refused;
  return report.unknown.length > 0 ? exit.failed : exit.done;
}

import { type CheckReport, checkAll, checkDrift, type ReportedFinding } from "../docs/check.ts";
import { configPath, narrowReport, parseConfig } from "../docs/config.ts";
import { rememberGit } from "../docs/remembered-git.ts";
import type { Outcome, Refusal } from "../text/model/outcome.ts";
import { refused, textOf as textOfResult } from "../wording/report.ts";
import { type Git, openGit } from "../workspace/git/git.ts";
import { openReader, type Reader } from "../workspace/workspace.ts";
import { type Call, exit, isSet, type Option, type Options, textOf } from "./command.ts";
import { paint } from "./paint.ts";
import { type Terminal, visible } from "./terminal.ts";

/** Options that say which change is meant. */
export const ranging: readonly Option[] = [
  {
    name: "base",
    short: "b",
    value: "REV",
    text: "compare with this revision (where the branch left the main one)",
  },
  { name: "head", value: "REV", text: "the revision that has the change (the work tree)" },
  { name: "staged", text: "look at what is staged, compared with the last commit" },
];

/** The repository of a call, and what its options ask of it. */
export type Site = { readonly git: Git | null; readonly reader: Reader | null; readonly root: string };

async function openSite(options: Options): Promise<Outcome<Site>> {
  const folder = textOf(options, "root") ?? ".";
  const git = await openGit(folder);
  const root = git?.top ?? folder;
  if (git?.isBare) return { ok: true, value: { git, reader: null, root } };
  const reader = await openReader(root, {});
  return reader.ok ? { ok: true, value: { git, reader: reader.value, root } } : reader;
}

/** Checks what the options name, as the project's configuration wants it. */
export async function check(site: Site, options: Options): Promise<Outcome<CheckReport>> {
  const { reader } = site;
  const git = site.git && rememberGit(site.git);
  const range = {
    base: textOf(options, "base"),
    head: textOf(options, "head"),
    staged: isSet(options, "staged"),
    comments: async (base: string, head: string) => {
      const text = await readConfig(git, reader, { base, head });
      const config = text === null ? null : parseConfig(text);
      return config?.ok ? (config.value.docs?.comments ?? false) : false;
    },
  };
  const report = isSet(options, "all") ? await checkAll(git, reader) : await checkDrift(git, reader, range);
  if (!report.ok) return report;
  const text = await readConfig(git, reader, report.value);
  if (text === null) return report;
  const config = parseConfig(text);
  return config.ok ? { ok: true, value: narrowReport(report.value, config.value) } : config;
}

/** In CI the configuration is the base's: a change must not silence the check of itself. */
async function readConfig(
  git: Git | null,
  reader: Reader | null,
  { base, head }: Pick<CheckReport, "base" | "head">,
): Promise<string | null> {
  const fromBase = process.env.CI !== undefined && process.env.CI !== "" && process.env.CI !== "false";
  if (!fromBase && reader && (head === "worktree" || head === "index")) {
    const read = await reader.read(configPath);
    return read.ok ? read.value.text : null;
  }
  const revision = fromBase || head === "worktree" || head === "index" ? base : head;
  const file = (await git?.tree(revision))?.find(({ path }) => path === configPath);
  const bytes = file && (await git?.blobs([file.id]))?.get(file.id);
  return bytes ? new TextDecoder().decode(bytes) : null;
}

/** Says why nothing could be told, and answers with the exit code for it. */
export function decline(terminal: Terminal, tool: string, refusal: Refusal): number {
  const result = refused(refusal, { tool, wording: "files" });
  if (terminal.json) terminal.printJson(result);
  else terminal.complain(`suture: ${textOfResult(result)}`);
  if (["unavailable", "locked", "closed"].includes(refusal.code)) return exit.failed;
  return refusal.code === "malformed" ? exit.misused : exit.refused;
}

/** One finding for a person: place, tier, why, and the edit. */
export function paintFinding(finding: ReportedFinding, { colour }: { colour: boolean }): string {
  const style = finding.tier === "certain" ? "red" : finding.tier === "likely" ? "yellow" : "dim";
  const place = paint(`${visible(finding.path)}:${finding.startLine}`, "bold", { colour });
  const tier = paint(finding.tier, style, { colour });
  const lines = [`${place} ${tier} ${visible(finding.message)}`];
  for (const { old_string, new_string } of finding.edits) {
    lines.push(...old_string.split("\n").map((line) => paint(`  - ${visible(line)}`, "red", { colour })));
    if (new_string !== "")
      lines.push(...new_string.split("\n").map((line) => paint(`  + ${visible(line)}`, "green", { colour })));
  }
  for (const { path, startLine, before, after } of finding.evidence.slice(0, 1)) {
    if (before === undefined && after === undefined) continue;
    lines.push(paint(`    ${visible(path)}:${startLine}`, "cyan", { colour }));
    if (before !== undefined) lines.push(paint(`      before  ${visible(before.trim())}`, "dim", { colour }));
    if (after !== undefined) lines.push(paint(`      after   ${visible(after.trim())}`, "dim", { colour }));
  }
  return lines.join("\n");
}

async function closeSite({ reader }: Site): Promise<void> {
  await reader?.close();
}

/** A command over a repository: opens it, does the work, closes it. */
export async function atSite(
  call: Call,
  tool: string,
  work: (site: Site) => Promise<number>,
): Promise<number> {
  const site = await openSite(call.options);
  if (!site.ok) return decline(call.terminal, tool, site.refusal);
  try {
    return await work(site.value);
  } finally {
    await closeSite(site.value);
  }
}

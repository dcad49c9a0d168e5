import type { Range } from "../docs/check/range.ts";
import { openNamedProject } from "../docs/named-project.ts";
import { onlyPages } from "../docs/only-pages.ts";
import type { Project } from "../docs/project.ts";
import type { Refusal } from "../text/model/outcome.ts";
import { docsWords } from "../wording/drift.ts";
import { exitCodeOf } from "../wording/exit-code.ts";
import { refused, textOf as textOfResult } from "../wording/report.ts";
import { type Call, isSet, type Option, type Options, textOf } from "./command.ts";
import type { Terminal } from "./terminal/terminal.ts";

/** Options that name the change to look at. */
export const rangeOptions: readonly Option[] = [
  {
    name: "base",
    short: "b",
    value: "REV",
    text: "compare with this revision (where the branch left the main one)",
  },
  { name: "head", value: "REV", text: "the revision that has the change (the work tree)" },
  { name: "staged", text: "look at what is staged, compared with the last commit" },
];

/** The option that names documents in another repository. */
export const docsOption: Option = {
  name: "docs",
  value: "DIR",
  text: "check the pages of another clone, or of this folder, against the change of this one",
};

/** The change that the options name. */
export function rangeOf(options: Options): Range | "all" {
  if (isSet(options, "all")) return "all";
  return { base: textOf(options, "base"), head: textOf(options, "head"), staged: isSet(options, "staged") };
}

/** Opens the project, does the work, and closes it. With `paths`, the work is about these pages only. */
export async function withProject(
  { options, terminal }: Call,
  tool: string,
  work: (project: Project) => Promise<number>,
  { paths = [] }: { readonly paths?: readonly string[] } = {},
): Promise<number> {
  const root = textOf(options, "root") ?? ".";
  const docs = textOf(options, "docs");
  const opened = await openNamedProject({
    root,
    docs,
    ask: async (code, pages) =>
      !terminal.json && /^y(?:es)?$/i.test((await terminal.ask(docsWords.askCode(code, pages))) ?? ""),
  });
  if (!opened.ok) return decline(terminal, tool, opened.refusal);
  await using project = opened.value;
  const narrowed = onlyPages(project, paths, docs ?? root);
  if (!narrowed.ok) return decline(terminal, tool, narrowed.refusal);
  return await work(narrowed.value);
}

/** Prints a refusal, and returns its exit code. */
export function decline(terminal: Terminal, tool: string, refusal: Refusal): number {
  const result = refused(refusal, { tool, wording: "files" });
  if (terminal.json) terminal.printJson(result);
  else terminal.complain(`suture: ${textOfResult(result)}`);
  return exitCodeOf(refusal);
}

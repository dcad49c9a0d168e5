import type { AgentRun } from "../../../agents/run/agent-run.ts";
import { fixWords } from "../../../wording/fix.ts";
import { plural } from "../../../wording/sentences.ts";
import { usageLine } from "../../../wording/usage-line.ts";
import { type Call, type Command, exit, isSet, numberOf, textOf } from "../../command.ts";
import { explain, modelOptions, stepsOf, withAgentRun } from "../../with-models.ts";

export const command: Command = {
  name: "documentation",
  group: "documentation",
  summary: "plan the pages of a project, and update or write them with a model",
  usage: [""],
  operands: [0, 0],
  options: [
    { name: "output-dir", short: "o", value: "DIR", text: "where pages live (docs)" },
    { name: "force", short: "f", text: "write every page from scratch" },
    { name: "dry-run", short: "n", text: "show every patch and write nothing" },
    { name: "limit", value: "N", integer: true, text: "the most pages to write" },
    { name: "base", value: "REF", text: "compare from this revision (where the pages were last true)" },
    { name: "max-tokens", value: "N", integer: true, text: "longest answer of the model (4000)" },
    { name: "no-review", text: "do not ask a second model to review a draft" },
    ...modelOptions,
  ],
  examples: [
    ["bring the pages up to date", "suture documentation --model anthropic:claude-sonnet-4-5"],
    ["see what would change", "suture documentation --dry-run"],
    ["write them all from scratch", "suture documentation --force"],
  ],
  run: (call) => documentation(call, "documentation", trimmed(textOf(call.options, "output-dir") ?? "docs")),
};

function trimmed(folder: string): string {
  return folder.replace(/^(?:\.\/)+/, "").replace(/\/+$/, "");
}

/** Pages from their sources: the work behind `documentation` and `readme`. */
export async function documentation(
  call: Call,
  name: "documentation" | "readme",
  output?: string,
): Promise<number> {
  const { options, terminal } = call;
  const dryRun = isSet(options, "dry-run");
  const how = { readOnly: dryRun, review: !isSet(options, "no-review") };
  return withAgentRun(
    call,
    async ({ run }) => {
      const { runDocumentation } = await import("../../../agents/documentation/documentation.ts");
      const done = await runDocumentation(run, {
        command: name,
        output: output ?? (await readmeOf(run)),
        force: isSet(options, "force"),
        dryRun,
        limit: numberOf(options, "limit"),
        base: textOf(options, "base"),
        maxSteps: stepsOf(call),
        maxTokens: numberOf(options, "max-tokens"),
      });
      if (!done.ok) return explain(call, done.refusal, run);
      const result = done.value;
      if (terminal.json) terminal.printJson(result);
      else showPages(call, result);
      if (result.pages.some(({ article }) => article.entries?.length))
        terminal.remark(fixWords.takeBack(result.run, {}));
      const drafts = result.pages.filter(({ article }) => article.draft !== undefined).length;
      if (drafts > 0 && !dryRun) terminal.remark(fixWords.refusedDrafts(drafts, result.run));
      return result.left.length > 0 ? exit.refused : exit.done;
    },
    how,
  );
}

/** The README at the top of the project, however it is spelled; a new one is `README.md`. */
async function readmeOf({ context }: AgentRun): Promise<string> {
  const { findReadme } = await import("../../../agents/context/project-brief.ts");
  const listed = await context.reader.list();
  return (listed.ok ? findReadme(listed.value.paths) : null) ?? "README.md";
}

type DocumentationRun = Extract<
  Awaited<ReturnType<typeof import("../../../agents/documentation/documentation.ts").runDocumentation>>,
  { ok: true }
>["value"];

function showPages({ terminal }: Call, result: DocumentationRun): void {
  const { skipped, pages, left, howTo, usage, dryRun } = result;
  if (skipped !== undefined) {
    terminal.print(
      `Nothing to do: ${skipped}. Pass --base REV to look at an older change, or --force to write the pages from scratch.`,
    );
    return;
  }
  for (const { path, status, summary, patch } of pages) {
    terminal.print(`${status.padEnd(9)} ${path}${summary === "" ? "" : `: ${summary.split("\n", 1)[0]}`}`);
    if (dryRun && patch) terminal.print(patch);
  }
  // The risks of a draft that was not written are in its record.
  for (const { article } of pages.filter(({ status }) => status !== "failed" && status !== "refused"))
    for (const risk of article.risks ?? []) terminal.print(fixWords.lookAt(risk));
  if (left.length > 0)
    terminal.print(["", "Left to do:", ...left.map(({ path, why }) => `  ${path}: ${why}`)].join("\n"));
  if (howTo !== undefined)
    terminal.print(`${left.length === 0 ? "No page is known to be out of date; " : ""}${howTo}`);
  else
    terminal.print(
      `\n${plural(pages.length, "page")}, ${usageLine(usage)}${dryRun ? "; nothing was written" : `; run ${result.run}`}`,
    );
}

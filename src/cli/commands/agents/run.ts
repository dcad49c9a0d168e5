import type { ConflictDecision, TaskResult } from "../../../agents/goal/do-task.ts";
import type { GoalOptions, GoalResult } from "../../../agents/goal/run-goal.ts";
import type { Task, TaskPlan } from "../../../agents/goal/task.ts";
import type { OpenAgentRun } from "../../../agents/run/open-agent-run.ts";
import { type Mode, modes } from "../../../tools/tool.ts";
import { goalWords } from "../../../wording/agents.ts";
import { fixWords } from "../../../wording/fix.ts";
import { usageLine } from "../../../wording/usage-line.ts";
import { type Call, type Command, exit, isSet, textOf } from "../../command.ts";
import { paintDiff } from "../../terminal/paint.ts";
import { explain, modelOptions, stepsOf, withAgentRun } from "../../with-models.ts";

export const command: Command = {
  name: "run",
  group: "documentation",
  summary: "plan a goal as tasks and do them, each with the tools of its mode",
  usage: ["GOAL"],
  operands: [1, 1],
  options: [
    { name: "plan", text: "show the tasks and do none" },
    { name: "yes", short: "y", text: "do a plan that writes without asking" },
    { name: "mode", value: "M", choices: modes, text: "one mode for every task; `analyze` changes nothing" },
    {
      name: "on-conflict",
      value: "WHAT",
      choices: ["ask", "skip", "force", "manual"],
      text: "when two tasks want the same lines (ask)",
    },
    { name: "force", text: "the same as --on-conflict force" },
    {
      name: "may-write",
      value: "GLOBS",
      text: "files that tasks may write although the goal does not name them, with commas between",
    },
    {
      name: "consent",
      value: "LIST",
      text: "sensitive files that tasks may write: manifests, locks, ci, build, settings, …, all, or globs",
    },
    ...modelOptions.map((one) =>
      one.name === "max-steps" ? { ...one, text: "round trips to the model for each task (12)" } : one,
    ),
  ],
  examples: [
    ["findings, and no change", 'suture run "Analyze src/parser.ts and suggest improvements"'],
    ["see the tasks first", 'suture run --plan "Rename the option colour to color everywhere"'],
  ],
  run,
};

type Conflict = Parameters<GoalOptions["onConflict"]>[0];

async function run(call: Call): Promise<number> {
  const mode = textOf(call.options, "mode") as Mode | undefined;
  const readOnly = isSet(call.options, "plan") || mode === "analyze" || mode === "research";
  const { consentOf } = await import("../../run-tool.ts");
  const { force: _, ...options } = call.options;
  const consent = consentOf(options);
  if (!consent.ok) return explain(call, consent.refusal);
  return withAgentRun(call, (opened) => pursue(call, opened, mode), {
    readOnly,
    review: false,
    ...consent.value,
  });
}

async function pursue(call: Call, { run, settings }: OpenAgentRun, mode: Mode | undefined): Promise<number> {
  const { options, operands, terminal } = call;
  const { runGoal } = await import("../../../agents/goal/run-goal.ts");
  const done = await runGoal(run, {
    goal: operands[0]!,
    planOnly: isSet(options, "plan"),
    mode,
    maxSteps: stepsOf(call),
    commands: settings.commands,
    mayWrite: globsOf(textOf(options, "may-write")),
    confirm: (plan, more) => (isSet(options, "yes") ? confirmMore(call, more) : confirm(call, plan, more)),
    onConflict: (conflict) => decide(call, conflict),
  });
  if (!done.ok) return explain(call, done.refusal, run);
  const result = done.value;
  if (terminal.json) terminal.printJson(result);
  else showGoal(call, result);
  if (result.audit?.articles.some(({ entries = [] }) => entries.length > 0))
    terminal.remark(fixWords.takeBack(result.run, {}));
  if (result.unmet !== undefined) terminal.complain(result.unmet);
  if (result.howTo !== undefined || result.declined || result.unmet !== undefined) return exit.refused;
  return result.results.every(({ status }) => status === "done") ? exit.done : exit.refused;
}

function globsOf(list: string | undefined): string[] {
  return (list ?? "").split(",").flatMap((part) => part.trim() || []);
}

/** Shows a plan that writes and asks about it. Without a person to answer, nothing is written. */
async function confirm({ terminal }: Call, plan: TaskPlan, more: readonly string[]): Promise<boolean> {
  if (!terminal.json) for (const task of plan.tasks) terminal.print(describeTask(task));
  if (more.length > 0) terminal.remark(goalWords.more(more));
  const answer = terminal.json ? undefined : await terminal.ask("Do these tasks? [y/N]");
  if (answer === undefined) terminal.remark("Nothing was written: pass --yes to do a plan that writes.");
  return answer?.toLowerCase().startsWith("y") ?? false;
}

/** Asks once about the files that the goal does not name. Without a person to answer, nothing is written. */
async function confirmMore({ terminal }: Call, more: readonly string[]): Promise<boolean> {
  if (more.length === 0) return true;
  terminal.remark(goalWords.more(more));
  const answer = terminal.json ? undefined : await terminal.ask(goalWords.askMore);
  if (answer === undefined) terminal.remark(goalWords.howToAllow(more));
  return answer?.toLowerCase().startsWith("y") ?? false;
}

/** Shows both edits and asks. Without a person to answer, the second edit is left out. */
async function decide(
  { options, terminal }: Call,
  { task, path, refusal, attempted }: Conflict,
): Promise<ConflictDecision> {
  const { refused, textOf: words } = await import("../../../wording/report.ts");
  const fixed = isSet(options, "force") ? "force" : (textOf(options, "on-conflict") ?? "ask");
  const shown = words(refused(refusal, { tool: task, wording: "files", path }));
  terminal.complain(`Task ${task}: ${shown}\nIts own edit:\n${attempted}`);
  if (fixed !== "ask") return fixed as ConflictDecision;
  const answer = terminal.json
    ? undefined
    : await terminal.ask("[s]kip it, [f]orce it, or leave it to resolve by [h]and? [s]");
  if (answer?.startsWith("f")) return "force";
  return answer?.startsWith("h") ? "manual" : "skip";
}

function describeTask({ id, mode, description, targets, dependsOn }: Task): string {
  const on = targets.length > 0 ? ` on ${targets.join(", ")}` : "";
  const after = dependsOn.length > 0 ? ` after ${dependsOn.join(", ")}` : "";
  return `${id} (${mode})${on}${after}: ${description}`;
}

function showGoal(
  { terminal }: Call,
  { plan, results, usage, run: name, howTo, declined, audit }: GoalResult,
): void {
  if (howTo !== undefined) {
    terminal.print(`The goal is left as it is: ${howTo}`);
    return;
  }
  for (const note of plan.notes) terminal.remark(`Note: ${note}`);
  if (results.length === 0) {
    if (!declined) for (const task of plan.tasks) terminal.print(describeTask(task));
    return;
  }
  for (const result of results) showTask(terminal.print, result);
  for (const { patch } of audit?.articles ?? []) if (patch) terminal.printPainted(paintDiff(patch, terminal));
  terminal.print(
    `\n${results.filter(({ status }) => status === "done").length} of ${results.length} tasks done; ${usageLine(usage)}; run ${name}`,
  );
}

function showTask(
  print: (text: string) => void,
  { task, status, summary, findings, error, risks }: TaskResult,
): void {
  print(`${status.padEnd(7)} ${task.id} (${task.mode}): ${(error ?? summary).split("\n", 1)[0]}`);
  for (const { path, line, severity, message, suggestion } of findings)
    print(
      `  ${severity} ${path ?? ""}${line === undefined ? "" : `:${line}`} ${message}${suggestion === undefined ? "" : ` → ${suggestion}`}`,
    );
  for (const { what, detail } of risks) print(`  look at: ${what}: ${detail}`);
}

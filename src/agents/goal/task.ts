import { z } from "zod";
import { type Mode, modes } from "../../tools/tool.ts";
import { goalText } from "../../wording/agents.ts";
import { asksForChange } from "./asks-for-change.ts";

/** One part of a goal: what to do, in which mode, on which files, and after which tasks. */
export type Task = {
  readonly id: string;
  readonly description: string;
  readonly mode: Mode;
  readonly targets: readonly string[];
  readonly dependsOn: readonly string[];
  readonly command?: readonly string[];
};

export type TaskPlan = {
  readonly tasks: readonly Task[];
  /** The changes that code made to the planner's proposal, and why. */
  readonly notes: readonly string[];
};

const taskSchema = z.object({
  id: z.string().min(1).max(60),
  description: z.string().min(1),
  mode: z.preprocess(
    (mode) => (typeof mode === "string" ? mode.toLowerCase() : mode),
    z.enum(modes as [Mode, ...Mode[]]),
  ),
  targets: z.array(z.string()).default([]),
  dependsOn: z.array(z.string()).default([]),
  command: z.array(z.string()).optional(),
});

/** The answer of a planner. Some models write the list alone. */
export const planSchema = z.preprocess(
  (plan) => (Array.isArray(plan) && plan.length > 0 ? { tasks: plan } : plan),
  z.object({ tasks: z.array(taskSchema).max(50) }),
);

const maxTasks = 12;

/**
 * Checks the planner's proposal. A goal that asks for no change never becomes a task that writes; paths stay inside
 * the folder; ids are unique; and no task depends on itself.
 */
export function checkTasks(
  planned: z.infer<typeof planSchema>,
  goal: string,
  options: { readonly mode?: Mode | undefined } = {},
): TaskPlan {
  const notes: string[] = [];
  const tasks: Task[] = [];
  const choice = { mode: options.mode, looking: options.mode === undefined && !asksForChange(goal) };
  for (const proposed of planned.tasks.slice(0, maxTasks)) {
    const id = tidyName(proposed.id);
    if (id === "" || tasks.some((task) => task.id === id)) notes.push(goalText.secondTask(proposed.id));
    else {
      const checked = checkTask({ ...proposed, id }, tasks, choice);
      tasks.push(checked.task);
      notes.push(...checked.notes);
    }
  }
  const dropped = planned.tasks.length - maxTasks;
  if (dropped > 0) notes.push(goalText.tooMany(dropped, maxTasks));
  return { tasks, notes };
}

type ProposedTask = z.infer<typeof planSchema>["tasks"][number];

function checkTask(
  proposed: ProposedTask,
  before: readonly Task[],
  choice: { readonly mode: Mode | undefined; readonly looking: boolean },
): { readonly task: Task; readonly notes: readonly string[] } {
  const { id, description, command } = proposed;
  const notes: string[] = [];
  const mode = choice.mode ?? (choice.looking && writes(proposed.mode) ? "analyze" : proposed.mode);
  if (mode !== proposed.mode) {
    const why = choice.looking ? goalText.onlyLooks : "";
    notes.push(`${goalText.otherMode(id, mode, proposed.mode)}${why}`);
  }
  const targets = proposed.targets.filter(isInside);
  if (targets.length < proposed.targets.length) notes.push(goalText.pathsDropped(id));
  // A task may depend only on earlier tasks of the list, so no cycle can form.
  const dependsOn = proposed.dependsOn
    .map(tidyName)
    .filter((other) => before.some((task) => task.id === other));
  const task = { id, description, mode, targets, dependsOn };
  return { task: mode === "execute" && command ? { ...task, command } : task, notes };
}

/** Whether tasks of a mode write files or run commands. */
export function writes(mode: Mode): boolean {
  return mode === "generate" || mode === "modify" || mode === "execute";
}

function isInside(path: string): boolean {
  if (path === "" || path.startsWith("/") || path.includes("\\") || /^[a-z]:/i.test(path)) return false;
  return !path.split("/").includes("..");
}

function tidyName(name: string): string {
  return name.replace(/[^\w.-]+/g, "-").slice(0, 60);
}

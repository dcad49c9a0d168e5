import { z } from "zod";
import { type Mode, modes } from "../../tools/tool.ts";
import { goalText } from "../../wording/agents.ts";
import { type Goal, readGoal } from "./read-goal.ts";
import { type Covers, scopeOf } from "./writable.ts";

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
  /** The tasks that were to write and may only look, because the goal plainly asks to look. */
  readonly demoted: readonly string[];
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
 * Checks the planner's proposal. The planner decides what each task may do, except that a goal that plainly asks to
 * look never becomes a task that writes. Files that the goal wants left alone are no targets; paths stay inside the
 * folder; ids are unique; and no task depends on itself.
 */
export function checkTasks(
  planned: z.infer<typeof planSchema>,
  goal: string,
  options: { readonly mode?: Mode | undefined } = {},
): TaskPlan {
  const notes: string[] = [];
  const tasks: Task[] = [];
  const demoted: string[] = [];
  const person = { mode: options.mode, asks: readGoal(goal).asks, forbids: scopeOf(goal).forbids };
  for (const proposed of planned.tasks.slice(0, maxTasks)) {
    const id = tidyName(proposed.id);
    if (id === "" || tasks.some((task) => task.id === id)) {
      notes.push(goalText.secondTask(proposed.id));
      continue;
    }
    const mode = modeOf(proposed.mode, person);
    if (mode !== proposed.mode) notes.push(goalText.otherMode(id, mode, proposed.mode));
    if (mode !== proposed.mode && person.mode === undefined) demoted.push(id);
    const checked = checkTask({ ...proposed, id, mode }, tasks, person.forbids);
    if (checked.task) tasks.push(checked.task);
    notes.push(...checked.notes);
  }
  const dropped = planned.tasks.length - maxTasks;
  if (dropped > 0) notes.push(goalText.tooMany(dropped, maxTasks));
  return { tasks, notes, demoted };
}

type ProposedTask = z.infer<typeof planSchema>["tasks"][number];

function modeOf(proposed: Mode, person: { readonly mode: Mode | undefined } & Pick<Goal, "asks">): Mode {
  return person.mode ?? (person.asks === "look" && writes(proposed) ? "analyze" : proposed);
}

/** `task` is absent where nothing is left that the task might write. */
function checkTask(
  { id, description, mode, targets, dependsOn, command }: ProposedTask,
  before: readonly Task[],
  forbids: Covers,
): { readonly task?: Task; readonly notes: readonly string[] } {
  const notes: string[] = [];
  const inside = targets.filter(isInside);
  if (inside.length < targets.length) notes.push(goalText.pathsDropped(id));
  const mayEdit = mode === "modify" || mode === "generate";
  const forbidden = mayEdit ? inside.filter(forbids) : [];
  if (forbidden.length > 0) notes.push(goalText.leftAlone(id, forbidden));
  const allowed = inside.filter((path) => !forbidden.includes(path));
  if (forbidden.length > 0 && allowed.length === 0) return { notes: [...notes, goalText.nothingToWrite(id)] };
  // A task may depend only on earlier tasks of the list, so no cycle can form.
  const earlier = dependsOn.map(tidyName).filter((other) => before.some((task) => task.id === other));
  const task = { id, description, mode, targets: allowed, dependsOn: earlier };
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

import { z } from "zod";
import { type Mode, modes } from "../../tools/tool.ts";

/** One piece of a goal: what to do, how far it may go, on which files, and after what. */
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
  /** What code changed about the planner's plan, and why. */
  readonly notes: readonly string[];
};

export const planSchema = z.object({
  tasks: z
    .array(
      z.object({
        id: z.string().min(1).max(60),
        description: z.string().min(1),
        mode: z.enum(modes as [Mode, ...Mode[]]),
        targets: z.array(z.string()).default([]),
        dependsOn: z.array(z.string()).default([]),
        command: z.array(z.string()).optional(),
      }),
    )
    .max(50),
});

const mostTasks = 12;

/**
 * The planner proposes; this decides. A goal that only asks to look is never planned as writing, whatever the
 * planner made of it; paths stay inside; names are unique; and no task waits for itself.
 */
export function checkTasks(
  planned: z.infer<typeof planSchema>,
  goal: string,
  options: { readonly mode?: Mode | undefined } = {},
): TaskPlan {
  const notes: string[] = [];
  const looking = options.mode === undefined && onlyAsksToLook(goal);
  const tasks: Task[] = [];
  for (const proposed of planned.tasks.slice(0, mostTasks)) {
    const id = tidyName(proposed.id);
    if (id === "" || tasks.some((task) => task.id === id)) {
      notes.push(`a second task called ${JSON.stringify(proposed.id)} was left out`);
      continue;
    }
    const mode = options.mode ?? (looking && writes(proposed.mode) ? "analyze" : proposed.mode);
    if (mode !== proposed.mode)
      notes.push(
        `${id}: ${mode} instead of ${proposed.mode}${looking ? ", because the goal asks to look and not to change" : ""}`,
      );
    const targets = proposed.targets.filter(isInside);
    if (targets.length < proposed.targets.length)
      notes.push(`${id}: paths that leave the folder were dropped`);
    // Tasks may only wait for those before them in the list, so no circle can form.
    const dependsOn = proposed.dependsOn
      .map(tidyName)
      .filter((other) => tasks.some((task) => task.id === other));
    tasks.push({
      id,
      description: proposed.description,
      mode,
      targets,
      dependsOn,
      ...(mode === "execute" && proposed.command ? { command: proposed.command } : {}),
    });
  }
  if (planned.tasks.length > mostTasks)
    notes.push(`${planned.tasks.length - mostTasks} tasks over the limit of ${mostTasks} were left out`);
  return { tasks, notes };
}

function writes(mode: Mode): boolean {
  return mode === "generate" || mode === "modify" || mode === "execute";
}

const look =
  /\b(analy[sz]e|review|audit|inspect|explain|assess|evaluate|suggest|recommend|report|summari[sz]e|describe|list|find|check|look)\b/i;
const change =
  /\b(fix|change|update|edit|modify|rename|add|remove|delete|implement|refactor|rewrite|write|create|generate|replace|apply|make|insert|move|document|translate|upgrade|bump|correct|convert|migrate|run|execute)\b/i;

/** "Analyze X and suggest improvements" asks for findings. A goal that also says to change something does not. */
export function onlyAsksToLook(goal: string): boolean {
  return look.test(goal) && !change.test(goal.replace(/[\w./-]+\.\w+|[\w-]+\/[\w./-]+/g, ""));
}

function isInside(path: string): boolean {
  if (path === "" || path.startsWith("/") || path.includes("\\") || /^[a-z]:/i.test(path)) return false;
  return !path.split("/").includes("..");
}

function tidyName(name: string): string {
  return name.replace(/[^\w.-]+/g, "-").slice(0, 60);
}

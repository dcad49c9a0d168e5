import { goalText } from "../../wording/agents.ts";
import type { AgentRun } from "../run/agent-run.ts";
import type { EarlierResult, TaskResult } from "./do-task.ts";
import type { Task } from "./task.ts";

export type TaskWorker = (task: Task, earlier: readonly EarlierResult[]) => Promise<TaskResult>;

const tasksAtOnce = 3;

/** Runs each task once the tasks it depends on are done. A task that depends on a failed one is skipped. */
export function runTasks(tasks: readonly Task[], work: TaskWorker, run: AgentRun): Promise<TaskResult[]> {
  return new TaskScheduler(tasks, work, run).runAll();
}

class TaskScheduler {
  readonly #tasks: readonly Task[];
  readonly #work: TaskWorker;
  readonly #run: AgentRun;
  readonly #results = new Map<string, TaskResult>();
  readonly #running = new Map<string, Promise<void>>();
  #waiting: readonly Task[];

  constructor(tasks: readonly Task[], work: TaskWorker, run: AgentRun) {
    this.#tasks = tasks;
    this.#waiting = tasks;
    this.#work = work;
    this.#run = run;
  }

  async runAll(): Promise<TaskResult[]> {
    while (this.#waiting.length > 0 || this.#running.size > 0) {
      this.#startReady();
      if (this.#running.size > 0) await Promise.race(this.#running.values());
    }
    return this.#tasks.flatMap(({ id }) => this.#results.get(id) ?? []);
  }

  #startReady(): void {
    for (const task of this.#waiting) {
      const earlier = task.dependsOn.flatMap((id) => this.#results.get(id) ?? []);
      if (earlier.length < task.dependsOn.length) continue;
      const failed = earlier.some(({ status }) => status !== "done");
      if (!failed && this.#running.size >= tasksAtOnce) break;
      this.#waiting = this.#waiting.filter((each) => each !== task);
      if (failed) this.#results.set(task.id, skippedTask(task, goalText.dependencyFailed));
      else this.#start(task, earlier);
    }
  }

  #start(task: Task, earlier: readonly TaskResult[]): void {
    const found = earlier.map((result) => ({ task: result.task.id, text: textOf(result) }));
    const done = this.#work(task, found).then((result) => {
      this.#results.set(task.id, result);
      this.#running.delete(task.id);
      const isDone = result.status === "done";
      const text = goalText.finished(task.id, { isDone, what: result.error ?? result.summary });
      this.#run.report({ kind: isDone ? "done" : "failed", subject: task.id, text });
    });
    this.#running.set(task.id, done);
  }
}

/** A task that did nothing. */
export function skippedTask(task: Task, error: string): TaskResult {
  return {
    task,
    status: "skipped",
    summary: "",
    findings: [],
    entries: [],
    toolCalls: {},
    conflicts: [],
    objections: [],
    risks: [],
    error,
  };
}

function textOf({ summary, findings }: TaskResult): string {
  return [
    summary,
    ...findings.map(({ path, line, message }) => `${path ?? ""}${line ? `:${line}` : ""} ${message}`),
  ].join("\n");
}

import type { CostBudget } from "../model/budget.ts";
import { extendMetadata, type Metadata } from "../model/metadata.ts";
import type { ModelRequest } from "../model/model.ts";
import type { Prompt } from "../prompts/prompt.ts";
import { type AgentRun, metadataOf, type StepTracker, trackSteps } from "./agent-run.ts";

export const writerDefaults = { maxSteps: 5, maxOutputTokens: 4000, temperature: 0.1 } as const;

/** The parts of a run that an assignment needs. */
type Assigner = Pick<AgentRun, "id" | "budget" | "report" | "signal">;

type AssignmentDetails = {
  /** What the progress calls it. */
  readonly subject: string;
  readonly command: string;
  /** Its own budget by default; work of one page shares one. */
  readonly budget?: CostBudget;
  /** What tracing says about it. */
  readonly about?: Readonly<Record<string, string>> | undefined;
  readonly tags?: readonly string[] | undefined;
};

/**
 * One piece of work for a model, whether a page, an article, a section, a task or a question: its budget, its line in
 * the progress, and the tags of its requests.
 */
export class Assignment {
  readonly budget: CostBudget;
  readonly #run: Assigner;
  readonly #given: AssignmentDetails;
  readonly #steps: StepTracker;
  readonly #metadata: Metadata;

  constructor(run: Assigner, given: AssignmentDetails) {
    const { subject, command, budget = run.budget.child(), about = {}, tags = [] } = given;
    this.#run = run;
    this.#given = given;
    this.budget = budget;
    this.#steps = trackSteps(run, subject, budget);
    this.#metadata = extendMetadata(metadataOf(run, command), { properties: about, tags });
  }

  /** The same work, of which tracing says this too. */
  about(about: AssignmentDetails["about"], tags: AssignmentDetails["tags"]): Assignment {
    return new Assignment(this.#run, { ...this.#given, budget: this.budget, about, tags });
  }

  /** Says what is done next. */
  begin(step: string): void {
    this.#steps.begin(step);
  }

  /** A request with a writer's limits. Callers add tools, steps and other limits. */
  request(prompt: Prompt): ModelRequest {
    return {
      instructions: prompt.instructions,
      prompt: prompt.prompt,
      maxOutputTokens: writerDefaults.maxOutputTokens,
      temperature: writerDefaults.temperature,
      budget: this.budget,
      metadata: this.#metadata,
      onStep: this.#steps.answered,
      signal: this.#run.signal,
    };
  }
}

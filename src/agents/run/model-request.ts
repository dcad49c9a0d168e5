import type { CostBudget } from "../model/budget.ts";
import type { Metadata } from "../model/metadata.ts";
import type { ModelRequest } from "../model/model.ts";
import type { Prompt } from "../prompts/prompt.ts";
import type { AgentRun, StepTracker } from "./agent-run.ts";

export const writerDefaults = { maxSteps: 5, maxOutputTokens: 4000, temperature: 0.1 } as const;

/** A request with a writer's limits. Callers add tools, steps and other limits. */
export function modelRequest(
  run: AgentRun,
  given: {
    readonly prompt: Prompt;
    readonly budget: CostBudget;
    readonly steps: StepTracker;
    readonly metadata: Metadata;
  },
): ModelRequest {
  const { prompt, budget, steps, metadata } = given;
  return {
    instructions: prompt.instructions,
    prompt: prompt.prompt,
    maxOutputTokens: writerDefaults.maxOutputTokens,
    temperature: writerDefaults.temperature,
    budget,
    metadata,
    onStep: steps.answered,
    signal: run.signal,
  };
}

import { textOf } from "../../wording/report.ts";
import type { ModelRun } from "./agent-run.ts";
import { AgentTools } from "./agent-tools.ts";

/** Round trips with reading in between; the last one is for the answer. */
const readingSteps = 5;

/** Tools with which a writer looks around, and the texts that it read. Models that call no tools get none. */
export class ReadTools {
  readonly #tools: AgentTools | null;

  constructor({ models, context, redact }: ModelRun, { callsTools } = models.writer) {
    const reading = { ...context, profile: "docs", mode: "analyze" } as const;
    const only = ["read_file", "search_files"];
    this.#tools = callsTools ? new AgentTools(reading, redact, { only }) : null;
  }

  /** The fields of a request that offer them. */
  request(): { readonly tools?: AgentTools["tools"]; readonly maxSteps?: number } {
    return this.#tools === null ? {} : { tools: this.#tools.tools, maxSteps: readingSteps };
  }

  /** What the model has read so far. */
  texts(): readonly string[] {
    return (this.#tools?.results() ?? []).filter(({ success }) => success).map((result) => textOf(result));
  }
}

import type { Tool } from "ai";
import { toolsFor } from "../../docs/catalog.ts";
import type { Redact } from "../../text/match/secrets.ts";
import type { Tool as CatalogTool } from "../../tools/catalog.ts";
import { SessionMemory } from "../../tools/session-memory.ts";
import type { Context, Result } from "../../tools/tool.ts";
import { textOf } from "../../wording/report.ts";
import type { ModelRequest } from "../model/model.ts";
import { addCounts } from "./audit.ts";
import { bindTool } from "./bind-tool.ts";
import { ClosingCall } from "./closing-call.ts";

/** With these fields an agent could act for another task, or skip a person's consent. */
const withheld = ["task", "dry_run", "idempotency_key", "rewrite"];

/**
 * The tools that one agent may use, by the profile and mode of its context, and the results of its calls. Tools that
 * undo other people's work are left out. The model reads answers without secrets.
 */
export class AgentTools {
  readonly tools: Readonly<Record<string, Tool>>;
  readonly closing = new ClosingCall();
  readonly #context: Context;
  readonly #redact: Redact;
  readonly #results: Result[] = [];

  /** `only`: the names of the tools to offer; without it, all of the profile. */
  constructor(context: Context, redact: Redact, { only }: { readonly only?: readonly string[] } = {}) {
    this.#context = { memory: new SessionMemory(), ...context };
    this.#redact = redact;
    const offered = toolsFor(context.profile, context.mode).filter(
      ({ access, name }) => access !== "restore" && (only?.includes(name) ?? true),
    );
    this.tools = Object.fromEntries(offered.map((each) => [each.name, this.#bind(each)]));
  }

  /** The fields of a request that offer the tools. */
  request(maxSteps: number): Pick<ModelRequest, "tools" | "maxSteps" | "isDone"> {
    return { tools: this.tools, maxSteps, isDone: () => this.closing.isDone() };
  }

  /** The results of all calls, in order. */
  results(): readonly Result[] {
    return [...this.#results];
  }

  /** The calls that wrote something, and the journal entry of each. */
  written(): readonly (Result & { readonly entry: string })[] {
    return this.#results.filter((result): result is Result & { readonly entry: string } => {
      return result.success && result.entry !== undefined;
    });
  }

  /** The number of calls of each tool. */
  counts(): Readonly<Record<string, number>> {
    return addCounts(...this.#results.map((result) => ({ [result.tool]: 1 })));
  }

  #bind(each: CatalogTool<never>): Tool {
    const tool = bindTool(each, {
      context: this.#context,
      withheld,
      answer: async (call) => {
        const result = await call();
        this.#results.push(result);
        return this.#redact(textOf(result));
      },
    }) as Tool;
    if (each.access === "read") return tool;
    return this.closing.wrap(tool, () => this.#results.at(-1)?.success ?? false);
  }
}

import { randomBytes } from "node:crypto";
import {
  type CreateMessageRequestParams,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type ServerContext,
  type Tool as ToolListing,
} from "@modelcontextprotocol/server";
import { type Outcome, type Refusal, RefusalError } from "../text/model/outcome.ts";
import { allows, type Context, type Result } from "../tools/tool.ts";
import { serverText } from "../wording/mcp.ts";
import { refused } from "../wording/report.ts";
import { ResumableCall } from "./resumable-call.ts";
import type { Sample, Sampled } from "./sampling.ts";

/** `suture fix` with the client's own model, for clients that let a server sample it. */
export const fixDocsListing: ToolListing = {
  name: "fix_docs",
  title: "Make the documentation true again",
  description:
    "Find the passages that a code change made false, make the edits that a rule is certain of, and have this client's own model word the rest, passage by passage, under the same checks. Needs no key.",
  inputSchema: {
    type: "object",
    properties: {
      base: { type: "string", description: "Git revision to compare with." },
      path: { type: "string", description: "Only this document." },
      limit: { type: "integer", minimum: 1, maximum: 20, description: "Most passages to ask about (5)." },
    },
    additionalProperties: false,
  },
  annotations: {
    title: "Make the documentation true again",
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: false,
    openWorldHint: false,
  },
};

/** Whether the context edits pages and may write. */
export function offersFixDocs({ profile, mode, workspace }: Context): boolean {
  return profile === "docs" && workspace !== undefined && allows(mode, "edit");
}

export type FixDocsInput = Readonly<Record<string, unknown>>;

/** One call of `fix_docs`, as a client sends it. */
export type FixDocsCall = {
  readonly context: Context;
  readonly input: FixDocsInput;
  readonly request: ServerContext;
  /** The client's name, for the audit record. */
  readonly client: string;
};

type SamplingCall = ResumableCall<CreateMessageRequestParams, Sampled, Outcome<Result>>;

type PendingCall = { readonly call: SamplingCall; readonly cancel: AbortController; rounds: number };

// Clients give up after eight to ten rounds. The run ends before that and keeps its edits.
const maxRounds = 7;
const maxPending = 16;

/** Calls that wait for a client's answers, by the state name that the client sends back. */
export class FixDocsCalls {
  readonly #pending = new Map<string, PendingCall>();

  async call(call: FixDocsCall): Promise<Result | InputRequiredResult> {
    if (call.context.reader.isClosed()) return declined({ code: "closed" });
    const { name, pending } = this.#findOrStart(call);
    try {
      let state = await pending.call.resume(answersIn(call.request));
      pending.rounds++;
      while ("questions" in state && pending.rounds > maxRounds)
        state = await pending.call.resume(unanswered(state.questions));
      if ("questions" in state) return askClient(state.questions, name);
      this.#pending.delete(name);
      return state.done.ok ? state.done.value : declined(state.done.refusal);
    } catch (error) {
      this.#pending.delete(name);
      if (error instanceof RefusalError) return declined(error.refusal);
      throw error;
    }
  }

  #findOrStart(call: FixDocsCall): { readonly name: string; readonly pending: PendingCall } {
    const known = call.request.mcpReq.requestState();
    const waiting = typeof known === "string" ? this.#pending.get(known) : undefined;
    if (waiting) return { name: known as string, pending: waiting };
    const name = randomBytes(16).toString("hex");
    const cancel = new AbortController();
    const pending = {
      call: new ResumableCall(async (sample: Sample) => {
        const { runFixDocs } = await import("./run-fix-docs.ts");
        return runFixDocs(call, cancel.signal, sample);
      }),
      cancel,
      rounds: 0,
    };
    this.#pending.set(name, pending);
    this.#dropOldest();
    return { name, pending };
  }

  /** A client may never come back. Past the limit, the call that has waited longest is cancelled. */
  #dropOldest(): void {
    const [oldest] = this.#pending;
    if (this.#pending.size <= maxPending || !oldest) return;
    const [name, { cancel }] = oldest;
    cancel.abort(new Error(serverText.clientLeft));
    this.#pending.delete(name);
  }
}

function askClient(
  questions: Readonly<Record<string, CreateMessageRequestParams>>,
  requestState: string,
): InputRequiredResult {
  const requests = Object.entries(questions).map(
    ([key, params]) => [key, inputRequired.createMessage(params)] as const,
  );
  return inputRequired({ inputRequests: Object.fromEntries(requests), requestState });
}

function unanswered(questions: Readonly<Record<string, unknown>>): Record<string, Sampled> {
  return Object.fromEntries(Object.keys(questions).map((key) => [key, undefined]));
}

function answersIn({ mcpReq }: ServerContext): Record<string, Sampled> {
  const responses = mcpReq.inputResponses ?? {};
  const answers = Object.keys(responses).map((key): [string, Sampled] => {
    const view = inputResponse(responses, key);
    if (view.kind !== "sampling") return [key, undefined];
    const { content, stopReason } = view.result;
    const blocks = Array.isArray(content) ? content : [content];
    const text = blocks.map((block) => (block.type === "text" ? block.text : "")).join("");
    return [key, { text, cut: stopReason === "maxTokens" }];
  });
  return Object.fromEntries(answers);
}

function declined(refusal: Refusal): Result {
  return refused(refusal, { tool: "fix_docs", wording: "files" });
}

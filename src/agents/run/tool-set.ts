import type { Tool, ToolSet } from "ai";
import { toolsFor } from "../../docs/catalog.ts";
import { RefusalError } from "../../text/model/outcome.ts";
import { type ContextOptions, openContext } from "../../tools/context.ts";
import { passingSchema } from "../../tools/passing-schema.ts";
import { SessionMemory } from "../../tools/session-memory.ts";
import type { Result } from "../../tools/tool.ts";
import {
  type FileContext,
  patchSnippet,
  type SnippetInput,
  snippetDescriptions,
} from "../../tools/verbs/snippet.ts";
import { describeRefusal } from "../../wording/refusals/describe.ts";
import { refused } from "../../wording/report.ts";
import { Lifetime } from "../../workspace/lifetime.ts";
import { bindTool } from "./bind-tool.ts";

/** The folder of the tools, and the author of their edits. */
export type ToolsOptions = Omit<ContextOptions, "signal">;

/**
 * The tools of a profile and a mode. `await using` closes their workspace: earlier calls are answered first, later
 * calls are refused with the code `closed`.
 */
export type BoundTools = ToolSet & AsyncDisposable;

/**
 * The catalog as AI SDK tools over the files of a folder. Calls of one step run in the model's order. The model reads
 * one text; programs find the whole result in `output`.
 */
export async function createTools(options: ToolsOptions): Promise<BoundTools> {
  const opened = await openContext({
    undoes: "own",
    strict: true,
    ...options,
    author: options.author ?? "agent",
    memory: options.memory ?? new SessionMemory(),
  });
  if (!opened.ok) throw new RefusalError(opened.refusal, describeRefusal(opened.refusal).message);
  const context = opened.value;
  const inOrder = queue();
  const lifetime = new Lifetime(() => new RefusalError({ code: "closed" }));
  const tools = toolsFor(context.profile, context.mode).map((each) => {
    const answer = (call: () => Promise<Result>): Promise<Result> =>
      lifetime.isClosed
        ? Promise.resolve(refused({ code: "closed" }, { tool: each.name, wording: "files" }))
        : lifetime.during(() => inOrder(call));
    return [each.name, bindTool(each, { context, answer })] as const;
  });
  // Enumerable, so that a copy with more tools (`{ ...tools, mine }`) can be closed too.
  const close = () => lifetime.close(() => context.close());
  return { ...Object.fromEntries(tools), [Symbol.asyncDispose]: close } as BoundTools;
}

/** Runs one call after the other. A failed call does not block the next one. */
function queue(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const next = last.then(work, work);
    last = next.catch(() => {});
    return next;
  };
}

/** `patch_file` for a page in memory. It changes `page.content` and answers with one sentence. */
export function createPatchFileTool(page: FileContext): Tool<SnippetInput, string> {
  const { tool: description, ...fields } = snippetDescriptions;
  const text = (field: keyof typeof fields) => ({ type: "string", description: fields[field] }) as const;
  return {
    description,
    inputSchema: passingSchema<SnippetInput>({
      type: "object",
      properties: {
        original_text_snippet: text("original_text_snippet"),
        new_text_snippet: text("new_text_snippet"),
        reason: text("reason"),
      },
      required: ["original_text_snippet", "new_text_snippet", "reason"],
      additionalProperties: false,
    }),
    execute: (input: SnippetInput) => patchSnippet(page, input),
  } as unknown as Tool<SnippetInput, string>;
}

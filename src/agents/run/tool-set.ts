import { jsonSchema, type Tool, type ToolSet, tool } from "ai";
import { callTool, toolsFor } from "../../docs/catalog.ts";
import { RefusalError } from "../../text/model/outcome.ts";
import { inputSchema } from "../../tools/catalog.ts";
import { type ContextOptions, openContext } from "../../tools/context.ts";
import type { Context, Result } from "../../tools/tool.ts";
import {
  type FileContext,
  patchSnippet,
  type SnippetInput,
  snippetDescriptions,
} from "../../tools/verbs/snippet.ts";
import { describeRefusal, refused, textOf } from "../../wording/report.ts";
import { Lifetime } from "../../workspace/lifetime.ts";

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
  });
  if (!opened.ok) throw new RefusalError(opened.refusal, describeRefusal(opened.refusal).message);
  const context = opened.value;
  const inOrder = queue();
  const lifetime = new Lifetime(() => new RefusalError({ code: "closed" }));
  const tools = toolsFor(context.profile, context.mode).map((each) => {
    const call = (input: unknown, signal?: AbortSignal): Promise<Result> =>
      lifetime.isClosed
        ? Promise.resolve(refused({ code: "closed" }, { tool: each.name, wording: "files" }))
        : lifetime.during(() => inOrder(() => callTool(withSignal(context, signal), each.name, input)));
    return [each.name, bind(each.description, inputSchema(each, context), call)] as const;
  });
  // Enumerable, so that a copy with more tools (`{ ...tools, mine }`) can be closed too.
  const close = () => lifetime.close(() => context.close());
  return { ...Object.fromEntries(tools), [Symbol.asyncDispose]: close } as BoundTools;
}

/** The tool checks its own input, so its refusals read the same in every entry point. */
function bind(
  description: string,
  schema: Record<string, unknown>,
  call: (input: unknown, signal?: AbortSignal) => Promise<Result>,
): Tool<unknown, Result> {
  return tool<unknown, Result, never>({
    description,
    inputSchema: jsonSchema(schema),
    execute: (input, { abortSignal }) => call(input, abortSignal),
    toModelOutput: ({ output }) => ({ type: output.success ? "text" : "error-text", value: textOf(output) }),
  }) as Tool<unknown, Result>;
}

function withSignal(context: Context, signal: AbortSignal | undefined): Context {
  return signal === undefined ? context : { ...context, signal };
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
  return tool<SnippetInput, string, never>({
    description,
    inputSchema: jsonSchema<SnippetInput>({
      type: "object",
      properties: {
        original_text_snippet: text("original_text_snippet"),
        new_text_snippet: text("new_text_snippet"),
        reason: text("reason"),
      },
      required: ["original_text_snippet", "new_text_snippet", "reason"],
      additionalProperties: false,
    }),
    execute: (input) => patchSnippet(page, input),
  }) as Tool<SnippetInput, string>;
}

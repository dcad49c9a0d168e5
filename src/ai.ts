export type { BoundTools, ToolsOptions } from "./agents/run/tool-set.ts";
export { createPatchFileTool, createTools } from "./agents/run/tool-set.ts";
export type { Mode, Profile, Result } from "./tools/tool.ts";
export type { FileContext, SnippetInput } from "./tools/verbs/snippet.ts";

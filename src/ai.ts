export type { BoundTools, ToolsOptions } from "./agents/run/tool-set.ts";
export { createPatchFileTool, createTools } from "./agents/run/tool-set.ts";
export type { FileContext, SnippetInput } from "./tools/snippet.ts";
export type { Mode, Profile, Result } from "./tools/tool.ts";

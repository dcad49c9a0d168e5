import { offer } from "../tools/call.ts";
import { editingTools, type Tool } from "../tools/catalog.ts";
import type { Context, Mode, Profile, Result } from "../tools/tool.ts";
import { findDriftTool } from "./check/find-drift.ts";

/** Every verb that Suture offers to people and agents, each once. All doors list and call these. */
export const catalog: readonly Tool<never>[] = [...editingTools, findDriftTool];

const offered = offer(catalog);

/** The tools that exist for a profile and a mode. */
export function toolsFor(profile: Profile, mode?: Mode): readonly Tool<never>[] {
  return offered.toolsFor(profile, mode);
}

/** Calls a tool by name with input that has not been checked yet. */
export function callTool(context: Context, name: string, input: unknown): Promise<Result> {
  return offered.callTool(context, name, input);
}

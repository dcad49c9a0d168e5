import { offer } from "../tools/call.ts";
import { editingTools, type Tool } from "../tools/catalog.ts";
import { findDriftTool } from "./check/find-drift.ts";

/** Every verb that Suture offers to people and agents, each once. All doors list and call these. */
export const catalog: readonly Tool<never>[] = [...editingTools, findDriftTool];

export const { toolsFor, callTool } = offer(catalog);

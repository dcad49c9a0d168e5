import type { z } from "zod";
import { type Refusal, RefusalError } from "../text/model/outcome.ts";
import type { RefusedCall } from "../wording/refusals/refused-call.ts";
import { refused } from "../wording/report.ts";
import type { Tool } from "./catalog.ts";
import { allows, type Context, type Mode, type Profile, type Result } from "./tool.ts";

/** The tools of a catalog: listed for a profile and a mode, and called by name. */
export type Offer = {
  /** The tools that exist for a profile and a mode. */
  toolsFor(profile: Profile, mode?: Mode): readonly Tool<never>[];
  /**
   * Calls a tool by name with input that has not been checked yet: the one entrance for every door that takes calls
   * from programs. Profile, mode and schema are enforced here, whatever the door offered.
   */
  callTool(context: Context, name: string, input: unknown): Promise<Result>;
};

export function offer(catalog: readonly Tool<never>[]): Offer {
  const toolsFor: Offer["toolsFor"] = (profile, mode) =>
    catalog.filter((tool) => tool.profiles.includes(profile) && allows(mode, tool.access));
  return {
    toolsFor,
    callTool: async (context, name, input) => {
      const tool = catalog.find((candidate) => candidate.name === name);
      const asked = { tool: name, wording: wordingOf(name), ...pathIn(input) } as const;
      if (tool) return callOne(tool, context, input, asked);
      const candidates = toolsFor(context.profile, context.mode).map((each) => each.name);
      return refused({ code: "not-found", what: "tool", detail: name, candidates }, asked);
    },
  };
}

async function callOne(tool: Tool, context: Context, input: unknown, asked: RefusedCall): Promise<Result> {
  if (context.reader.isClosed()) return refused({ code: "closed" }, asked);
  if (context.signal?.aborted) return refused({ code: "aborted" }, asked);
  const barred = whyBarred(tool, context);
  if (barred) return refused(barred, asked);
  const parsed = tool.input.safeParse(withAliases(tool.name, input));
  if (!parsed.success) return refused(wordIssue(tool, parsed.error, input), asked);
  const run = tool.run as (context: Context, input: unknown) => Promise<Result>;
  try {
    return await run({ ...context, call: { tool: tool.name, input: parsed.data } }, parsed.data);
  } catch (error) {
    if (error instanceof RefusalError) return refused(error.refusal, asked);
    if (context.signal?.aborted) return refused({ code: "aborted" }, asked);
    throw error;
  }
}

function whyBarred(tool: Tool, context: Context): Refusal | null {
  if (!tool.profiles.includes(context.profile))
    return {
      code: "not-allowed",
      detail: `Tool not allowed: ${tool.name} is not part of the ${context.profile} profile`,
    };
  if (!allows(context.mode, tool.access))
    return {
      code: "not-allowed",
      detail: `Tool not allowed: ${tool.name} may not be used in ${context.mode} mode`,
    };
  return null;
}

function wordingOf(name: string): "files" | "article" {
  return name === "edit_article" ? "article" : "files";
}

function pathIn(input: unknown): { path?: string } {
  const path = (input as { path?: unknown } | null | undefined)?.path;
  return typeof path === "string" ? { path } : {};
}

/** Accepts `diff` as another name for `patch`. */
function withAliases(name: string, input: unknown): unknown {
  if (name !== "patch_file" || typeof input !== "object" || input === null) return input;
  const { diff, ...rest } = input as { diff?: unknown; patch?: unknown };
  return diff !== undefined && rest.patch === undefined ? { ...rest, patch: diff } : input;
}

/** The first error in the input, in words for its callers. */
function wordIssue(tool: Tool, error: z.ZodError, input: unknown): Refusal {
  const issue = [...error.issues].sort((a, b) => rank(a) - rank(b))[0]!;
  const fields = `${tool.name} takes ${fieldNames(tool)}.`;
  if (issue.code === "unrecognized_keys") {
    const names = issue.keys.map((key) => `'${key}'`).join(", ");
    return { code: "malformed", what: `unknown argument ${names}`, hint: fields };
  }
  const [field, index, inner] = issue.path;
  if (field === "edits" && typeof index === "number")
    return {
      code: "malformed",
      edit: index,
      what: `Missing or invalid '${String(inner ?? "edit")}'`,
      hint: fields,
    };
  if (field === "edits")
    return {
      code: "malformed",
      what: Array.isArray((input as { edits?: unknown }).edits)
        ? "'edits' is empty: there is nothing to apply"
        : "Missing or invalid 'edits' argument - must be an array",
      hint: fields,
    };
  if (field === undefined)
    return { code: "malformed", what: "the arguments are not an object", hint: fields };
  return {
    code: "malformed",
    what: `Missing or invalid '${String(field)}' argument`,
    hint: `${fields} ${issue.message}`,
  };
}

/** Missing fields come first: they show that the arguments are for another tool. */
function rank(issue: z.core.$ZodIssue): number {
  return issue.code === "unrecognized_keys" ? 1 : 0;
}

function fieldNames(tool: Tool): string {
  const shape = (tool.input as unknown as z.ZodObject).shape;
  const names = Object.entries(shape).map(([name, type]) =>
    (type as z.ZodType).safeParse(undefined).success ? `${name}?` : name,
  );
  return names.join(", ");
}

import { defined } from "../text/model/defined.ts";
import { accept, type Outcome, type Refusal, refuse } from "../text/model/outcome.ts";
import { closable } from "../workspace/lifetime.ts";
import { openReader, openWorkspace, type Workspace, type WorkspaceOptions } from "../workspace/workspace.ts";
import type { Approve } from "./approval.ts";
import { configPath } from "./config-path.ts";
import { allows, type Context, type Mode, modes, type Profile, profiles } from "./tool.ts";

export type ContextOptions = WorkspaceOptions & {
  readonly root: string;
  readonly profile?: Profile | undefined;
  readonly mode?: Mode | undefined;
  readonly author?: string | undefined;
  readonly task?: string | undefined;
  readonly run?: string | undefined;
  readonly origin?: Context["origin"] | undefined;
  readonly article?: string | undefined;
  readonly code?: string | undefined;
  readonly strict?: boolean | undefined;
  readonly force?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly approve?: Approve | undefined;
  readonly undoes?: Context["undoes"] | undefined;
  readonly memory?: Context["memory"] | undefined;
};

/** Opens the context of tools for a folder. In a mode that may not write, the context has only a reader. */
export async function openContext(options: ContextOptions): Promise<Outcome<Context>> {
  const {
    root,
    profile = "files",
    mode,
    author = "person",
    task = "default",
    run,
    origin,
    article,
    code,
    strict,
    force,
    signal,
    approve,
    undoes,
    memory,
    ...rest
  } = options;
  const unknown = findUnknown(options);
  if (unknown) return refuse(unknown);
  const shared = {
    profile,
    author,
    task,
    ...defined({ mode, run, origin, article, code, strict, force, signal, approve, undoes, memory }),
  };
  const writes = allows(mode, "edit") || allows(mode, "create");
  if (!writes) {
    const reader = await openReader(root, rest);
    if (!reader.ok) return reader;
    return accept({ ...shared, reader: reader.value, ...closable(() => reader.value.close()) });
  }
  const workspace = await openWithBackup(root, rest);
  if (!workspace.ok) return workspace;
  const { value } = workspace;
  return accept({ ...shared, reader: value, workspace: value, ...closable(() => value.close()) });
}

/** A misspelt mode would open a reader, and a misspelt profile would have no tools. */
function findUnknown({ mode, profile }: ContextOptions): Refusal | undefined {
  for (const [option, value, known] of [
    ["mode", mode, modes],
    ["profile", profile, profiles],
  ] as const)
    if (value !== undefined && !(known as readonly string[]).includes(value))
      return {
        code: "malformed",
        what: `unknown ${option} ${JSON.stringify(value)}`,
        hint: `A ${option} is one of ${known.join(", ")}.`,
      };
  return undefined;
}

/** The workspace with the backups that its project configures. Few projects do, so it opens the workspace first. */
async function openWithBackup(root: string, options: WorkspaceOptions): Promise<Outcome<Workspace>> {
  const opened = await openWorkspace(root, options);
  if (!opened.ok || options.backup !== undefined) return opened;
  const config = await opened.value.read(configPath);
  if (!config.ok || !asksForSiblings(config.value.text)) return opened;
  await opened.value.close();
  return openWorkspace(root, { ...options, backup: "sibling" });
}

/** Parsed without the schema, which would take longer than the edit. */
function asksForSiblings(text: string | null): boolean {
  try {
    return (JSON.parse(text ?? "{}") as { backup?: unknown } | null)?.backup === "sibling";
  } catch {
    return false;
  }
}

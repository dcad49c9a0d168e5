import { defined } from "../text/model/defined.ts";
import type { Fit } from "../text/model/edit.ts";
import type { RefusalCode } from "../text/model/outcome.ts";
import type { Note } from "../text/model/plan.ts";
import type { Snapshot } from "../text/model/snapshot.ts";
import type { LineRegion, Origin } from "../workspace/journal/entries.ts";
import type { Closable } from "../workspace/lifetime.ts";
import type { Concern } from "../workspace/paths/guarded-names.ts";
import type { Reader, Workspace } from "../workspace/workspace.ts";
import type { Approve } from "./approval.ts";
import type { SessionMemory } from "./session-memory.ts";

/** The purpose of a task. It decides which tools the task has. */
export type Mode = "research" | "generate" | "modify" | "execute" | "analyze";

export const modes: readonly Mode[] = ["research", "generate", "modify", "execute", "analyze"];

/** `slim`: few tools with short descriptions, for clients with a small context. */
export type Profile = "files" | "docs" | "slim";

export const profiles: readonly Profile[] = ["files", "docs", "slim"];

/** The effect of a tool on files: none, or it adds, changes or restores one. */
export type Access = "read" | "create" | "edit" | "restore";

/** The rights of a task in a mode. Without a mode, a person or a program may do everything. */
export function allows(mode: Mode | undefined, access: Access): boolean {
  if (access === "read" || mode === undefined) return true;
  if (mode === "generate") return access === "create";
  return mode === "modify" && (access === "edit" || access === "restore");
}

/**
 * The context of every call. Without a workspace it has only a reader, which has no `commit`, so nothing can be written.
 * Closing the context closes the reader and the workspace.
 */
export type Context = Closable & {
  readonly reader: Reader;
  readonly workspace?: Workspace;
  readonly profile: Profile;
  readonly mode?: Mode;
  readonly author: string;
  readonly task: string;
  readonly run?: string;
  /** The program, conversation and model behind the calls, where they are known. */
  readonly origin?: Origin;
  /** The clone whose code the documents of this folder describe; absent where the code is here too. */
  readonly code?: string;
  /** The one article `edit_article` may change, where the caller has bound it. */
  readonly article?: string;
  /** Demand a single match from `edit_file` when no occurrence is named. */
  readonly strict?: boolean;
  /** A person has consented to a conflict or a suspicious text. A model never sets it. */
  readonly force?: boolean;
  readonly signal?: AbortSignal;
  /** Asks the person behind this call whether a sensitive file may be written. */
  readonly consent?: (path: string, concern: Concern) => boolean | Promise<boolean>;
  /** Decides about every change, between plan and commit. */
  readonly approve?: Approve;
  /** `undo` and `redo` without an entry mean the newest entry of this author and task, not the newest of all. */
  readonly undoes?: "own" | "all";
  /** Parameters that the caller cannot set. No refusal advises to set them. */
  readonly withheld?: readonly string[];
  /** What earlier calls of the same session leave behind. Absent where calls do not belong together. */
  readonly memory?: SessionMemory;
  /** The call that this context was made for. */
  readonly call?: { readonly tool: string; readonly input: unknown };
};

export type { LineRegion };

/** What the journal keeps of the program behind a call. */
export function originOf({ origin, call }: Context): { readonly origin?: Origin } {
  return origin ? { origin: { ...defined({ tool: call?.tool }), ...origin } } : {};
}

/** One answer in one shape for every door: `output` or `error` for the model, the rest for programs. */
export type Result = {
  readonly success: boolean;
  readonly output: string;
  readonly tool: string;
  readonly error?: string;
  readonly hint?: string;
  readonly code?: string;
  /** Every edit that was refused, where there are several. */
  readonly failures?: readonly FailedEdit[];
  readonly path?: string;
  readonly paths?: readonly string[];
  readonly version?: string;
  readonly versions?: Readonly<Record<string, string>>;
  readonly region?: LineRegion;
  readonly regions?: readonly LineRegion[];
  readonly fit?: Fit;
  readonly remaining?: number;
  readonly replacements?: number;
  readonly entry?: string;
  readonly backup?: string;
  readonly lineCounts?: { readonly before: number; readonly after: number };
  readonly diff?: string;
  readonly notes?: readonly Note[];
  readonly warnings?: readonly string[];
  /** The call that makes what a session has kept of a refused call. */
  readonly retry?: { readonly tool: "retry_edit"; readonly arguments: { readonly handle: string } };
  readonly dryRun?: true;
  readonly replayed?: true;
  readonly appliedEdits?: readonly { readonly index: number; readonly reason: string }[];
  readonly [more: string]: unknown;
};

/** One of several edits of a call that cannot be made. Edits are counted from 0. */
export type FailedEdit = {
  readonly edit: number;
  /** Which hunk of the edit, from 0. */
  readonly hunk?: number;
  readonly path: string;
  readonly code: RefusalCode;
  readonly error: string;
  readonly hint?: string;
};

/** The options that all writers share. */
export type WriterOptions = {
  readonly reason?: string | undefined;
  readonly base_version?: string | undefined;
  readonly task?: string | undefined;
  readonly dry_run?: boolean | undefined;
  readonly idempotency_key?: string | undefined;
};

/** `madeFor`: the texts that edits were made for, where they say so themselves. */
export type EditOptions = WriterOptions & { readonly madeFor?: ReadonlyMap<string, Snapshot> };

import { callTool, toolsFor } from "../docs/catalog.ts";
import { printPlanDiff } from "../text/diff/diff.ts";
import type { Edit } from "../text/model/edit.ts";
import { accept, type Outcome, type Refusal, refuse } from "../text/model/outcome.ts";
import { type Plan, pathsOf, planEdits } from "../text/model/plan.ts";
import type { Snapshot } from "../text/model/snapshot.ts";
import { askApproval } from "../tools/approval.ts";
import { type ContextOptions, openContext } from "../tools/context.ts";
import { passGates } from "../tools/gates.ts";
import { SessionMemory } from "../tools/session-memory.ts";
import { type Context, type Mode, originOf, type Profile } from "../tools/tool.ts";
import { reverse } from "../tools/verbs/undo.ts";
import { type Closable, closable } from "../workspace/lifetime.ts";
import type { CommitOptions, Committed } from "../workspace/workspace.ts";
import { withSignal } from "./call-signal.ts";
import { SessionTools } from "./session-tools.ts";
import type { ToolInputs, ToolName, ToolResult, ToolsOf } from "./tool-types.ts";

export type SessionOptions = Omit<ContextOptions, "strict" | "undoes" | "memory"> & {
  /** The name in the journal of the edits' author; `program` by default. */
  readonly author?: string | undefined;
  /** Edits of one task never conflict with each other. By default each session is a task of its own. */
  readonly task?: string | undefined;
  /**
   * The matches that `edit_file` accepts without `occurrence`: `only` refuses several matches, `first` takes the first.
   * `only` by default.
   */
  readonly matches?: "only" | "first" | undefined;
};

/** An edit whose reason and evidence may be left out. */
export type NewEdit = Edit extends infer E
  ? E extends Edit
    ? Omit<E, "reason" | "evidence"> & Partial<Pick<E, "reason" | "evidence">>
    : never
  : never;

export type CallOptions = { readonly signal?: AbortSignal | undefined };

export type SessionCommitOptions = Pick<
  CommitOptions,
  "reason" | "idempotencyKey" | "signal" | "onProgress" | "exact"
>;

/** The entry or the run to take back; the session's own newest entry where neither is named. */
export type ReversalTarget = { readonly entry?: string | undefined; readonly run?: string | undefined };

export type ReversalOptions = CallOptions & { readonly reason?: string | undefined };

/** Every option of a session. The compiler compares it with the type. */
const optionNames: Readonly<Record<keyof SessionOptions, true>> = {
  root: true,
  author: true,
  task: true,
  run: true,
  origin: true,
  matches: true,
  mode: true,
  profile: true,
  approve: true,
  policy: true,
  signal: true,
  force: true,
  article: true,
  code: true,
  files: true,
  sizeLimit: true,
  links: true,
  backup: true,
  durability: true,
  inPlace: true,
  mounts: true,
  replace: true,
  quota: true,
  patience: true,
};

/**
 * Opens a folder for an agent or a program. Close the session when the last call has ended: `await using` does it at the
 * end of the block, which is too early for a stream that is read later.
 */
export async function openSession<P extends Profile = "files", M extends Mode | undefined = undefined>(
  options: SessionOptions & { readonly profile?: P | undefined; readonly mode?: M | undefined },
): Promise<Outcome<Session<ToolsOf<P, M>>>> {
  const { matches = "only", author = "program", ...rest }: SessionOptions = options;
  const unknown = findUnknown(options, matches);
  if (unknown) return refuse(unknown);
  const opened = await openContext({
    ...ownTask(),
    ...withoutUndefined(rest),
    root: options.root,
    author,
    strict: matches === "only",
    undoes: "own",
    memory: new SessionMemory(),
  });
  return opened.ok ? accept(new Session(opened.value)) : opened;
}

/** A misspelt option must not be ignored: without `approve`, every change would be written. */
function findUnknown(options: SessionOptions, matches: string): Refusal | null {
  const name = Object.keys(options).find((each) => !Object.hasOwn(optionNames, each));
  if (name !== undefined)
    return {
      code: "malformed",
      what: `unknown option ${JSON.stringify(name)} of a session`,
      hint: `The options are ${Object.keys(optionNames).join(", ")}.`,
    };
  if (matches === "only" || matches === "first") return null;
  const what = `unknown value ${JSON.stringify(matches)} of matches`;
  return { code: "malformed", what, hint: "It is `only` or `first`." };
}

/** Without a task, a session is a run of its own too: it never conflicts with the tasks of earlier sessions. */
function ownTask(): { readonly task: string; readonly run: string } {
  const id = `session-${crypto.randomUUID().slice(0, 8)}`;
  return { task: id, run: id };
}

function withoutUndefined<T extends object>(options: T): T {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as T;
}

/** An open folder, and everything that an agent or a program does there in the name of one author and task. */
export class Session<Names extends ToolName = ToolsOf<"files", undefined>> implements Closable {
  /** The same folder for functions that take a context, such as `fix`. */
  readonly context: Context;
  /** The tools for the SDKs of the vendors, for other agent frameworks, and for MCP. */
  readonly tools: SessionTools<Names>;
  readonly #closing: Closable;

  constructor(context: Context) {
    this.context = context;
    const names = toolsFor(context.profile, context.mode).map(({ name }) => name);
    this.tools = new SessionTools<Names>(context, names as Names[]);
    this.#closing = closable(async () => {
      await this.tools.close();
      await context.close();
    });
  }

  get root(): string {
    return this.context.reader.root;
  }

  /** Calls a tool. A refusal is an answer: nothing throws but a bug or the machine. */
  async call<N extends Names>(
    name: N,
    input: ToolInputs[N],
    options: CallOptions = {},
  ): Promise<ToolResult<N>> {
    const result = await callTool(withSignal(this.context, options.signal), name, input);
    return result as unknown as ToolResult<N>;
  }

  /** Reads the files that the edits name, and works out every change in memory. */
  async plan(edits: readonly NewEdit[]): Promise<Outcome<Plan>> {
    const whole = edits.map((edit) => ({ reason: "", evidence: [], ...edit }) as Edit);
    const snapshots: Snapshot[] = [];
    for (const path of pathsOf(whole)) {
      const read = await this.context.reader.read(path);
      if (!read.ok) return refuse({ path, ...read.refusal });
      snapshots.push({ path, text: read.value.text, version: read.value.version });
    }
    return planEdits(whole, snapshots);
  }

  /**
   * Writes a plan in one transaction, after the session's `approve`. With an approver, or with `exact`, a file that
   * changed since is refused as stale; otherwise edits of other lines are merged.
   */
  async commit(plan: Plan, options: SessionCommitOptions = {}): Promise<Outcome<Committed>> {
    const { workspace, author, task, run } = this.context;
    const context = withSignal(this.context, options.signal);
    if (!workspace)
      return refuse({ code: "not-allowed", detail: "this session only reads; nothing can be written" });
    if (plan.changes.length === 0) return refuse({ code: "no-change", why: "same-text" });
    const checked = passGates(plan, { force: context.force });
    if (!checked.ok) return checked;
    const approved = await askApproval(context, plan, printPlanDiff(plan));
    if (!approved.ok) return approved;
    const { signal, force, approve } = context;
    const exact = approve ? true : options.exact;
    const how = { ...options, ...originOf(context), author, task, run, signal, force, exact };
    return workspace.commit(plan, withoutUndefined(how) as CommitOptions);
  }

  /** Takes back the newest entry of this session's author and task, or the entry or run that is named. */
  undo(target: ReversalTarget = {}, options: ReversalOptions = {}): Promise<Outcome<Committed>> {
    return this.#reverse("undo", target, options);
  }

  /** Does again what the newest undo of this session's author and task took back. */
  redo(target: ReversalTarget = {}, options: ReversalOptions = {}): Promise<Outcome<Committed>> {
    return this.#reverse("redo", target, options);
  }

  close(): Promise<void> {
    return this.#closing.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #reverse(
    tool: "undo" | "redo",
    target: ReversalTarget,
    { signal, reason }: ReversalOptions,
  ): Promise<Outcome<Committed>> {
    const input = { ...target, reason };
    return reverse({ ...withSignal(this.context, signal), call: { tool, input } }, input, tool);
  }
}

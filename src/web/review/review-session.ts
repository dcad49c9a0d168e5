import type { Outcome } from "../../text/model/outcome.ts";
import type { BatchPreview, DecisionResult, ItemView, RunView } from "./view.ts";

/** A review of one run: its edits, and the decisions about each of them. */
export type ReviewSession = {
  run(): Promise<RunView>;
  view(key: number, options?: { readonly whole?: boolean }): Promise<Outcome<ItemView>>;
  /** What approving these edits together would write. */
  previewBatch(keys: readonly number[]): Promise<Outcome<BatchPreview>>;
  /** Writes exactly what was shown under this hash. If it has changed, refuses as `stale` and writes nothing. */
  approve(keys: readonly number[], hash: string): Promise<Outcome<DecisionResult>>;
  reject(key: number, options: RejectOptions): Promise<Outcome<DecisionResult>>;
  /** Rejects the undecided ones of several findings at once. */
  rejectAll(keys: readonly number[], options: RejectOptions): Promise<Outcome<DecisionResult>>;
  /** Replaces the proposed text by a person's text; `null` restores the proposed text. */
  reword(key: number, text: string | null): Promise<Outcome<DecisionResult>>;
  /** Reverts a decision. If the edit was written, the journal undoes it. */
  revert(key: number): Promise<Outcome<DecisionResult>>;
  /** Undoes an entry of the journal. */
  undoEntry(entry: string): Promise<Outcome<DecisionResult>>;
  /** Whether another process has decided or written something since the last call. */
  refresh(): Promise<boolean>;
};

export type RejectOptions = {
  readonly reason?: string;
  /** Never report the finding again. */
  readonly dismiss?: boolean;
};

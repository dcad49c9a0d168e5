import type { Outcome } from "../../text/model/outcome.ts";
import type { Decided, ItemView, RunView, Together } from "./view.ts";

/** Where a person decides: a run, shown edit by edit, and what can be done about each. */
export type Desk = {
  run(): Promise<RunView>;
  view(key: number, options?: { readonly whole?: boolean }): Promise<Outcome<ItemView>>;
  /** What approving these would write together. */
  together(keys: readonly number[]): Promise<Outcome<Together>>;
  /** Writes exactly what was shown under this hash, or refuses as `stale` and writes nothing. */
  approve(keys: readonly number[], hash: string): Promise<Outcome<Decided>>;
  /** `dismiss`: never report it again, for this reason. */
  reject(
    key: number,
    options: { readonly reason?: string; readonly dismiss?: boolean },
  ): Promise<Outcome<Decided>>;
  /** A person's own words for the lines that an edit changes; `null` goes back to those that were proposed. */
  reword(key: number, text: string | null): Promise<Outcome<Decided>>;
  /** Takes back what was decided; where it was written, the journal undoes it. */
  takeBack(key: number): Promise<Outcome<Decided>>;
  /** Takes back an entry of the journal, whoever made it. */
  undoEntry(entry: string): Promise<Outcome<Decided>>;
  /** Looks whether others have decided or written something since. */
  refresh(): Promise<boolean>;
};

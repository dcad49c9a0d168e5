import type { Edit } from "../text/model/edit.ts";
import type { PlanGate } from "./apply-edits.ts";
import type { EditOptions } from "./tool.ts";

/** A call that can be made in place of a refused one, as long as its files have these versions. */
export type KeptRetry = {
  readonly tool: string;
  readonly edits: readonly Edit[];
  readonly options: EditOptions & { readonly gates?: readonly PlanGate[] };
  readonly versions: ReadonlyMap<string, string>;
};

const mostKept = 20;

/** The retries that a session was offered, each under a short name that is never used again. */
export class KeptRetries {
  readonly #kept = new Map<string, KeptRetry>();
  #last = 0;

  keep(retry: KeptRetry): string {
    const handle = `r${++this.#last}`;
    this.#kept.set(handle, retry);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > mostKept) this.#kept.delete(oldest!);
    return handle;
  }

  find(handle: string): KeptRetry | undefined {
    return this.#kept.get(handle);
  }

  drop(handle: string): void {
    this.#kept.delete(handle);
  }

  handles(): readonly string[] {
    return [...this.#kept.keys()];
  }
}

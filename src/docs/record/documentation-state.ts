/**
 * The result of the last check of the pages, and its commit. `check` and `documentation` write it, `documentation` reads
 * it. `base` is the commit that the check compared with; `null` means that it looked at every page.
 */
export type DocumentationState = {
  readonly version: 1;
  readonly checkedAt: string;
  readonly base: string | null;
  readonly head: string;
  readonly hasDrift: boolean;
  /** The base that a run of `documentation` was asked about with `--base`. */
  readonly from?: string;
};

export const stateFile = "audit/documentation.state.json";

/** `null` if the text is not a state; then no run is skipped. */
export function parseState(text: string): DocumentationState | null {
  try {
    const value = JSON.parse(text) as Partial<Record<keyof DocumentationState, unknown>> | null;
    if (typeof value !== "object" || value === null) return null;
    const { version, checkedAt, base = null, head, hasDrift, from } = value;
    if (version !== 1 || typeof head !== "string" || head === "" || typeof checkedAt !== "string")
      return null;
    if (typeof hasDrift !== "boolean" || (base !== null && typeof base !== "string")) return null;
    const state = { version, checkedAt, base, head, hasDrift } as const;
    return typeof from === "string" ? { ...state, from } : state;
  } catch {
    return null;
  }
}

export function printState(state: DocumentationState): string {
  return `${JSON.stringify(state, null, 2)}\n`;
}

/**
 * Why a run has nothing to do, or `null`. A run is skipped only if no source has changed: neither the age of the state
 * nor a check without findings is enough. After `documentation`, a run is skipped until a file changes that is not a
 * document. After `check`, it is skipped only while the head is the commit that was checked, the check covered every page,
 * and no page is older than its sources. A base that no run was asked about is never skipped.
 */
export function whySkip(given: {
  readonly state: DocumentationState | null;
  readonly force: boolean;
  readonly head: string | null;
  /** Files changed and not committed, documents left out; `null` when that cannot be known. */
  readonly uncommitted: number | null;
  /** Files that commits since the state changed, documents left out; `null` when that cannot be known. */
  readonly changed: number | null;
  /** Whether the state covers all commits since each page was last checked. */
  readonly covered: boolean;
  /** Pages whose recorded sources changed since they were written. */
  readonly stale: number;
  /** Whether the state covers the change that the user asks about; absent where the user names no base. */
  readonly asked?: boolean;
}): string | null {
  const { state, force, head, uncommitted, changed, covered, stale, asked = true } = given;
  if (!asked || force || !state || state.hasDrift || head === null) return null;
  if (changed !== 0 || uncommitted !== 0 || stale > 0) return null;
  if (state.base !== null && (state.head !== head || !covered)) return null;
  return `no drift was found at ${state.head.slice(0, 12)} (checked ${state.checkedAt}), and nothing has changed since`;
}

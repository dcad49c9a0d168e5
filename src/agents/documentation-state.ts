import { z } from "zod";

/** What a check found, at which commit: `.suture/audit/documentation.state.json`. Written by `check`, read by `documentation`. */
export type DocumentationState = {
  readonly version: 1;
  readonly checkedAt: string;
  readonly head: string;
  readonly hasDrift: boolean;
};

export const stateFile = "audit/documentation.state.json";

const schema = z.object({
  version: z.literal(1),
  checkedAt: z.string(),
  head: z.string().min(1),
  hasDrift: z.boolean(),
});

/** `null` for anything that is not a state: then nothing is skipped. */
export function parseState(text: string): DocumentationState | null {
  try {
    const parsed = schema.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

export function printState(state: DocumentationState): string {
  return `${JSON.stringify(state, null, 2)}\n`;
}

/**
 * Why a run has nothing to do, or `null`. Age decides nothing: a state counts while the commit it speaks of is the
 * head and nothing has been changed since.
 */
export function whySkip(given: {
  readonly state: DocumentationState | null;
  readonly force: boolean;
  readonly head: string | null;
  /** Files changed and not committed, documents left out; `null` when nobody can tell. */
  readonly uncommitted: number | null;
}): string | null {
  const { state, force, head, uncommitted } = given;
  if (force || !state || state.hasDrift || head === null) return null;
  if (state.head !== head || uncommitted !== 0) return null;
  return `no drift was found at ${head.slice(0, 12)} (checked ${state.checkedAt}), and nothing has changed since`;
}

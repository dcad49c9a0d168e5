import { agentText } from "../../wording/agents.ts";

export const cancelledText = agentText.cancelled;

/** Runs `work`. After a cancellation it answers with `cancelled()` instead, so earlier results still count. */
export async function unlessCancelled<T>(
  signal: AbortSignal | undefined,
  work: () => Promise<T>,
  cancelled: () => T,
): Promise<T> {
  if (signal?.aborted) return cancelled();
  try {
    return await work();
  } catch (error) {
    if (signal?.aborted) return cancelled();
    throw error;
  }
}

/** What was done before somebody stopped the run still counts; the piece of work in hand is marked as stopped. */
export async function unlessStopped<T>(
  signal: AbortSignal | undefined,
  work: () => Promise<T>,
  stopped: () => T,
): Promise<T> {
  if (signal?.aborted) return stopped();
  try {
    return await work();
  } catch (error) {
    if (signal?.aborted) return stopped();
    throw error;
  }
}

export const stoppedWords = "stopped before it was done";

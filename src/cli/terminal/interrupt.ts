/**
 * Runs work that Ctrl-C ends between two steps. The first Ctrl-C asks the work to stop: a transaction that has begun is
 * finished. The second one ends the process, and the next call recovers.
 */
export async function untilDone<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const stop = new AbortController();
  const interrupt = (): void => {
    if (stop.signal.aborted) process.exit(130);
    process.exitCode = 130;
    stop.abort(new Interrupted("interrupted"));
  };
  process.on("SIGINT", interrupt);
  try {
    return await work(stop.signal);
  } finally {
    process.off("SIGINT", interrupt);
  }
}

/** A person has stopped the work before it changed anything. */
class Interrupted extends Error {
  override readonly name = "Interrupted";
}

/** Waits until a person stops the command. */
export function untilStopped(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
  });
}

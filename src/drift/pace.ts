// Short enough for a server to answer in between, long enough to cost nothing.
const STRETCH = 50;

/**
 * Yields to the event loop after a while. Awaiting a settled promise does not yield: a long loop of such awaits blocks
 * the process.
 */
export function createPace(): () => Promise<void> {
  let began = Date.now();
  return async () => {
    if (Date.now() - began < STRETCH) return;
    await new Promise((resolve) => setTimeout(resolve, 0));
    began = Date.now();
  };
}

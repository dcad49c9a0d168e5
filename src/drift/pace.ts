// Short enough that a server answers meanwhile, long enough that turns cost nothing.
const STRETCH = 50;

/**
 * Lets other work of the process take a turn once this work has run for a while. Awaiting an answer that is already
 * there does not: a long loop of such answers stops everything else.
 */
export function createPace(): () => Promise<void> {
  let began = performance.now();
  return async () => {
    if (performance.now() - began < STRETCH) return;
    await new Promise((resolve) => setTimeout(resolve, 0));
    began = performance.now();
  };
}

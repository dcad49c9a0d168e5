import { openProgressList } from "./progress-list.ts";
import type { Terminal } from "./terminal.ts";

// A person waits at a terminal; a log only has to show that the work goes on.
const patience = { terminal: 1000, log: 10_000 };

/** Does some work, and shows what it is if it takes long. */
export async function whileSlow<T>(terminal: Terminal, doing: string, work: () => Promise<T>): Promise<T> {
  const progress = openProgressList(terminal);
  const show = (): void => progress.report({ kind: "step", subject: "suture", text: doing });
  const timer = setTimeout(show, terminal.live ? patience.terminal : patience.log);
  try {
    return await work();
  } finally {
    clearTimeout(timer);
    progress.close();
  }
}

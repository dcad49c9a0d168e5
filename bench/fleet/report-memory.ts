import { writeSync } from "node:fs";

// Preloaded into a worker that is measured. At each signal it collects garbage and prints the memory that is left.
process.on("SIGUSR2", () => {
  globalThis.gc?.();
  const { rss, heapUsed, external, arrayBuffers } = process.memoryUsage();
  writeSync(2, `${JSON.stringify({ event: "memory", rss, heapUsed, external, arrayBuffers })}\n`);
});

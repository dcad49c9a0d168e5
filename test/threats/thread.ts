/** One of several threads that append lines to one file. */
import { workerData } from "node:worker_threads";
import { callTool } from "../../src/docs/catalog.ts";
import { openContext } from "../../src/tools/context.ts";

const { root, n, each } = workerData as { root: string; n: number; each: number };
const opened = await openContext({ root });
if (!opened.ok) throw new Error(JSON.stringify(opened.refusal));
for (let i = 0; i < each; ) {
  const result = await callTool(opened.value, "insert_at", { path: "a.md", line: -1, content: `${n}-${i}` });
  if (result.success) i++;
  else if (!["stale", "locked", "conflict"].includes(result.code ?? ""))
    throw new Error(JSON.stringify(result));
}
await opened.value.reader.close();

import type { CallToolResult } from "@modelcontextprotocol/server";
import { callTool } from "../docs/catalog.ts";
import { serveRequests } from "../docs/session/serve-requests.ts";
import { openContext } from "../tools/context.ts";
import { answerOf } from "./answer-size.ts";
import { narrowContext } from "./scope.ts";
import type { ToolRequest } from "./tool-thread.ts";

// The program of the thread that checks for a server.
serveRequests<ToolRequest, CallToolResult>(async ({ options, scope, name, input }, { signal }) => {
  const opened = await openContext({ ...options, mode: "analyze" });
  if (!opened.ok) throw new Error(JSON.stringify(opened.refusal));
  await using context = opened.value;
  return answerOf(await callTool({ ...narrowContext(context, scope), signal }, name, input));
});
